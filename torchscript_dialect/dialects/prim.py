"""The `prim` dialect: constants, control flow, containers, calls and fusion groups, and the TorchScript types.

Structural nodes are written here by hand; `prim` operators with a schema (`prim::min.int`) come from the operator table.
Blocks end with `prim.yield`, functions are `func.func` with `func.return`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, Dialect, Operation, OpTraits, Region, SSAValue
from xdsl.traits import IsolatedFromAbove, IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from torchscript_dialect.dialects.attributes import (
    ComplexAttr,
    EnumMemberAttr,
    TensorAttr,
    from_attribute,
    to_attribute,
)
from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.ops import registry
from torchscript_dialect.types import containers, core, named, tensor_type
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    OptionalType,
    TupleType,
)
from torchscript_dialect.types.core import BOOL, INT, STR, TorchScriptType
from torchscript_dialect.types.named import ClassType, FunctionType, InterfaceType
from torchscript_dialect.types.subtyping import is_subtype, unshaped

_BY_KIND: dict[str, type[TorchScriptOp]] = {}


class PrimOp(TorchScriptOp):
    """A structural node. `OPERANDS` and `RESULTS` are the counts, None for any number."""

    OPERANDS: ClassVar[int | None] = None
    RESULTS: ClassVar[int | None] = None
    REGIONS: ClassVar[int] = 0
    ATTRIBUTES: ClassVar[tuple[str, ...]] = ()
    """The attributes that must be there."""

    def __init_subclass__(cls) -> None:
        if "name" in cls.__dict__:
            cls.KIND = cls.name.replace(".", "::", 1)
            _BY_KIND[cls.KIND] = cls

    def verify_(self) -> None:
        for what, expected, actual in (
            ("operand", self.OPERANDS, len(self.operands)),
            ("result", self.RESULTS, len(self.results)),
            ("region", self.REGIONS, len(self.regions)),
        ):
            if expected is not None and actual != expected:
                raise VerifyException(f"{self.KIND} has {expected} {what}(s), not {actual}")
        for attribute in self.ATTRIBUTES:
            if attribute not in self.attributes:
                raise VerifyException(f"{self.KIND} needs the attribute '{attribute}'")
        self.verify_types()

    def verify_types(self) -> None:
        """Check what the counts do not say."""


def kind_class(kind: str) -> type[TorchScriptOp] | None:
    """The hand-written class of a kind such as `prim::If`, None if it is no structural node."""
    return _BY_KIND.get(kind)


def type_of(value: SSAValue) -> TorchScriptType:
    """The TorchScript type of a value."""
    type_ = value.type
    if not _is_torchscript(type(type_)):
        raise VerifyException(f"expected a TorchScript value but found one of type {type_}")
    return type_  # pyright: ignore[reportReturnType]


@cache
def _is_torchscript(class_: type[Attribute]) -> bool:
    return issubclass(class_, TorchScriptType)


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise VerifyException(message)


def _require_subtype(actual: TorchScriptType, expected: TorchScriptType, what: str) -> None:
    """Sizes of tensors may differ: they are refined by passes, at one end before the other."""
    _require(
        is_subtype(unshaped(actual), unshaped(expected)),
        f"{what} has type {actual.repr_str} where {expected.repr_str} is expected",
    )


def yielded(region: Region) -> tuple[SSAValue, ...]:
    """The values that a region's block ends with."""
    last = region.block.last_op
    return () if last is None else tuple(last.operands)


class YieldOp(PrimOp):
    """Ends a block with its results (the `-> (...)` of graph text, PyTorch's `prim::Return`)."""

    name = "prim.yield"
    RESULTS = 0
    traits = OpTraits(lambda: (IsTerminator(), Pure()))


