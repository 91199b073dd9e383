"""Runs the browser stories and the integration tests many times beside a load, without retries, and lists every failure.

usage: run.py RESULTS BINARY [--runs N] [--stories FILTER …] [--tests FILTER …] [--workers N]

RESULTS is the directory for traces and outputs. BINARY is the server for the stories. If only stories or only tests are selected, the
others do not run.
"""

import argparse
import collections
import contextlib
import hashlib
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WEB = ROOT / "assets/web"
CARGO = os.environ.get("CARGO", "cargo")
# The lines of an error that are printed.
LINES = 6
# In every second run, the scripts of pages are slower by this factor, which finds stories that are faster than a page.
SLOWDOWN = 3

Failure = collections.namedtuple("Failure", "name message kept")


def busy(parent):
    """Keeps a core busy until the parent ends."""
    block = bytes(1 << 20)
    while os.getppid() == parent:
        hashlib.sha256(block)


def sync(parent, directory):
    """Keeps the disk busy with small writes until the parent ends."""
    with open(directory / "load", "wb") as file:
        while os.getppid() == parent:
            file.seek(0)
            file.write(os.urandom(1 << 16))
            file.flush()
            os.fsync(file.fileno())


@contextlib.contextmanager
def load(directory):
    """Runs a busy loop for each core, and one that waits for the disk."""
    work = [(busy, ()) for _ in range(os.cpu_count())] + [(sync, (directory,))]
    processes = [multiprocessing.Process(target=target, args=(os.getpid(), *more), daemon=True) for target, more in work]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def tail(path):
    return "\n".join(path.read_text(errors="replace").splitlines()[-LINES:])


def run_logged(command, log, **options):
    """Runs a command with its output in a file. Returns the exit code."""
    with log.open("wb") as output:
        return subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False, **options).returncode


def plain(text):
    """The first lines of an error of Playwright, without colors."""
    lines = [line for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines() if line.strip()]
    return "\n".join(lines[:LINES])


def specs(suite, titles=()):
    """All stories of a suite in a report of Playwright, with the titles of the suites that contain them."""
    for spec in suite.get("specs", []):
        yield spec, [*titles, spec["title"]]
    for inner in suite.get("suites", []):
        yield from specs(inner, [*titles, inner["title"]])


def run_stories(results, filters, binary, workers, slowdown):
    """Runs the browser stories. Returns their number and the failures."""
    report, log = results / "stories.json", results / "stories.log"
    # In CI, the configuration has retries and records no first attempts.
    environment = {name: value for name, value in os.environ.items() if name != "CI"} | {
        "PLANROOM_BIN": binary,
        "PLANROOM_PAGE_SLOWDOWN": str(slowdown),
        "PLAYWRIGHT_JSON_OUTPUT_NAME": str(report),
        "PATH": f"{WEB / 'node_modules/.bin'}:{os.environ['PATH']}",
    }
    command = ["playwright", "test", *filters, "--retries=0", "--trace=retain-on-failure", f"--output={results / 'stories'}", "--reporter=json,line"]
    code = run_logged(command + ([f"--workers={workers}"] if workers else []), log, cwd=WEB, env=environment)
    if not report.exists():
        return 0, [Failure("the browser stories did not run", tail(log), [log])]
    count, failures, content = 0, [], json.loads(report.read_text())
    for suite in content["suites"]:
        for spec, titles in specs(suite):
            count += 1
            if spec["ok"]:
                continue
            result = spec["tests"][0]["results"][-1]
            kept = [pathlib.Path(attachment["path"]) for attachment in result["attachments"] if attachment["name"] == "trace"]
            message = plain(result.get("error", {}).get("message", result["status"]))
            failures.append(Failure(f"{spec['file']}:{spec['line']} › {' › '.join(titles)}", message, kept or [log]))
    # Such as a file that cannot be loaded, or a filter without stories.
    failures += [Failure("the browser stories", plain(error["message"]), [log]) for error in content["errors"]]
    if code and not failures:
        failures.append(Failure("the browser stories did not end", tail(log), [log]))
    return count, failures


def run_tests(results, filters):
    """Runs the integration tests. Returns their number and the failures."""
    log = results / "tests.log"
    code = run_logged([CARGO, "test", "--locked", "--test", "integration", "--", *filters], log, cwd=ROOT)
    output = log.read_text(errors="replace")
    count = len(re.findall(r"^test \S+ .*\.\.\. (?:ok|FAILED)$", output, re.M))
    failures = []
    for name, text in re.findall(r"^---- (\S+) stdout ----\n(.*?)(?=^---- \S+ stdout ----$|^failures:$)", output, re.M | re.S):
        kept = results / "tests" / f"{name.replace('::', '.')}.txt"
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(text)
        lines = [line for line in text.split("stack backtrace:")[0].splitlines() if line.strip()]
        failures.append(Failure(name, "\n".join(lines[:LINES]), [kept]))
    if code and not failures:
        failures.append(Failure("the integration tests did not end", tail(log), [log]))
    if not code and not count:
        failures.append(Failure("no integration test was selected", " ".join(filters), [log]))
    return count, failures


def shown(path):
    path = path.resolve()
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def summarize(failures, runs):
    """Prints all failures, the most frequent first."""
    by_name = collections.defaultdict(list)
    for run, failure in failures:
        by_name[failure.name].append((run, failure))
    if not failures:
        print(f"No failure in {runs} runs.")
        return
    print(f"\nFailures in {runs} runs:")
    for name, found in sorted(by_name.items(), key=lambda entry: -len(entry[1])):
        print(f"\n  {len(found)} of {runs}: {name}")
        for run, failure in found:
            print(f"    run {run}: " + failure.message.replace("\n", "\n      "))
            for path in failure.kept:
                print(f"      {shown(path)}")
    print(f"\nTo look at a trace: {shown(WEB)}/node_modules/.bin/playwright show-trace FILE")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("binary")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--stories", nargs="*", default=[])
    parser.add_argument("--tests", nargs="*", default=[])
    parser.add_argument("--workers", type=int)
    options = parser.parse_args()
    parts = []
    if options.stories or not options.tests:
        parts.append(("stories", lambda results, run: run_stories(results, options.stories, options.binary, options.workers, 1 if run % 2 else SLOWDOWN)))
    if options.tests or not options.stories:
        parts.append(("tests", lambda results, _: run_tests(results, options.tests)))
    shutil.rmtree(options.results, ignore_errors=True)
    options.results.mkdir(parents=True)
    failures, runs = [], 0
    try:
        with load(options.results):
            for run in range(1, options.runs + 1):
                results = options.results.resolve() / f"run-{run}"
                results.mkdir()
                for name, part in parts:
                    started = time.monotonic()
                    count, failed = part(results, run)
                    failures += [(run, failure) for failure in failed]
                    print(f"run {run} of {options.runs}: {count} {name}, {len(failed)} failed, {time.monotonic() - started:.0f} s", flush=True)
                runs = run
    except KeyboardInterrupt:
        print("interrupted")
    summarize(failures, runs or 1)
    return 1 if failures or runs < options.runs else 0


sys.exit(main())
