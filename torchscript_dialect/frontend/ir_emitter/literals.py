"""Lists, dictionaries, tuples and comprehensions (PyTorch: emitListLiteral and around)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from torchscript_dialect.frontend.graph_builder import type_of
from torchscript_dialect.frontend.graph_edit import set_type
from torchscript_dialect.frontend.ir_emitter.comprehension_scope import in_comprehension
from torchscript_dialect.frontend.ir_emitter.loops import emit_for_loop
from torchscript_dialect.frontend.schema_matching import NamedValue, describe
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
from torchscript_dialect.frontend.sugared_value import emit_builtin_call
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    OptionalType,
    TupleType,
    UnionType,
)
from torchscript_dialect.types.core import BOOL, COMPLEX, FLOAT, INT, STR, TorchScriptType
from torchscript_dialect.types.subtyping import is_subtype, unify_types
from torchscript_dialect.types.tensor_type import TENSOR, TensorType
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

if TYPE_CHECKING:
    from torchscript_dialect.frontend.ir_emitter.emitter import Emitter

Hint = TorchScriptType | None


def emit_values(
    m: Emitter, exprs: Sequence[Expr] | List[Expr], hints: Sequence[Hint] = ()
) -> list[SSAValue]:
    """The values of expressions; `*value` gives all its elements."""
    values: list[SSAValue] = []
    for index, expr in enumerate(exprs):
        if isinstance(expr, Starred):
            range = expr.range
            parts = m.emit_sugared(expr.expr).as_tuple(range, m)
            values += [part.as_value(range, m) for part in parts]
        else:
            values.append(m.emit_expr(expr, hints[index] if index < len(hints) else None))
    return values


def _container_hint(hint: Hint, kind: type[TorchScriptType]) -> Hint:
    """The one container type of this kind that the hint allows."""
    if isinstance(hint, OptionalType):
        hint = hint.element
    if isinstance(hint, UnionType):
        fitting = [member for member in hint.members if isinstance(member, kind)]
        return fitting[0] if len(fitting) == 1 else None
    return hint


def unify_elements(types: Sequence[TorchScriptType]) -> TorchScriptType:
    """The type of elements that have these types; a union where nothing smaller holds all."""
    result = types[0]
    for type_ in types[1:]:
        unified = unify_types(result, type_, default_to_union=True)
        assert unified is not None
        result = unified
    return result


def emit_list_literal(m: Emitter, expr: ListLiteral, hint: Hint = None) -> SSAValue:
    """`[a, b]`; an empty one holds tensors where nothing else is asked for."""
    wanted = _container_hint(hint, ListType)
    element_hint = wanted.element if isinstance(wanted, ListType) else None
    values = emit_values(m, expr.inputs, [element_hint] * len(expr.inputs))
    if not values:
        empty = m.graph.list_of(element_hint or TENSOR, ())
        if element_hint is None:
            m.graph.empty_lists.add(empty)
        return empty
    element = unify_elements([type_of(value) for value in values])
    if element_hint is not None:
        if not is_subtype(element, element_hint):
            raise FrontendError(
                f"Expected an element of type {describe(element_hint)} in a list of type"
                f" {describe(ListType(element_hint))}, but found {describe(element)}",
                expr.range,
            )
        element = element_hint
    elif isinstance(element, TensorType):
        element = TENSOR
    return m.graph.list_of(element, values)


def emit_tuple_literal(m: Emitter, expr: TupleLiteral, hint: Hint = None) -> SSAValue:
    wanted = _container_hint(hint, TupleType)
    hints: Sequence[Hint] = ()
    if isinstance(wanted, TupleType) and len(wanted.elements) == len(expr.inputs):
        hints = wanted.elements.data
    return m.graph.tuple_of(emit_values(m, expr.inputs, hints))


def _check_key(range: SourceRange, key: TorchScriptType) -> None:
    if key not in (INT, STR, FLOAT, BOOL, COMPLEX) and not isinstance(key, TensorType):
        raise FrontendError(
            "Cannot create dict for key type"
            f" '{describe(key)}', only int, float, complex, Tensor, device and string keys are"
            " supported",
            range,
        )


def emit_dict_literal(m: Emitter, expr: DictLiteral, hint: Hint = None) -> SSAValue:
    """`{a: b}`; an empty one maps strings to tensors where nothing else is asked for."""
    wanted = _container_hint(hint, DictType)
    known = wanted if isinstance(wanted, DictType) else None
    keys: list[SSAValue] = []
    values: list[SSAValue] = []
    for key, value in zip(expr.key_inputs, expr.value_inputs, strict=True):
        keys.append(m.emit_expr(key, known.key if known else None))
        values.append(m.emit_expr(value, known.value if known else None))
    if not keys:
        return m.graph.dict_of(known or DictType(STR, TENSOR), (), ())
    key_type = unify_elements([type_of(key) for key in keys])
    value_type = unify_elements([type_of(value) for value in values])
    _check_key(expr.range, key_type)
    if known is not None:
        if not (is_subtype(key_type, known.key) and is_subtype(value_type, known.value)):
            raise FrontendError(
                f"Expected the dictionary to be of type {describe(known)}, but found"
                f" {describe(DictType(key_type, value_type))}",
                expr.range,
            )
        return m.graph.dict_of(known, keys, values)
    return m.graph.dict_of(DictType(key_type, value_type), keys, values)


def emit_comprehension(m: Emitter, expr: ListComp, hint: Hint = None) -> SSAValue:
    """`[element for target in iterable]`: a loop that appends, with variables of its own."""
    range = expr.range
    wanted = _container_hint(hint, ListType)
    result = m.graph.list_of(TENSOR, ())
    element: Hint = None
    if isinstance(wanted, ListType):
        element = wanted.element
        set_type(result, wanted)

    def emit_body() -> None:
        nonlocal element
        value = m.emit_expr(expr.elt, element)
        if element is None:
            element = type_of(value)
            set_type(result, ListType(element))
        args = [NamedValue(value, range)]
        emit_builtin_call(m, range, "aten::append", args, [], NamedValue(result, range, "self"))

    with in_comprehension(m):
        _loop(m, range, expr.target, expr.iter, emit_body)
    return result


def emit_dict_comprehension(m: Emitter, expr: DictComp, hint: Hint = None) -> SSAValue:
    """`{key: value for target in iterable}`."""
    range = expr.range
    wanted = _container_hint(hint, DictType)
    known = wanted if isinstance(wanted, DictType) else None
    result = m.graph.dict_of(known or DictType(STR, TENSOR), (), ())

    def emit_body() -> None:
        nonlocal known
        key = m.emit_expr(expr.key, known.key if known else None)
        value = m.emit_expr(expr.value, known.value if known else None)
        if known is None:
            _check_key(range, type_of(key))
            known = DictType(type_of(key), type_of(value))
            set_type(result, known)
        args = [NamedValue(result), NamedValue(key), NamedValue(value)]
        emit_builtin_call(m, range, "aten::_set_item", args, [])

    with in_comprehension(m):
        _loop(m, range, expr.target, expr.iter, emit_body)
    return result


def _loop(m: Emitter, range: SourceRange, target: Expr, iterable: Expr, emit_body: object) -> None:
    targets, iterables = make_list(range, [target]), make_list(range, [iterable])
    emit_for_loop(m, range, targets, iterables, emit_body)  # pyright: ignore[reportArgumentType]
