"""Documents whose examples are run: what a reader would type, and what they say comes out.

The words behind the language of a fenced block say what it is:

    ```python file=scale.py     the block is the file's text; several blocks with one name are its parts
    ```sh run                   commands, run one after the other in a folder that holds the files so far
    ```text output              what the block before, commands or part of a Python file, prints

In what should come out a line `...` stands for any lines. Blocks without such words are not run.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r"^```(\w+) +(\S.*)\n((?:.*\n)*?)```$", re.MULTILINE)
ELISION = "..."

RUN_PARTS = """
import sys
from pathlib import Path
sys.path.insert(0, "")
line, scope = 0, {"__name__": "__main__"}
for part in Path(sys.argv[1]).read_text().split("\\f\\n"):
    print("\\f", end="")
    exec(compile("\\n" * line + part, sys.argv[2], "exec"), scope)
    line += part.count("\\n")
"""


@dataclass(frozen=True)
class Block:
    """A fenced block with words that say what it is; `start` and `end` are its text's in the document."""

    line: int
    words: str
    text: str
    start: int
    end: int

    @property
    def file(self) -> str | None:
        return self.words.removeprefix("file=") if self.words.startswith("file=") else None


def blocks(document: str) -> list[Block]:
    return [
        Block(document.count("\n", 0, m.start()) + 1, m[2].strip(), m[3], m.start(3), m.end(3))
        for m in FENCE.finditer(document)
    ]


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _environment(folder: Path) -> dict[str, str]:
    """That of a shell in which the checkout's tools and package are installed."""
    tools = folder / ".bin"
    if not tools.exists():
        tools.mkdir()
        python = shlex.quote(sys.executable)
        commands = {"python": python}
        for name in ("ts-opt", "ts-run", "ts-reduce"):
            commands[name] = f"{python} {shlex.quote(str(ROOT / 'tools' / name))}"
        for name, command in commands.items():
            (tools / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
            (tools / name).chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', '')}",
        "PYTHONPATH": str(ROOT),
        "TORCHSCRIPT_DIALECT_CACHE": str(folder / ".cache"),
    }


def run_command(command: str, folder: Path) -> str:
    """What a command prints on standard output. Plain calls of ts-opt and cat are made in this process, which saves its start."""
    words = shlex.split(command)
    if not re.search(r"[|<>&;$=]", command):
        if words[0] == "cat":
            return "".join((folder / name).read_text() for name in words[1:])
        if words[0] == "ts-opt":
            from torchscript_dialect.cli.ts_opt import main

            printed = io.StringIO()
            with _inside(folder), redirect_stdout(printed):
                status = main(words[1:])
            assert status == 0, f"`{command}` ended with {status}"
            return printed.getvalue()
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=_environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"`{command}` ended with {done.returncode}:\n{done.stderr}"
    return done.stdout


def run_parts(name: str, parts: list[str], folder: Path) -> list[str]:
    """What each part of a Python file prints, run as one program."""
    (folder / name).write_text("".join(parts))
    (folder / ".parts").write_text("\f\n".join(parts))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUN_PARTS, ".parts", name],
        cwd=folder,
        env=_environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{name}:\n{done.stderr}"
    return done.stdout.split("\f")[1:]


def outputs(document: str, folder: Path) -> list[tuple[Block, str]]:
    """Every block that says what comes out, and what does come out in an empty folder."""
    found = blocks(document)
    files: dict[str, list[str]] = {}
    for block in found:
        if block.file:
            files.setdefault(block.file, []).append(block.text)
    for name, parts in files.items():
        (folder / name).write_text("".join(parts))
    printed: dict[str, list[str]] = {}
    results: list[tuple[Block, str]] = []
    last = ""
    for block in found:
        if block.words == "run":
            commands = block.text.replace("\\\n", " ").splitlines()
            last = "".join(run_command(line, folder) for line in commands if line.strip())
        elif name := block.file:
            if name.endswith(".py") and _has_outputs(found, name):
                if name not in printed:
                    printed[name] = run_parts(name, files[name], folder)
                last = printed[name].pop(0)
        elif block.words == "output":
            results.append((block, last))
        else:
            raise AssertionError(f"line {block.line}: `{block.words}` is no word of a block")
    return results


def _has_outputs(found: list[Block], name: str) -> bool:
    return any(block.file == name and after.words == "output" for block, after in pairwise(found))


def normalized(text: str) -> str:
    """Without blanks at the ends of lines, and blank lines at the end."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def matches(expected: str, actual: str) -> bool:
    """Whether a text is what is expected, where a line `...` stands for any lines."""
    lines = normalized(expected).split("\n")
    pattern = "\n".join(
        r"(?:.*\n)*?.*" if line.strip() == ELISION else re.escape(line) for line in lines
    )
    return re.fullmatch(pattern, normalized(actual)) is not None


def updated(document: str, folder: Path) -> tuple[str, list[Block]]:
    """The document with what comes out now, and the blocks with elisions that have to be edited by hand."""
    by_hand: list[Block] = []
    for block, actual in reversed(outputs(document, folder)):
        if matches(block.text, actual):
            continue
        if ELISION in [line.strip() for line in block.text.splitlines()]:
            by_hand.append(block)
        else:
            document = document[: block.start] + normalized(actual) + "\n" + document[block.end :]
    return document, by_hand[::-1]
