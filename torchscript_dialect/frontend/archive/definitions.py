"""What the source of an archive may name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

from torchscript_dialect.frontend.unit.definitions import (
    ClassDefinition,
    EnumDefinition,
    Function,
    InterfaceDefinition,
)
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

Definition = (
    Function
    | ClassDefinition
    | EnumDefinition
    | InterfaceDefinition
    | tuple[TupleType, Sequence[Any]]
)
"""What a qualified name may stand for."""

NUMBERS = {
    "inf": math.inf,
    "nan": math.nan,
    "infj": complex(0, math.inf),
    "nanj": complex(0, math.nan),
}


class Definitions(Protocol):
    """The definitions of an archive."""

    def find(self, qualified_name: str) -> Definition | None:
        """What a name stands for; None where it is only the beginning of names."""
        ...

    def has_prefix(self, prefix: str) -> bool:
        """Whether any name begins so."""
        ...

    def constant(self, index: int) -> Any:
        """One of the values that code names `CONSTANTS.c0`, `CONSTANTS.c1`, ..."""
        ...


def constant_number(name: str, range: SourceRange) -> int:
    """The number in `c0`.

    Raises:
        FrontendError: the name is another.
    """
    number = name.removeprefix("c")
    if number == name or not number.isdecimal() or len(number) > 9:
        raise FrontendError(f"CONSTANTS has no {name!r}", range)
    return int(number)
