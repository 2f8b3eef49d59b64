"""An X server without a panel (Xvfb), for windows that nobody needs to look at."""

import contextlib
import os
import shutil
import subprocess
import sys

from wccl_process import SKIPPED


def need_programs(*names):
    missing = [name for name in names if shutil.which(name) is None]
    if missing:
        print(f"skipped: needs {', '.join(missing)}; scripts/setup installs them")
        sys.exit(SKIPPED)


@contextlib.contextmanager
def x_server(width, height):
    """@return (":7", the server's process)"""
    report, into = os.pipe()
    # It chooses a free number itself, and says which once it is ready. Without -noreset it would
    # refuse whoever comes while it cleans up behind its last client.
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(into), "-screen", "0", f"{width}x{height}x24", "-noreset",
         "-nolisten", "tcp"],
        pass_fds=[into], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(into)
    try:
        with os.fdopen(report) as line:
            display = ":" + line.readline().strip()
        yield display, server
    finally:
        server.terminate()
        server.wait()


@contextlib.contextmanager
def x_display(width, height):
    """@return ":7", which DISPLAY names as well until the end"""
    with x_server(width, height) as (display, _):
        before = os.environ.get("DISPLAY")
        os.environ["DISPLAY"] = display
        yield display
        if before is None:
            del os.environ["DISPLAY"]
        else:
            os.environ["DISPLAY"] = before
