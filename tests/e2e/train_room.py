"""The main job: two laptops that share nothing but light learn to read digits, from one command.

Then the same short run twice: the same seed gives the same JSON but for wall_s.
"""

import json
import pathlib
import sys

from wccl_process import check, need_data, temporary_folder, train_json

RESULTS = {"accuracy", "air_time_s", "air_time_to_83_s", "air_time_to_90_s", "wall_s", "syncs",
           "bytes_on_air", "network_bytes", "weights_sha256", "seed", "links"}
PNG_MAGIC = b"\x89PNG\r\n\x1a\n"


def check_result(result, nodes):
    check(RESULTS <= result.keys(), f"missing in JSON: {RESULTS - result.keys()}")
    check(len(set(result["weights_sha256"])) == 1, "all ranks' weights are equal")
    check(len(result["weights_sha256"]) == nodes and len(result["weights_sha256"][0]) == 64,
          "one SHA-256 a rank")
    check(result["network_bytes"] in (0, None), "nothing went over a network")
    check(len(result["bytes_on_air"]) == nodes and min(result["bytes_on_air"]) > 2680,
          "every screen has shown at least the weights once")
    check(len(result["links"]) == nodes * (nodes - 1), "a link for each pair and direction")
    check(all(link["blocks_ok"] > 0 and link["goodput_bps"] > 0 for link in result["links"]),
          "every link has carried data")


def check_run_folder(folder, result, nodes):
    names = {file.name for file in folder.iterdir()}
    expected = {"config.json", "metrics.jsonl", "checkpoint.safetensors", "summary.json"}
    expected |= {f"camera-{rank}.png" for rank in range(nodes)}
    check(expected <= names, f"missing in the run folder: {expected - names}")
    check(not any(name.endswith(".part") for name in names), "no half-written file is left")
    check(json.loads((folder / "summary.json").read_text()) == result, "summary.json is --json")
    check(json.loads((folder / "config.json").read_text())["seed"] == result["seed"],
          "config.json tells the seed")
    lines = (folder / "metrics.jsonl").read_text().splitlines()
    check(len(lines) >= result["syncs"] and all(json.loads(line) for line in lines),
          "metrics.jsonl has a line a sync")
    for rank in range(nodes):
        check((folder / f"camera-{rank}.png").read_bytes().startswith(PNG_MAGIC), "pictures are PNG")


def main():
    need_data()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        first = train_json(["--target-accuracy", "0.83", "--out", "first"], folder)
        print(json.dumps(first, indent=1))
        check_result(first, nodes=2)
        check(first["accuracy"] >= 0.83, "the target is reached")
        check(first["air_time_to_83_s"] <= 20, "83% within 20 s of air time from the cold start")
        check_run_folder(folder / "first", first, nodes=2)

        second = train_json(["--target-accuracy", "0.83", "--out", "second"], folder)
        first.pop("wall_s")
        second.pop("wall_s")
        check(first == second, f"the same seed gives the same JSON\n{first}\n{second}")
        for file in ("metrics.jsonl", "checkpoint.safetensors", "camera-0.png", "camera-1.png"):
            check((folder / "first" / file).read_bytes() == (folder / "second" / file).read_bytes(),
                  f"the same seed gives the same {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
