"""Runs the reverse proxy examples of docs/installation.md, word for word, in front of a server.

Usage: run.py BINARY. The examples are the code blocks marked `run` of the languages caddyfile, nginx and toml. They run in a
network namespace, so that ports and addresses are free, and with copies of /etc and /run, so that the files have the names of
the documentation. Needs root and the programs in PROGRAMS; otherwise the script says so and does nothing.
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests/durability"))

from server import eventually

DOCUMENT = ROOT / "docs/installation.md"
BLOCK = re.compile(r"^```(caddyfile|nginx|toml) run\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAMS = ["nginx", "caddy", "curl", "ip", "openssl", "unshare"]
PASSWORD = "correct horse battery"
HOSTS = ["plans.example.org", "example.org"]
# The addresses of the proxy and of the visitor, both reserved for documentation.
PROXY, VISITOR = "198.51.100.1", "198.51.100.7"
BULK_BYTES = 32 << 20


def missing():
    if os.geteuid() != 0:
        return "root"
    # Debian installs nginx in /usr/sbin, which is not in the PATH of every user.
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    lacking = [program for program in PROGRAMS if not shutil.which(program)]
    return " and ".join(lacking)


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)


def isolate(work):
    """Replaces network, /etc, /run and the logs of nginx for this process and its children."""
    run("ip", "link", "set", "lo", "up")
    for address in (PROXY, VISITOR):
        run("ip", "address", "add", f"{address}/32", "dev", "lo")
    etc = work / "etc"
    shutil.copytree("/etc", etc, symlinks=True, ignore_dangling_symlinks=True)
    (etc / "hosts").write_text(f"127.0.0.1 localhost\n{PROXY} {' '.join(HOSTS)}\n")
    (etc / "nginx/sites-enabled/default").unlink(missing_ok=True)
    certificate = etc / "letsencrypt/live/plans.example.org"
    certificate.mkdir(parents=True)
    names = ",".join(f"DNS:{host}" for host in HOSTS)
    run(
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"),
        *("-subj", "/CN=plans.example.org", "-addext", f"subjectAltName={names}"),
        *("-keyout", certificate / "privkey.pem", "-out", certificate / "fullchain.pem"),
        stderr=subprocess.DEVNULL,
    )
    for source, target in ((etc, "/etc"), (work / "run", "/run"), (work / "nginx", "/var/log/nginx")):
        source.mkdir(exist_ok=True)
        run("mount", "--bind", source, target)


def nginx(work, blocks):
    """The command that runs nginx. The second block, if there is one, replaces `location /` of the first."""
    server = blocks[0]
    location = re.compile(r"^    location / \{\n(.*?)^    \}\n", re.MULTILINE | re.DOTALL)
    if len(blocks) > 1:
        pathlib.Path("/etc/nginx/planroom_proxy.conf").write_text(location.search(server)[1])
        server = location.sub(lambda _: blocks[1], server)
    pathlib.Path("/etc/nginx/conf.d/planroom.conf").write_text(server)
    return ["nginx", "-g", "daemon off;"], "/etc/letsencrypt/live/plans.example.org/fullchain.pem", os.environ


def caddy(work, blocks):
    """The command that runs Caddy with a certificate of its own, because there is no internet."""
    file = work / "Caddyfile"
    file.write_text("{\n\tlocal_certs\n\tskip_install_trust\n}\n" + blocks[-1])
    # A certificate authority of its own for each run.
    data = pathlib.Path(tempfile.mkdtemp(dir=work))
    environment = os.environ | {"HOME": str(data), "XDG_DATA_HOME": str(data), "XDG_CONFIG_HOME": str(data)}
    command = ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]
    return command, data / "caddy/pki/authorities/local/root.crt", environment


@contextlib.contextmanager
def started(command, log, environment, cwd=None):
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env=environment, cwd=cwd)
        try:
            yield
        except BaseException:
            print(f"{command[0]}:\n{log.read_text()[-3000:]}", file=sys.stderr)
            raise
        finally:
            process.terminate()
            process.wait(20)


class Browser:
    """Sends requests to the proxy from the address of the visitor."""

    def __init__(self, url, authority):
        self.url, self.authority, self.token = url, str(authority), None
        self.origin, self.path = re.fullmatch(r"(https://[^/]+)(.*)", url).groups()
        self.host = self.origin.removeprefix("https://")

    def ask(self, method, path, body=None, headers=None):
        """Status, headers and content of the response to a request, whose path is that of the host."""
        context = ssl.create_default_context(cafile=self.authority)
        connection = http.client.HTTPSConnection(self.host, source_address=(VISITOR, 0), context=context, timeout=30)
        own = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if body is not None:
            own["Content-Type"] = "application/json"
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, body, own | (headers or {}))
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, response.headers, content

    def api(self, method, path, body=None, headers=None):
        status, received, content = self.ask(method, self.path + path, body, headers)
        assert status < 300, f"{method} {path}: {status} {content[:500]}"
        return received, json.loads(content)

    def events(self, path):
        """The lines of an event stream, over HTTP/2 if the proxy has it. Ends after ten seconds."""
        command = ["curl", "-sN", "--max-time", "10", "--cacert", self.authority, "--interface", VISITOR]
        command += ["-H", f"Authorization: Bearer {self.token}", self.url + path]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def check(browser, log):
    # The page and everything that it refers to.
    status, headers, page = browser.ask("GET", f"{browser.path}/")
    assert status == 200, f"the page: {status} {page[:300]}"
    assert headers["Strict-Transport-Security"], "no HSTS"
    assets = re.findall(r'(?:src|href)="([^"]+\.(?:js|css|svg))"', page.decode())
    assert any(asset.endswith(".js") for asset in assets), page
    for asset in assets:
        assert asset.startswith(f"{browser.path}/"), f"{asset} is not below the path"
        assert browser.ask("GET", asset)[0] == 200, asset
    if browser.path:
        assert browser.ask("GET", browser.path)[0] in (200, 301, 308), "the path without a slash"

    # HTTP redirects to HTTPS.
    plain = http.client.HTTPConnection(browser.host, timeout=10)
    plain.request("GET", f"{browser.path}/")
    response = plain.getresponse()
    location = response.headers["Location"]
    assert response.status in (301, 308) and location.startswith(f"{browser.origin}{browser.path}/"), location

    # Sign-in. The address in the log is that of the visitor, whatever the visitor sends.
    sent = {"Origin": browser.origin, "X-Forwarded-For": "203.0.113.9"}
    headers, session = browser.api("POST", "/api/auth/login", {"login": "ada", "password": PASSWORD}, sent)
    cookie = headers["Set-Cookie"]
    assert f"Path={browser.path}/api/auth" in cookie and "Secure" in cookie and "HttpOnly" in cookie, cookie
    refreshed = browser.api("POST", "/api/auth/refresh", {}, {"Cookie": cookie.split(";")[0], "Origin": browser.origin})
    assert refreshed[1]["token"], "no new token"
    line = eventually("the sign-in in the log", lambda: next((l for l in log.read_text().splitlines() if "/api/auth/login" in l), None))
    assert f'"client":"{VISITOR}"' in line, line
    browser.token = session["token"]

    # A bulk request with the largest body.
    model = b'{"workspace":{"name":"Shop"},"components":[{"id":"web","typeId":"service","name":"Web"}],"relationships":['
    body = model + b" " * (BULK_BYTES - len(model) - 2) + b"]}"
    browser.api("PUT", "/api/workspaces/shop/bulk", body)

    # Events arrive at once: the first, and then that of a change.
    with browser.events("/api/workspaces/shop/events") as stream:
        lines = iter(stream.stdout.readline, "")
        assert any("event: ready" in line for line in lines), "no event within 10 s"
        browser.api("PATCH", "/api/workspaces/shop", {"name": "Department store"})
        assert any("Department store" in line for line in lines), "the change did not arrive within 10 s"
        stream.terminate()

    # MCP clients start at the URL of the MCP server and follow the metadata.
    token, browser.token = browser.token, None
    status, headers, _ = browser.ask("POST", f"{browser.path}/mcp", {})
    challenge = headers["WWW-Authenticate"]
    assert status == 401, status
    named = re.search(r'resource_metadata="([^"]+)"', challenge)[1]
    found = [named, f"{browser.origin}/.well-known/oauth-protected-resource{browser.path}/mcp"]
    for url in found:
        assert url.startswith(browser.origin), url
        status, _, content = browser.ask("GET", url.removeprefix(browser.origin))
        assert status == 200, f"{url}: {status}"
        metadata = json.loads(content)
        assert metadata["resource"] == f"{browser.url}/mcp" and metadata["authorization_servers"] == [browser.url], metadata
    well_known = f"/.well-known/oauth-authorization-server{browser.path}"
    status, _, content = browser.ask("GET", well_known)
    assert status == 200, f"{well_known}: {status}"
    metadata = json.loads(content)
    assert metadata["issuer"] == browser.url and metadata["token_endpoint"] == f"{browser.url}/oauth/token", metadata
    browser.token = token
    created = browser.api("POST", "/api/me/tokens", {"name": "assistant"})[1]
    browser.token = created["token"]
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}}
    accepted = {"Accept": "application/json, text/event-stream"}
    status, _, content = browser.ask("POST", f"{browser.path}/mcp", hello, accepted)
    assert status == 200 and b'"serverInfo"' in content, f"{status} {content[:300]}"

    # The server trusts the proxy, so it has nothing to warn about.
    assert "X-Forwarded-For" not in log.read_text(), log.read_text()


def serve(binary, work, configuration):
    """The command that starts a new server with an account, its log, and its environment."""
    data = pathlib.Path(tempfile.mkdtemp(dir=work))
    file = data / "config.toml"
    file.write_text(configuration)
    environment = os.environ | {"PLANROOM_CONFIG": str(file), "PLANROOM_DATA_DIR": str(data), "PLANROOM_LOG_FORMAT": "json"}
    create = [binary, "admin", "create", "--login", "ada", "--name", "Ada", "--org", "acme", "--password-stdin"]
    run(*create, input=f"{PASSWORD}\n", text=True, env=environment)
    return [binary, "serve"], data / "log", environment


def inside(binary, work):
    blocks = {"caddyfile": [], "nginx": [], "toml": []}
    for language, text in BLOCK.findall(DOCUMENT.read_text()):
        blocks[language].append(text)
    if any(len(found) != 2 for found in blocks.values()):
        sys.exit(f"{DOCUMENT} does not have two marked examples of each: {blocks}")
    isolate(work)
    direct, below = blocks["toml"]
    # The second example has only the key that differs.
    below += direct[direct.index("[proxies]"):]
    for proxy, language in ((nginx, "nginx"), (caddy, "caddyfile")):
        for configuration, number in ((direct, 1), (below, 2)):
            url = re.search(r'public_url = "(.+)"', configuration)[1]
            command, authority, environment = proxy(work, blocks[language][:number])
            server, log, variables = serve(binary, work, configuration)
            with started(server, log, variables), started(command, work / "proxy.log", environment):
                browser = Browser(url, authority)
                eventually(f"{url} through {language}", lambda: browser.ask("GET", f"{browser.path}/readyz")[0] == 200)
                check(browser, log)
            print(f"{url} through {command[0]}: ok")


def main(arguments):
    if lacking := missing():
        print(f"not run: the examples of reverse proxies need {lacking}")
        return
    if arguments[1:] != ["--inside"]:
        binary = str(pathlib.Path(arguments[0]).resolve())
        os.execvp("unshare", ["unshare", "--net", "--mount", sys.executable, "-B", __file__, binary, "--inside"])
    with tempfile.TemporaryDirectory(prefix="planroom-proxies-") as work:
        # Workers of nginx run as another user.
        os.chmod(work, 0o755)
        try:
            inside(arguments[0], pathlib.Path(work))
        finally:
            # The copies are mounted, also for the programs that remove the directory.
            for target in ("/etc", "/run", "/var/log/nginx"):
                subprocess.run(["umount", target], check=False, stderr=subprocess.DEVNULL)


main(sys.argv[1:])
