"""`ts-opt` and `ts-run` on what comes from strangers: one error that says where, soon, in little memory; nothing is run or written.

Point 1 of docs/testing.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support import hostile_input_runner

MEGABYTES = 200
LONGEST = 4000
"""Characters of a message."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def records(folder: Path) -> list[dict[str, Any]]:
    """What came of each input, from a process of its own: a crash ends that one."""
    command = [sys.executable, hostile_input_runner.__file__, str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    last = lines[-1]["what"] if lines else "nothing"
    assert ran.returncode == 0, f"after {last}: {ran.returncode} {ran.stderr[-2000:]}"
    return lines


def test_there_are_inputs_of_every_kind(records: list[dict[str, Any]]) -> None:
    names = " ".join(one["what"] for one in records)
    assert len(records) > 350
    for kind in (
        "a.ts",
        "a.mlir",
        "a.py",
        "a.pt",
        "a.npy",
        "a.npz",
        "a.json",
        "--inspect",
        "ts-run",
    ):
        assert kind in names


def test_each_comes_back_with_a_result_or_an_error(records: list[dict[str, Any]]) -> None:
    bad = [(one["what"], one["status"]) for one in records if one["status"] not in (0, 1)]
    assert not bad


def test_what_is_wrong_is_refused(records: list[dict[str, Any]]) -> None:
    assert not [one["what"] for one in records if one["is_error"] and one["status"] == 0]


def test_an_error_is_one_message_that_is_no_traceback(records: list[dict[str, Any]]) -> None:
    bad: list[tuple[str, str]] = []
    for one in records:
        told = one["told"]
        begins = told.startswith(("ts-opt: ", "ts-run: "))
        is_internal = "internal error" in told or "Traceback" in told
        if one["status"] == 1 and (not begins or is_internal or one["length"] > LONGEST):
            bad.append((one["what"], told[:300]))
    assert not bad


def test_an_error_names_the_file_or_the_record(records: list[dict[str, Any]]) -> None:
    """Those about a whole function, such as one that calls itself, name the function."""
    named = (".ts", ".mlir", ".py", ".pt", ".npy", ".npz", ".json", "record", "'")
    told = [(one["what"], one["told"]) for one in records if one["status"] == 1]
    assert not [pair for pair in told if not any(name in pair[1] for name in named)]


def test_none_takes_much_memory(records: list[dict[str, Any]]) -> None:
    assert not [one["what"] for one in records if one["megabytes"] > MEGABYTES]


def test_nothing_is_run_or_written(records: list[dict[str, Any]], folder: Path) -> None:
    assert not [(one["what"], one["events"]) for one in records if one["events"]]
    assert os.listdir(folder) == ["f.py"]
