#!/usr/bin/env python3
"""Makes the database of a released version, through its API.

    tests/upgrades/make.py PLANROOM [EARLIER]

PLANROOM is the binary of the release. The result is vN.db.gz and vN.json beside this file, where N is the version of
the schema: the database as the release left it after a clean stop, and what the release answered about it. Features
that a release does not have yet are left out.

EARLIER is the database of an earlier release, as vN.db.gz with vN.json beside it. The release upgrades and extends it
instead of creating one, so that the result contains rows that the earlier release has written.
"""

import base64, gzip, hashlib, hmac, json, os, shutil, signal, sqlite3, struct, subprocess, sys, tempfile, time
import urllib.error, urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
PASSWORD = "correct horse battery"
# A PNG of one pixel.
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Server:
    def __init__(self, binary, data):
        command = [binary, "serve", "--data-dir", data, "--listen", "127.0.0.1:0"]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PLANROOM_")}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        line = self.process.stdout.readline()
        self.url = line.strip().removeprefix("listening on ")
        self.token = None

    def ask(self, method, path, body=None, batch=None):
        """Answers with the JSON; None where the release has no such path."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if batch:
            headers["X-Batch-Id"] = batch
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                text = answer.read()
                return json.loads(text) if text else {}
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            if error.code in (404, 405):
                return None
            sys.exit(f"{method} {path}: {error.code} {text}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait() != 0:
            sys.exit("the server did not stop cleanly")


def totp(secret):
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at:at + 4])[0] & 0x7fffffff) % 1000000:06}"


def annotate(server):
    """Notes on the map, and an image."""
    note = {"id": "plan", "text": "# Plan\n\nMoves in *May*.", "color": "blue", "x": 5, "y": -5}
    if server.ask("POST", "/api/workspaces/w/notes", note) is None:
        return
    server.ask("POST", "/api/workspaces/w/notes", {"kind": "frame", "text": "Payments", "x": 0, "y": 0})
    headers = {"Content-Type": "image/png", "Authorization": f"Bearer {server.token}"}
    request = urllib.request.Request(f"{server.url}/api/workspaces/w/images", PIXEL, headers)
    with urllib.request.urlopen(request) as answer:
        image = json.loads(answer.read())
    photo = {"kind": "image", "imageId": image["id"], "text": "A pixel", "x": 9, "y": 9}
    server.ask("POST", "/api/workspaces/w/notes", photo)


def share(server, organization):
    """A workspace that all members of the organization can edit, and the request of a member for access to another."""
    workspace = server.ask("POST", "/api/workspaces", {"id": "shared", "name": "Shared"})["workspace"]
    if "organizationAccess" not in workspace:
        return
    server.ask("PATCH", "/api/workspaces/shared", {"organizationAccess": "edit"})
    invitation = server.ask("POST", f"/api/orgs/{organization}/invitations", {})
    own, server.token = server.token, None
    joined = {"login": "bob", "displayName": "Bob", "password": PASSWORD}
    server.token = server.ask("POST", f"/api/auth/invitations/{invitation['token']}", joined)["token"]
    server.ask("POST", "/api/workspaces/w/access-requests", {"message": "I write its documentation."})
    server.token = own


def extend(server, known):
    """Data of later features. Adds what a test needs to know."""
    ask = server.ask
    w = "/api/workspaces/w"
    organization = known["organization"]["organizations"][0]["id"]
    ask("POST", f"{w}/views", {"id": "payments", "name": "Payments", "layout": "own",
                               "definition": {"include": [{"ids": ["shop"]}]}})
    places = [{"id": "shop", "x": 40, "y": 50}]
    ask("POST", f"{w}/operations", {"operations": [{"op": "move", "viewId": "payments", "positions": places}]})
    ask("POST", f"{w}/tours", {"id": "tour", "name": "First tour", "stops": [{"id": "s1", "text": "Here", "target": {"viewId": "payments"}}]})
    ask("POST", f"{w}/decisions", {"id": "use-rust", "title": "Use Rust", "status": "accepted", "body": "It is *fast*.",
                                   "componentIds": ["shop"]})
    thread = ask("POST", f"{w}/threads", {"anchor": {"type": "component", "id": "shop"}, "kind": "question",
                                          "text": "Who runs this?"})["thread"]
    ask("POST", f"{w}/threads/{thread['id']}/messages", {"text": "The **core** team."})
    ask("POST", f"{w}/threads/{thread['id']}/resolve", {})
    hook = {"name": "Chat", "url": "https://example.org/hook", "format": "slack", "events": ["workspace.changed"],
            "enabled": False}
    ask("POST", f"/api/orgs/{organization}/webhooks", hook)
    ask("PUT", "/api/me/watches/workspaces/w", {})
    draft = ask("POST", f"{w}/drafts", {"title": "Add a cache"})["draft"]["id"]
    ask("POST", f"/api/workspaces/{draft}/components", {"id": "cache", "typeId": "database", "name": "Cache"})
    ask("PATCH", f"/api/drafts/{draft}", {"state": "open"})
    ask("POST", f"/api/drafts/{draft}/reviews", {"verdict": "comment", "text": "Which one?"})
    known["draft"] = draft
    paths = [f"{w}/threads", f"{w}/threads/{thread['id']}", f"{w}/decisions", f"{w}/decisions/use-rust", f"{w}/views/payments",
             f"{w}/tours/tour", f"{w}/versions", f"/api/drafts/{draft}", f"/api/drafts/{draft}/comparison",
             f"/api/orgs/{organization}/webhooks", "/api/me/watches"]
    known["reads"] = dict.fromkeys(paths)


def read(server, known):
    """What the release answers about the workspace."""
    ask = server.ask
    w = "/api/workspaces/w"
    known["bundle"] = ask("GET", w)
    revision = known["bundle"]["workspace"]["revision"]
    known["at"] = {str(at): ask("GET", f"{w}?at={at}") for at in range(2, revision + 1, 5)}
    known["history"] = ask("GET", f"{w}/history")
    known["reads"] = {path: ask("GET", path) for path in known["reads"]}


def fill(server):
    """Writes through the API. Answers with what a test needs to know."""
    ask = server.ask
    credentials = {"login": "ada", "password": PASSWORD}
    session = ask("POST", "/api/auth/login", credentials)["token"]
    server.token = session
    known = {"token": ask("POST", "/api/me/tokens", {"name": "script"})["token"]}
    organization = ask("GET", "/api/orgs")
    ask("PATCH", "/api/admin/settings", {"wiki.client_secret": "sealed by this release"})
    server.token = known["token"]

    w = "/api/workspaces/w"
    ask("POST", "/api/workspaces", {"id": "w", "name": "Web shop", "description": "Sells things."})
    for id, kind in [("shop", "service"), ("basket", "service"), ("stock", "database"), ("mail", "service")]:
        ask("POST", f"{w}/components", {"id": id, "typeId": kind, "name": id.title(), "properties": {"tier": 1}})
    # Later versions copy lists of strings from the properties of the same names, and leave all others alone.
    lists = [("search", {"tags": ["core", " core ", "a \"quoted\" tag"], "technology": ["OpenSearch"]}),
             ("ledger", {"tags": "core, money", "technology": ["Rust", 2021]})]
    for id, properties in lists:
        ask("POST", f"{w}/components", {"id": id, "typeId": "service", "name": id.title(), "properties": properties})
    ask("PATCH", f"{w}/components/search", {"properties": {"tags": ["index"], "technology": ["Solr", "Java"]}})
    for id, source, target in [("r1", "shop", "basket"), ("r2", "basket", "stock"), ("r3", "shop", "mail")]:
        ask("POST", f"{w}/relationships", {"id": id, "sourceId": source, "targetId": target, "typeId": "calls"})
    ask("POST", f"{w}/relationships", {"id": "r4", "sourceId": "shop", "targetId": "search", "typeId": "calls",
                                       "properties": {"technology": ["HTTP", "JSON"], "tags": ["hot"]}})
    if any(known["id"] == "group" for known in ask("GET", "/api/schema")["componentTypes"]):
        group = {"id": "backend", "typeId": "group", "name": "Backend", "tags": ["core"], "technology": ["Kubernetes"]}
        ask("POST", f"{w}/components", {**group, "width": 400, "height": 300})
        line = {"shape": "straight", "via": [[10, 20]], "labelPosition": 0.5}
        ask("PATCH", f"{w}/relationships/r4", {"technology": ["gRPC"], "line": line})
    process = {"id": "checkout", "name": "Checkout", "mermaid": "sequenceDiagram\n  Shop->>Basket: pay\n",
               "participants": {}}
    if ask("POST", f"{w}/processes", process) is None:
        process.pop("participants")
        ask("POST", f"{w}/processes", process)
    if ask("POST", "/api/people", {"id": "grace", "name": "Grace Hopper", "email": "grace@example.org"}) is not None:
        ask("POST", "/api/teams", {"id": "core", "name": "Core"})
        ask("POST", "/api/teams/core/members", {"personId": "grace"})
        ask("POST", "/api/kinds", {"id": "worker", "name": "Worker", "baseType": "job"})
        ask("POST", f"{w}/components/shop/stakeholders", {"personId": "grace", "linkType": "owner"})
        ask("POST", f"{w}/components/basket/stakeholders", {"teamId": "core", "linkType": "owner"})
        ask("PATCH", "/api/people/grace", {"name": "Rear Admiral Grace Hopper"})
    ask("POST", f"{w}/components/shop/links", {"url": "https://example.org/shop"})
    ask("PATCH", f"{w}/components/mail", {"name": "E-mail", "x": 10, "y": 20}, batch="rename")
    ask("DELETE", f"{w}/components/stock", batch="remove-stock")
    ask("POST", f"{w}/undo", {"batchId": "remove-stock"}, batch="undo-stock")
    annotate(server)
    ask("POST", f"{w}/versions", {"name": "First"})
    share(server, organization["organizations"][0]["id"])
    ask("POST", f"{w}/shares", {"name": "Wiki page"})
    ask("PATCH", w, {"description": "Sells things, and more of them."}, batch="describe")
    ask("PATCH", f"{w}/components/basket", {"description": "What is to be paid."}, batch="last")

    ask("POST", "/api/workspaces", {"id": "gone", "name": "Gone"})
    ask("DELETE", "/api/workspaces/gone")

    known["organization"] = organization
    extend(server, known)
    read(server, known)

    # Last, for from now on signing in takes a code.
    server.token = session
    begun = ask("POST", "/api/me/second-factor", {"password": PASSWORD})
    ask("POST", "/api/me/second-factor/confirm", {"code": totp(begun["secret"])})
    known["secondFactor"] = begun["secret"]
    return known


def main(binary, earlier=None):
    with tempfile.TemporaryDirectory() as home:
        data = os.path.join(home, "data")
        os.mkdir(data, 0o700)
        create = [binary, "admin", "create", "--login", "ada", "--name", "Ada", "--org", "acme", "--password-stdin",
                  "--data-dir", data]
        database = os.path.join(data, "planroom.db")
        if earlier:
            with gzip.open(earlier) as packed, open(database, "wb") as file:
                shutil.copyfileobj(packed, file)
            os.mkdir(os.path.join(data, "keys"))
        else:
            subprocess.run(create, input=PASSWORD + "\n", text=True, check=True, stdout=subprocess.DEVNULL)
        # The same keys for all, so that they are kept once. Nothing is sealed with the others yet.
        shutil.rmtree(os.path.join(data, "keys"))
        shutil.copytree(os.path.join(HERE, "keys"), os.path.join(data, "keys"))
        server = Server(binary, data)
        try:
            if earlier:
                with open(earlier.removesuffix(".db.gz") + ".json") as file:
                    known = json.load(file)
                server.token = known["token"]
                extend(server, known)
                annotate(server)
                server.ask("POST", "/api/workspaces/w/shares", {"name": "Wiki page"})
                read(server, known)
            else:
                known = fill(server)
        finally:
            server.stop()
        # A key that was created by a later feature, for all later databases.
        for name in os.listdir(os.path.join(data, "keys")):
            if name.endswith(".key") and not os.path.exists(os.path.join(HERE, "keys", name)):
                shutil.copy(os.path.join(data, "keys", name), os.path.join(HERE, "keys", name))
        connection = sqlite3.connect(database)
        version = connection.execute("SELECT max(version) FROM refinery_schema_history").fetchone()[0]
        connection.close()
        known["madeBy"] = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        with open(database, "rb") as file, gzip.GzipFile(f"{HERE}/v{version}.db.gz", "wb", mtime=0) as packed:
            shutil.copyfileobj(file, packed)
        with open(f"{HERE}/v{version}.json", "w") as file:
            json.dump(known, file, ensure_ascii=False, sort_keys=True)
            file.write("\n")
        print(f"v{version}.db.gz, {os.path.getsize(f'{HERE}/v{version}.db.gz')} bytes")


if len(sys.argv) not in (2, 3):
    sys.exit(__doc__.strip())
main(*map(os.path.abspath, sys.argv[1:]))
