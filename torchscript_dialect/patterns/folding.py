"""Runs nodes whose operands are constants, with the kernels of the operator table."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import get_effects

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.dialects.prim import ConstantOp, type_of
from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.ir import edit
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.strides import element_strides
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.types.containers import ListType, OptionalType, TupleType, UnionType
from torchscript_dialect.types.core import (
    BOOL,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    STR,
    AnyType,
    TorchScriptType,
)
from torchscript_dialect.types.subtyping import is_subtype, unshaped
from torchscript_dialect.types.tensor_type import TensorProperties, TensorType

INT64 = range(-(2**63), 2**63)
_BY_PYTHON_TYPE = {bool: BOOL, int: INT, float: FLOAT, str: STR}


class CannotFold(Exception):
    """The node cannot be run, or its result cannot be a constant."""


def fold(op: Operation) -> list[Any]:
    """The results of a node whose operands are all constants.

    Raises:
        CannotFold: nothing runs the node, running it fails, or it has another number of results.
    """
    try:
        read = {value: _operand(value) for value in op.operands}  # one list for one value: `x is x`
        operands = [read[value] for value in op.operands]
        if isinstance(op, OperatorOp):
            results = _run_operator(op, operands)
        else:
            rule = _RULES.get(type(op))
            if rule is None:
                raise CannotFold
            results = list(rule(op, operands))
    except CannotFold:
        raise
    except Exception as error:
        # Whatever goes wrong will go wrong when the program comes to the node, which it may never do.
        raise CannotFold from error
    if len(results) != len(op.results):
        raise CannotFold
    return results


def _operand(value: SSAValue) -> Any:
    owner = value.owner
    if not isinstance(owner, ConstantOp) or owner.function_symbol is not None:
        raise CannotFold
    return owner.value


def _run_operator(op: OperatorOp, operands: Sequence[Any]) -> list[Any]:
    operator = op.OPERATOR
    if operator is None or operator.schema.is_vararg or operator.kernel is None:
        raise CannotFold
    if operator.effects & (Effect.ACTS | Effect.OBSERVES):
        raise CannotFold
    if _may_be_huge(op, operands) or _is_huge_tensor(operator, operands):
        raise CannotFold
    result = operator.kernel(*operands)
    if isinstance(result, UnstridedTensor):
        raise CannotFold  # no constant holds it
    if len(op.results) == 1:
        return [result]
    return list(result) if op.results else []


_HUGE = 4096
"""As many characters or elements are better made where they are needed: `"".ljust(10**9)`."""


def _may_be_huge(op: OperatorOp, operands: Sequence[Any]) -> bool:
    if not any(type_of(result).KIND in ("StringType", "ListType") for result in op.results):
        return False
    return any(_size(operand) > _HUGE for operand in operands)


_HUGE_TENSOR = 1 << 22
"""As many elements are no constant: `torch.zeros([10**5, 10**5])`."""


def _is_huge_tensor(operator: Operator, operands: Sequence[Any]) -> bool:
    """Whether a result would have as many elements, as far as the operator's shape rule tells."""
    if operator.shape is None or not any(isinstance(one, int | list) for one in operands):
        return False
    made = operator.shape([complete_type(x).data if isinstance(x, Tensor) else x for x in operands])
    facts = cast(Sequence[Any], made) if isinstance(made, tuple | list) else (made,)
    for fact in facts:
        sizes = fact.sizes if isinstance(fact, TensorProperties) else None
        if sizes is not None and None not in sizes and math.prod(cast(Any, sizes)) > _HUGE_TENSOR:
            return True
    return False


def _size(operand: Any) -> int:
    if isinstance(operand, int):
        return abs(operand)
    return len(cast(Any, operand)) if isinstance(operand, str | list) else 0


def _isinstance(op: Operation, operands: Sequence[Any]) -> list[Any]:
    types = getattr(op.attributes["types"], "data", ())
    actual = type_of(op.operands[0])
    if actual.KIND in ("AnyType", "OptionalType", "UnionType", "NumberType"):
        actual = type_of_constant(operands[0])
    return [any(is_subtype(actual, type_) for type_ in types)]


def _tuple_slice(op: Operation, operands: Sequence[Any]) -> list[Any]:
    begin, end = (from_attribute(op.attributes[name]) for name in ("beg", "end"))
    return [operands[0][begin:end]]


