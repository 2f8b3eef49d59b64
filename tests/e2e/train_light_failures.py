"""A laptop that is covered, stopped, killed or left while two train by light: the other ends with an
error that names it, by the deadline or when it is told, its state saved; both are started again, and
the run goes on.

One run, broken off four times, that goes on in the end, and is then ended by Ctrl-C.
"""

import json
import os
import pathlib
import signal
import sys
import time

from desk import Desk, isolate, said_on_failure, wait_for
from wccl_process import check, need_data, temporary_folder

NODES = 2
ERROR = 1
INTERRUPTED = 130
TIMEOUT_S = 10
# Of an ending: the deadline, twice for the one that notices by the other's end, and a busy machine.
ENDING_S = 90
SYNC_S = 120


class Laptop:
    """One rank's process and what it says."""

    def __init__(self, desk, folder, rank, number, arguments):
        self.rank = rank
        self.folder = folder / f"run-{rank}"
        self.log = folder / f"laptop-{rank}-{number}.log"
        with open(self.log, "w") as log:
            self.process = desk.start(rank, [
                "train", "--json", "--screen", desk.screen(), "--camera", desk.camera(rank),
                "--nodes", NODES, "--rank", rank, "--timeout", TIMEOUT_S, *arguments], stderr=log)

    def syncs(self):
        """How many the run has had, this process and those before it."""
        metrics = self.folder / "metrics.jsonl"
        return len(metrics.read_text().splitlines()) if metrics.exists() else 0

    def alive(self):
        if self.process.poll() is None:
            return True
        check(False, f"rank {self.rank} ended too early, with status {self.process.returncode}\n"
                     f"{self.process.stdout.read()}")

    def ends(self, status):
        """@return its summary"""
        out, _ = self.process.communicate(timeout=ENDING_S)
        check(self.process.returncode == status,
              f"rank {self.rank}: status {self.process.returncode}, expected {status}")
        return json.loads(out)

    def ends_naming(self, rank, why=""):
        summary = self.ends(ERROR)
        check(f"rank {rank} {why}" in summary["error"],
              f"the error names rank {rank}: {summary['error']}")
        check((self.folder / f"state-rank{self.rank}.safetensors").exists(), "its state is saved")
        print(f"  rank {self.rank}: {summary['error']}", flush=True)


def start_all(desk, folder, number, *arguments):
    laptops = []
    for rank in range(NODES):
        how = (["--out", f"run-{rank}"] if number == 0 else ["--resume", f"run-{rank}"])
        laptops.append(Laptop(desk, folder, rank, number, [*how, *arguments]))
    return laptops


def train_on(laptops, n_syncs):
    """Until each rank has had so many syncs more."""
    goals = [laptop.syncs() + n_syncs for laptop in laptops]
    wait_for("more syncs", lambda: all(laptop.alive() and laptop.syncs() >= goal
                                       for laptop, goal in zip(laptops, goals)), SYNC_S)


def covered(desk, laptops):
    desk.cover(1, True)
    began = time.monotonic()
    laptops[0].ends_naming(1)
    check(time.monotonic() - began >= TIMEOUT_S / 2, "it was waited for")
    laptops[1].ends_naming(0)  # which it saw leave
    desk.cover(1, False)


def stopped(_, laptops):
    os.kill(laptops[1].process.pid, signal.SIGSTOP)
    laptops[0].ends_naming(1)
    os.kill(laptops[1].process.pid, signal.SIGCONT)
    laptops[1].ends_naming(0)


def killed(_, laptops):
    laptops[1].process.kill()
    laptops[0].ends_naming(1)
    check(laptops[1].process.wait() == -signal.SIGKILL, "killed")


def left(_, laptops):
    """Told to stop at once, as by a second Ctrl-C: two signals of one kind could become one."""
    laptops[1].process.send_signal(signal.SIGINT)
    laptops[1].process.send_signal(signal.SIGTERM)
    began = time.monotonic()
    laptops[0].ends_naming(1, "has left: interrupted there")
    check(time.monotonic() - began < TIMEOUT_S, "nobody waits for a laptop that said goodbye")
    laptops[1].ends(INTERRUPTED)


def main():
    isolate()
    need_data()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        with said_on_failure(folder), Desk(folder, NODES) as desk:
            for number, mishap in enumerate((covered, stopped, killed, left)):
                laptops = start_all(desk, folder, number, "--target-accuracy", "1")
                train_on(laptops, 1)
                print(f"rank 1 is {mishap.__name__}", flush=True)
                mishap(desk, laptops)
                for laptop in laptops:
                    laptop.process.stdout.close()
            # The one that was killed may have a sync less than the other.
            n_syncs = max(laptop.syncs() for laptop in laptops)
            laptops = start_all(desk, folder, 4, "--target-accuracy", "1")
            train_on(laptops, 1)
            for laptop in laptops:
                laptop.process.send_signal(signal.SIGINT)
            results = [laptop.ends(INTERRUPTED) for laptop in laptops]
            print(json.dumps(results[0], indent=1))
            check(all(result["weights_sha256"] == results[0]["weights_sha256"] for result in results)
                  and len(set(results[0]["weights_sha256"])) == 1, "all ranks' weights are equal")
            check(all(0 < result["resumed_at_sync"] <= n_syncs < result["syncs"] for result in results),
                  "the run went on")
            check(results[0]["accuracy"] >= 0.83, "and learned")
            numbers = [json.loads(line)["sync"] for line in
                       (folder / "run-0" / "metrics.jsonl").read_text().splitlines()]
            check(numbers == list(range(1, results[0]["syncs"] + 1)), f"no sync is missing: {numbers}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
