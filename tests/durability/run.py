"""Checks that acknowledged writes are on disk: in system calls, with failing disks, and after SIGKILL.

Usage: run.py BINARY. The first check needs strace, the second libfiu (the packages fiu-utils and strace of Debian). Without them,
the script says which check did not run.
"""

import http.client
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading

from server import Server, data_directory, eventually

KILLS = 10
WRITERS = 8
# A system call in the output of `strace -f`: the name, the arguments and the result. A call that other threads interrupt has two
# lines, of which the second has the result.
CALL = re.compile(r"^(?:\[pid\s+)?(\d+)\]? +(?:<\.\.\. )?(\w+)(.*)$")


def created(server, token):
    """The workspaces that the server has."""
    return {row["id"] for row in json.loads(server.ask("GET", "/api/workspaces", token=token)[1])["workspaces"]}


def create(server, token, id):
    return server.ask("POST", "/api/workspaces", {"id": id, "name": id}, token)


def order(trace):
    """What the trace says about a write: `wal` for each write to the log, `sync` for each completed sync, `201` for the response."""
    found, syncing = [], set()
    for line in trace.splitlines():
        if not (call := CALL.match(line)):
            continue
        thread, name, rest = call.groups()
        if name.startswith("pwrite") and "planroom.db-wal" in rest:
            found.append("wal")
        elif name in ("fsync", "fdatasync"):
            if "planroom.db-wal" in rest:
                syncing.add(thread)
            if rest.endswith("= 0") and thread in syncing:
                syncing.remove(thread)
                found.append("sync")
        elif "HTTP/1.1 201" in rest:
            found.append("201")
    return found


def is_durable(found):
    """Whether a sync comes between the last write to the log and the response."""
    if "201" not in found:
        return False
    before = found[: found.index("201")]
    return "wal" in before and "sync" in before and max(i for i, what in enumerate(before) if what == "sync") > max(
        i for i, what in enumerate(before) if what == "wal"
    )


