"""Laptops that cannot work together as they were started: aiming is no transfer, a receiver no
measurement, and one's own screen no other laptop's. Each says so."""

import contextlib
import os
import pathlib
import subprocess
import sys

from wccl_process import WCCL, check, temporary_folder
from x_display import need_programs, x_server

DISPLAY_SIZE = (640, 400)


class Laptop:
    """Its camera is the other one's display."""

    def __init__(self, folder, display, other):
        self.folder = folder
        self.environment = {**os.environ, "DISPLAY": display, "SDL_VIDEODRIVER": "x11"}
        self.devices = ["--screen", "0", "--camera", f"x11grab:{other}"]

    def start(self, *arguments):
        print("$ wccl", *arguments, flush=True)
        return subprocess.Popen([WCCL, *arguments, *self.devices], cwd=self.folder, text=True,
                                env=self.environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)


def status_of(process):
    """@return (exit status, all that it said)"""
    out, err = process.communicate(timeout=120)
    return process.returncode, out + err


def said_by_done(process):
    status, said = status_of(process)
    check(status == 0, f"{status} {said}")
    return said


def check_aiming(one, two):
    """A sender that waits takes a laptop that aims for no receiver."""
    (one.folder / "file").write_bytes(bytes(range(256)))
    sender = one.start("send", "file")
    said = said_by_done(two.start("calibrate", "--text"))
    check("see one another" in said, said)
    check(sender.poll() is None, "the sender waits")
    said_by_done(two.start("receive", "inbox"))
    said_by_done(sender)
    check((two.folder / "inbox/file").read_bytes() == bytes(range(256)), "the same bytes")


def check_change_of_mind(one, two):
    """A receiver that waits has agreed on ranks with one that aims; the sender that comes then has
    another identity, and wants rank 0."""
    (one.folder / "late").write_bytes(bytes(range(255)))
    receiver = two.start("receive", "inbox")
    said_by_done(one.start("calibrate", "--text"))
    said_by_done(one.start("send", "late"))
    said_by_done(receiver)
    check((two.folder / "inbox/late").read_bytes() == bytes(range(255)), "the same bytes")


def check_unlike(one, two):
    receiver = one.start("receive", "other")
    status, said = status_of(two.start("eval", "--modes", "luma8-0.5", "--out", "measured"))
    check(status == 2 and "receive`, this laptop `wccl eval`" in said, f"{status} {said}")
    status, said = status_of(receiver)
    check(status == 2 and "`wccl eval`, this laptop" in said, f"{status} {said}")


def check_mirror(folder, display):
    laptop = Laptop(folder, display, display)
    status, said = status_of(laptop.start("receive", "nothing", "--calibration-timeout", "3"))
    check(status == 1 and "the screen of this laptop itself" in said, f"{status} {said}")


def main():
    need_programs("Xvfb")
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(temporary_folder()))
        first, _ = stack.enter_context(x_server(*DISPLAY_SIZE))
        second, _ = stack.enter_context(x_server(*DISPLAY_SIZE))
        laptops = Laptop(folder, first, second), Laptop(folder, second, first)
        check_aiming(*laptops)
        for _ in range(2):  # Who gets which rank is drawn.
            check_change_of_mind(*laptops)
        check_unlike(*laptops)
        check_mirror(folder, first)
    return 0


if __name__ == "__main__":
    sys.exit(main())
