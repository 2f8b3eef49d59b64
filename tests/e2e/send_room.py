"""Files by light in the virtual room, two-way: `wccl send --scene`."""

import hashlib
import json
import os
import pathlib
import random
import signal
import sys
import time

from wccl_process import check, check_refusals, run, start, temporary_folder

# Small pictures: this is about files, not about light.
SMALL = ["--scene", "face_720p", "--seed", "1"]


def make_files(folder):
    rng = random.Random(1)
    for name, n_bytes in {"photos/größe 大.jpg": 60_000, "photos/b/c.txt": 10, "photos/none": 0,
                          "run.sh": 5_000}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(rng.randbytes(n_bytes))
    (folder / "photos/empty").mkdir()
    (folder / "run.sh").chmod(0o755)


def contents(folder):
    """What lies in a folder: digests of files, names of folders."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            if path.is_file() else "folder" for path in folder.rglob("*")}


def send(arguments, folder, expected=0):
    status, out, err = run(["send", *SMALL, *arguments], folder)
    check(status == expected, f"status {status} instead of {expected}\n{out}{err}")
    return out, err


def check_figures(folder):
    out, _ = send(["--json", "--out", "inbox", "photos", "run.sh"], folder)
    figures = json.loads(out)
    check(figures["files"] == 4 and figures["bytes"] == 65_010, f"{figures}")
    check(figures["bytes_by_light"] == 65_010, f"{figures}")
    check(0 < figures["first_byte_s"] <= figures["last_byte_s"] < figures["total_s"], f"{figures}")
    check(figures["goodput_bps"] > figures["goodput_from_start_bps"] > 0, f"{figures}")
    got = contents(folder / "inbox")
    want = {name: digest for name, digest in contents(folder).items()
            if name.startswith("photos") or name == "run.sh"}
    check(got == want, f"{got}\n{want}")
    check(os.access(folder / "inbox/run.sh", os.X_OK), "a program can be run")


def check_again(folder):
    """What is there is not sent again; what differs stays unless told."""
    out, _ = send(["--json", "--out", "inbox", "photos", "run.sh"], folder)
    check(json.loads(out)["bytes_by_light"] == 0, out)
    mine = folder / "inbox/run.sh"
    mine.write_bytes(b"mine")
    _, err = send(["--out", "inbox", "run.sh"], folder, expected=1)
    check(err.count("\n") == 1 and "--force" in err, err)
    check(mine.read_bytes() == b"mine", "a file was replaced unasked")
    send(["--out", "inbox", "--force", "run.sh"], folder)
    check(mine.read_bytes() == (folder / "run.sh").read_bytes(), "--force replaces")


def check_interrupt(folder):
    """Ctrl-C leaves what came; the same command goes on from there."""
    big = folder / "big"
    big.write_bytes(random.Random(2).randbytes(400_000))
    process = start(["send", *SMALL, "--out", "resumed", "big"], folder)
    journal = folder / "resumed/.wccl-partial"
    deadline = time.monotonic() + 200
    while not list(journal.glob("*/journal")):
        check(time.monotonic() < deadline and process.poll() is None, "nothing was kept in time")
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    check(process.returncode == 130 and "same command" in err, f"{process.returncode} {err}")
    check(not (folder / "resumed/big").exists(), "half a file is in its place")
    out, _ = send(["--json", "--out", "resumed", "big"], folder)
    check(json.loads(out)["bytes_by_light"] < 400_000, out)
    check((folder / "resumed/big").read_bytes() == big.read_bytes(), "the same bytes")


def check_bad_input(folder):
    check_refusals(["send", *SMALL], folder, [
        (["nowhere"], 1, "nowhere"), (["photos/empty", "photos/../photos/empty"], 2, "empty"),
        (["/dev/null"], 2, "/dev/null"), (["--mode", "no-such", "run.sh"], 2, "no-such"),
        (["--out", "run.sh", "photos"], 1, "run.sh"), (["--timeout", "0", "run.sh"], 2, "timeout"),
        (["--timeout", "nan", "run.sh"], 2, "timeout"), (["--nodes", "1", "run.sh"], 2, "nodes"),
        ([], 2, "PATH")])


def main():
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        make_files(folder)
        check_bad_input(folder)
        check_figures(folder)
        check_again(folder)
        check_interrupt(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
