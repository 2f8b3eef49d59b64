"""Bad input ends in one clear line and a non-zero exit, before any work."""

import json
import os
import pathlib
import resource
import subprocess
import sys

from wccl_process import WCCL, check, data_folder, need_data, run, temporary_folder

USAGE = 2
ERROR = 1


def put_poses(path, yaws):
    """Laptops in a row, each turned its own way."""
    nodes = [{"panel": {"x_mm": 600 * i, "y_mm": 0, "z_mm": 0, "yaw_deg": yaw},
              "camera": {"x_mm": 600 * i, "y_mm": 118, "z_mm": 5, "yaw_deg": yaw}}
             for i, yaw in enumerate(yaws)]
    path.write_text(json.dumps({"nodes": nodes}))
    return path


def torn_mnist(folder):
    """MNIST of which one file ends too early."""
    folder.mkdir()
    for file in data_folder().iterdir():
        (folder / file.name).symlink_to(file)
    labels = folder / "t10k-labels-idx1-ubyte"
    whole = labels.read_bytes()
    labels.unlink()
    labels.write_bytes(whole[: len(whole) // 2])
    return folder


def half_mnist(folder):
    folder.mkdir()
    name = "train-images-idx3-ubyte"
    (folder / name).symlink_to(data_folder() / name)
    return folder


def cases(scratch):
    full = scratch / "full"
    full.mkdir()
    (full / "thesis.txt").write_text("mine")
    odd = scratch / "odd"
    odd.mkdir()
    (odd / "config.json").write_text('{"wccl_version": "0.1.0", "nodes": "some"}')
    blind = put_poses(scratch / "blind.json", [0, 0])
    garbage = scratch / "garbage.json"
    garbage.write_text("{")
    return [
        # (arguments of train, exit status, what the line must name)
        (["--scene", "moon"], USAGE, "moon"),
        (["--arrangement", "pyramid"], USAGE, "pyramid"),
        (["--arrangement", garbage], ERROR, "garbage.json"),
        (["--arrangement", blind], ERROR, "nobody sees"),
        (["--arrangement", "circle", "--nodes", "4"], ERROR, "camera 0"),
        (["--nodes", "1"], USAGE, "2 to 8"),
        (["--nodes", "9"], USAGE, "2 to 8"),
        (["--nodes", "two"], USAGE, "two"),
        (["--nodes", "-3"], USAGE, "-3"),
        (["--set", "camera.teeth=3"], USAGE, "camera.teeth"),
        (["--set", "camera.fps=often"], USAGE, "often"),
        (["--set", "camera.fps"], USAGE, "camera.fps"),
        (["--set", "camera.fps=-1"], USAGE, "camera.fps"),
        (["--mode", "semaphore"], USAGE, "semaphore"),
        (["--strategy", "hope"], USAGE, "hope"),
        (["--backend", "smoke"], USAGE, "smoke"),
        (["--inner-steps", "0"], USAGE, "--inner-steps"),
        (["--target-accuracy", "90"], USAGE, "--target-accuracy"),
        (["--target-accuracy", "nan"], USAGE, "--target-accuracy"),
        (["--max-air-time", "0"], USAGE, "--max-air-time"),
        (["--max-air-time", "soon"], USAGE, "soon"),
        (["--timeout", "0"], USAGE, "--timeout"),
        (["--timeout", "nan"], USAGE, "--timeout"),
        (["--seed", "-1"], USAGE, "-1"),
        (["--rank", "0"], USAGE, "--master"),
        (["--backend", "gloo", "--rank", "0", "--master", "nowhere"], USAGE, "nowhere"),
        (["--backend", "gloo", "--rank", "2", "--master", "127.0.0.1:1"], USAGE, "--rank"),
        (["--unheard-of"], USAGE, "--unheard-of"),
        (["--data", scratch / "nothing"], ERROR, "nothing"),
        (["--data", torn_mnist(scratch / "torn")], ERROR, "t10k-labels-idx1-ubyte"),
        (["--data", half_mnist(scratch / "half")], ERROR, "train-labels-idx1-ubyte"),
        (["--out", "/dev/null/run"], ERROR, "/dev/null/run"),
        (["--out", "/proc/run"], ERROR, "/proc/run"),
        (["--out", full], USAGE, "full"),
        (["--resume", scratch / "nowhere"], ERROR, "nowhere"),
        (["--resume", full], USAGE, "full"),
        (["--resume", odd], ERROR, "config.json"),
        (["--resume", full, "--out", "other"], USAGE, "--out"),
        (["--backend", "gloo", "--out", "/dev/null/run"], ERROR, "/dev/null/run"),
        (["--backend", "gloo", "--nodes", "9"], USAGE, "2 to 8"),
    ]


def check_full_output(folder):
    """What cannot be printed is an error, and never an abort."""
    if not pathlib.Path("/dev/full").exists():
        return
    with open("/dev/full", "w") as full:
        for streams in ({"stdout": full}, {"stderr": full}):
            arguments = ["modes"] if "stdout" in streams else ["train", "--nodes", "9"]
            status = subprocess.run([WCCL, *arguments], cwd=folder, timeout=60,
                                    **{"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
                                       **streams}).returncode
            check(status == (ERROR if "stdout" in streams else USAGE), f"{streams}: {status}")


def check_file_size_limit(folder):
    """A file that may not grow is an error that leaves nothing, and no reason to die."""
    (folder / "file").write_bytes(b"x" * 1000)

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

    child = subprocess.run([WCCL, "encode", "file", "--out", "frames"], cwd=folder, timeout=60,
                           capture_output=True, text=True, preexec_fn=limit)
    check(child.returncode == ERROR and child.stderr.count("\n") == 1, f"encode: {child}")
    check(not (folder / "frames").exists(), "frames of an encode that failed are left")


def check_gone_reader(folder):
    """Who leaves before the end wants no more, and nothing has failed."""
    read, write = os.pipe()
    os.close(read)
    status = subprocess.run([WCCL, "modes"], cwd=folder, timeout=60, stdout=write,
                            stderr=write).returncode
    os.close(write)
    check(status == 0, f"modes without a reader: {status}")


def main():
    need_data()
    with temporary_folder() as scratch_name, temporary_folder() as empty:
        scratch = pathlib.Path(scratch_name)
        failures = 0
        for arguments, expected, named in cases(scratch):
            status, out, err = run(["train", *arguments], empty, timeout=60)
            good = (status == expected and out == "" and err.count("\n") == 1 and named in err
                    and err.startswith("wccl train: "))
            if not good:
                failures += 1
                print(f"  status {status}, expected {expected} and '{named}'\n{out}{err}")
            else:
                print(f"  {err}", end="")
        check_full_output(empty)
        check_file_size_limit(scratch)
        check_gone_reader(empty)
        check(not any(pathlib.Path(empty).iterdir()), "nothing was made before the input was judged")
        check((scratch / "full" / "thesis.txt").read_text() == "mine", "a user's file is untouched")
        check(failures == 0, f"{failures} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
