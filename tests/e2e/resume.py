"""A run that was cut short goes on when its ranks are started again, to the weights that it would
have had: in the room after Ctrl-C, between processes after a rank was killed, or stopped.
"""

import json
import pathlib
import shlex
import signal
import sys
import time

from wccl_process import check, free_port, need_data, start, temporary_folder, train_json

RANKS = 3
TIMEOUT_S = 5


def wait_for_sync(process, stream, sync):
    for line in stream:
        if f"sync {sync} " in line:
            return
    sys.exit(f"FAILED: no sync {sync}; exit status {process.wait()}")


def hint_of(err):
    """The arguments of the command that the last line on stderr tells to type."""
    last = err.rstrip("\n").splitlines()[-1]
    check(last.startswith("wccl train: the last sync is kept"), f"the last line says how to go on: {err}")
    return shlex.split(last[last.index("wccl train --resume"):])[1:]


def room(folder):
    whole = train_json(["--target-accuracy", "0.9", "--out", "whole"], folder)
    run = start(["train", "--json", "--target-accuracy", "0.9", "--out", "room"], folder)
    wait_for_sync(run, run.stderr, 1)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    check(run.returncode == 130, f"exit status {run.returncode}\n{err}")
    part = json.loads(out)
    check(0 < part["syncs"] < whole["syncs"], f"it was stopped on its way: {part['syncs']} syncs")
    command = hint_of(err)
    check(command == ["train", "--resume", "room"], f"the command is short: {command}")
    resumed = train_json(command[1:], folder)
    check(resumed["weights_sha256"] == whole["weights_sha256"], "the same bits as without the stop")
    check(resumed["syncs"] == whole["syncs"] and resumed["resumed_at_sync"] == part["syncs"],
          "after as many syncs")
    check(resumed["air_time_s"] > part["air_time_s"], "time goes on")
    lines = [json.loads(line) for line in (folder / "room/metrics.jsonl").read_text().splitlines()]
    check([line["sync"] for line in lines] == list(range(1, whole["syncs"] + 1)),
          "the record goes on where it was")

    again = train_json(["--resume", "room"], folder)
    check(again["weights_sha256"] == whole["weights_sha256"], "a run at its target stays there")


def start_ranks(arguments_of, folder):
    return [start(["train", *map(str, arguments_of(rank))], folder) for rank in range(RANKS)]


def expect_failure(ranks, lost, after_s):
    """All but `lost` end within `after_s`, naming it. @return the commands to go on with, by rank."""
    began = time.monotonic()
    commands = {}
    for rank, process in enumerate(ranks):
        if rank == lost:
            continue
        _, err = process.communicate(timeout=60)
        print(f"rank {rank}: {err}", end="")
        check(process.returncode == 1, f"exit status {process.returncode}")
        check(f"rank {lost} " in err.splitlines()[-2], f"rank {lost} is named: {err}")
        commands[rank] = hint_of(err)
    check(time.monotonic() - began < after_s, "nobody waits for longer than told")
    return commands


def gloo(folder):
    options = ["--backend", "gloo", "--nodes", RANKS, "--strategy", "data-parallel",
               "--target-accuracy", "0.83", "--timeout", TIMEOUT_S]
    whole = train_json([*options, "--out", "together"], folder)

    master = f"127.0.0.1:{free_port()}"
    own = lambda rank: ["--rank", rank, "--master", master]
    ranks = start_ranks(lambda rank: [*options, "--out", f"laptop{rank}", *own(rank)], folder)
    wait_for_sync(ranks[1], ranks[1].stdout, 2)
    ranks[1].kill()
    commands = expect_failure(ranks, lost=1, after_s=TIMEOUT_S + 10)
    ranks[1].communicate()
    summary = json.loads((folder / "laptop0/summary.json").read_text())
    check(summary["ending"] == "failed" and "rank 1" in summary["error"], f"so says {summary}")

    # The killed one had no last words; its command reads like the others'.
    commands[1] = ["train", "--resume", "laptop1", *map(str, own(1))]
    check(commands[0] == ["train", "--resume", "laptop0", *map(str, own(0))], f"{commands[0]}")
    ranks = start_ranks(lambda rank: commands[rank][1:], folder)
    wait_for_sync(ranks[2], ranks[2].stdout, 4)
    ranks[2].send_signal(signal.SIGSTOP)
    expect_failure(ranks, lost=2, after_s=TIMEOUT_S + 10)
    ranks[2].kill()
    ranks[2].communicate()

    commands[2] = ["train", "--resume", "laptop2", *map(str, own(2))]
    ranks = start_ranks(lambda rank: [*commands[rank][1:], "--json"], folder)
    for rank, process in enumerate(ranks):
        out, err = process.communicate(timeout=120)
        check(process.returncode == 0, f"exit status {process.returncode}\n{err}")
        result = json.loads(out)
        check(result["weights_sha256"] == whole["weights_sha256"], "the same bits as without failures")
        check(result["syncs"] == whole["syncs"], "after as many syncs")
        lines = (folder / f"laptop{rank}/metrics.jsonl").read_text().splitlines()
        check(len(lines) == whole["syncs"], "each laptop's record is whole")


def other_seed(folder):
    run = start(["train", "--resume", "room", "--seed", "2"], folder)
    out, err = run.communicate(timeout=60)
    check(run.returncode == 2 and out == "" and "--seed 1, not 2" in err, f"{run.returncode} {err}")


def main():
    need_data()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        room(folder)
        other_seed(folder)
        gloo(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
