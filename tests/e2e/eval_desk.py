"""`wccl eval --screen --camera`: two laptops on a desk measure how they read each other."""

import json
import pathlib
import sys

from desk import Desk, isolate, said_on_failure
from wccl_process import check, run, temporary_folder

USAGE = 2
MODES = ["luma6-0.5", "rgb2-2.6"]  # One that anybody reads, and one that nobody does.
TOO_LARGE = "luma16-0.5"  # Its cells, for screens this small.


def refuses(folder):
    for arguments, named in ((["--screen", "window"], "go together"),
                             (["--screen", "window", "--camera", "0", "--sweep", "hold=2"],
                              "--sweep"),
                             (["--screen", "window", "--camera", "0", "--holds", "fast"], "fast"),
                             (["--screen", "window", "--camera", "0", "--rank", "2"], "--rank"),
                             (["--holds", "2"], "--screen")):
        status, out, err = run(["eval", *arguments], folder)
        check(status == USAGE and out == "" and named in err, f"{arguments}: {status} {err}")
    check(not list(folder.iterdir()), "nothing was begun")


def measures(desk, folder):
    laptops = []
    for node in range(2):
        arguments = ["eval", "--screen", desk.screen(), "--camera", desk.camera(node), "--json",
                     "--out", f"eval-{node}"]
        if node == 0:  # The other laptop follows.
            arguments += ["--modes", ",".join([TOO_LARGE, *MODES]), "--holds", "4", "--seconds", "2"]
        with open(folder / f"laptop-{node}.log", "w") as log:
            laptops.append(desk.start(node, arguments, stderr=log))
    summaries = []
    for node, laptop in enumerate(laptops):
        out, _ = laptop.communicate(timeout=200)
        check(laptop.returncode == 0, f"laptop {node}: status {laptop.returncode}")
        summaries.append(json.loads(out))
    return summaries


def key(result):
    return result["from"], result["to"], result["point"]["mode"]


def main():
    isolate()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        refuses(folder)
        with Desk(folder, nodes=2) as desk, said_on_failure(folder):
            summaries = measures(desk, folder)
        check(sorted(summary["rank"] for summary in summaries) == [0, 1], "each has its rank")
        wanted = {(sender, 1 - sender, mode) for sender in (0, 1) for mode in MODES}
        for node, summary in enumerate(summaries):
            results = {key(result): result for result in summary["results"]}
            check(set(results) == wanted, f"{set(results)}")
            for (_, _, mode), result in results.items():
                check((result["goodput_bps"] > 0) == (mode == MODES[0]), f"{result}")
                check(result["captures_per_s"] > 1, f"{result}")
            check([best["mode"] for best in summary["best"]] == [MODES[0]] * 2, f"{summary}")
            log = (folder / f"laptop-{node}.log").read_text()
            check(f"left out {TOO_LARGE}" in log, log)
            lines = (folder / f"eval-{node}" / "results.jsonl").read_text().splitlines()
            check(len(lines) == 4, f"{lines}")
            page = (folder / f"eval-{node}" / "report.html").read_text()
            check("rank 0 to rank 1" in page, "the report names the links")
        tell = [sorted((key(result), result["goodput_bps"]) for result in summary["results"])
                for summary in summaries]
        # What was told has fewer digits than what was counted.
        for (mine, mine_bps), (yours, yours_bps) in zip(*tell):
            check(mine == yours and abs(mine_bps - yours_bps) <= 0.01 * mine_bps + 1, f"{tell}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
