"""Checks the alerts of docs/monitoring.md with promtool, the program of Prometheus, and tests them with cases.yml.

If promtool is not installed, the script says so and does nothing.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs/monitoring.md"
BLOCK = re.compile(r"^```yaml\n(groups:\n.*?)^```$", re.MULTILINE | re.DOTALL)


def main():
    [rules] = BLOCK.findall(DOCUMENT.read_text())
    cases = (HERE / "cases.yml").read_text()
    untested = [name for name in re.findall(r"alert: (\w+)", rules) if not re.search(rf"\b{name}, exp_alerts|alertname: {name}\n", cases)]
    if untested:
        sys.exit(f"{HERE / 'cases.yml'} has no case in which these alerts fire: {', '.join(untested)}")
    if not shutil.which("promtool"):
        print("not run: the alerts need promtool, which is part of Prometheus")
        return
    with tempfile.TemporaryDirectory() as work:
        pathlib.Path(work, "rules.yml").write_text(rules)
        pathlib.Path(work, "cases.yml").write_text(cases)
        subprocess.run(["promtool", "check", "rules", "rules.yml"], cwd=work, check=True)
        subprocess.run(["promtool", "test", "rules", "cases.yml"], cwd=work, check=True)


main()
