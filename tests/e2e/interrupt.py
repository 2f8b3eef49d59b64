"""Ctrl-C ends a run in good order: exit status 130, and a whole run folder."""

import json
import pathlib
import signal
import sys

from wccl_process import check, need_data, start, temporary_folder


def main():
    need_data()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        run = start(["train", "--json", "--target-accuracy", "1", "--out", "run"], folder)
        first_line = run.stderr.readline()
        check("calibrating" in first_line, f"progress goes to stderr: {first_line}")
        # Pressed twice: not at the next sync, but at once. Two signals of one kind could become one.
        run.send_signal(signal.SIGINT)
        run.send_signal(signal.SIGTERM)
        out, err = run.communicate(timeout=60)
        check(run.returncode == 130, f"exit status {run.returncode}\n{err}")
        result = json.loads(out)
        check(result["ending"] == "interrupted", "the summary says so")
        check(json.loads((folder / "run" / "summary.json").read_text()) == result,
              "the run folder is written all the same")
        check(not list((folder / "run").glob("*.part")), "no half-written file is left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