class ConstantOp(PrimOp):
    """A constant; no `value` is None, `name` instead of `value` is a function."""

    name = "prim.Constant"
    OPERANDS = 0
    RESULTS = 1
    traits = OpTraits(lambda: (Pure(),))

    @staticmethod
    def of(value: Any, type_: TorchScriptType) -> ConstantOp:
        """A constant of a Python value or tensor."""
        attributes = {} if value is None else {"value": to_attribute(value)}
        return ConstantOp.create(result_types=(type_,), attributes=attributes)

    @staticmethod
    def of_function(name: str) -> ConstantOp:
        """A constant function, which `prim.CallFunction` calls; `name` is its symbol in the module."""
        return ConstantOp.create(
            result_types=(FunctionType(name),), attributes={"name": StringAttr(name)}
        )

    @property
    def function_name(self) -> str | None:
        """The name that graphs show for the function that the constant is, None for any other constant."""
        name = self.attributes.get("name")
        return name.data if isinstance(name, StringAttr) else None

    @property
    def function_symbol(self) -> str | None:
        """The symbol, in the module, of the function that the constant is, None for any other constant."""
        type_ = self.results[0].type
        return type_.qualified_name.data if isinstance(type_, FunctionType) else None

    @property
    def value(self) -> Any:
        """The constant as a runtime value: tuples are Python tuples, lists fresh lists.

        Raises:
            TypeError: the constant is a function.
        """
        if self.function_name is not None:
            raise TypeError(f"the constant {self.function_name} is a function")
        attribute = self.attributes.get("value")
        if attribute is None:
            return None
        return _typed(from_attribute(attribute), type_of(self.results[0]))

    def verify_types(self) -> None:
        attribute, type_ = self.attributes.get("value"), type_of(self.results[0])
        if attribute is not None:
            _require(
                _is_constant_of(attribute, type_),
                f"{attribute} is no constant of type {type_.repr_str}",
            )


_CONSTANTS: dict[TorchScriptType, type[Attribute]] = {
    core.INT: IntegerAttr,
    core.FLOAT: FloatAttr,
    core.BOOL: IntegerAttr,
    core.COMPLEX: ComplexAttr,
    core.STR: StringAttr,
    core.NONE: UnitAttr,
}


def _is_constant_of(attribute: Attribute, type_: TorchScriptType) -> bool:
    """Whether a value has the type of a constant, as far as attributes tell."""
    if isinstance(type_, OptionalType):
        return isinstance(attribute, UnitAttr) or _is_constant_of(attribute, type_.element)
    if isinstance(type_, (ListType, TupleType)):
        if not isinstance(attribute, ArrayAttr):
            return False
        items = cast("ArrayAttr[Attribute]", attribute).data
        is_list = isinstance(type_, ListType)
        types = [type_.element] * len(items) if is_list else type_.contained
        return len(items) == len(types) and all(map(_is_constant_of, items, types))
    if isinstance(type_, tensor_type.TensorType):
        return isinstance(attribute, TensorAttr)
    if isinstance(type_, named.EnumType):
        return isinstance(attribute, EnumMemberAttr)
    return isinstance(attribute, _CONSTANTS.get(type_, Attribute))


def _typed(value: Any, type_: TorchScriptType) -> Any:
    if isinstance(type_, OptionalType):
        type_ = type_.element
    if type_ == BOOL and isinstance(value, int):
        return bool(value)
    if isinstance(type_, TupleType):
        return tuple(_typed(v, t) for v, t in zip(value, type_.elements, strict=True))
    if isinstance(type_, ListType):
        return [_typed(v, type_.element) for v in value]
    return value


class IfOp(PrimOp):
    """Two regions without arguments; each yields the results."""

    name = "prim.If"
    OPERANDS = 1
    REGIONS = 2

    @property
    def condition(self) -> SSAValue:
        return self.operands[0]

    @property
    def then_region(self) -> Region:
        return self.regions[0]

    @property
    def else_region(self) -> Region:
        return self.regions[1]

    def verify_types(self) -> None:
        _require_subtype(type_of(self.condition), BOOL, "the condition of prim::If")
        for index, region in enumerate(self.regions):
            _require(not region.block.args, "the blocks of prim::If take no arguments")
            values = yielded(region)
            _require(
                len(values) == len(self.results),
                f"block{index} yields {len(values)} values for {len(self.results)} results",
            )
            for value, result in zip(values, self.results, strict=True):
                _require_subtype(type_of(value), type_of(result), f"a result of block{index}")