def trace_of(server, token, id, trace):
    """The system calls of the server while it creates a workspace."""
    calls = "trace=pwrite64,pwritev,fsync,fdatasync,write,writev,sendto,sendmsg"
    command = ["strace", "-f", "-y", "-s", "64", "-e", calls, "-o", str(trace), "-p", str(server.pid)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tracer:
        assert "attached" in tracer.stderr.readline()
        status, content = create(server, token, id)
        assert status == 201, content
        tracer.terminate()
    return trace.read_text()


def check_system_calls(binary):
    assert is_durable(["wal", "wal", "sync", "201"])
    assert not is_durable(["wal", "201", "sync"]) and not is_durable(["sync", "wal", "201"]) and not is_durable([])
    with data_directory(binary) as data:
        trace = data.parent / "trace"
        server = Server(binary, data)
        token = server.token()
        # Several attempts, because background jobs write and sync too, which can fall between a commit and its response.
        for attempt in range(5):
            found = order(trace_of(server, token, f"traced-{attempt}", trace))
            if is_durable(found):
                break
        server.end(signal.SIGTERM)
        assert is_durable(found), f"a write is acknowledged before it is on disk: {found}\n{trace.read_text()[-5000:]}"
        # Without LIBSQLITE3_FLAGS in .cargo/config.toml, a commit takes more time.
        text = trace.read_text()
        assert not re.search(r"\bfsync\(.*planroom\.db-wal", text), f"the log is synced with its modification time:\n{text[-5000:]}"
        assert "etilqs_" not in text, f"SQLite writes a temporary file:\n{text[-5000:]}"
    before = found[: found.index("201")]
    print(f"system calls before the response: {before.count('wal')} writes to the log, then {before[::-1].index('wal')} sync")


def check_failing_disk(binary):
    with data_directory(binary) as data:
        server = Server(binary, data, ["fiu-run", "-x"])
        token = server.token()
        acknowledged = set()

        def control(change):
            subprocess.run(["fiu-ctrl", "-c", change, str(server.pid)], check=True)

        for point in ("posix/io/sync/fsync", "posix/io/rw/pwrite", "posix/io/sync/fdatasync"):
            name = point.rsplit("/", 1)[1]
            control(f"enable name={point},failinfo=5")
            status, content = create(server, token, f"failing-{name}")
            # SQLite uses one of fsync and fdatasync.
            assert status in (201, 503), f"{point}: {status} {content}"
            if status == 201:
                acknowledged.add(f"failing-{name}")
            else:
                assert "nothing was written" in content, content
            assert server.ask("GET", "/api/workspaces", token=token)[0] == 200, "reads fail too"
            control(f"disable name={point}")
            status, content = create(server, token, f"working-{name}")
            assert status == 201, f"after {point}: {status} {content}"
            acknowledged.add(f"working-{name}")
        failed = 6 - len(acknowledged)
        assert failed >= 2, f"only {failed} writes failed, so libfiu does not work here"
        server.end(signal.SIGKILL)
        server = Server(binary, data)
        missing = acknowledged - created(server, token)
        extra = created(server, token) - acknowledged
        server.end(signal.SIGTERM)
        assert not missing and not extra, f"missing {missing}, extra {extra}"
    print(f"failing disk: {failed} writes rejected, {len(acknowledged)} acknowledged, none missing")


def kill_under_writes(binary, kills, acknowledges_early=False):
    """Kills the server under writes. Returns the acknowledged writes, and those of them that are missing.

    With `acknowledges_early`, a request that was sent counts as acknowledged, as if the server answered before its commit.
    """
    with data_directory(binary) as data:
        server, acknowledged = Server(binary, data), set()
        token = server.token()

        def write(server, writer, number):
            for count in range(1_000):
                id = f"w-{number}-{writer}-{count}"
                if acknowledges_early:
                    acknowledged.add(id)
                try:
                    if create(server, token, id)[0] == 201:
                        acknowledged.add(id)
                except (OSError, http.client.HTTPException):
                    return

        for number in range(kills):
            writers = [threading.Thread(target=write, args=(server, writer, number)) for writer in range(WRITERS)]
            for writer in writers:
                writer.start()
            enough = len(acknowledged) + WRITERS + number
            eventually("writes are acknowledged", lambda: len(acknowledged) >= enough)
            server.end(signal.SIGKILL)
            for writer in writers:
                writer.join()
            server = Server(binary, data)
        # Lists have pages, so each workspace is read.
        missing = [id for id in acknowledged if server.ask("GET", f"/api/workspaces/{id}", token=token)[0] != 200]
        server.end(signal.SIGTERM)
        doctor = subprocess.run([binary, "doctor", "--json", "--data-dir", data], stdout=subprocess.PIPE, text=True, check=False)
        assert doctor.returncode in (0, 3), doctor.stdout
    return acknowledged, missing


def check_kills(binary):
    acknowledged, missing = kill_under_writes(binary, KILLS)
    assert not missing, f"{len(missing)} of {len(acknowledged)} acknowledged writes are missing: {missing[:5]}"
    assert len(acknowledged) > KILLS, "hardly any write was acknowledged"
    print(f"{KILLS} times SIGKILL: {len(acknowledged)} writes acknowledged, none missing")
    # The check can fail: early acknowledgments are found.
    _, missing = kill_under_writes(binary, 3, acknowledges_early=True)
    assert missing, "writes that were acknowledged early are not found to be missing"
    print(f"3 times SIGKILL with early acknowledgments: {len(missing)} writes missing, as expected")


def main(binary):
    for check, programs in ((check_kills, []), (check_system_calls, ["strace"]), (check_failing_disk, ["fiu-run", "fiu-ctrl"])):
        lacking = [program for program in programs if not shutil.which(program)]
        if lacking:
            print(f"not run: {check.__name__} needs {' and '.join(lacking)}")
        else:
            check(binary)


main(str(pathlib.Path(sys.argv[1]).resolve()))
