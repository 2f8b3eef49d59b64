"""`wccl room --live`: cameras over HTTP from real displays; what keeps it from starting is said."""

import pathlib
import sys
import urllib.error
import urllib.request

from desk import PORT, Desk, isolate
from wccl_process import check, run, temporary_folder

ERROR = 1
USAGE = 2


def fails(folder, arguments, status, named):
    got, out, err = run(["room", "face_720p", "--live", *arguments], folder, timeout=60)
    check(got == status and out == "" and err.count("\n") == 1 and named in err,
          f"status {got}, expected {status} and '{named}'\n{out}{err}")


def serves_pictures(desk):
    for node in range(desk.nodes):
        check(desk.picture(node).startswith(b"\xff\xd8\xff"), "pictures are JPEG")
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/0/video", timeout=20) as video:
        check(video.headers["Content-Type"].startswith("multipart/x-mixed-replace"), "MJPEG")
        stream = video.read(300_000)
    check(stream.count(b"Content-Type: image/jpeg") > 1, "one picture after another")
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=20) as page:
        check(b"/1/video" in page.read(), "a page shows all cameras")


def covers_screens(desk):
    desk.cover(1, True)
    check([laptop["covered"] for laptop in desk.status()["laptops"]] == [False, True], "covered")
    desk.cover(1, False)
    check(not desk.status()["laptops"][1]["covered"], "uncovered")
    try:
        desk.cover(7, True)
        check(False, "there is no screen 7")
    except urllib.error.HTTPError as error:
        check(error.code == 404, f"screen 7: {error.code}")


def ends_on_request(desk, folder):
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/0/video", timeout=20):
        desk.room.terminate()
        check(desk.room.wait(60) == 0, "SIGTERM ends it in good order, viewers or not")
    log = (folder / "room.log").read_text()
    check("captures/s" in log, f"it says how it went\n{log}")


def main():
    isolate()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        with Desk(folder, nodes=2) as desk:
            desk.check_isolation()
            serves_pictures(desk)
            covers_screens(desk)
            here = ["x11grab::1", "x11grab::2"]
            elsewhere = "127.0.0.1:8081"
            fails(folder, [*here, "--serve", f"127.0.0.1:{PORT}"], ERROR, f"127.0.0.1:{PORT}")
            fails(folder, [*here, "--serve", "192.0.2.1:80"], ERROR, "192.0.2.1:80")
            fails(folder, ["x11grab::1", "x11grab::7", "--serve", elsewhere], ERROR, ":7")
            fails(folder, ["x11grab::1", "--serve", elsewhere], USAGE, "2 to 8")
            fails(folder, here, USAGE, "--serve")
            fails(folder, [*here, "--serve", "nowhere"], USAGE, "nowhere")
            fails(folder, [*here, "--serve", elsewhere, "--serve-each", elsewhere], USAGE,
                  "--serve-each")
            ends_on_request(desk, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
