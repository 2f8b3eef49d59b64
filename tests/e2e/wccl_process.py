"""Runs the real program in an empty folder of its own; what all end-to-end tests share."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

# What ctest counts as "skipped" (SKIP_RETURN_CODE).
SKIPPED = 77

WCCL = pathlib.Path(sys.argv[1]).resolve()


def data_folder():
    """Where MNIST lies, as `wccl train` looks for it."""
    if os.environ.get("WCCL_MNIST"):
        return pathlib.Path(os.environ["WCCL_MNIST"])
    home = os.environ.get("WCCL_HOME") or pathlib.Path.home() / ".cache" / "wccl"
    return pathlib.Path(home) / "mnist"


def need_data():
    if not (data_folder() / "train-images-idx3-ubyte").exists():
        print(f"skipped: no MNIST in {data_folder()}; scripts/setup fetches it")
        sys.exit(SKIPPED)


def free_port():
    """A TCP port of 127.0.0.1 that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(arguments, folder):
    return subprocess.Popen([WCCL, *map(str, arguments)], cwd=folder, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(arguments, folder, timeout=280):
    """@return (exit status, stdout, stderr)"""
    print("$ wccl", *arguments, flush=True)
    done = subprocess.run([WCCL, *map(str, arguments)], cwd=folder, text=True, timeout=timeout,
                          capture_output=True)
    return done.returncode, done.stdout, done.stderr


def train_json(arguments, folder, expected_status=0):
    """Trains with --json. @return the object, which must be all that stdout holds."""
    status, out, err = run(["train", "--json", *arguments], folder)
    if status != expected_status:
        sys.exit(f"exit status {status}, expected {expected_status}\n{out}\n{err}")
    return json.loads(out)


def check(condition, message):
    if not condition:
        sys.exit(f"FAILED: {message}")


def check_refusals(command, folder, cases):
    """@param cases  (arguments, exit status, what the one line on stderr must name)"""
    for arguments, expected, named in cases:
        status, out, err = run([*command, *arguments], folder)
        check(status == expected, f"{arguments}: status {status} instead of {expected}\n{out}{err}")
        check(err.count("\n") == 1 and named in err, f"{arguments}: {err}")


def temporary_folder():
    return tempfile.TemporaryDirectory(prefix="wccl-e2e-")
