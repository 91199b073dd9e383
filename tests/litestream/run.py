"""Checks replication with Litestream: a standby, its promotion, and a restore, with the commands of docs/operations.md.

Usage: run.py BINARY LITESTREAM. The standby gets its copies from the commands of systemd/planroom-copy.service. The script prints the
figures that docs/operations.md quotes.
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).parent.parent.parent
sys.path.append(str(ROOT / "tests/durability"))

from server import Server, data_directory

COPY_UNIT = (ROOT / "systemd/planroom-copy.service").read_text()
# Litestream copies changes once a second.
MAX_LOST_SECONDS = 10


def command(key):
    """The shell command of a setting of the unit that copies the database."""
    return re.search(rf"^{key}=-?/bin/sh -c '(.*)'$", COPY_UNIT, re.MULTILINE)[1]


class Replication:
    """Litestream, which replicates a database to a directory."""

    def __init__(self, litestream, data, replica):
        config = replica.with_suffix(".yml")
        config.write_text(f"dbs:\n  - path: {data}/planroom.db\n    replica:\n      type: file\n      path: {replica}\n")
        self.process = subprocess.Popen([litestream, "replicate", "-config", config], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def end(self, how):
        self.process.send_signal(how)
        self.process.wait(30)


@contextlib.contextmanager
def copies(data, environment):
    """Copies the database of a replica to a data directory every 5 seconds, as the unit does."""

    def run(key):
        return subprocess.Popen(["/bin/sh", "-c", command(key)], cwd=data, env=environment, stderr=subprocess.DEVNULL, start_new_session=True)

    deadline = time.monotonic() + 30
    while run("ExecStartPre").wait():
        assert time.monotonic() < deadline, "the replica cannot be restored"
        time.sleep(0.5)
    copying = run("ExecStart")
    yield
    os.killpg(copying.pid, signal.SIGTERM)
    copying.wait(30)
    assert run("ExecStopPost").wait(30) == 0, "the last copy fails"


class Writes:
    """Workspaces that one client creates until the server does not respond, with the times of their acknowledgment."""

    def __init__(self, server, token, name):
        self.acknowledged = {}

        def write():
            for count in range(10_000):
                id = f"{name}-{count}"
                try:
                    if create(server, token, id)[0] != 201:
                        return
                except (OSError, http.client.HTTPException):
                    return
                self.acknowledged[id] = time.monotonic()

        self.thread = threading.Thread(target=write)
        self.thread.start()

    def lost(self, server, token):
        """The acknowledged workspaces that a server lacks."""
        self.thread.join()
        return [id for id in self.acknowledged if not has(server, token, id)]


def create(server, token, id):
    return server.ask("POST", "/api/workspaces", {"id": id, "name": id}, token)


def has(server, token, id):
    return server.ask("GET", f"/api/workspaces/{id}", token=token)[0] == 200


def copy_keys(primary, data):
    shutil.copytree(primary / "keys", data / "keys", ignore=shutil.ignore_patterns("last-change"))


def check_visible(primary, standby, token):
    """Prints after which times new workspaces are visible on the standby."""
    delays = []
    for number in range(3):
        started = time.monotonic()
        assert create(primary, token, f"visible-{number}")[0] == 201
        while not has(standby, token, f"visible-{number}"):
            assert time.monotonic() - started < 30, "a new workspace is not visible on the standby"
            time.sleep(0.05)
        delays.append(time.monotonic() - started)
    print("new workspaces became visible on the standby after " + ", ".join(f"{delay:.1f}" for delay in delays) + " s")
    status, content = create(standby, token, "on-standby")
    assert status == 503 and json.loads(content)["code"] == "standby", content


def check_health(binary, data):
    doctor = subprocess.run([binary, "doctor", "--json", "--data-dir", data], stdout=subprocess.PIPE, text=True, check=False)
    assert doctor.returncode in (0, 3), doctor.stdout


def check_promotion(binary, litestream, data):
    """Kills the primary server and Litestream under writes, and promotes the standby. Returns its data directory and a token."""
    primary, replica, standby_data = Server(binary, data), data.parent / "replica", data.parent / "standby"
    token = primary.token()
    replication = Replication(litestream, data, replica)
    standby_data.mkdir(mode=0o700)
    copy_keys(data, standby_data)
    environment = os.environ | {"REPLICA": f"file://{replica}", "PATH": f"{pathlib.Path(litestream).parent}:{os.environ['PATH']}"}
    with copies(standby_data, environment):
        standby = Server(binary, standby_data, arguments=["--standby"])
        check_visible(primary, standby, token)
        writes = Writes(primary, token, "killed")
        time.sleep(4)
        primary.end(signal.SIGKILL)
        replication.end(signal.SIGKILL)
        killed = time.monotonic()
        standby.end(signal.SIGTERM)
    started = time.monotonic()
    promoted = Server(binary, standby_data)
    start = time.monotonic() - started
    lost = writes.lost(promoted, token)
    age = max((killed - writes.acknowledged[id] for id in lost), default=0)
    print(
        f"server and Litestream killed: {len(lost)} of {len(writes.acknowledged)} acknowledged writes lost, the oldest {age:.1f} s before; "
        f"the promoted server started in {start:.1f} s"
    )
    assert age < MAX_LOST_SECONDS, f"a write that was acknowledged {age} s before the kill is lost"
    assert len(writes.acknowledged) > 10, "hardly any write was acknowledged"
    assert create(promoted, token, "after-promotion")[0] == 201
    promoted.end(signal.SIGTERM)
    check_health(binary, standby_data)
    return standby_data, token


def check_restore(binary, litestream, data, token):
    """Kills only the server, lets Litestream end, and restores the replica into an empty data directory."""
    server, replica, restored_data = Server(binary, data), data.parent / "second-replica", data.parent / "restored"
    replication = Replication(litestream, data, replica)
    time.sleep(2)
    writes = Writes(server, token, "restored")
    time.sleep(4)
    server.end(signal.SIGKILL)
    time.sleep(2)
    replication.end(signal.SIGTERM)
    restored_data.mkdir(mode=0o700)
    subprocess.run([litestream, "restore", "-o", restored_data / "planroom.db", f"file://{replica}"], check=True, stderr=subprocess.DEVNULL)
    copy_keys(data, restored_data)
    restored = Server(binary, restored_data)
    lost = writes.lost(restored, token)
    assert not lost, f"{len(lost)} writes are lost although Litestream was not killed: {lost[:5]}"
    print(f"only the server killed: {len(writes.acknowledged)} writes acknowledged, none lost")
    restored.end(signal.SIGTERM)
    check_health(binary, restored_data)


def main(binary, litestream):
    with data_directory(binary) as data:
        promoted, token = check_promotion(binary, litestream, data)
        check_restore(binary, litestream, promoted, token)


main(*(str(pathlib.Path(path).resolve()) for path in sys.argv[1:]))
