"""Files by light in the virtual room, one-way: `wccl send --one-way --scene`."""

import json
import os
import pathlib
import signal
import sys
import time

from send_room import contents, make_files
from wccl_process import check, check_refusals, run, start, temporary_folder

# Small pictures: this is about files, not about light.
SMALL = ["--one-way", "--scene", "face_720p", "--seed", "1"]


def send(arguments, folder, expected=0):
    status, out, err = run(["send", *SMALL, *arguments], folder)
    check(status == expected, f"status {status} instead of {expected}\n{out}{err}")
    return out, err


def sent(folder):
    return {name: digest for name, digest in contents(folder).items()
            if name.startswith("photos") or name == "run.sh"}


def check_figures(folder):
    out, _ = send(["--json", "--out", "inbox", "photos", "run.sh"], folder)
    figures = json.loads(out)
    check(figures["files"] == 4 and figures["bytes"] == figures["bytes_by_light"] == 65_010, f"{figures}")
    check(0 < figures["first_byte_s"] < figures["last_byte_s"] <= figures["total_s"], f"{figures}")
    check(figures["goodput_bps"] > figures["goodput_from_start_bps"] > 0, f"{figures}")
    check(figures["mode"] == "rgb5-1.5", f"{figures}")
    check(contents(folder / "inbox") == sent(folder), f"{contents(folder / 'inbox')}")
    check(os.access(folder / "inbox/run.sh", os.X_OK), "a program can be run")


def check_receivers(folder):
    """Two receivers, each with a folder; a screen is a broadcast. Far away: only large cells are read."""
    out, _ = send(["--json", "--out", "both", "--nodes", "3", "--mode", "luma8-0.5", "photos/b"],
                  folder)
    check(json.loads(out)["receivers"] == 2, out)
    for laptop in ("laptop-1", "laptop-2"):
        check((folder / "both" / laptop / "b/c.txt").read_bytes()
              == (folder / "photos/b/c.txt").read_bytes(), f"{laptop} has the same bytes")


def check_never_over_another_file(folder):
    mine = folder / "inbox/run.sh"
    mine.write_bytes(b"mine")
    _, err = send(["--out", "inbox", "run.sh"], folder, expected=1)
    check("--force" in err, err)
    check(mine.read_bytes() == b"mine", "a file was replaced unasked")
    send(["--out", "inbox", "--force", "run.sh"], folder)
    check(mine.read_bytes() == (folder / "run.sh").read_bytes(), "--force replaces")
    out, _ = send(["--json", "--out", "inbox", "run.sh"], folder)
    check(json.loads(out)["bytes_by_light"] == 0, out)
    check(not (folder / "inbox/.wccl-partial").exists(), "nothing is left behind")


def check_interrupt(folder):
    """Ctrl-C leaves what came; the same command goes on from there."""
    big = folder / "big"
    big.write_bytes(os.urandom(400_000))
    _, err = send(["--out", "resumed", "--duration", "1", "big"], folder, expected=1)
    check("%" in err and "same command" in err, err)
    check(not (folder / "resumed/big").exists(), "half a file is in its place")
    logs = list((folder / "resumed/.wccl-partial").glob("one-way-*"))
    check(len(logs) == 1 and logs[0].stat().st_size > 50_000, f"{logs}")
    process = start(["send", *SMALL, "--out", "interrupted", "big"], folder)
    deadline = time.monotonic() + 200
    while not (folder / "interrupted/.wccl-partial").exists():
        check(time.monotonic() < deadline and process.poll() is None, "nothing was kept in time")
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    check(process.returncode == 130 and "same command" in err, f"{process.returncode} {err}")

    out, _ = send(["--json", "--out", "resumed", "big"], folder)
    check(json.loads(out)["bytes_by_light"] < 350_000, out)
    check((folder / "resumed/big").read_bytes() == big.read_bytes(), "the same bytes")
    check(not (folder / "resumed/.wccl-partial").exists(), "nothing is left behind")


def check_bad_input(folder):
    check_refusals(["send", *SMALL], folder, [
        (["nowhere"], 1, "nowhere"), (["--mode", "no-such", "run.sh"], 2, "no-such"),
        (["--hold", "0", "run.sh"], 2, "hold"), (["--duration", "0", "run.sh"], 2, "duration"),
        (["--out", "run.sh", "photos"], 1, "run.sh"), (["--camera", "0", "run.sh"], 2, "camera"),
        ([], 2, "PATH")])
    status, _, err = run(["send", "--mode", "luma8-0.5", "run.sh"], folder)
    check(status == 2 and "--one-way" in err, err)
    check_refusals(["receive", "--one-way"], folder, [
        (["--screen", "0"], 2, "--screen"), (["--nodes", "3"], 2, "--nodes")])


def main():
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        make_files(folder)
        check_bad_input(folder)
        check_figures(folder)
        check_receivers(folder)
        check_never_over_another_file(folder)
        check_interrupt(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
