"""Lists, dictionaries, tuples and comprehensions (PyTorch: emitListLiteral and around)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import SSAValue

from torchscript_dialect.frontend.ir_emitter.comprehension_scope import in_comprehension
from torchscript_dialect.frontend.ir_emitter.emission_context import EmissionContext
from torchscript_dialect.frontend.ir_emitter.loops import emit_for_loop
from torchscript_dialect.frontend.source.expr_views import make_list
from torchscript_dialect.frontend.source.tree_views import (
    DictComp,
    DictLiteral,
    Expr,
    List,
    ListComp,
    ListLiteral,
    Starred,
    TupleLiteral,
)
from torchscript_dialect.frontend.sugared.arguments import NamedValue, describe
from torchscript_dialect.frontend.sugared.builtin_calls import emit_builtin_call
from torchscript_dialect.frontend.unit.annotations import check_key
from torchscript_dialect.ir.edit import set_type, type_of
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    NestedType,
    OptionalType,
    UnionType,
)
from torchscript_dialect.types.core import ANY, STR, TorchScriptType
from torchscript_dialect.types.subtyping import is_subtype, unify_types
from torchscript_dialect.types.tensor_type import TENSOR, TensorType
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

Hint = TorchScriptType | None
Emit = Callable[..., SSAValue]


def emit_values(m: EmissionContext, exprs: Sequence[Expr] | List[Expr]) -> list[SSAValue]:
    """The values of expressions; `*value` gives all its elements."""
    values: list[SSAValue] = []
    for expr in exprs:
        if isinstance(expr, Starred):
            range = expr.range
            parts = m.emit_sugared(expr.expr).as_tuple(range, m)
            values += [part.as_value(range, m) for part in parts]
        else:
            values.append(m.emit_expr(expr))
    return values


def _container_hint(hint: Hint, kind: type[TorchScriptType]) -> Hint:
    """The one container type of this kind that the hint allows."""
    if isinstance(hint, OptionalType):
        hint = hint.element
    if isinstance(hint, UnionType):
        fitting = _members(hint, kind)
        return fitting[0] if len(fitting) == 1 else None
    return hint


def _members(hint: UnionType, kind: type[TorchScriptType]) -> list[TorchScriptType]:
    return [member for member in hint.members if isinstance(member, kind)]


def as_hinted(emit: Callable[[EmissionContext, Any, Hint], SSAValue]) -> Emit:
    """What emits containers as `emit` does, and casts them to the union that their place asks for."""

    def emit_and_cast(m: EmissionContext, expr: Any, hint: Hint = None) -> SSAValue:
        value = emit(m, expr, hint)
        if isinstance(hint, (OptionalType, UnionType)):
            return m.graph.unchecked_cast(value, hint)
        return value

    return emit_and_cast


def _check_empty(range: SourceRange, hint: Hint, kind: type[TorchScriptType], name: str) -> None:
    """Raise where nothing tells which type of this kind an empty literal has."""
    if isinstance(hint, UnionType) and len(_members(hint, kind)) > 1:
        raise FrontendError(
            f"Cannot assign an empty {name.lower()} to a variable annotated to be type"
            f" {describe(hint)} because there are multiple possible {name} type candidates in the"
            " Union annotation",
            range,
        )


def _check_hint(range: SourceRange, hint: Hint, kind: type[TorchScriptType], name: str) -> None:
    """Raise where a literal of this kind cannot be what its place asks for."""
    inner = hint.element if isinstance(hint, OptionalType) else hint
    if hint is None or inner is None or inner == ANY or isinstance(inner, kind):
        return
    if isinstance(inner, UnionType) and inner is hint:
        if not _members(inner, kind) and ANY not in inner.members:
            raise FrontendError(
                f"Expected an Union type annotation with an inner {name} type, but got"
                f" {describe(inner)}",
                range,
            )
        return
    raise FrontendError(f"Expected an annotation of type {name} but got {describe(hint)}", range)


def _wrong_elements(hint: TorchScriptType, element: TorchScriptType) -> str:
    found = f"the types of the given list elements, which were unified to {describe(element)}"
    if isinstance(hint, UnionType):
        held = " or ".join(describe(member) for member in _members(hint, ListType))
        return (
            f"Union type annotation `{describe(hint)}` can hold {held}, but none of those types"
            f" match {found}"
        )
    return f"List type annotation `{describe(hint)}` did not match {found}"


def unify_elements(types: Sequence[TorchScriptType]) -> TorchScriptType:
    """The type of elements that have these types; a union where nothing smaller holds all."""
    result = types[0]
    for type_ in types[1:]:
        unified = unify_types(result, type_, default_to_union=True)
        assert unified is not None
        result = unified
    return result


def emit_list_literal(m: EmissionContext, expr: ListLiteral, hint: Hint = None) -> SSAValue:
    """`[a, b]`; an empty one holds tensors where nothing else is asked for."""
    _check_hint(expr.range, hint, ListType, "List")
    wanted = _container_hint(hint, ListType)
    element_hint = wanted.element if isinstance(wanted, ListType) else None
    values = emit_values(m, expr.inputs)
    if not values:
        _check_empty(expr.range, hint, ListType, "List")
        empty = m.graph.list_of(element_hint or TENSOR, ())
        if element_hint is None:
            m.graph.empty_lists.add(empty)
        return empty
    element = unify_elements([type_of(value) for value in values])
    if element_hint is not None:
        if not is_subtype(element, element_hint):
            raise FrontendError(_wrong_elements(ListType(element_hint), element), expr.range)
        element = element_hint
    elif isinstance(hint, UnionType) and not is_subtype(ListType(element), hint):
        raise FrontendError(_wrong_elements(hint, element), expr.range)
    elif isinstance(element, TensorType):
        element = TENSOR
    elif isinstance(element, UnionType) and hint is None:
        warnings.warn(_mixed(expr.range, element), UserWarning, stacklevel=2)
    return m.graph.list_of(element, values)


def _mixed(range: SourceRange, element: UnionType) -> str:
    return (
        "List consists of heterogeneous types, which means that it has been typed as containing"
        f" {element.annotation_str}. To use any of the values in this List, it will be necessary to"
        " add an `assert isinstance` statement before first use to trigger type refinement."
        f" \n{range.highlight()}"
    )


def emit_tuple_literal(m: EmissionContext, expr: TupleLiteral, hint: Hint = None) -> SSAValue:
    return m.graph.tuple_of(emit_values(m, expr.inputs))


def emit_dict_literal(m: EmissionContext, expr: DictLiteral, hint: Hint = None) -> SSAValue:
    """`{a: b}`; an empty one maps strings to tensors where nothing else is asked for."""
    _check_hint(expr.range, hint, DictType, "Dict")
    wanted = _container_hint(hint, DictType)
    known = wanted if isinstance(wanted, DictType) else None
    keys: list[SSAValue] = []
    values: list[SSAValue] = []
    for key, value in zip(expr.key_inputs, expr.value_inputs, strict=True):
        keys.append(m.emit_expr(key))
        values.append(m.emit_expr(value))
    if not keys:
        _check_empty(expr.range, hint, DictType, "Dict")
        return m.graph.dict_of(known or DictType(STR, TENSOR), (), ())
    key_type = type_of(keys[0])
    for key, tree in zip(keys, expr.key_inputs, strict=True):
        if type_of(key) != key_type:
            raise FrontendError(
                f"Dict keys must contain only a single type. Expected: {describe(key_type)} but"
                f" found {describe(type_of(key))} instead",
                tree.range,
            )
    value_type = unify_elements([type_of(value) for value in values])
    check_key(expr.range, key_type)
    if known is not None:
        inferred = f"Type annotation was inferred to be `{describe(known)}`, but the type of"
        if not is_subtype(key_type, known.key):
            raise FrontendError(
                f"{inferred} keys given by the dict literal is {describe(key_type)}", expr.range
            )
        if not is_subtype(value_type, known.value):
            raise FrontendError(
                f"{inferred} values given by the dict literal is {describe(value_type)}",
                expr.range,
            )
        return m.graph.dict_of(known, keys, values)
    if isinstance(hint, UnionType) and not is_subtype(DictType(key_type, value_type), hint):
        held = " or ".join(describe(member) for member in _members(hint, DictType))
        raise FrontendError(
            f"Union type annotation `{describe(hint)}` can hold {held}, but none of those dict types"
            " can hold the types of the given keys and values, which were unified to"
            f" {describe(DictType(key_type, value_type))}",
            expr.range,
        )
    return m.graph.dict_of(DictType(key_type, value_type), keys, values)


def _emit_fresh(m: EmissionContext, expr: Expr) -> tuple[SSAValue, bool]:
    """The value of an expression, and whether a node was made for it: it is no variable, whose type others see."""
    before = m.graph.point.prev_op
    value = m.emit_expr(expr)
    last = m.graph.point.prev_op
    return value, last is not before and value.owner is last


def _widen(value: SSAValue, wanted: TorchScriptType) -> None:
    """Let an element have the type that is asked for, but for one that would not be a tuple or list then: PyTorch fails on those."""
    if not isinstance(type_of(value), NestedType) or type(type_of(value)) is type(wanted):
        set_type(value, wanted)


def emit_comprehension(m: EmissionContext, expr: ListComp, hint: Hint = None) -> SSAValue:
    """`[element for target in iterable]`: a loop that appends, with variables of its own."""
    range = expr.range
    wanted = _container_hint(hint, ListType)
    result = m.graph.list_of(TENSOR, ())
    element: Hint = None
    found: list[TorchScriptType] = []
    if isinstance(wanted, ListType):
        element = wanted.element
        set_type(result, wanted)

    def emit_body() -> None:
        nonlocal element
        value, is_fresh = _emit_fresh(m, expr.elt)
        found.append(type_of(value))
        if element is None:
            element = found[0]
            set_type(result, ListType(element))
        elif not is_subtype(found[-1], element):
            asked = hint if isinstance(hint, UnionType) and wanted is None else ListType(element)
            raise FrontendError(_wrong_elements(asked, unify_elements(found)), range)
        elif is_fresh:
            _widen(value, element)
        args = [NamedValue(value, range)]
        emit_builtin_call(m, range, "aten::append", args, [], NamedValue(result, range, "self"))

    with in_comprehension(m):
        _loop(m, range, expr.target, expr.iter, emit_body)
    return result


def emit_dict_comprehension(m: EmissionContext, expr: DictComp, hint: Hint = None) -> SSAValue:
    """`{key: value for target in iterable}`."""
    range = expr.range
    wanted = _container_hint(hint, DictType)
    known = wanted if isinstance(wanted, DictType) else None
    result = m.graph.dict_of(known or DictType(STR, TENSOR), (), ())

    def emit_body() -> None:
        nonlocal known
        key = m.emit_expr(expr.key)
        value, is_fresh = _emit_fresh(m, expr.value)
        if known is None:
            check_key(range, type_of(key))
            known = DictType(type_of(key), type_of(value))
            set_type(result, known)
        elif is_fresh and is_subtype(type_of(value), known.value):
            _widen(value, known.value)
        args = [NamedValue(result), NamedValue(key), NamedValue(value)]
        emit_builtin_call(m, range, "aten::_set_item", args, [])

    with in_comprehension(m):
        _loop(m, range, expr.target, expr.iter, emit_body)
    return result


def _loop(
    m: EmissionContext, range: SourceRange, target: Expr, iterable: Expr, emit_body: object
) -> None:
    targets, iterables = make_list(range, [target]), make_list(range, [iterable])
    emit_for_loop(m, range, targets, iterables, emit_body)  # pyright: ignore[reportArgumentType]
