"""The same job between processes over TCP: launched by one command, and rank by rank."""

import json
import pathlib
import socket
import sys

from wccl_process import check, need_data, start, temporary_folder, train_json


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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


def main():
    need_data()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        one = launched(folder)
        two = rank_by_rank(folder)
        check(one["weights_sha256"] == two["weights_sha256"],
              "the same seed gives the same weights, however the ranks are started")
    return 0


if __name__ == "__main__":
    sys.exit(main())
