"""Runs the commands of the documentation in a Debian that boots with systemd, word for word.

Usage: run.py PACKAGE.deb WORK. The commands are the code blocks marked `run` in docs/installation.md, in their order. WORK
is a directory for the Debian system, which is kept for the next run. Needs root, debootstrap and systemd-nspawn; otherwise
the script says so and does nothing.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
DOCUMENT = ROOT / "docs/installation.md"
BLOCK = re.compile(r"^```sh run\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INCLUDED = "adduser,ca-certificates,curl,dbus,init-system-helpers,systemd,systemd-sysv"
# Answers to the questions for a password.
ANSWERS = "correct horse battery\n" * 2
SECONDS = 300

# What holds after the block that contains the command. An invalid configuration ends the server with exit status 78, after which
# systemd does not restart it.
CHECKS = {
    "apt-get install": "systemctl is-active planroom && curl -fsS http://127.0.0.1:8420/readyz",
    "admin create": "runuser -u planroom -- planroom user list | grep ada",
    "systemctl restart planroom": """
systemctl show planroom --property=Type,WatchdogUSec,MemoryMax | sort | tr '\\n' ' ' | grep 'MemoryMax=1073741824 Type=notify WatchdogUSec=1min'
systemctl restart planroom && systemctl is-active planroom
cp -p /etc/planroom/config.toml saved && echo 'wrong = 1' >> /etc/planroom/config.toml
if systemctl restart planroom; then exit 1; fi
systemctl show planroom --property=ExecMainStatus,NRestarts,ActiveState | sort | tr '\\n' ' ' \\
    | grep 'ActiveState=failed ExecMainStatus=78 NRestarts=0'
cp -p saved /etc/planroom/config.toml && systemctl reset-failed planroom && systemctl start planroom
""",
    "planroom backup": "test -s /var/backups/planroom/planroom-$(date +%F).db",
    "planroom restore": "runuser -u planroom -- planroom user list | grep ada && systemctl is-active planroom",
    "apt-get purge": "! test -e /etc/planroom/config.toml && test -s /var/lib/planroom/planroom.db",
}

# Runs each block with a terminal, as an administrator would, and turns the machine off.
RUNNER = """#!/bin/sh
export HOME=/root DEBIAN_FRONTEND=noninteractive TERM=dumb
cd /root
echo started
for block in blocks/*.sh; do
    echo "--- $block"
    cat "$block"
    if ! script -qec "sh -e $block" /dev/null < answers || ! sh -e "$block.check"; then
        echo "failed: $block"
        journalctl --no-pager -u planroom | tail -n 30
        break
    fi
    # A later installation of the same package is an upgrade.
    sed -i '/^Package: planroom$/,/^$/s/^Version: .*/Version: 0.0.1/' /var/lib/dpkg/status
done
echo finished
systemctl poweroff --no-block
"""

UNIT = """[Unit]
After=network-online.target multi-user.target
[Service]
Type=oneshot
ExecStart=/root/run.sh
StandardOutput=file:/root/log
StandardError=inherit
[Install]
WantedBy=graphical.target
"""


def missing():
    if os.geteuid() != 0:
        return "root"
    programs = ["debootstrap", "systemd-nspawn"]
    return next((program for program in programs if not shutil.which(program)), None)


def debian(work):
    """The path of a new Debian system, or None if it cannot be downloaded. The first run downloads it."""
    base, system = work / "base", work / "system"
    if not (base / "complete").exists():
        shutil.rmtree(base, ignore_errors=True)
        command = ["debootstrap", "--variant=minbase", f"--include={INCLUDED}", "stable", base]
        if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode:
            return None
        (base / "complete").touch()
    shutil.rmtree(system, ignore_errors=True)
    subprocess.run(["cp", "-a", base, system], check=True)
    return system


def prepare(system, package, blocks):
    home = system / "root"
    shutil.copy(package, home / package.name)
    (home / "answers").write_text(ANSWERS)
    (home / "blocks").mkdir()
    for number, block in enumerate(blocks):
        path = home / f"blocks/{number:02}.sh"
        path.write_text(block)
        checks = [check for command, check in CHECKS.items() if command in block]
        path.with_name(f"{path.name}.check").write_text("\n".join(checks))
    (home / "run.sh").write_text(RUNNER)
    (home / "run.sh").chmod(0o755)
    (system / "etc/apt/apt.conf.d/90yes").write_text('APT::Get::Assume-Yes "true";\n')
    unit = system / "etc/systemd/system/documented.service"
    unit.write_text(UNIT)
    wants = system / "etc/systemd/system/graphical.target.wants"
    wants.mkdir(exist_ok=True)
    (wants / unit.name).symlink_to(f"../{unit.name}")


def boot(system):
    command = ["systemd-nspawn", "-q", "-D", system, "--boot", "--private-network", "--register=no", "--keep-unit"]
    log = system / "root/log"
    try:
        ended = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS,
        )
        console = ended.stdout
    except subprocess.TimeoutExpired as error:
        console = error.stdout or b""
    return log.read_text(errors="replace") if log.exists() else "", console.decode(errors="replace")


def main(package, work):
    blocks = BLOCK.findall(DOCUMENT.read_text())
    uncovered = [command for command in CHECKS if not any(command in block for block in blocks)]
    if uncovered:
        sys.exit(f"{DOCUMENT} has no marked block with: {', '.join(uncovered)}")
    if lacking := missing():
        print(f"not run: the documented commands need {lacking}")
        return
    system = debian(work)
    if not system:
        print("not run: the documented commands need a Debian system, which debootstrap cannot download here")
        return
    prepare(system, package, blocks)
    log, console = boot(system)
    (work / "log").write_text(log)
    shutil.rmtree(system, ignore_errors=True)
    if not log.startswith("started"):
        print(f"not run: systemd-nspawn does not boot a system here\n{console[-2000:]}")
        return
    if "failed: " in log or "finished" not in log:
        sys.exit(f"{log}\nthe documented commands failed")
    print(f"{len(blocks)} documented blocks of commands ran in a booted Debian; their output is in {work / 'log'}")


main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
