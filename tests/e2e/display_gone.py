"""A display that goes while its window is open: one clear line, and no crash."""

import os
import pathlib
import subprocess
import sys

from wccl_process import WCCL, check, temporary_folder
from x_display import need_programs, x_server

ERROR = 1


def ends_in_good_order(folder, arguments, sign_of_window):
    """@param sign_of_window  What it says once its window is open."""
    with x_server(640, 400) as (display, server), x_server(640, 400) as (other, _):
        environment = {**os.environ, "DISPLAY": display, "SDL_VIDEODRIVER": "x11"}
        command = [WCCL, *arguments, "--screen", "window:640x400"]
        if "--one-way" not in arguments:
            command += ["--camera", f"x11grab:{other}"]
        print("$", *command, flush=True)
        process = subprocess.Popen(command, cwd=folder, env=environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = iter(process.stderr.readline, "")
        check(any(sign_of_window in line for line in said), f"never said: {sign_of_window}")
        server.kill()
        out, err = process.communicate(timeout=30)
        check(process.returncode == ERROR, f"status {process.returncode}\n{out}{err}")
        check("the display has gone" in err.splitlines()[-1], err)


def main():
    need_programs("Xvfb")
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        (folder / "file").write_bytes(bytes(20_000))
        ends_in_good_order(folder, ["send", "--one-way", "file"], "at best")
        ends_in_good_order(folder, ["receive", "inbox"], "gives 640x400")
    return 0


if __name__ == "__main__":
    sys.exit(main())
