"""Files by light from one laptop to another, one process each, real windows, real clock.

In one transfer the sender's screen is covered for 3 s and the receiver's process is stopped and
continued; in the next the receiver is killed and started again, and goes on where it was; in the last
it is interrupted, which the sender is told at once, and both go on when they are started again.

    send_receive.py WCCL [BYTES [WINDOW CAMERA FPS]]    e.g. 1000000 1280x720 1280x720 10
"""

import json
import os
import pathlib
import random
import signal
import sys
import time

from desk import Desk, isolate, said_on_failure, wait_for
from wccl_process import check, temporary_folder

COVER_S = 3
STOP_S = 3
DEADLINE_S = 250
# For a goodbye, on a busy machine; far below --timeout.
GOODBYE_S = 10
ERROR = 1
INTERRUPTED = 130


def size(text):
    return tuple(int(part) for part in text.split("x"))


class End:
    """`wccl send` or `wccl receive` on a laptop."""

    def __init__(self, desk, folder, node, name, arguments):
        self.name = name
        self.log = folder / f"{name}.log"
        with open(self.log, "w") as log:
            self.process = desk.start(node, [*arguments, "--json", "--screen", desk.screen(),
                                             "--camera", desk.camera(node)], stderr=log)

    def alive(self):
        if self.process.poll() is None:
            return True
        check(False, f"{self.name} ended too early, with status {self.process.returncode}")

    def ends(self):
        """@return its summary"""
        out, _ = self.process.communicate(timeout=DEADLINE_S)
        check(self.process.returncode == 0, f"{self.name}: exit status {self.process.returncode}")
        summary = json.loads(out)
        print(f"{self.name}: {json.dumps(summary)}", flush=True)
        return summary


    def fails(self, status, reason):
        """Soon, with one line that tells why."""
        out, _ = self.process.communicate(timeout=GOODBYE_S)
        said = self.log.read_text().splitlines()[-1]
        print(f"{self.name}: {said}", flush=True)
        check(self.process.returncode == status, f"{self.name}: status {self.process.returncode}")
        check(reason in said and not out, f"{self.name}: {reason} in {said}; {out}")


def bytes_on_disk(inbox):
    """Of what has come; the receiver writes down what it has once a second."""
    partial = list(inbox.glob(".wccl-partial/*/*"))
    is_noted = any(path.name == "journal" for path in partial)
    return sum(path.stat().st_blocks * 512 for path in partial) if is_noted else 0


def wait_until_under_way(inbox, n_bytes, ends):
    """A part of the content is on the receiver's disk."""
    wait_for("content on disk", lambda: all(end.alive() for end in ends)
             and bytes_on_disk(inbox) >= n_bytes / 4, DEADLINE_S)


def start_both(desk, folder, number, inbox, of_rank=lambda rank: []):
    sender = End(desk, folder, 0, f"send-{number}", ["send", "photos", *of_rank(0)])
    receiver = End(desk, folder, 1, f"receive-{number}", ["receive", inbox.name, *of_rank(1)])
    return sender, receiver


def make_photos(folder, n_bytes):
    """@return the files' contents by name"""
    rng = random.Random(5)
    contents = {"photos/large.jpg": rng.randbytes(n_bytes), "photos/trip/notes.txt": b"notes\n"}
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return contents


def check_arrived(inbox, contents):
    got = {str(path.relative_to(inbox)): path.read_bytes() for path in inbox.rglob("*")
           if path.is_file()}
    check(got == contents, f"the same files, and nothing else: {sorted(got)}")


def undisturbed(desk, folder, contents, n_bytes):
    inbox = folder / "inbox-0"
    # The others agree on ranks by themselves.
    sender, receiver = start_both(desk, folder, 0, inbox, lambda rank: ["--nodes", 2, "--rank", rank])
    sender.ends()
    check(receiver.ends()["bytes_by_light"] == n_bytes, "each byte came once")
    check_arrived(inbox, contents)


def covered_and_stopped(desk, folder, contents, n_bytes):
    inbox = folder / "inbox-1"
    sender, receiver = start_both(desk, folder, 1, inbox)
    wait_until_under_way(inbox, n_bytes, [sender, receiver])
    print(f"the sender's screen is covered for {COVER_S} s", flush=True)
    desk.cover(0, True)
    time.sleep(COVER_S)
    desk.cover(0, False)
    check(not (inbox / "photos/large.jpg").exists(), "there was more to come")
    print(f"the receiver is stopped for {STOP_S} s", flush=True)
    os.kill(receiver.process.pid, signal.SIGSTOP)
    time.sleep(STOP_S)
    os.kill(receiver.process.pid, signal.SIGCONT)
    sender.ends()
    check(receiver.ends()["bytes_by_light"] == n_bytes, "each byte came once")
    check_arrived(inbox, contents)


def killed(desk, folder, contents, n_bytes):
    inbox = folder / "inbox-2"
    sender, receiver = start_both(desk, folder, 2, inbox)
    wait_until_under_way(inbox, n_bytes, [sender, receiver])
    print("the receiver is killed and started again", flush=True)
    receiver.process.kill()
    check(receiver.process.wait() == -signal.SIGKILL, "killed")
    check(not (inbox / "photos/large.jpg").exists(), "half a file is in its place")
    again = End(desk, folder, 1, "receive-3", ["receive", inbox.name])
    sender.ends()
    came = again.ends()["bytes_by_light"]
    check(0 < came < n_bytes, f"what was there did not come again: {came} of {n_bytes}")
    check_arrived(inbox, contents)


def interrupted(desk, folder, contents, n_bytes):
    inbox = folder / "inbox-3"
    sender, receiver = start_both(desk, folder, 4, inbox)
    wait_until_under_way(inbox, n_bytes, [sender, receiver])
    print("the receiver is interrupted", flush=True)
    receiver.process.send_signal(signal.SIGINT)
    receiver.fails(INTERRUPTED, "interrupted")
    sender.fails(ERROR, "rank 1 has left: interrupted there")
    sender, receiver = start_both(desk, folder, 5, inbox)
    sender.ends()
    check(receiver.ends()["bytes_by_light"] < n_bytes, "what was there did not come again")
    check_arrived(inbox, contents)


def main():
    isolate()
    arguments = sys.argv[2:]
    n_bytes = int(arguments[0]) if arguments else 100_000
    setting = {}
    if len(arguments) > 1:
        setting = {"window": size(arguments[1]), "camera": size(arguments[2]), "fps": int(arguments[3])}
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        contents = make_photos(folder, n_bytes)
        n_all = sum(map(len, contents.values()))
        with said_on_failure(folder), Desk(folder, nodes=2, **setting) as desk:
            for run in (undisturbed, covered_and_stopped, killed, interrupted):
                began = time.monotonic()
                run(desk, folder, contents, n_all)
                print(f"{run.__name__}: {time.monotonic() - began:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
