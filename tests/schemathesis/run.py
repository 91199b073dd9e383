"""Checks a running server against its own OpenAPI document with generated requests.

Usage: run.py BINARY [OPTIONS OF SCHEMATHESIS]. Runs schemathesis with a session, with a token, and without credentials. The
session and the other two have servers of their own and run at the same time, each with a new data directory, an administrator
and a few maps. schemathesis.toml configures the checks; hooks.py contains what schemathesis cannot know about this API.
"""

import base64
import concurrent.futures
import http.server
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import typing

import requests

HERE = pathlib.Path(__file__).parent
PASSWORD = "correct horse battery"

# The phases per credential, and the number of random requests per operation. Only the first run has the coverage phase,
# which tests all boundary values.
PHASES = {
    "session": ("examples,coverage,fuzzing,stateful", 20),
    "token": ("examples,fuzzing", 8),
    "anonymous": ("examples,fuzzing", 3),
}

# Credentials that share a server. The session takes longest.
SERVERS = [["session"], ["token", "anonymous"]]

# Colleagues, components and links: the ids that schemathesis.toml names.
COLLEAGUES = [f"colleague-{number}" for number in range(2, 10)]
COMPONENTS = ["web", "api", "db", "queue", "cache"]
LINKS = 3
# A person with a photo.
PERSON = "grace"
KINDS = ["worker", "ledger"]
PIXEL = base64.b64decode("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkwBADs=")