class LoopOp(PrimOp):
    """`(max trip count, condition, carried...)`; the block takes the trip number and the carried values.

    The block yields the condition to go on and the carried values. Before the conversion to SSA there is a second region,
    which computes the condition, and nothing is carried.
    """

    name = "prim.Loop"

    @property
    def max_trip_count(self) -> SSAValue:
        return self.operands[0]

    @property
    def condition(self) -> SSAValue:
        return self.operands[1]

    @property
    def carried(self) -> Sequence[SSAValue]:
        return self.operands[2:]

    @property
    def body(self) -> Region:
        return self.regions[0]

    REGIONS = None  # pyright: ignore[reportAssignmentType]

    def verify_types(self) -> None:
        _require(len(self.regions) in (1, 2), "prim::Loop has one region, or two before SSA")
        if len(self.regions) == 2:
            return
        _require(len(self.operands) >= 2, "prim::Loop takes a trip count and a condition")
        _require_subtype(type_of(self.max_trip_count), INT, "the trip count of prim::Loop")
        _require_subtype(type_of(self.condition), BOOL, "the condition of prim::Loop")
        carried = len(self.operands) - 2
        arguments, values = self.body.block.args, yielded(self.body)
        _require(
            len(arguments) == carried + 1 == len(values) and len(self.results) == carried,
            f"prim::Loop carries {carried} values, but its block takes {len(arguments) - 1} and"
            f" yields {len(values) - 1}, and it has {len(self.results)} results",
        )
        _require_subtype(type_of(arguments[0]), INT, "the trip number")
        _require_subtype(type_of(values[0]), BOOL, "the condition to go on")
        for index in range(carried):
            argument = type_of(arguments[index + 1])
            _require_subtype(type_of(self.carried[index]), argument, f"carried value {index}")
            _require_subtype(type_of(values[index + 1]), argument, f"yielded value {index}")
            _require_subtype(argument, type_of(self.results[index]), f"carried value {index}")


class WithOp(PrimOp):
    """The form of a with statement inside the exit transform: a body and the exit."""

    name = "prim.With"
    OPERANDS = 0
    RESULTS = 0
    REGIONS = 2


class EnterOp(PrimOp):
    name = "prim.Enter"
    OPERANDS = 1
    RESULTS = 1


class ExitOp(PrimOp):
    name = "prim.Exit"
    OPERANDS = 1
    RESULTS = 1


class LoadOp(PrimOp):
    """Reads a variable; gone after the conversion to SSA."""

    name = "prim.Load"
    OPERANDS = 0
    RESULTS = 1
    ATTRIBUTES = ("name",)


class StoreOp(PrimOp):
    """Sets a variable; gone after the conversion to SSA."""

    name = "prim.Store"
    OPERANDS = 1
    RESULTS = 0
    ATTRIBUTES = ("name",)


class BreakStmtOp(PrimOp):
    name = "prim.BreakStmt"
    OPERANDS = 0
    RESULTS = 0


class ContinueStmtOp(PrimOp):
    name = "prim.ContinueStmt"
    OPERANDS = 0
    RESULTS = 0


class ComprehensionScopeOp(PrimOp):
    """A comprehension, whose variables are its own; gone after the conversion to SSA."""

    name = "prim.ComprehensionScope"
    OPERANDS = 0
    RESULTS = 0
    REGIONS = 1


class LoopContinuationOp(PrimOp):
    """Goes to the end of the innermost loop's block with these values."""

    name = "prim.LoopContinuation"
    RESULTS = 0


class ReturnStmtOp(PrimOp):
    """Leaves the innermost closure or function with these values."""

    name = "prim.ReturnStmt"
    RESULTS = 0


class UninitializedOp(PrimOp):
    """A value of the result's type that is never used."""

    name = "prim.Uninitialized"
    OPERANDS = 0
    RESULTS = 1
    traits = OpTraits(lambda: (Pure(),))


class ListConstructOp(PrimOp):
    name = "prim.ListConstruct"
    RESULTS = 1

    def verify_types(self) -> None:
        type_ = type_of(self.results[0])
        _require(isinstance(type_, ListType), "prim::ListConstruct makes a list")
        assert isinstance(type_, ListType)
        for value in self.operands:
            _require_subtype(type_of(value), type_.element, "an element")


