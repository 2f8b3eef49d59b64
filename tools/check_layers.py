#!/usr/bin/env python3
"""Fails when a folder of src/ knows more than its arrows allow (docs/architecture.md).

CMake judges what is linked; this judges what is included, headers too, and that phy and link stay
sans-I/O: no thread, no clock, no stream.

Usage: check_layers.py [ROOT]        checks ROOT/src and ROOT/include (default: this checkout)
       check_layers.py --self-test   proves on small made-up trees that each rule can fail
"""

import pathlib
import re
import sys
import tempfile

EVERY_LAYER = "base phy link collective room device session transfer eval c10d train app".split()

# What a folder may include beside itself. "wccl" is include/wccl; its files know only one another.
ARROWS = {
    "wccl": [],
    "base": [],
    "phy": ["base"],
    "link": ["phy", "base", "wccl"],
    "collective": ["base", "wccl"],
    "room": ["base", "wccl"],
    "device": ["base", "wccl"],
    "session": ["link", "phy", "room", "device", "base", "wccl"],
    "transfer": ["link", "phy", "base", "wccl"],
    "eval": ["session", "link", "phy", "room", "device", "base", "wccl"],
    "c10d": ["collective", "base", "wccl"],
    "train": ["base", "wccl"],
    "app": EVERY_LAYER + ["wccl"],
}

# Time and randomness come in as arguments, results go out as values.
SANS_IO = ["phy", "link"]
IO_HEADERS = """thread mutex shared_mutex condition_variable atomic future semaphore latch barrier
stop_token iostream fstream istream ostream cstdio random ctime filesystem""".split()
IO_CALLS = re.compile(r"\b(?:steady_clock|system_clock|high_resolution_clock)\b|::now\s*\(")

# phy also builds to WASM: the standard library and nothing else.
STANDARD_ONLY = ["base", "phy"]
STANDARD_HEADER = re.compile(r"[a-z_0-9]+|(?:imm|x86|arm_)\w*\.h")  # and intrinsics for SIMD
# LibTorch stays where -DWCCL_TORCH=OFF leaves files out.
TORCH_HEADER = re.compile(r"(?:torch|ATen|c10|caffe2|gloo)/")
TORCH_FILE = re.compile(r"src/(?:c10d|train)/.*|src/app/\w+_torch\.(?:h|cpp)")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def blank(match):
    """Keeps the lines of what it removes, so that numbers still hold."""
    text = match.group(0)
    return text if text.startswith('"') else "\n" * text.count("\n")


def check_include(layer, name, bracket, header):
    """The rule that the include breaks, or None."""
    target = header.split("/")[0] if "/" in header else None
    if target in ARROWS:
        if target != layer and target not in ARROWS[layer]:
            return f"{layer} may not include {target}"
        return None
    if bracket == '"':
        return f'"{header}" names no layer: write "folder/file.h"'
    if layer in SANS_IO and header in IO_HEADERS:
        return f"{layer} is sans-I/O and may not include <{header}>"
    if layer in STANDARD_ONLY and not STANDARD_HEADER.fullmatch(header):
        return f"{layer} knows only the standard library, not <{header}>"
    if TORCH_HEADER.match(header) and not TORCH_FILE.fullmatch(name):
        return f"only c10d, train and app/*_torch.cpp may include LibTorch's <{header}>"
    return None


def check_file(layer, name, text):
    """Yields (line number, broken rule)."""
    code = COMMENT_OR_STRING.sub(blank, text)
    for number, line in enumerate(code.splitlines(), 1):
        include = INCLUDE.match(line)
        if include:
            broken = check_include(layer, name, *include.groups())
            if broken:
                yield number, broken
        elif layer in SANS_IO and IO_CALLS.search(line):
            yield number, f"{layer} is sans-I/O and may not read a clock"


