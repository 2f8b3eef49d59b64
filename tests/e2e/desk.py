"""Laptops on a desk that share nothing but light.

Each laptop is an X display of its own (Xvfb) and a network namespace of its own, whose only other
end is the stream of its own camera. The cameras belong to a live room (`wccl room --live`) that
grabs the displays and puts them through the room's optics in real time. Real windows, real
threads, real clock.

    isolate()                                   # first of all: the test goes on in namespaces
    with Desk(folder, nodes=2) as desk:
        laptop = desk.start(0, ["train", ...])  # with $DISPLAY; its camera is desk.camera(0)

Everything lives in one PID namespace that ends with the test, however the test ends.
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

from wccl_process import SKIPPED, WCCL, check

PORT = 8080  # of everything; addresses differ
INSIDE = "WCCL_E2E_INSIDE"
TOOLS = ("unshare", "nsenter", "mount", "ip", "Xvfb")
X_SOCKETS = pathlib.Path("/tmp/.X11-unix")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def tool(name):
    """Where a tool lies, also for users whose PATH has no sbin."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def isolate():
    """Starts this test again in user, network, mount and PID namespaces of its own, or skips it."""
    if os.environ.get(INSIDE):
        run_tool("ip", "link", "set", "lo", "up")
        return
    if sys.platform != "linux":
        skip("network namespaces are Linux's")
    missing = [name for name in TOOLS if not tool(name)]
    if missing:
        skip(f"not installed: {', '.join(missing)}; scripts/setup installs them")
    X_SOCKETS.mkdir(mode=0o1777, exist_ok=True)
    # A user namespace where that is allowed, as nobody needs to be root then; root may have none.
    plain = [tool("unshare"), "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    for unshare in (plain + ["--user", "--map-root-user"], plain):
        probe = subprocess.run([*unshare, tool("mount"), "-t", "tmpfs", "none", X_SOCKETS],
                               capture_output=True, text=True)
        if probe.returncode == 0:
            os.environ[INSIDE] = "1"
            sys.stdout.flush()
            os.execv(unshare[0], [*unshare, sys.executable, *sys.argv])
    skip(f"no namespaces for this user: {probe.stderr.strip()}")


def run_tool(name, *arguments):
    done = subprocess.run([tool(name), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"FAILED: {name} {' '.join(map(str, arguments))}: {done.stderr.strip()}")


def wait_for(what, ready, seconds=60):
    """@return what `ready` returns once that is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        result = ready()
        if result:
            return result
        time.sleep(0.1)
    sys.exit(f"FAILED: {what}: not within {seconds} s")


def sizes(name, width, height):
    return [f"{name}.width_px={width}", f"{name}.height_px={height}"]


class Desk:
    def __init__(self, folder, nodes, window=(640, 360), camera=(640, 360), fps=5, grabs=20,
                 scene="face_720p", settings=()):
        self.folder = pathlib.Path(folder)
        self.nodes = nodes
        self.window = window
        self.scene = scene
        self.settings = [*sizes("camera", *camera), f"camera.fps={fps}",
                         f"panel.refresh_hz={grabs}", *settings]
        self.started = []
        self.namespaces = []
        self.room = None

    def __enter__(self):
        try:
            run_tool("mount", "-t", "tmpfs", "none", X_SOCKETS)
            # Nobody's packets pass through the room, whatever the host does.
            pathlib.Path("/proc/sys/net/ipv4/ip_forward").write_text("0")
            for node in range(self.nodes):
                self._make_display(node)
                self._make_namespace(node)
            self._make_room()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.started):
            if process.poll() is None:
                process.kill()
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream:
                    stream.close()

    # What a laptop is.

    def display(self, node):
        return f":{node + 1}"

    def room_address(self, node):
        return f"10.201.{node}.1"

    def camera(self, node):
        """What --camera is called with."""
        return f"http://{self.room_address(node)}:{PORT}/video"

    def screen(self):
        """What --screen is called with."""
        return "window:{}x{}".format(*self.window)

    def inside(self, node):
        """What comes before a command that sees this laptop's display and camera, and nothing else."""
        socket = X_SOCKETS / f"X{node + 1}"
        aside = self.folder / f"display-{node}"
        hidden = (f"touch {aside} && mount --bind {socket} {aside} && "
                  f"mount -t tmpfs none {X_SOCKETS} && touch {socket} && "
                  f"mount --move {aside} {socket} && exec \"$@\"")
        return [tool("nsenter"), "-t", str(self.namespaces[node]), "-n",
                tool("unshare"), "--mount", "--propagation", "private", "sh", "-c", hidden, "sh"]

    def start(self, node, arguments, **keywords):
        """Starts `wccl` on a laptop. Its process id is the program's own."""
        print(f"laptop {node} $ wccl", *arguments, flush=True)
        environment = {**os.environ, "DISPLAY": self.display(node), "SDL_VIDEODRIVER": "x11",
                       "SDL_AUDIODRIVER": "dummy"}
        return self._start([*self.inside(node), WCCL, *map(str, arguments)],
                           env=environment, cwd=self.folder,
                           **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **keywords})

    # What happens to it.

    def cover(self, node, on):
        url = f"http://127.0.0.1:{PORT}/{node}/cover?on={int(on)}"
        urllib.request.urlopen(urllib.request.Request(url, method="POST"), timeout=20).close()

    def picture(self, node):
        """The newest capture of a laptop's camera, a JPEG."""
        return self._get(f"{node}/picture.jpg")

    def status(self):
        return json.loads(self._get("status.json"))

    def check_isolation(self):
        """Each laptop reaches its own camera and nobody else's, and its own display only."""
        everything = [self.room_address(node) for node in range(self.nodes)] + ["127.0.0.1"]
        for node in range(self.nodes):
            reached = self._reached(node, everything)
            check(reached == [self.room_address(node)], f"laptop {node} reaches {reached}")
            sockets = subprocess.run([*self.inside(node), "ls", X_SOCKETS], capture_output=True,
                                     text=True, check=True).stdout.split()
            check(sockets == [f"X{node + 1}"], f"laptop {node} has the displays {sockets}")

    # How that is made.

    def _start(self, command, **keywords):
        process = subprocess.Popen(list(map(str, command)), text=True, stdin=subprocess.DEVNULL,
                                   **keywords)
        self.started.append(process)
        return process

    def _make_display(self, node):
        size = "{}x{}x24".format(*self.window)
        with open(self.folder / f"xvfb-{node}.log", "w") as log:
            self._start([tool("Xvfb"), self.display(node), "-nolock", "-nolisten", "tcp", "-noreset",
                         "-screen", "0", size], stdout=log, stderr=log)
        wait_for(f"the display {self.display(node)}", (X_SOCKETS / f"X{node + 1}").exists)

    def _make_namespace(self, node):
        holder = self._start([tool("unshare"), "--net", "sleep", "infinity"])
        own = os.readlink("/proc/self/ns/net")
        wait_for("a network namespace", lambda: os.readlink(f"/proc/{holder.pid}/ns/net") != own)
        self.namespaces.append(holder.pid)
        room, laptop = f"room{node}", f"laptop{node}"
        run_tool("ip", "link", "add", room, "type", "veth", "peer", "name", laptop)
        run_tool("ip", "link", "set", laptop, "netns", holder.pid)
        run_tool("ip", "address", "add", f"{self.room_address(node)}/30", "dev", room)
        run_tool("ip", "link", "set", room, "up")
        enter = ["-t", holder.pid, "-n", tool("ip")]
        run_tool("nsenter", *enter, "link", "set", "lo", "up")
        run_tool("nsenter", *enter, "address", "add", f"10.201.{node}.2/30", "dev", laptop)
        run_tool("nsenter", *enter, "link", "set", laptop, "up")

    def _make_room(self):
        sources = [f"x11grab:{self.display(node)}" for node in range(self.nodes)]
        each = [f"{self.room_address(node)}:{PORT}" for node in range(self.nodes)]
        command = [WCCL, "room", self.scene, "--live", *sources, "--serve", f"127.0.0.1:{PORT}",
                   "--serve-each", *each]
        for setting in self.settings:
            command += ["--set", setting]
        print("$", *map(str, command), flush=True)
        with open(self.folder / "room.log", "w") as log:
            self.room = self._start(command, stdout=log, stderr=log)
        wait_for("the live room", self._room_is_ready)

    def _room_is_ready(self):
        if self.room.poll() is not None:
            sys.exit(f"FAILED: the live room ended\n{(self.folder / 'room.log').read_text()}")
        try:
            return all(laptop["captures"] > 0 for laptop in self.status()["laptops"])
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def _get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/{path}", timeout=20) as response:
            return response.read()

    def _reached(self, node, addresses):
        """Those of the addresses that answer on the cameras' port."""
        script = """
import socket, sys
for address in sys.argv[2:]:
    try:
        socket.create_connection((address, int(sys.argv[1])), timeout=3).close()
        print(address)
    except OSError:
        pass
"""
        return subprocess.run([*self.inside(node), sys.executable, "-c", script, str(PORT), *addresses],
                              capture_output=True, text=True, check=True).stdout.split()


@contextlib.contextmanager
def said_on_failure(folder):
    """What the programs wrote into *.log, when a test fails."""
    try:
        yield
    except BaseException:
        for file in sorted(folder.glob("*.log")):
            if not file.name.startswith("xvfb"):
                print(f"--- {file.name}\n{file.read_text()[-4000:]}")
        raise