class ListUnpackOp(PrimOp):
    name = "prim.ListUnpack"
    OPERANDS = 1

    def verify_types(self) -> None:
        _require(isinstance(type_of(self.operands[0]), ListType), "prim::ListUnpack takes a list")


class TupleConstructOp(PrimOp):
    name = "prim.TupleConstruct"
    RESULTS = 1
    traits = OpTraits(lambda: (Pure(),))

    def verify_types(self) -> None:
        type_ = type_of(self.results[0])
        _require(
            isinstance(type_, TupleType) and len(type_.elements) == len(self.operands),
            f"prim::TupleConstruct of {len(self.operands)} values does not make a {type_.repr_str}",
        )
        assert isinstance(type_, TupleType)
        for value, element in zip(self.operands, type_.elements, strict=True):
            _require_subtype(type_of(value), element, "an element")


class TupleUnpackOp(PrimOp):
    name = "prim.TupleUnpack"
    OPERANDS = 1
    traits = OpTraits(lambda: (Pure(),))

    def verify_types(self) -> None:
        type_ = type_of(self.operands[0])
        _require(
            isinstance(type_, TupleType) and len(type_.elements) == len(self.results),
            f"prim::TupleUnpack of a {type_.repr_str} does not give {len(self.results)} values",
        )


class TupleIndexOp(PrimOp):
    name = "prim.TupleIndex"
    OPERANDS = 2
    RESULTS = 1
    traits = OpTraits(lambda: (Pure(),))


class TupleSliceOp(PrimOp):
    name = "prim.TupleSlice"
    OPERANDS = 1
    RESULTS = 1
    ATTRIBUTES = ("beg", "end")
    traits = OpTraits(lambda: (Pure(),))


class DictConstructOp(PrimOp):
    """Keys and values in turn."""

    name = "prim.DictConstruct"
    RESULTS = 1

    def verify_types(self) -> None:
        type_ = type_of(self.results[0])
        _require(
            isinstance(type_, DictType) and len(self.operands) % 2 == 0,
            "prim::DictConstruct makes a dictionary of keys and values in turn",
        )


class GetAttrOp(PrimOp):
    name = "prim.GetAttr"
    OPERANDS = 1
    RESULTS = 1
    ATTRIBUTES = ("name",)

    def verify_types(self) -> None:
        _require_object(type_of(self.operands[0]), self.KIND)


class SetAttrOp(PrimOp):
    name = "prim.SetAttr"
    OPERANDS = 2
    RESULTS = 0
    ATTRIBUTES = ("name",)

    def verify_types(self) -> None:
        _require_object(type_of(self.operands[0]), self.KIND)


def _require_object(type_: TorchScriptType, kind: str) -> None:
    _require(
        isinstance(type_, (ClassType, InterfaceType)) or type_.KIND == "EnumType",
        f"{kind} takes an object, not a {type_.repr_str}",
    )


class HasAttrOp(PrimOp):
    name = "prim.HasAttr"
    OPERANDS = 1
    RESULTS = 1
    ATTRIBUTES = ("name",)


class CreateObjectOp(PrimOp):
    name = "prim.CreateObject"
    OPERANDS = 0
    RESULTS = 1


class CallFunctionOp(PrimOp):
    """Calls the function that the first operand is."""

    name = "prim.CallFunction"
    RESULTS = 1

    def verify_types(self) -> None:
        _require(
            len(self.operands) > 0 and isinstance(type_of(self.operands[0]), FunctionType),
            "the first operand of prim::CallFunction is the function",
        )


class CallMethodOp(PrimOp):
    name = "prim.CallMethod"
    RESULTS = 1
    ATTRIBUTES = ("name",)


class ClosureOp(PrimOp):
    """A region that closes over the values around it; lifted before the graph is run."""

    name = "prim.Closure"
    RESULTS = 1
    REGIONS = 1


class ForkOp(PrimOp):
    """Begins the region's function in parallel; the result is a future."""

    name = "prim.fork"
    RESULTS = 1
    REGIONS = 1
    traits = OpTraits(lambda: (IsolatedFromAbove(),))


class RaiseExceptionOp(PrimOp):
    """Message and, optionally, the qualified name of the exception's class."""

    name = "prim.RaiseException"
    RESULTS = 0

    def verify_types(self) -> None:
        _require(len(self.operands) in (1, 2), "prim::RaiseException takes a message and a class")
        _require_subtype(type_of(self.operands[0]), STR, "the message")


