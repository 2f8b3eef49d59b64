"""Two laptops, then three, train by light: one process each, real windows, real clock.

Each process has an X display and the stream of its own camera, and nothing else: all they know of one
another went through the windows, the room's optics and the cameras' JPEGs. They agree on ranks by
themselves.
"""

import json
import pathlib
import sys

from desk import Desk, isolate, said_on_failure
from wccl_process import check, need_data, temporary_folder

DEADLINE_S = 270


def start(desk, folder, node):
    with open(folder / f"laptop-{node}.log", "w") as log:
        return desk.start(node, ["train", "--json", "--screen", desk.screen(), "--camera",
                                 desk.camera(node), "--nodes", desk.nodes, "--target-accuracy", "0.83",
                                 "--out", f"run-{node}"], stderr=log)


def check_result(result, folder, nodes):
    check(result["ending"] == "target_reached" and result["accuracy"] >= 0.83,
          f"the target is reached: {result['ending']}, {result['accuracy']}")
    check(len(result["weights_sha256"]) == nodes and len(set(result["weights_sha256"])) == 1,
          "all ranks' weights are equal")
    check(len(result["links"]) == nodes - 1 and
          all(link["blocks_ok"] > 0 for link in result["links"]), "every other screen was read")
    check(json.loads((folder / "summary.json").read_text()) == result, "summary.json is --json")


def train(nodes, **setting):
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        with said_on_failure(folder), Desk(folder, nodes, **setting) as desk:
            desk.check_isolation()
            laptops = [start(desk, folder, node) for node in range(nodes)]
            results = []
            for node, laptop in enumerate(laptops):
                out, _ = laptop.communicate(timeout=DEADLINE_S)
                check(laptop.returncode == 0, f"laptop {node}: exit status {laptop.returncode}")
                results.append(json.loads(out))
                check_result(results[-1], folder / f"run-{node}", nodes)
            hashes = {tuple(result["weights_sha256"]) for result in results}
            check(len(hashes) == 1, "all laptops report the same weights")
            print(json.dumps(results[0], indent=1))


def main():
    isolate()
    need_data()
    train(nodes=2)
    # Three sit in a horseshoe, where a screen takes less of a picture.
    train(nodes=3, camera=(960, 540))
    return 0


if __name__ == "__main__":
    sys.exit(main())