def _chunk(op: Operation, operands: Sequence[Any]) -> list[Any]:
    operator = registry.find("aten::chunk")
    if operator is None or operator.kernel is None:
        raise CannotFold
    chunks, dim = (from_attribute(op.attributes[name]) for name in ("chunks", "dim"))
    return list(operator.kernel(operands[0], chunks, dim))


_RULES: dict[type[Operation], Callable[[Operation, Sequence[Any]], Sequence[Any]]] = {
    prim.ListConstructOp: lambda op, operands: [list(operands)],
    prim.TupleConstructOp: lambda op, operands: [tuple(operands)],
    prim.ListUnpackOp: lambda op, operands: list(operands[0]),
    prim.TupleUnpackOp: lambda op, operands: list(operands[0]),
    prim.TupleIndexOp: lambda op, operands: [operands[0][operands[1]]],
    prim.TupleSliceOp: _tuple_slice,
    prim.UncheckedCastOp: lambda op, operands: [operands[0]],
    prim.IsInstanceOp: _isinstance,
    prim.ConstantChunkOp: _chunk,
}


def constant_for(value: Any, declared: TorchScriptType) -> ConstantOp:
    """A constant of a value that a node of this result type gave, with the type that PyTorch gives
    it.

    Raises:

        CannotFold: no constant can hold the value.
    """
    if isinstance(value, np.generic):
        value = cast(Any, value).item()
    if isinstance(value, device):
        return ConstantOp.create(
            result_types=(DEVICE,), attributes={"value": StringAttr(str(value))}
        )
    try:
        return ConstantOp.of(value, _type_for(value, declared))
    except TypeError as error:
        raise CannotFold from error


def _type_for(value: Any, declared: TorchScriptType) -> TorchScriptType:
    if value is None:
        return declared
    if isinstance(value, int) and not isinstance(value, bool) and value not in INT64:
        raise CannotFold
    simple = _BY_PYTHON_TYPE.get(cast(type, type(value)))
    if simple is not None:
        return simple
    if isinstance(value, Tensor):
        return complete_type(value)
    if isinstance(declared, OptionalType):
        declared = declared.element
    if isinstance(value, tuple) and isinstance(declared, TupleType):
        elements = [
            NONE if item is None and not declared.fields.data else _type_for(item, element)
            for item, element in zip(cast(tuple[Any, ...], value), declared.elements, strict=True)
        ]
        return declared.with_contained(tuple(map(unshaped, elements)))
    if isinstance(value, list) and isinstance(declared, ListType):
        if not _tells_values(declared.element):
            raise CannotFold
        for item in cast(list[Any], value):
            _type_for(item, declared.element)
        return unshaped(declared)
    return type_of_constant(value)


def _tells_values(type_: TorchScriptType) -> bool:
    """Whether a constant of a type is the value again: as an attribute a tuple is like a list, and only the type tells."""
    return not isinstance(type_, AnyType | UnionType) and all(map(_tells_values, type_.contained))


def complete_type(tensor: Tensor) -> TensorType:
    """All that can be said of a tensor."""
    return TensorType.of(
        tensor.dtype.type_name,
        tuple(tensor.shape),
        element_strides(tensor.array),
        str(tensor.device),
        False,
    )


def attributes_of_results(op: Operation) -> list[Attribute] | None:
    """What the results of an operator on constants are, where running it does nothing else; see Note [Canonicalization]."""
    operands = edit.operands_of(op)
    if not operands or not all(isinstance(value.owner, ConstantOp) for value in operands):
        return None
    if op.dialect_name() not in ("aten", "prim") or get_effects(op) != set():
        return None
    try:
        results = fold(op)
        constants = [
            constant_for(value, type_of(result))
            for value, result in zip(results, op.results, strict=True)
        ]
    except CannotFold:
        return None
    if any(c.results[0].type != result.type for c, result in zip(constants, op.results)):
        return None
    return [constant.attributes.get("value", UnitAttr()) for constant in constants]


def replace_with_constants(op: Operation, results: Sequence[Any]) -> bool:
    """Use constants for the results of a node, as far as they can be constants; whether any could."""
    changed = False
    for result, value in zip(op.results, results, strict=True):
        try:
            constant = constant_for(value, type_of(result))
        except CannotFold:
            continue
        edit.insert_before(op, constant)
        edit.replace_uses(result, constant.results[0])
        changed = True
    return changed
