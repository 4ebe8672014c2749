"""Runs a survey and prints its table: see the package's docstring."""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from threading import Timer
from typing import Any

from support.survey.candidates import module_names
from support.survey.compare import VERDICTS

_SILENCE = 200


def survey(modules: list[str], setup: list[str]) -> Iterator[dict[str, Any]]:
    """The records of all candidates; what crashes a child is a record too, and the next child goes on behind it."""
    waiting = list(modules)
    seen: set[str] = set()
    while waiting:
        command = [sys.executable, "-m", "support.survey.child", *setup]
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert child.stdin is not None and child.stdout is not None
        begun: dict[str, Any] = {}
        while waiting and child.poll() is None:
            child.stdin.write(json.dumps({"module": waiting[0], "without": sorted(seen)}) + "\n")
            child.stdin.flush()
            while True:
                guard = Timer(_SILENCE, child.kill)
                guard.start()
                line = child.stdout.readline()
                guard.cancel()
                if not line:
                    child.wait()
                    break
                record = json.loads(line)
                if "done" in record:
                    waiting.pop(0)
                    break
                if "begin" in record:
                    begun = record
                    seen.add(record["begin"])
                else:
                    begun = {}
                    yield record
        child.kill()
        child.wait()
        if begun:
            yield {
                "name": begun["begin"],
                "kind": begun["kind"],
                "verdict": "fails",
                "detail": "the process dies or hangs",
            }
        elif waiting and child.returncode not in (0, -9):
            yield {"module": waiting.pop(0), "import": "the process dies"}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--out", help="a file for the records, a line of JSON each")
    parser.add_argument("--modules", nargs="*", help="only modules whose names begin so")
    parser.add_argument(
        "--setup", nargs="*", default=[], help="modules to import before all others"
    )
    options = parser.parse_args()
    print(
        "| package | torch.jit scripts | scripts here | same graph | same code | run | agree |\n| --- | --- | --- | --- | --- | --- | --- |"
    )
    for package in options.packages:
        modules = [package] if ":" in package else _named(package, options.setup)
        if options.modules:
            modules = [name for name in modules if name.startswith(tuple(options.modules))]
        records: list[dict[str, Any]] = []
        for record in survey(modules, options.setup):
            records.append(record)
            if options.out:
                with open(options.out, "a") as file:
                    print(json.dumps(record), file=file)
        print(_row(package, records), flush=True)


def _named(package: str, setup: list[str]) -> list[str]:
    for name in setup:
        __import__(name)
    return module_names(package)


def _row(package: str, records: list[dict[str, Any]]) -> str:
    counts = Counter(record.get("verdict") for record in records)
    assert counts.keys() <= VERDICTS.keys() | {None}
    run = counts["agrees"] + counts["differs"] + counts["fails"]
    here = run + counts["no inputs"]
    same, code = (sum(record.get(text) is True for record in records) for text in ("graph", "code"))
    return f"| {package} | {here + counts['rejected']} | {here} | {same} | {code} | {run} | {counts['agrees']} |"


if __name__ == "__main__":
    main()
