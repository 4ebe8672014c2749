"""Native functions of the runtime, once they pay.

The modules that have them stand several layers below. They are loaded, or compiled once for a machine, which takes as long as NumPy
takes for much work. What a program computes does not depend on what the disk has: work alone decides.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from torchscript_dialect.utils.properties import cached_property


class NativeCode:
    """A module of native functions, which pay after work of `many`: elements, or whatever its users count."""

    def __init__(self, name: str, many: int) -> None:
        self.name = name
        self.many = many
        self.done = 0

    @cached_property
    def module(self) -> Any:
        """The module."""
        return import_module(self.name)

    def for_work(self, work: int) -> Any:
        """The module, if it pays with this work added to what was done before; None otherwise."""
        self.done += work
        return self.module if self.done > self.many else None