def check_tree(root):
    """All broken rules of a checkout as lines of text, and how many files were read."""
    problems, n_files = [], 0
    folders = [root / "include" / "wccl"] + sorted(p for p in (root / "src").glob("*") if p.is_dir())
    for folder in folders:
        if folder.name not in ARROWS:
            problems.append(f"{folder.relative_to(root)}: no arrows are known for this folder")
            continue
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".h", ".cpp")):
            n_files += 1
            name = path.relative_to(root).as_posix()
            for number, broken in check_file(folder.name, name, path.read_text(encoding="utf-8")):
                problems.append(f"{name}:{number}: {broken}")
    return problems, n_files


SELF_TEST = [  # file, its text, the rule it must break (None: it is fine)
    ("src/phy/a.cpp", '#include "phy/a.h"\n#include <vector>\n#include "base/bits.h"\n', None),
    ("src/phy/a.cpp", '#include "link/node.h"\n', "phy may not include link"),
    ("src/phy/a.cpp", '#  include "wccl/result.h"\n', "phy may not include wccl"),
    ("src/phy/a.cpp", "#include <thread>\n", "may not include <thread>"),
    ("src/phy/a.cpp", "#include <opencv2/core.hpp>\n", "only the standard library"),
    ("src/phy/a.cpp", "#include <immintrin.h>\n", None),
    ("src/phy/a.cpp", "// not ::now( in a comment\n", None),
    ("src/phy/a.cpp", "/* two\nlines */\nauto t = Clock::now();\n", "a.cpp:3: phy is sans-I/O"),
    ("src/link/a.h", "std::chrono::steady_clock::time_point start;\n", "may not read a clock"),
    ("src/link/a.h", "#include <fstream>\n", "may not include <fstream>"),
    ("src/link/a.h", '#include "wccl/transport.h"\n', None),
    ("src/link/a.h", '#include "room/world.h"\n', "link may not include room"),
    ("src/base/a.h", '#include "wccl/result.h"\n', "base may not include wccl"),
    ("src/collective/a.h", '#include "link/node.h"\n', "collective may not include link"),
    ("src/room/a.h", '#include "phy/mode.h"\n', "room may not include phy"),
    ("src/room/a.h", "#include <fstream>\n", None),
    ("src/train/a.cpp", '#include "c10d/backend.h"\n', "train may not include c10d"),
    ("src/train/a.cpp", "#include <torch/csrc/distributed/c10d/Backend.hpp>\n", None),
    ("src/room/a.cpp", "#include <ATen/ATen.h>\n", "may include LibTorch"),
    ("src/app/train_torch.cpp", "#include <ATen/ATen.h>\n", None),
    ("src/app/train.cpp", "#include <ATen/ATen.h>\n", "may include LibTorch"),
    ("src/app/a.cpp", '#include "train/trainer.h"\n#include "link/node.h"\n', None),
    ("src/app/a.cpp", '#include "units.h"\n', "names no layer"),
    ("src/eval/a.cpp", '#include "phy/mode.h"\n#include "room/scene.h"\n#include <thread>\n', None),
    ("src/eval/a.cpp", '#include "app/print.h"\n', "eval may not include app"),
    ("src/room/a.cpp", '#include "eval/plan.h"\n', "room may not include eval"),
    ("src/extra/a.cpp", "", "no arrows are known"),
    ("include/wccl/a.h", '#include "base/bytes.h"\n', "wccl may not include base"),
]


def self_test():
    failures = 0
    for name, text, expected in SELF_TEST:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
            problems, _ = check_tree(pathlib.Path(folder))
        right = not problems if expected is None else len(problems) == 1 and expected in problems[0]
        if not right:
            failures += 1
            print(f"{name} with {text!r}: expected {expected!r}, got {problems}")
    print(f"{len(SELF_TEST) - failures} of {len(SELF_TEST)} made-up files are judged as they should be")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    problems, n_files = check_tree(root)
    for problem in problems:
        print(problem)
    if n_files == 0:
        print(f"{root} has no sources")
    print(f"{n_files} files read, {len(problems)} broken rules")
    return 1 if problems or n_files == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
