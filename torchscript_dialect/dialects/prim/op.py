"""What all structural nodes share: the counts of what they take, and how their types are checked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from xdsl.ir import Attribute, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.prim.constraints import AttributeConstraint
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.subtyping import is_subtype, unshaped

BY_KIND: dict[str, type[TorchScriptOp]] = {}


class PrimOp(TorchScriptOp):
    """A structural node. `OPERANDS` and `RESULTS` are the counts, None for any number."""

    OPERANDS: ClassVar[int | None] = None
    RESULTS: ClassVar[int | None] = None
    REGIONS: ClassVar[int] = 0
    ATTRIBUTES: ClassVar[Mapping[str, AttributeConstraint]] = {}
    """What the attributes that are read must be; others mean nothing."""

    def __init_subclass__(cls) -> None:
        if "name" in cls.__dict__:
            cls.KIND = cls.name.replace(".", "::", 1)
            BY_KIND[cls.KIND] = cls

    def verify_(self) -> None:
        for what, expected, actual in (
            ("operand", self.OPERANDS, len(self.operands)),
            ("result", self.RESULTS, len(self.results)),
            ("region", self.REGIONS, len(self.regions)),
        ):
            if expected is not None and actual != expected:
                raise VerifyException(f"{self.KIND} has {expected} {what}(s), not {actual}")
        for name, constraint in self.ATTRIBUTES.items():
            attribute = self.attributes.get(name)
            if attribute is None:
                require(not constraint.is_required, f"{self.KIND} needs the attribute '{name}'")
            elif not constraint.holds(attribute):
                raise VerifyException(
                    f"the attribute '{name}' of {self.KIND} is {attribute}, not {constraint.what}"
                )
        self.verify_types()

    def verify_types(self) -> None:
        """Check what the counts do not say."""


def kind_class(kind: str) -> type[TorchScriptOp] | None:
    """The hand-written class of a kind such as `prim::If`, None if it is no structural node."""
    return BY_KIND.get(kind)


def type_of(value: SSAValue) -> TorchScriptType:
    """The TorchScript type of a value."""
    type_ = value.type
    if not _is_torchscript(type(type_)):
        raise VerifyException(f"expected a TorchScript value but found one of type {type_}")
    return type_  # pyright: ignore[reportReturnType]


@lru_cache(maxsize=1 << 14)
def _is_torchscript(class_: type[Attribute]) -> bool:
    return issubclass(class_, TorchScriptType)


def require(condition: bool, message: str) -> None:
    if not condition:
        raise VerifyException(message)


def require_subtype(actual: TorchScriptType, expected: TorchScriptType, what: str) -> None:
    """Sizes of tensors may differ: they are refined by passes, at one end before the other."""
    require(
        is_subtype(unshaped(actual), unshaped(expected)),
        f"{what} has type {actual.repr_str} where {expected.repr_str} is expected",
    )


def require_class(type_: TorchScriptType, kind: str) -> None:
    require(isinstance(type_, ClassType), f"{kind} is of an object, not of a {type_.repr_str}")


def yielded(region: Region) -> tuple[SSAValue, ...]:
    """The values that a region's block ends with."""
    last = region.block.last_op
    return () if last is None else tuple(last.operands)
