"""A file through films of a real window, which FFmpeg recorded with loss, and through `wccl record`."""

import os
import pathlib
import subprocess

from wccl_process import check, run, start, temporary_folder
from x_display import need_programs, x_display

PANEL = "640x400"
DISPLAY_SIZE = "800x500"  # the window has something around it
FILMS = {
    "h264.mp4": ["-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p"],
    "mjpeg.avi": ["-c:v", "mjpeg", "-q:v", "4", "-pix_fmt", "yuvj420p"],
}
FPS = 15  # what a busy machine of two cores keeps up with
SECONDS = 5


def film(display, folder):
    """Records the display by FFmpeg, into both films at once."""
    outputs = []
    for name, options in FILMS.items():
        outputs += ["-map", "0:v", "-t", str(SECONDS), *options, name]
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "x11grab", "-framerate", str(FPS), "-draw_mouse", "0",
         "-i", display, *outputs],
        cwd=folder, check=True, timeout=120, stdin=subprocess.DEVNULL)


def expect_same(data, folder, source, *options):
    status, out, err = run(["decode", *options, "--out", f"from-{source}", source], folder)
    check(status == 0, f"decode of {source}: status {status}\n{out}\n{err}")
    got = (pathlib.Path(folder) / f"from-{source}" / "data").read_bytes()
    check(got == data, f"what was decoded from {source} differs")


def main():
    need_programs("Xvfb", "ffmpeg")
    width, height = map(int, DISPLAY_SIZE.split("x"))
    with temporary_folder() as folder, x_display(width, height) as display:
        status, out, err = run(["devices"], folder)
        check(status == 0 and DISPLAY_SIZE in out, f"the display is not listed: {out}{err}")

        data = os.urandom(6000)
        (pathlib.Path(folder) / "data").write_bytes(data)
        status, _, err = run(["encode", "data", "--out", "frames", "--panel", PANEL, "--hold", "8"],
                             folder)
        check(status == 0, err)
        show = start(["show", "frames"], folder)
        try:
            film(display, folder)
            status, out, err = run(["record", "--camera", f"x11grab:{display}", "--fps", FPS,
                                    "--out", "captures", "--captures", FPS * SECONDS], folder)
            check(status == 0, f"record: {out}{err}")
            check(show.poll() is None, "the window closed by itself")
        finally:
            show.terminate()
            _, err = show.communicate(timeout=30)
        check(show.returncode == 130, f"show ended with {show.returncode}: {err}")
        check("epilepsy" in err, "no warning before the flicker")

        kept = sorted(path.name for path in (pathlib.Path(folder) / "captures").iterdir())
        check(kept == [f"capture-{i:05}.jpg" for i in range(FPS * SECONDS)], f"kept {kept}")
        for source in [*FILMS, "captures"]:
            expect_same(data, folder, source, "--fps", FPS)

        status, _, err = run(["record", "--camera", f"x11grab:{display}", "--out", "captures"],
                             folder)
        check(status != 0 and "new folder" in err and err.count("\n") == 1,
              f"recorded into a recording: {err}")


if __name__ == "__main__":
    main()
