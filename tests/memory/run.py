"""Checks that the server stays alive in a control group with a memory limit, with the largest requests at once.

Usage: run.py BINARY. Needs the right to create a control group (version 2 or 1). Otherwise, the script says that the check did
not run.
"""

import contextlib
import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading

sys.path.append(str(pathlib.Path(__file__).parent.parent / "durability"))

from server import Server, data_directory, eventually

# docs/installation.md recommends this much for small teams.
LIMIT = 512 << 20
COMPONENTS = 20_000
EXPORTS = 20
# One per user.
IMPORTS = 8
ROOT = pathlib.Path("/sys/fs/cgroup")
# Joins the group and becomes the command.
JOIN = ["sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"']


class Group:
    """A control group with a memory limit."""

    def __init__(self):
        version_2 = "memory" in self.read_of(ROOT, "cgroup.controllers").split()
        if version_2 and "memory" not in self.read_of(ROOT, "cgroup.subtree_control").split():
            (ROOT / "cgroup.subtree_control").write_text("+memory")
        self.path = (ROOT if version_2 else ROOT / "memory") / f"planroom-{os.getpid()}"
        self.path.mkdir()
        try:
            if version_2:
                self.write("memory.max", LIMIT)
                # Otherwise the group could use swap instead.
                with contextlib.suppress(OSError):
                    self.write("memory.swap.max", 0)
            else:
                self.write("memory.limit_in_bytes", LIMIT)
        except OSError:
            self.remove()
            raise

    @staticmethod
    def read_of(path, name):
        with contextlib.suppress(OSError):
            return (path / name).read_text()
        return ""

    def write(self, name, value):
        (self.path / name).write_text(str(value))

    def prefix(self):
        return [*JOIN, str(self.path)]

    def remove(self):
        # After a failure, the server is still running.
        for pid in self.read_of(self.path, "cgroup.procs").split():
            with contextlib.suppress(OSError):
                os.kill(int(pid), signal.SIGKILL)
        eventually("the control group is empty", lambda: self.path.rmdir() is None)


def model():
    """A map of about 8 MB."""
    text = "What this component is for, who wrote it, and why. " * 4
    components = [
        {"id": f"c{n}", "typeId": "service", "name": f"Component {n}", "description": text, "x": n % 200 * 300, "y": n // 200 * 200}
        for n in range(COMPONENTS)
    ]
    return json.dumps({"workspace": {"name": "W"}, "components": components, "relationships": []})


def until_accepted(server, method, path, body, token, problems):
    """Repeats a request as long as the server answers that it is busy."""

    def is_answered():
        try:
            status, content = server.ask(method, path, body, token)
        except (OSError, http.client.HTTPException) as error:
            problems.append(f"{method} {path}: {error!r}")
            return True
        if status not in (200, 429, 503):
            problems.append(f"{method} {path}: {status} {content[:200]}")
        return status not in (429, 503)

    try:
        eventually(f"{method} {path} is accepted", is_answered)
    except AssertionError as error:
        problems.append(str(error))


def check_limit_works(group):
    """A program that needs more memory than the limit is killed, so the check of the server can fail."""
    program = f"block = bytearray({LIMIT * 2})\nfor i in range(0, len(block), 4096): block[i] = 1"
    ended = subprocess.run([*group.prefix(), sys.executable, "-c", program], check=False, stderr=subprocess.DEVNULL)
    assert ended.returncode == -signal.SIGKILL, f"the limit of the control group has no effect: {ended.returncode}"


def check_server(binary, group):
    logins = [f"user{n}" for n in range(IMPORTS)]
    with data_directory(binary, logins) as data:
        server = Server(binary, data, group.prefix())
        server.timeout = 300
        tokens, body, problems = [server.token(login) for login in logins], model(), []
        until_accepted(server, "PUT", "/api/workspaces/w0/bulk", body, tokens[0], problems)
        requests = [("GET", "/api/workspaces/w0/export", None)] * EXPORTS
        requests += [("PUT", f"/api/workspaces/w{n + 1}/bulk", body) for n in range(IMPORTS)]
        threads = [
            threading.Thread(target=until_accepted, args=(server, method, path, content, tokens[n % len(tokens)], problems))
            for n, (method, path, content) in enumerate(requests)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.process.poll() is None, f"the server was killed: {server.process.returncode}; {problems[:3]}"
        assert not problems, problems[:3]
        assert server.ask("GET", "/readyz")[0] == 200
        status = pathlib.Path(f"/proc/{server.pid}/status").read_text().splitlines()
        peak = next(line.split(":")[1].strip() for line in status if line.startswith("VmHWM"))
        server.end(signal.SIGTERM)
    print(
        f"{EXPORTS} exports and {IMPORTS} imports of {COMPONENTS} components at once with a limit of {LIMIT >> 20} MiB: the server "
        f"stayed alive, with at most {peak} of resident memory"
    )


def main(binary):
    try:
        group = Group()
    except OSError as error:
        print(f"not run: the check of a memory limit cannot create a control group: {error}")
        return
    try:
        check_limit_works(group)
        check_server(binary, group)
    finally:
        group.remove()


main(str(pathlib.Path(sys.argv[1]).resolve()))
