"""Ctrl-C ends a program that waits for what does not come, and the third one whatever hangs."""

import array
import fcntl
import os
import pathlib
import signal
import subprocess
import sys
import termios
import time

from wccl_process import WCCL, check, start, temporary_folder
from x_display import need_programs, x_server

INTERRUPTED = 130


def input_that_does_not_come(folder, arguments):
    os.mkfifo(folder / "film")
    process = start([*arguments, "film"], folder)
    with open(folder / "film", "wb"):  # Opens when it is read.
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    check(process.returncode == INTERRUPTED, f"status {process.returncode}\n{out}{err}")
    (folder / "film").unlink()


def is_empty(pipe):
    n_bytes = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, n_bytes)
    return n_bytes[0] == 0


def stdin_that_does_not_come(folder):
    process = subprocess.Popen([WCCL, "decode", "-"], cwd=folder, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(b"\xff\xd8")
    process.stdin.flush()
    while not is_empty(process.stdin):  # Then it waits for more.
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    status = process.wait(timeout=30)
    check(status == INTERRUPTED, f"status {status}")
    process.communicate()


def frozen_display(folder, arguments, sign):
    """@param sign  The line that it prints before it turns to the display."""
    with x_server(640, 400) as (display, server):
        environment = {**os.environ, "DISPLAY": display, "SDL_VIDEODRIVER": "x11"}
        server.send_signal(signal.SIGSTOP)
        try:
            process = subprocess.Popen([WCCL, *arguments], cwd=folder, env=environment, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            check(any(sign in line for line in iter(process.stdout.readline, "")), "no sign")
            # Three at once could become one.
            for _ in range(100):
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(timeout=0.2)
                    break
                except subprocess.TimeoutExpired:
                    pass
        finally:
            server.send_signal(signal.SIGCONT)
        check(process.wait(timeout=30) == INTERRUPTED, f"status {process.returncode}")
        process.stdout.close()


def main():
    need_programs("Xvfb")
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        (folder / "file").write_bytes(bytes(20_000))
        input_that_does_not_come(folder, ["decode"])
        input_that_does_not_come(folder, ["eval", "--input"])
        stdin_that_does_not_come(folder)
        frozen_display(folder, ["doctor"], "displays")
        frozen_display(folder, ["send", "--one-way", "file"], "flicker")
    return 0


if __name__ == "__main__":
    sys.exit(main())
