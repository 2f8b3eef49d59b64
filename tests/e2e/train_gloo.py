"""The same job between processes over TCP: launched by one command, and rank by rank."""

import json
import os
import pathlib
import signal
import sys

from wccl_process import check, free_port, need_data, start, temporary_folder, train_json


def check_result(result, nodes):
    check(result["accuracy"] >= 0.83, "the target is reached")
    check(len(result["weights_sha256"]) == nodes and len(set(result["weights_sha256"])) == 1,
          "all ranks' weights are equal")
    check(result["network_bytes"] is None or result["network_bytes"] > 2680,
          "the weights went over the network")
    check(result["links"] == [] and sum(result["bytes_on_air"]) == 0, "nothing went through the air")


def launched(folder):
    result = train_json(["--backend", "gloo", "--target-accuracy", "0.83", "--out", "launched"],
                        folder)
    check_result(result, nodes=2)
    check((folder / "launched" / "checkpoint.safetensors").exists(), "rank 0 keeps the model")
    return result


def rank_by_rank(folder):
    master = f"127.0.0.1:{free_port()}"
    ranks = [start(["train", "--json", "--backend", "gloo", "--target-accuracy", "0.83",
                    "--rank", rank, "--master", master], folder) for rank in range(2)]
    results = []
    for rank in ranks:
        out, err = rank.communicate(timeout=120)
        check(rank.returncode == 0, f"exit status {rank.returncode}\n{err}")
        results.append(json.loads(out))
    for result in results:
        check_result(result, nodes=2)
    check(results[0]["weights_sha256"] == results[1]["weights_sha256"], "every rank reports all")
    return results[0]


def children_of(process):
    """Process ids, by rank. Linux only."""
    ids = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:  # It has ended meanwhile.
            continue
        if int(fields[1]) == process.pid:
            ids.append(int(stat.parent.name))
    return sorted(ids)


def killed_rank(folder):
    """A rank that dies takes nobody down with it in silence: the run ends, and says why."""
    run = start(["train", "--json", "--backend", "gloo", "--strategy", "data-parallel",
                 "--target-accuracy", "1", "--out", "killed"], folder)
    for line in run.stderr:
        if "sync 1 " in line:
            break
    os.kill(children_of(run)[1], signal.SIGKILL)
    out, err = run.communicate(timeout=60)
    check(run.returncode == 1, f"exit status {run.returncode}\n{err}")
    check("killed by signal 9" in err, f"the line names it: {err}")
    check(json.loads(out)["ending"] == "failed", "the others' summary says so")


def main():
    need_data()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        one = launched(folder)
        two = rank_by_rank(folder)
        check(one["weights_sha256"] == two["weights_sha256"],
              "the same seed gives the same weights, however the ranks are started")
        if sys.platform == "linux":
            killed_rank(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
