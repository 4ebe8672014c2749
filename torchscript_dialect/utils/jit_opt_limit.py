"""A limit to the changes that passes make (PyTorch: jit_opt_limit.h):
`PYTORCH_JIT_OPT_LIMIT=constant_propagation=3`.

Several passes are separated by colons. The count runs over the whole process; changing the variable
begins anew. A name of no pass that has a limit is warned about.
"""

from __future__ import annotations

import os
from functools import lru_cache

from torchscript_dialect.utils.log_names import warn_of_unknown

VARIABLE = "PYTORCH_JIT_OPT_LIMIT"


def is_set() -> bool:
    """Whether any pass has a limit."""
    return bool(os.environ.get(VARIABLE))


@lru_cache(maxsize=16)
def counters(text: str) -> dict[str, int]:
    """How many more changes each named pass may make. Parts that are no `name=number` do not count."""
    left: dict[str, int] = {}
    for part in text.split(":"):
        name, equals, number = part.partition("=")
        base = name.rpartition("/")[2].split(".", 1)[0]
        if base and equals and number.strip().lstrip("-").isdigit():
            left[base] = int(number)
    warn_of_unknown(VARIABLE, left, "OptLimit(__name__")
    return left


class OptLimit:
    """The limit of one pass: `LIMIT = OptLimit(__name__)`."""

    __slots__ = ("name",)

    def __init__(self, module_name: str) -> None:
        self.name = module_name.rpartition(".")[2]

    def allows(self) -> bool:
        """Whether the pass may make one more change; counts it."""
        if self.is_exhausted:
            return False
        self.count()
        return True

    @property
    def is_exhausted(self) -> bool:
        """Whether the pass may make no more changes."""
        text = os.environ.get(VARIABLE)
        return bool(text) and counters(text).get(self.name, 1) <= 0

    def count(self) -> None:
        """Count a change."""
        text = os.environ.get(VARIABLE)
        if text and self.name in (left := counters(text)):
            left[self.name] -= 1
