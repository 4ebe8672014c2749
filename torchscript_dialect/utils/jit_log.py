"""Logging of passes (PyTorch: jit_log.h):
`PYTORCH_JIT_LOG_LEVEL=dead_code_elimination:>alias_analysis`.

The variable names files, without `.py`, separated by colons. A named file logs its dumps (whole
graphs) and updates (changes to a graph); with a `>` before the name it logs what helps to debug the
pass, too, and with `>>` or more also each function before the pass. Every line goes to standard error behind `[DUMP file.py:123] `.
Where the variable is not set a log costs one look into the environment per message. A name of no file that logs is warned about.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from enum import IntEnum
from functools import lru_cache
from typing import TextIO

from torchscript_dialect.utils.log_names import warn_of_unknown

VARIABLE = "PYTORCH_JIT_LOG_LEVEL"


class Level(IntEnum):
    """How much detail a message is: a file logs the messages up to its level."""

    DUMP = 0
    UPDATE = 1
    DEBUG = 2
    DETAIL = 3


def is_set() -> bool:
    """Whether any file logs."""
    return bool(os.environ.get(VARIABLE))


@lru_cache(maxsize=16)
def parse_levels(text: str) -> dict[str, Level]:
    """The level of each file that a value of the variable names."""
    levels: dict[str, Level] = {}
    for part in text.split(":"):
        name = part.lstrip(">")
        base = name.rpartition("/")[2].split(".", 1)[0]
        if base:
            levels[base] = Level(min(Level.UPDATE + len(part) - len(name), Level.DETAIL))
    warn_of_unknown(VARIABLE, levels, "Log(__name__")
    return levels


class Log:
    """The log of one file: `LOG = Log(__name__)`."""

    __slots__ = ("name", "stream")

    def __init__(self, module_name: str, stream: TextIO | None = None) -> None:
        self.name = module_name.rpartition(".")[2]
        self.stream = stream

    def is_enabled(self, level: Level) -> bool:
        text = os.environ.get(VARIABLE)
        if not text:
            return False
        return level <= parse_levels(text).get(self.name, -1)

    @property
    def updates(self) -> bool:
        """Whether updates are shown: ask before making a costly message."""
        return self.is_enabled(Level.UPDATE)

    @property
    def debugs(self) -> bool:
        """Whether debugging messages are shown."""
        return self.is_enabled(Level.DEBUG)

    def dump(self, message: str, graph: Callable[[], str]) -> None:
        """Show a message and a graph, which `graph` makes the text of if it is asked for."""
        if self.is_enabled(Level.DUMP):
            self._write(Level.DUMP, f"{message}\n{graph()}")

    def update(self, message: str) -> None:
        """Show a change to a graph."""
        if self.is_enabled(Level.UPDATE):
            self._write(Level.UPDATE, message)

    def debug(self, message: str) -> None:
        """Show what helps to debug a pass."""
        if self.is_enabled(Level.DEBUG):
            self._write(Level.DEBUG, message)

    def detail(self, message: str, graph: Callable[[], str]) -> None:
        """Show a message and a graph where the most is asked for."""
        if self.is_enabled(Level.DETAIL):
            self._write(Level.DEBUG, f"{message}\n{graph()}")

    def _write(self, level: Level, text: str) -> None:
        line = sys._getframe(2).f_lineno  # pyright: ignore[reportPrivateUsage]
        prefix = f"[{level.name} {self.name}.py:{line:03}] "
        stream = self.stream or sys.stderr
        stream.writelines(f"{prefix}{part}\n" for part in text.splitlines())
