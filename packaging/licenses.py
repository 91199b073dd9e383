"""Writes the licenses of all bundled packages, and a software bill of materials in CycloneDX 1.5.

    licenses.py DIRECTORY

Writes THIRD-PARTY-NOTICES.txt and planroom.cdx.json. Reads `cargo metadata` for the crates that are linked into the
binary, and the lock file of the web client for the packages that it bundles. Needs only the standard library.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WEB = ROOT / "assets/web"
TARGET = "x86_64-unknown-linux-gnu"
# Packages whose license is only in a file.
LICENSES = {"khroma": "MIT"}
LICENSE_FILE = re.compile(r"^(licen[cs]e|copying|notice|copyright|unlicense)", re.IGNORECASE)


def crates():
    """The crates of others that are linked into the binary: no development dependencies, build scripts or procedural macros."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", TARGET]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = metadata["resolve"]["root"]
    seen, waiting = set(), [root]
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        for dependency in nodes[current]["deps"]:
            target = packages[dependency["pkg"]]["targets"]
            is_macro = any("proc-macro" in kind["kind"] for kind in target)
            if not is_macro and any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    others = seen - set(metadata["workspace_members"])
    for identity in sorted(others, key=lambda identity: (packages[identity]["name"], identity)):
        package = packages[identity]
        name, version = package["name"], package["version"]
        yield {
            "name": name,
            "version": version,
            "license": (package["license"] or "see the license file").replace("/", " OR "),
            "purl": f"pkg:cargo/{name}@{version}",
            "directory": pathlib.Path(package["manifest_path"]).parent,
        }


def web_packages():
    """The packages of the web client that are not only for development."""
    lock = json.loads((WEB / "package-lock.json").read_text())
    for path, package in sorted(lock["packages"].items()):
        if path and not package.get("dev") and not package.get("optional"):
            name = path.rsplit("node_modules/", 1)[-1]
            yield {
                "name": name,
                "version": package["version"],
                "license": package.get("license") or LICENSES.get(name, "see the license file"),
                "purl": f"pkg:npm/{name.replace('@', '%40')}@{package['version']}",
                "directory": WEB / path,
            }


def license_texts(package):
    directory = package["directory"]
    files = sorted(file for file in directory.iterdir() if file.is_file() and LICENSE_FILE.match(file.name)) if directory.is_dir() else []
    return [(file.name, file.read_text(errors="replace").strip()) for file in files]


def notices(packages):
    parts = ["Planroom contains the following packages, under these licenses.\n"]
    texts = {}
    for package in packages:
        found = license_texts(package)
        parts.append(f"{package['name']} {package['version']}: {package['license']}")
        for name, text in found:
            texts.setdefault(text, []).append(f"{package['name']} {package['version']} ({name})")
    for text, users in texts.items():
        parts += ["\n" + "=" * 100, *users, "-" * 100, text]
    return "\n".join(parts) + "\n"


def bill(packages, version):
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    component = lambda package: {
        "type": "library",
        "name": package["name"],
        "version": package["version"],
        "purl": package["purl"],
        "bom-ref": package["purl"],
        "licenses": [{"expression": package["license"]}],
    }
    own = {"type": "application", "name": "planroom", "version": version, "bom-ref": "planroom",
           "licenses": [{"expression": "MIT OR Apache-2.0"}]}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"timestamp": moment, "component": own},
        "components": [component(package) for package in packages],
        "dependencies": [{"ref": "planroom", "dependsOn": [package["purl"] for package in packages]}],
    }


def main():
    directory = pathlib.Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
    packages = [*crates(), *web_packages()]
    (directory / "THIRD-PARTY-NOTICES.txt").write_text(notices(packages))
    (directory / "planroom.cdx.json").write_text(json.dumps(bill(packages, version), indent=1) + "\n")
    print(f"{len(packages)} packages")


if __name__ == "__main__":
    main()
