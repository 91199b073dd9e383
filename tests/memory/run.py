"""Checks that the server stays alive in a control group with a memory limit, with the largest requests at once.

Usage: run.py BINARY [COMPONENTS]. Needs the right to create a control group (version 2 or 1). Otherwise, the script says that the check did
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
# The default quota is 100,000, for which the debug binary takes minutes.
COMPONENTS = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
EXPORTS = 12
USERS = 6
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


def model(name="Component"):
    """A map of about 8 MB."""
    text = "What this component is for, who wrote it, and why. " * 4
    components = [
        {"id": f"c{n}", "typeId": "service", "name": f"{name} {n}", "description": text, "x": n % 200 * 300, "y": n // 200 * 200}
        for n in range(COMPONENTS)
    ]
    return json.dumps({"workspace": {"name": "W"}, "components": components, "relationships": []})


def sync_request():
    """A sync request of about 15 MB."""
    text = "What this part is for, who wrote it, and why. " * 15
    rows = [
        {"origin": {"key": f"k{n}", "file": "parts.csv", "line": n + 1}, "id": f"k{n}", "typeId": "service", "name": f"Part {n}", "description": text}
        for n in range(min(COMPONENTS, 20_000))
    ]
    return json.dumps({"source": {"id": "parts", "kind": "csv"}, "reading": {"components": rows}})


def csv_files():
    """A request with a CSV file of about 8 MB, the maximum, to convert."""
    text = "What this part is for, who wrote it, and why. " * 8
    rows = "".join(f"Part {n},service,{text}\n" for n in range(min(COMPONENTS, 20_000)))
    return json.dumps({"files": [{"name": "parts.csv", "content": f"name,type,description\n{rows}"}]})


def largest_requests(draft, revision, version):
    """The largest requests of each kind for the map w0 and for a draft that changes every component."""
    workspace = "/api/workspaces/w0"
    yield "POST", f"{workspace}/drafts", json.dumps({"title": "Another"})
    yield "GET", f"/api/drafts/{draft}/comparison", None
    yield "GET", f"/api/drafts/{draft}/comparison?format=markdown", None
    yield "POST", f"/api/drafts/{draft}/update", "{}"
    yield "POST", f"{workspace}/sync/preview", sync_request()
    yield "POST", f"{workspace}/sync/preview", sync_request()
    yield "GET", f"{workspace}?at={revision}", None
    yield "GET", f"{workspace}/history/difference?from={revision}", None
    yield "POST", f"{workspace}/versions", json.dumps({"name": "Another"})
    yield "GET", f"{workspace}/versions/{version}", None
    yield "POST", f"{workspace}/duplicate", json.dumps({"id": "copy"})
    yield "GET", f"{workspace}/export?format=structurizr-json", None
    yield "POST", "/api/readings", csv_files()
    yield "POST", "/api/readings", csv_files()


def until_accepted(server, method, path, body, token, problems):
    """Repeats a request as long as the server answers that it is busy."""

    def is_answered():
        try:
            status, content = server.ask(method, path, body, token)
        except (OSError, http.client.HTTPException) as error:
            problems.append(f"{method} {path}: {error!r}")
            return True
        if status not in (200, 201, 429, 503):
            problems.append(f"{method} {path}: {status} {content[:200]}")
        return status not in (429, 503)

    try:
        eventually(f"{method} {path} is accepted", is_answered)
    except AssertionError as error:
        problems.append(str(error))


def send_concurrently(server, requests, tokens, problems):
    """Sends all requests concurrently, distributed evenly among the users."""
    threads = [
        threading.Thread(target=until_accepted, args=(server, method, path, content, tokens[n % len(tokens)], problems))
        for n, (method, path, content) in enumerate(requests)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def check_limit_works(group):
    """A program that needs more memory than the limit is killed, so the check of the server can fail."""
    program = f"block = bytearray({LIMIT * 2})\nfor i in range(0, len(block), 4096): block[i] = 1"
    ended = subprocess.run([*group.prefix(), sys.executable, "-c", program], check=False, stderr=subprocess.DEVNULL)
    assert ended.returncode == -signal.SIGKILL, f"the limit of the control group has no effect: {ended.returncode}"


def check_server(binary, group):
    logins = [f"user{n}" for n in range(USERS)]
    with data_directory(binary, logins) as data:
        server = Server(binary, data, group.prefix())
        server.timeout = 300
        tokens, body, problems = [server.token(login) for login in logins], model(), []
        until_accepted(server, "PUT", "/api/workspaces/w0/bulk", body, tokens[0], problems)

        def create(path, body, field):
            status, content = server.ask("POST", path, body, tokens[0])
            assert status == 201, content
            return json.loads(content)[field]

        draft = create("/api/workspaces/w0/drafts", {"title": "Rename"}, "draft")["id"]
        until_accepted(server, "PUT", f"/api/workspaces/{draft}/bulk", model("Renamed"), tokens[0], problems)
        version = create("/api/workspaces/w0/versions", {"name": "First"}, "version")
        requests = [("GET", "/api/workspaces/w0/export", None)] * EXPORTS
        requests += [("PUT", f"/api/workspaces/w{n + 1}/bulk", body) for n in range(USERS)]
        requests += largest_requests(draft, version["revision"], version["id"])
        send_concurrently(server, requests, tokens, problems)
        # A merge closes the draft, so it runs last, concurrently with writes of other users.
        until_accepted(server, "PATCH", f"/api/drafts/{draft}", json.dumps({"state": "open"}), tokens[0], problems)
        requests = [("POST", f"/api/drafts/{draft}/merge", "{}")]
        requests += [("PUT", f"/api/workspaces/w{n + 1}/bulk", body) for n in range(1, USERS)]
        send_concurrently(server, requests, tokens, problems)
        assert server.process.poll() is None, f"the server was killed: {server.process.returncode}; {problems[:3]}"
        assert not problems, problems[:3]
        assert server.ask("GET", "/readyz")[0] == 200
        status = pathlib.Path(f"/proc/{server.pid}/status").read_text().splitlines()
        peak = next(line.split(":")[1].strip() for line in status if line.startswith("VmHWM"))
        server.end(signal.SIGTERM)
    print(
        f"concurrent requests of {USERS} users, the largest of each kind, for maps of {COMPONENTS} components, with a limit of "
        f"{LIMIT >> 20} MiB: the server stayed alive, with at most {peak} of resident memory"
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
