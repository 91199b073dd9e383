"""A server process on a data directory of its own, for checks that start the binary in a special environment."""

import contextlib
import http.client
import json
import os
import pathlib
import subprocess
import tempfile
import time

PASSWORD = "correct horse battery"
# Seconds after which a condition will never be true, on any machine.
PATIENCE = 600


def eventually(what, attempt):
    """The first result of the attempt that is not empty."""
    end = time.monotonic() + PATIENCE
    while True:
        problem = None
        try:
            if result := attempt():
                return result
        except (OSError, http.client.HTTPException) as error:
            problem = error
        assert time.monotonic() < end, f"{what}: not within {PATIENCE} s ({problem})"
        time.sleep(0.05)


class Server:
    """A server on a data directory, which `prefix` starts, with additional `arguments`."""

    timeout = 20

    def __init__(self, binary, data, prefix=(), arguments=()):
        command = [*prefix, binary, "serve", "--data-dir", str(data), "--listen", "127.0.0.1:0", *arguments]
        self.log = (data.parent / "log").open("a")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), f"the server does not start: {line}{(data.parent / 'log').read_text()[-2000:]}"
        self.address = line.strip().removeprefix("listening on http://")
        # The process is that of the server, or of the program that started it.
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        self.pid = int(children[0]) if prefix and children else self.process.pid

    def ask(self, method, path, body=None, token=None):
        """The status and the content of a response. A body that is not text is sent as JSON."""
        connection = http.client.HTTPConnection(self.address, timeout=self.timeout)
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        text = body if body is None or isinstance(body, str) else json.dumps(body)
        connection.request(method, path, text, headers)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, content.decode()

    def token(self, login="ada"):
        status, content = self.ask("POST", "/api/auth/login", {"login": login, "password": PASSWORD})
        assert status == 200, content
        session = json.loads(content)["token"]
        return json.loads(self.ask("POST", "/api/me/tokens", {"name": "check"}, session)[1])["token"]

    def end(self, how):
        os.kill(self.pid, how)
        self.process.wait(30)
        self.log.close()


@contextlib.contextmanager
def data_directory(binary, logins=("ada",)):
    """A data directory in a temporary directory, with an administrator for each login."""
    with tempfile.TemporaryDirectory(prefix="planroom-durability-") as work:
        data = pathlib.Path(work, "data")
        for login in logins:
            create = [binary, "admin", "create", "--login", login, "--name", login, "--org", "acme", "--password-stdin"]
            subprocess.run([*create, "--data-dir", data], input=f"{PASSWORD}\n", text=True, check=True, stdout=subprocess.DEVNULL)
        yield data
