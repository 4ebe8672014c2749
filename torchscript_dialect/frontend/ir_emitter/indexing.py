"""Subscripts: of tensors by ints, slices, None, `...` and tensors; of tuples, lists, dictionaries and strings
(PyTorch: emitSubscript, emitIntAndSliceIndexing).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.ir import SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.frontend.ir_emitter.emission_context import EmissionContext
from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.tree_views import Expr, List, SliceExpr, Subscript
from torchscript_dialect.frontend.sugared.arguments import NamedValue, describe
from torchscript_dialect.frontend.sugared.builtin_calls import emit_builtin_call
from torchscript_dialect.frontend.sugared.conversions import convertible_to_list
from torchscript_dialect.frontend.sugared.sugared_builtins import (
    IterableTree,
    RangeValue,
    SliceValue,
)
from torchscript_dialect.frontend.sugared.sugared_value import (
    SimpleValue,
    SugaredTupleValue,
    SugaredValue,
    is_tensor,
)
from torchscript_dialect.ir.edit import NOT_CONSTANT, constant_value, type_of
from torchscript_dialect.types.containers import ListType, OptionalType, TupleType
from torchscript_dialect.types.core import INT, NONE, TorchScriptType
from torchscript_dialect.types.subtyping import is_subtype
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

_LONG = 4


def emit_subscript(
    m: EmissionContext, subscript: Subscript, type_hint: TorchScriptType | None = None
) -> SugaredValue:
    """`value[indices]`."""
    value = m.emit_sugared(subscript.value)
    indices = subscript.subscript_exprs
    range, value_range = subscript.range, subscript.value.range
    if len(indices) != 1:
        return SimpleValue(emit_multidim_slicing(m, range, value.as_value(value_range, m), indices))
    index = _index(m, indices[0])
    if isinstance(index, Bounds):
        if isinstance(value, SugaredTupleValue) or value.kind() == "module":
            return _slice_sugared(m, range, value, index)
        return SimpleValue(_basic_slice(m, range, value.as_value(value_range, m), index))
    at = index
    if isinstance(value, RangeValue | IterableTree):
        value.as_value(value_range, m)  # refuses: only loops take their elements
    if not isinstance(value, SimpleValue):
        return value.getitem(range, m, at, type_hint)
    type_ = value.type
    if isinstance(type_, TupleType):
        return SimpleValue(_tuple_index(m, range, value.value, type_, at))
    if is_subtype(type_, TENSOR):
        return SimpleValue(emit_multidim_slicing(m, range, value.value, indices))
    return value.getitem(range, m, at, type_hint)


@dataclass(frozen=True)
class Bounds:
    """Where a slice begins and ends, and its step: of `a:b:c` what is to be emitted, of `slice(a, b, c)` values."""

    start: Expr | SSAValue | None
    end: Expr | SSAValue | None
    step: Expr | SSAValue | None


def _bounds(index: SliceExpr | SliceValue) -> Bounds:
    return Bounds(index.start, index.end, index.step)


def _index(m: EmissionContext, expr: Expr) -> SSAValue | Bounds:
    """The value of an index, or the bounds of one that is a slice."""
    if isinstance(expr, SliceExpr):
        return _bounds(expr)
    index = m.emit_sugared(expr)
    return _bounds(index) if isinstance(index, SliceValue) else index.as_value(expr.range, m)


def _emit_bound(m: EmissionContext, bound: Expr | SSAValue) -> SSAValue:
    return bound if isinstance(bound, SSAValue) else m.emit_expr(bound)


def _slice_sugared(
    m: EmissionContext, range: SourceRange, value: SugaredValue, index: Bounds
) -> SugaredValue:
    parts = value.as_tuple(range, m)
    bounds = [_static_bound(m, range, bound) for bound in (index.start, index.end, index.step)]
    return SugaredTupleValue(list(parts)[slice(*bounds)])


def _static_bound(
    m: EmissionContext, range: SourceRange, bound: Expr | SSAValue | None
) -> int | None:
    if bound is None:
        return None
    known = constant_value(_emit_bound(m, bound), NOT_CONSTANT)
    if not isinstance(known, int):
        raise FrontendError("tuple slice indices must be integer constants", range)
    return known


def emit_multidim_slicing(
    m: EmissionContext, range: SourceRange, value: SSAValue, indices: List[Expr]
) -> SSAValue:
    """A tensor by one or more indices."""
    if not is_tensor(value):
        raise FrontendError(
            "Unsupported operation: attempted to use multidimensional indexing on a non-tensor type",
            range,
        )
    sliced, tensors = emit_int_and_slice_indexing(m, range, value, indices)
    if not tensors:
        return sliced
    at = m.graph.list_of(OptionalType(TENSOR), tensors)
    return emit_builtin_call(m, range, "aten::index", [NamedValue(sliced), NamedValue(at)], [])


def emit_int_and_slice_indexing(
    m: EmissionContext, range: SourceRange, value: SSAValue, indices: List[Expr]
) -> tuple[SSAValue, list[SSAValue]]:
    """The tensor by all indices that are no tensors, and the tensors, one per dimension, for `aten::index`.

    Dimensions count from the left up to a `...`, from the right after it. An int takes a dimension away, None adds one.
    """
    count = len(indices)
    dims = [0] * count
    values: list[SSAValue | None] = [None] * count

    def place(at: int, dim: int, from_right: bool) -> int:
        dims[at] = dim
        step = -1 if from_right else 1
        index = _index(m, indices[at])
        if isinstance(index, Bounds):
            return dim + step
        # PyTorch emits it once more, having seen that this is no slice: calls in it are made as often.
        index = m.emit_expr(indices[at])
        values[at] = index = _of_list(m, indices[at].range, index)
        type_ = type_of(index)
        if type_ == NONE:
            return dim if from_right else dim + 1
        if type_ == INT:
            return dim - 1 if from_right else dim
        if is_subtype(type_, OptionalType(TENSOR)):
            if from_right:
                raise FrontendError(
                    "Ellipses followed by tensor indexing is currently not supported", range
                )
            return dim + 1
        raise FrontendError(
            f"Unsupported operation: indexing tensor with unsupported index type"
            f" '{describe(type_)}'. Only ints, slices, lists and tensors are supported",
            range,
        )

    dim = position = 0
    while position < count and indices[position].kind != tk.TK_DOTS:
        dim = place(position, dim, False)
        position += 1
    dim, last = -1, count - 1
    while last > position:
        if indices[last].kind == tk.TK_DOTS:
            raise FrontendError("An index can only have a single ellipsis ('...')", range)
        dim = place(last, dim, True)
        last -= 1
    return _apply_indices(m, range, value, list(zip(dims, indices, values, strict=True)))


def _apply_indices(
    m: EmissionContext,
    range: SourceRange,
    value: SSAValue,
    placed: list[tuple[int, Expr, SSAValue | None]],
) -> tuple[SSAValue, list[SSAValue]]:
    """The bounds of slices are emitted here, where each slice is; as in PyTorch, those of `slice(a, b)` for a second time."""
    tensors: list[SSAValue | None] = []
    for dim, expr, index in placed:
        if expr.kind == tk.TK_DOTS:
            continue
        if index is None:
            bounds = _index(m, expr)
            assert isinstance(bounds, Bounds)
            value = _slice(m, range, value, m.graph.constant(dim, range), bounds)
            continue
        type_ = type_of(index)
        if type_ in (NONE, INT):
            name = "aten::unsqueeze" if type_ == NONE else "aten::select"
            args = [NamedValue(value), NamedValue(m.graph.constant(dim, range))]
            if type_ == INT:
                args.append(NamedValue(index))
            value = emit_builtin_call(m, range, name, args, [])
            continue
        tensors += [None] * (dim + 1 - len(tensors))
        tensors[dim] = index
    filled = [m.graph.constant(None) if tensor is None else tensor for tensor in tensors]
    return value, filled


def _of_list(m: EmissionContext, range: SourceRange, index: SSAValue) -> SSAValue:
    """The index, a tensor if it was a list."""
    if isinstance(type_of(index), ListType):
        dtype = NamedValue(None, None, "dtype", _LONG)
        return emit_builtin_call(
            m, range, "aten::tensor", [NamedValue(index)], [dtype], located=False
        )
    return index


def _basic_slice(
    m: EmissionContext, range: SourceRange, value: SSAValue, index: Bounds
) -> SSAValue:
    at = m.graph.constant(0, range) if is_tensor(value) else None
    return _slice(m, range, value, at, index)


def _slice(
    m: EmissionContext, range: SourceRange, value: SSAValue, dim: SSAValue | None, index: Bounds
) -> SSAValue:
    type_ = type_of(value)
    if isinstance(type_, TupleType):
        return _tuple_slice(m, range, value, type_, index)
    args = [NamedValue(value, range, "self")]
    if dim is not None:
        args.append(NamedValue(dim))
    bounds = [
        None if bound is None else _emit_bound(m, bound) for bound in (index.start, index.end)
    ]
    step = m.graph.constant(1, range) if index.step is None else _emit_bound(m, index.step)
    args += [NamedValue(bound, range if bound is not None else None) for bound in bounds]
    args.append(NamedValue(step, range))
    return emit_builtin_call(m, range, "aten::slice", args, [])


def _tuple_slice(
    m: EmissionContext, range: SourceRange, value: SSAValue, type_: TupleType, index: Bounds
) -> SSAValue:
    start = _static_bound(m, range, index.start)
    end = _static_bound(m, range, index.end)
    step = _static_bound(m, range, index.step)
    parts: list[SSAValue] = []
    indices = range_of(start, end, step, len(type_.elements))
    for at in indices:
        index_value = m.graph.constant(at)
        element = type_.elements.data[at]
        parts.append(m.graph.value(prim.TupleIndexOp, (value, index_value), element))
    return m.graph.tuple_of(parts)


def range_of(start: int | None, end: int | None, step: int | None, length: int) -> list[int]:
    """The indices that a slice takes of a sequence."""
    return list(range(*slice(start, end, step).indices(length)))


def _tuple_index(
    m: EmissionContext, range: SourceRange, value: SSAValue, type_: TupleType, at: SSAValue
) -> SSAValue:
    elements = type_.elements.data
    if type_of(at) != INT:
        raise FrontendError("tuple index must be an integer", range)
    known = constant_value(at, NOT_CONSTANT)
    if known is NOT_CONSTANT:
        if not elements or not convertible_to_list(type_, ListType(elements[0])):
            raise FrontendError(
                f"Cannot index into a {describe(type_)} with a non-integer literal because we cannot resolve"
                " the output type",
                range,
            )
        result = elements[0]
    else:
        index = cast(int, known)
        if not -len(elements) <= index < len(elements):
            raise FrontendError(
                f"Tuple index out of range. Tuple is length {len(elements)} and index is {index}",
                range,
            )
        result = elements[index]
    return m.graph.value(prim.TupleIndexOp, (value, at), result)
