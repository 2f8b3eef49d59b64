"""Files one-way between a real window and an X display as camera: `wccl send --one-way`, `wccl receive --one-way`."""

import contextlib
import json
import pathlib
import random
import signal
import sys
import time

from send_room import contents, make_files
from wccl_process import check, run, start, temporary_folder
from x_display import need_programs, x_display

DISPLAY_SIZE = (800, 500)  # the window has something around it
WINDOW = "window:640x360"


@contextlib.contextmanager
def sender(folder, *paths):
    """Shows the paths until the end. Slowly, as a busy machine of two cores must keep up."""
    process = start(["send", "--one-way", "--screen", WINDOW, "--hold", "6", *paths], folder)
    try:
        yield process
        check(process.poll() is None, "the sender ended by itself")
    finally:
        process.terminate()
        _, err = process.communicate(timeout=30)
    check(process.returncode == 130, f"send ended with {process.returncode}: {err}")
    check("epilepsy" in err, "no warning before the flicker")


def receive(folder, *arguments, expected=0):
    status, out, err = run(["receive", "--one-way", *arguments], folder)
    check(status == expected, f"status {status} instead of {expected}\n{out}{err}")
    return out, err


def check_files(folder, camera):
    with sender(folder, "photos", "run.sh"):
        out, _ = receive(folder, "inbox", "--camera", camera, "--json")
        check(json.loads(out)["files"] == 4, out)
        check(contents(folder / "inbox") == sent(folder), f"{contents(folder / 'inbox')}")

        # A file that is there stays, and what came need not come again.
        mine = folder / "mine/run.sh"
        mine.parent.mkdir()
        mine.write_bytes(b"mine")
        _, err = receive(folder, "mine", "--camera", camera, expected=1)
        check("--force" in err and mine.read_bytes() == b"mine", err)
        out, _ = receive(folder, "mine", "--camera", camera, "--force", "--json")
        check(json.loads(out)["total_s"] < 3, out)
        check(contents(folder / "mine") == sent(folder), f"{contents(folder / 'mine')}")

        # Who listens both ways is told.
        status, _, err = run(["receive", "both", "--screen", "window:320x200", "--camera", camera],
                             folder)
        check(status == 1 and "--one-way" in err, err)


def sent(folder):
    return {name: digest for name, digest in contents(folder).items()
            if name.startswith("photos") or name == "run.sh"}


def check_kill(folder, camera):
    """A receiver that is killed, and another one that goes on; the sender never learns of it."""
    (folder / "big").write_bytes(random.Random(3).randbytes(60_000))
    with sender(folder, "big"):
        process = start(["receive", "--one-way", "killed", "--camera", camera], folder)
        kept = folder / "killed/.wccl-partial"
        deadline = time.monotonic() + 120
        while not kept.exists() or max((f.stat().st_size for f in kept.iterdir()), default=0) < 20_000:
            check(time.monotonic() < deadline and process.poll() is None, "nothing was kept in time")
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        check(not (folder / "killed/big").exists(), "half a file is in its place")
        receive(folder, "killed", "--camera", camera)
    check((folder / "killed/big").read_bytes() == (folder / "big").read_bytes(), "the same bytes")
    check(list((folder / "killed").iterdir()) == [folder / "killed/big"], "nothing else is left")


def check_recording(folder, camera):
    """Pictures in a folder; two that are too short are enough together."""
    with sender(folder, "run.sh"):
        for name, captures in {"short": 4, "long": 60}.items():
            status, _, err = run(["record", "--camera", camera, "--fps", 15, "--out", name,
                                  "--captures", captures], folder)
            check(status == 0, err)
    _, err = receive(folder, "filmed", "--camera", "short", expected=1)
    check("%" in err and "same command" in err, err)
    receive(folder, "filmed", "--camera", "long")
    check((folder / "filmed/run.sh").read_bytes() == (folder / "run.sh").read_bytes(), "the same bytes")
    status, _, err = run(["decode", "long", "--out", "decoded"], folder)
    check(status == 1 and "receive --one-way" in err, f"{status} {err}")


def main():
    need_programs("Xvfb")
    with temporary_folder() as name, x_display(*DISPLAY_SIZE) as display:
        folder = pathlib.Path(name)
        make_files(folder)
        camera = f"x11grab:{display}"
        check_files(folder, camera)
        check_kill(folder, camera)
        check_recording(folder, camera)
    return 0


if __name__ == "__main__":
    sys.exit(main())
