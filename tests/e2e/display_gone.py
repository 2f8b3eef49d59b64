"""A display that goes while its window is open: one clear line, and no crash."""

import os
import pathlib
import subprocess
import sys
import time

from wccl_process import WCCL, check, temporary_folder
from x_display import need_programs, x_server

ERROR = 1


def ends_in_good_order(folder, arguments):
    with x_server(640, 400) as (display, server), x_server(640, 400) as (other, _):
        environment = {**os.environ, "DISPLAY": display, "SDL_VIDEODRIVER": "x11"}
        command = [WCCL, *arguments, "--screen", "window:640x400"]
        if "--one-way" not in arguments:
            command += ["--camera", f"x11grab:{other}"]
        print("$", *command, flush=True)
        process = subprocess.Popen(command, cwd=folder, env=environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(3)  # The window is open, and frames change.
        check(process.poll() is None, "it runs")
        server.kill()
        out, err = process.communicate(timeout=30)
        check(process.returncode == ERROR, f"status {process.returncode}\n{out}{err}")
        check("the display has gone" in err.splitlines()[-1], err)


def main():
    need_programs("Xvfb")
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        (folder / "file").write_bytes(bytes(20_000))
        ends_in_good_order(folder, ["send", "--one-way", "file"])
        ends_in_good_order(folder, ["receive", "inbox"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