class PrintOp(PrimOp):
    name = "prim.Print"
    RESULTS = 0


class PythonOp(PrimOp):
    """A call of a Python function that is not compiled; `callee` is its number in this process (utils/python_functions.py)."""

    name = "prim.PythonOp"
    RESULTS = 1
    ATTRIBUTES = ("name",)


class IsInstanceOp(PrimOp):
    name = "prim.isinstance"
    OPERANDS = 1
    RESULTS = 1
    traits = OpTraits(lambda: (Pure(),))


class UncheckedCastOp(PrimOp):
    """The operand, known to have the type of the result."""

    name = "prim.unchecked_cast"
    OPERANDS = 1
    RESULTS = 1
    traits = OpTraits(lambda: (Pure(),))


class ConstantChunkOp(PrimOp):
    """`aten::chunk` with constant `chunks` and `dim`, a result per chunk."""

    name = "prim.ConstantChunk"
    OPERANDS = 1
    ATTRIBUTES = ("chunks", "dim")


class ProfileOp(PrimOp):
    """Passes a tensor through and observes its type at run time; `profiled_type` is what was seen."""

    name = "prim.profile"


class TypeCheckOp(PrimOp):
    """Passes tensors through as the checked types, and says whether all of them fit."""

    name = "prim.TypeCheck"

    def verify_types(self) -> None:
        _require(
            len(self.results) == len(self.operands) + 1,
            "prim::TypeCheck gives each of its operands and whether they fit",
        )
        _require_subtype(type_of(self.results[-1]), BOOL, "the last result of prim::TypeCheck")


class GroupOp(PrimOp):
    """A sub-graph with its own values: the region's arguments are the operands, what it yields the results."""

    REGIONS = 1
    traits = OpTraits(lambda: (IsolatedFromAbove(),))

    @property
    def body(self) -> Block:
        return self.regions[0].block

    def verify_types(self) -> None:
        arguments, values = self.body.args, yielded(self.regions[0])
        _require(
            len(arguments) == len(self.operands) and len(values) == len(self.results),
            f"{self.KIND} has {len(self.operands)} operands and {len(self.results)} results, its"
            f" sub-graph {len(arguments)} and {len(values)}",
        )
        for operand, argument in zip(self.operands, arguments, strict=True):
            _require_subtype(type_of(operand), type_of(argument), f"an operand of {self.KIND}")
        for value, result in zip(values, self.results, strict=True):
            _require_subtype(type_of(value), type_of(result), f"a result of {self.KIND}")


class TensorExprGroupOp(GroupOp):
    name = "prim.TensorExprGroup"


class FusionGroupOp(GroupOp):
    name = "prim.FusionGroup"


class DifferentiableGraphOp(GroupOp):
    name = "prim.DifferentiableGraph"


class FallbackGraphOp(GroupOp):
    name = "prim.FallbackGraph"


STRUCTURAL_OPS: tuple[type[TorchScriptOp], ...] = tuple(_BY_KIND.values())

TYPES: tuple[type[TorchScriptType], ...] = (
    *(type(type_) for type_ in core.SIMPLE_TYPES),
    tensor_type.TensorType,
    containers.ListType,
    containers.OptionalType,
    containers.FutureType,
    containers.AwaitType,
    containers.RRefType,
    containers.DictType,
    containers.TupleType,
    containers.UnionType,
    named.ClassType,
    named.InterfaceType,
    named.EnumType,
    named.FunctionType,
    named.VarType,
)


class PrimDialect(Dialect):
    """The structural ops, and the `prim` operators of the table that have rules."""

    @property
    def operations(self) -> Iterator[type[Operation]]:
        yield from STRUCTURAL_OPS
        for qualified_name, _ in registry.attached():
            if qualified_name.startswith("prim::") and kind_class(qualified_name) is None:
                yield operator_class(qualified_name)

    @property
    def attributes(self) -> Iterator[type[Attribute]]:
        yield from (*TYPES, TensorAttr, ComplexAttr, EnumMemberAttr)


Prim = PrimDialect("prim")
