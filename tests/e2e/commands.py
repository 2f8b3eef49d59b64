"""The commands that need no training: help, version, modes, room."""

import json
import pathlib
import sys

from wccl_process import check, run, temporary_folder


def ok(arguments, folder):
    status, out, err = run(arguments, folder)
    check(status == 0, f"exit status {status}\n{out}{err}")
    return out


def fails(arguments, folder, expected, named):
    status, out, err = run(arguments, folder)
    check(status == expected and err.count("\n") == 1 and named in err,
          f"status {status}, expected {expected} and '{named}'\n{out}{err}")


def main():
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        check(ok(["--version"], folder).startswith("wccl "), "--version names the program")
        check("wccl train" in ok(["--help"], folder), "--help has examples")
        for command in ("train", "room", "eval", "devices", "modes"):
            check("Examples:" in ok([command, "--help"], folder), f"{command} --help has examples")
            check("all options of a command" not in ok([command, "--help"], folder),
                  f"{command} --help has examples of its own")
        fails([], folder, 2, "--help")
        fails(["dance"], folder, 2, "dance")
        for device in ("--screen", "--camera"):
            fails(["send", "--scene", "ideal", device, "0", "x"], folder, 2, device)

        modes = json.loads(ok(["modes", "--json"], folder))
        check(len(modes) > 1 and all(mode["bytes_per_frame"] > 0 for mode in modes),
              "every mode bears data on the default panel")
        check(modes[0]["name"] in ok(["modes"], folder), "the table names the modes, too")

        check("face_1080p" in ok(["room", "--list"], folder), "--list names the scenes")
        check("camera 0 sees screen 1" in ok(["room", "face_1080p"], folder), "sizes are printed")
        ok(["room", "ideal", "--time", "0.2", "--out", "pictures"], folder)
        names = sorted(file.name for file in (folder / "pictures").iterdir())
        check(names == ["camera-0.png", "camera-1.png", "screen-0.png", "screen-1.png"], f"{names}")
        fails(["room", "moon"], folder, 2, "moon")
        fails(["room", "ideal", "--time", "0.01", "--out", "pictures"], folder, 2, "--time")
        fails(["room", "ideal", "--out", "/dev/null/pictures"], folder, 1, "/dev/null/pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