# An image to upload.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class ImageHost(http.server.BaseHTTPRequestHandler):
    """A host of one image."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(PIXEL)

    def log_message(self, *_: object) -> None:
        pass


def main(binary: str, options: list[str]) -> int:
    images = http.server.ThreadingHTTPServer(("127.0.0.1", 0), ImageHost)
    threading.Thread(target=images.serve_forever, daemon=True).start()
    photo_url = f"http://127.0.0.1:{images.server_port}/photo_url"
    with concurrent.futures.ThreadPoolExecutor() as pool:
        runs = [pool.submit(run_server, binary, options, credentials, photo_url) for credentials in SERVERS]
        return max(run.result() for run in runs)


def run_server(binary: str, options: list[str], credentials: list[str], photo_url: str) -> int:
    """Runs schemathesis with these credentials, then prints its output. Returns the highest exit status."""
    with tempfile.TemporaryDirectory(prefix="planroom-schemathesis-") as directory:
        make = [binary, "admin", "create", "--data-dir", directory, "--login", "ada", "--name", "Ada", "--org", "acme"]
        subprocess.run([*make, "--password-stdin"], input=f"{PASSWORD}\n", text=True, check=True)
        settings = {
            # Each request has its own address (hooks.py), because rate limits would hide other responses.
            "PLANROOM_PROXIES_TRUSTED": "127.0.0.1",
            "PLANROOM_SESSION_TOKEN_MINUTES": "60",
            "PLANROOM_LOG_LEVEL": "warn",
            "PLANROOM_OUTBOUND_PICTURE_URLS": photo_url,
        }
        serve = [binary, "serve", "--data-dir", directory, "--listen", "127.0.0.1:0"]
        log, output = pathlib.Path(directory, "log"), pathlib.Path(directory, "output")
        with (
            log.open("w") as errors,
            output.open("w") as printed,
            subprocess.Popen(serve, env=os.environ | settings, stdout=subprocess.PIPE, stderr=errors, text=True) as server,
        ):
            try:
                url = server.stdout.readline().strip().removeprefix("listening on ")
                failed = run_all(url, options, directory, photo_url, credentials, printed)
            finally:
                server.terminate()
                stopped = server.wait(30)
                print(output.read_text(), flush=True)
        if failed or stopped:
            print(f"The server stopped with {stopped}. Log:\n{log.read_text()[-5000:]}", file=sys.stderr)
        return failed or stopped


def run_all(
    url: str, options: list[str], directory: str, photo_url: str, credentials: list[str], printed: typing.TextIO
) -> int:
    """Prepares a server, and runs schemathesis with these credentials. Returns the highest exit status."""
    session = requests.Session()

    def ask(method: str, path: str, body: object = None) -> dict:
        answer = session.request(method, url + path, json=body, timeout=10)
        answer.raise_for_status()
        return answer.json()

    def sign_in(login: str) -> str:
        token = ask("POST", "/api/auth/login", {"login": login, "password": PASSWORD})["token"]
        session.headers["Authorization"] = f"Bearer {token}"
        return token

    person = sign_in("ada")
    ask("POST", "/api/people", {"id": PERSON, "name": "Grace", "photoUrl": photo_url})
    for kind in KINDS:
        ask("POST", "/api/kinds", {"id": kind, "name": kind, "baseType": "service"})
    script = ask("POST", "/api/me/tokens", {"name": "schemathesis"})["token"]
    organization = ask("GET", "/api/orgs")["organizations"][0]["id"]
    own = {
        "userId": ask("GET", "/api/me")["id"],
        "tokenId": ask("GET", "/api/me/tokens")["tokens"][0]["id"],
        "sessionId": ask("GET", "/api/me/sessions")["sessions"][0]["id"],
    }
    for login in COLLEAGUES:
        session.headers["Authorization"] = f"Bearer {person}"
        ask("POST", "/api/admin/users", {"login": login, "displayName": login, "password": PASSWORD})
        invitation = ask("POST", f"/api/orgs/{organization}/invitations", {})["token"]
        sign_in(login)
        ask("POST", f"/api/auth/invitations/{invitation}", {})
    session.headers["Authorization"] = f"Bearer {person}"
    colleagues = [user["id"] for user in ask("GET", "/api/admin/users")["users"] if user["login"] in COLLEAGUES]
    for workspace in ("shop", "spare", "scratch", "gone"):
        create_map(ask, f"/api/workspaces/{workspace}", colleagues)

    answer = session.post(f"{url}/api/workspaces/shop/images", PNG, headers={"Content-Type": "image/png"}, timeout=10)
    answer.raise_for_status()
    image = answer.json()["id"]
    ask("POST", "/api/workspaces/shop/notes", {"id": "photo", "kind": "image", "imageId": image, "x": 0, "y": 0})

    share = ask("POST", "/api/workspaces/shop/shares", {"name": "Wiki"})["share"]["id"]

    hook = {"name": "Portal", "url": "https://93.184.215.14/hook", "events": ["member.left"]}
    webhook = ask("POST", f"/api/orgs/{organization}/webhooks", hook)["webhook"]["id"]

    anchor = {"type": "component", "id": "web"}
    thread = ask("POST", "/api/workspaces/shop/threads", {"anchor": anchor, "text": "Why?"})["thread"]["id"]

    worst = 0
    values = {"session": person, "token": script, "anonymous": "none"}
    for who in credentials:
        print(f"\n--- credential: {who} ---", file=printed, flush=True)
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file", "schemathesis.toml", "run"]
        phases, examples = PHASES[who]
        command += [f"{url}/openapi.json", "--phases", phases, "--max-examples", str(examples), *options]
        variables = {"URL": url, "PASSWORD": PASSWORD, "CREDENTIAL": values[who], "COLLEAGUE": COLLEAGUES[0]}
        variables["IMAGE"], variables["SHARE"], variables["THREAD"] = image, share, thread
        variables["WEBHOOK"] = webhook
        variables |= {f"OWN_{name.upper()}": str(id) for name, id in own.items()}
        environment = os.environ | {f"PLANROOM_{name}": value for name, value in variables.items()}
        environment |= {"HYPOTHESIS_STORAGE_DIRECTORY": directory}
        run = subprocess.run(command, cwd=HERE, env=environment, stdout=printed, stderr=subprocess.STDOUT, check=False)
        worst = max(worst, run.returncode)
    return worst


def create_map(ask, path: str, colleagues: list[int]) -> None:
    """Creates a map for the requests."""
    components = [{"id": id, "typeId": "service", "name": id} for id in COMPONENTS]
    relationship = {"id": "calls", "typeId": "calls", "sourceId": "web", "targetId": "api"}
    body = {"workspace": {"name": "Map"}, "components": components, "relationships": [relationship]}
    ask("PUT", f"{path}/bulk", body)
    for _ in range(LINKS):
        ask("POST", f"{path}/components/web/links", {"url": "https://example.org"})
    ask("POST", f"{path}/notes", {"id": "note", "text": "Note", "x": 0, "y": 0})
    ask("POST", f"{path}/views", {"id": "payments", "name": "Payments", "layout": "own"})
    ask("POST", f"{path}/views/personal", {"id": "mine", "name": "Mine"})
    ask("POST", f"{path}/tours", {"id": "first-day", "name": "First day"})
    ask("POST", f"{path}/decisions", {"id": "use-events", "title": "Use events"})
    for user in colleagues:
        ask("POST", f"{path}/members", {"userId": user})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
