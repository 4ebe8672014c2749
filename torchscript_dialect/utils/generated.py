"""Python functions that are generated at run time. Nothing in their source comes from a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from types import CodeType
from typing import Any

FILE = "<generated>"
"""What audit hooks and tracebacks see as their file."""


def function_of(parameters: str, lines: Iterable[str], words: dict[str, Any]) -> Callable[..., Any]:
    """The function of the lines, with what they look up by name."""
    text = "\n    ".join([f"def function({parameters}):", *lines])
    exec(_compiled(text), words)
    return words.pop("function")


@lru_cache(maxsize=1 << 10)
def _compiled(text: str) -> CodeType:
    return compile(text, FILE, "exec")
