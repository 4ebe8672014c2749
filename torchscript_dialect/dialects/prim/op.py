"""What all structural nodes share: the counts of what they take, and how their types are checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from torchscript_dialect.dialects.accessors import AttributeValue
from torchscript_dialect.dialects.attributes import to_attribute
from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.prim.constraints import AttributeConstraint
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.subtyping import is_subtype, unshaped

Values: TypeAlias = Sequence[SSAValue]
Attributes: TypeAlias = Mapping[str, Attribute]
Types: TypeAlias = Sequence[TorchScriptType] | None

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

    def __init__(
        self,
        /,
        *operands: SSAValue | Operation,
        result_types: Sequence[Attribute] | None = None,
        regions: Sequence[Region] = (),
        location: LocationAttr | None = None,
        **attributes: Any,
    ) -> None:
        """A node by its operands (an op is its only result) and attributes (Python values or xDSL's attributes, by the names that
        the class has for them).

        Raises:
            TypeError: the types of the results do not follow from the operands and are not given, or no attribute has such a value.
        """
        values = [SSAValue.get(operand) for operand in operands]
        found = {self._attribute_name(key): _attribute(value) for key, value in attributes.items()}
        if result_types is None:
            result_types = self.infer_result_types(values, found)
        if result_types is None:
            raise TypeError(
                f"{type(self).__name__} needs result_types: they do not follow from its operands"
            )
        super().__init__(
            operands=values,
            result_types=result_types,
            attributes=found,
            regions=regions,
            location=location,
        )

    @classmethod
    def _attribute_name(cls, key: str) -> str:
        accessor = getattr(cls, key, None)
        return accessor.name if isinstance(accessor, AttributeValue) else key

    @classmethod
    def infer_result_types(cls, operands: Values, attributes: Attributes) -> Types:
        """The types of the results, where they follow; None where they do not."""
        return () if cls.RESULTS == 0 else None

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


def _attribute(value: Any) -> Attribute:
    return value if isinstance(value, Attribute) else to_attribute(value)


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
