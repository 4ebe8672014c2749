"""Calls, and the special forms whose arguments are not plain values (PyTorch: emitApplyExpr, emitApplySpecialForm)."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Region, SSAValue

from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.dialects.prim import ClosureOp, CreateObjectOp
from torchscript_dialect.frontend.ir_emitter.conditions import (
    check_number_of_inputs,
    emit_hasattr,
    emit_isinstance,
)
from torchscript_dialect.frontend.ir_emitter.emission_context import EmissionContext
from torchscript_dialect.frontend.ir_emitter.indexing import emit_int_and_slice_indexing
from torchscript_dialect.frontend.ir_emitter.literals import (
    emit_comprehension,
    emit_dict_comprehension,
    emit_values,
)
from torchscript_dialect.frontend.ir_emitter.loops import MAX_INT
from torchscript_dialect.frontend.source.tree_views import (
    Apply,
    Attribute,
    DictComp,
    DictLiteral,
    Expr,
    Ident,
    ListComp,
    ListLiteral,
    Starred,
    StringLiteral,
    TupleLiteral,
    Var,
)
from torchscript_dialect.frontend.sugared.arguments import NamedValue, describe
from torchscript_dialect.frontend.sugared.builtin_calls import emit_builtin_call
from torchscript_dialect.frontend.sugared.conversions import try_convert_to_type
from torchscript_dialect.frontend.sugared.sugared_builtins import (
    ClassValue,
    IterableTree,
    RangeValue,
    SliceValue,
)
from torchscript_dialect.frontend.sugared.sugared_value import (
    SimpleValue,
    SpecialFormValue,
    SugaredValue,
)
from torchscript_dialect.ir.edit import add_output, new_block, set_type, type_of
from torchscript_dialect.types.containers import (
    DictType,
    FutureType,
    ListType,
    OptionalType,
    UnionType,
)
from torchscript_dialect.types.core import ANY, NONE, STR, TorchScriptType
from torchscript_dialect.types.subtyping import is_subtype
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

Hint = TorchScriptType | None


def emit_apply(m: EmissionContext, expr: Apply, n_binders: int, hint: Hint = None) -> SugaredValue:
    """`callee(args, name=value)`."""
    callee = m.emit_sugared(expr.callee)
    if isinstance(callee, SpecialFormValue):
        emit = SPECIAL_FORMS.get(callee.form)
        if emit is None:
            raise FrontendError(f"the form {callee.form} is not known", expr.range)
        return emit(m, expr, callee, hint)
    args = _positional(m, list(expr.inputs))
    kwargs = _keywords(m, expr)
    range = expr.callee.range
    return callee.call(range, m, args, kwargs, n_binders)


def _keywords(m: EmissionContext, expr: Apply) -> list[NamedValue]:
    return [
        NamedValue(m.emit_expr(attribute.value), attribute.range, attribute.name.name)
        for attribute in expr.attributes
    ]


def _positional(m: EmissionContext, inputs: list[Expr]) -> list[NamedValue]:
    args: list[NamedValue] = []
    for tree in inputs:
        if isinstance(tree, Starred):
            parts = m.emit_sugared(tree.expr).as_tuple(tree.range, m)
            args += [NamedValue(part.as_value(tree.range, m)) for part in parts]
        else:
            args.append(NamedValue(m.emit_expr(tree)))
    return args


def _emit_annotate(
    m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint
) -> SugaredValue:
    check_number_of_inputs(expr, 2)
    type_ = m.types.parse(expr.inputs[0])
    value = m.emit_expr(expr.inputs[1], type_)
    value = try_convert_to_type(m.graph, type_, value, expr.range, True)
    if not is_subtype(type_of(value), type_):
        raise FrontendError(
            f"expected an expression of type {describe(type_)} but found"
            f" {describe(type_of(value))}",
            expr.inputs[0].range.merge(expr.inputs[1].range),
        )
    if type_of(value) == NONE and type_ != NONE:
        value = _typed_none(m, type_)
    return SimpleValue(value)


def _typed_none(m: EmissionContext, type_: TorchScriptType) -> SSAValue:
    return m.graph.constant(None, None, type_)


def _emit_getattr(
    m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint
) -> SugaredValue:
    check_number_of_inputs(expr, 2, 3)
    obj = m.emit_sugared(expr.inputs[0])
    name = expr.inputs[1]
    if not isinstance(name, StringLiteral):
        raise FrontendError("getattr's second argument must be a string literal", expr.range)
    if len(expr.inputs) == 3 and not obj.has_attr(expr.range, m, name.text):
        return m.emit_sugared(expr.inputs[2])
    return obj.attr(expr.range, m, name.text)


def _emit_isinstance(
    m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint
) -> SugaredValue:
    check_number_of_inputs(expr, 2)
    return SimpleValue(emit_isinstance(m, expr.inputs[0], expr.inputs[1]).value)


def _emit_hasattr(
    m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint
) -> SugaredValue:
    check_number_of_inputs(expr, 2)
    return SimpleValue(emit_hasattr(m, expr.inputs[0], expr.inputs[1]).value)


def _emit_range(
    m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint
) -> SugaredValue:
    return RangeValue(expr.range, m, emit_values(m, expr.inputs))


def _emit_enumerate(
    m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint
) -> SugaredValue:
    range = expr.range
    for attribute in expr.attributes:
        if attribute.name.name != "start":
            raise FrontendError(
                f"enumerate expected kwarg name 'start', got '{attribute.name.name}'", range
            )
    inputs = [*expr.inputs, *(attribute.value for attribute in expr.attributes)]
    if not 1 <= len(inputs) <= 2:
        bound = "at least 1 arguments" if not inputs else "at most 2 arguments"
        raise FrontendError(f"enumerate expected {bound}, got {len(inputs)}", range)
    bounds: list[SSAValue] = []
    if len(inputs) == 2:
        bounds.append(m.emit_sugared(inputs[1]).as_value(range, m))
    bounds.append(m.literal(MAX_INT, range))
    iterable = m.emit_sugared(inputs[0]).iter(range, m)
    tree = IterableTree()
    tree.add(range, RangeValue(range, m, bounds, iterable.static_length()))
    tree.add(range, iterable)
    return tree


def _emit_slice(
    m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint
) -> SugaredValue:
    if not 1 <= len(expr.inputs) <= 3:
        raise FrontendError(
            f"slice accepts exactly 1, 2 or 3 arguments, got: {len(expr.inputs)}", expr.range
        )
    if len(expr.attributes):
        raise FrontendError("Slice does not accept any keyword arguments", expr.range)
    given = emit_values(m, expr.inputs)
    start, end, step = (None, *given, None) if len(given) == 1 else (*given, None)[:3]
    return SliceValue(
        m.graph.constant(0, expr.range) if _is_none(start) else start,
        m.graph.constant(MAX_INT, expr.range) if _is_none(end) else end,
        m.graph.constant(1, expr.range) if _is_none(step) else step,
    )


def _is_none(value: SSAValue | None) -> bool:
    return value is None or type_of(value) == NONE


def _emit_zip(m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint) -> SugaredValue:
    if not len(expr.inputs):
        raise FrontendError("zip expected at least 1 arguments, got 0", expr.range)
    tree = IterableTree()
    for iterable in expr.inputs:
        tree.add(expr.range, m.emit_sugared(iterable).iter(expr.range, m))
    return tree


def _emit_tuple(
    m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint
) -> SugaredValue:
    check_number_of_inputs(expr, 1)
    value = m.emit_sugared(expr.inputs[0])
    parts = [part.as_value(expr.range, m) for part in value.as_tuple(expr.range, m)]
    return SimpleValue(m.graph.tuple_of(parts))


def _emit_list(m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint) -> SugaredValue:
    range = expr.range
    if not len(expr.inputs):
        wanted = hint or ListType(TENSOR)
        if not isinstance(wanted, ListType):
            raise FrontendError(
                f"Expected list type annotation for list(), found {describe(wanted)}", range
            )
        return SimpleValue(m.graph.list_of(wanted.element, ()))
    check_number_of_inputs(expr, 1)
    iterable = m.emit_sugared(expr.inputs[0])
    if isinstance(iterable, SimpleValue) and (
        isinstance(iterable.type, ListType) or iterable.type == STR
    ):
        args = [NamedValue(iterable.value)]
        return SimpleValue(emit_builtin_call(m, range, "aten::list", args, []))
    name, element = m.temporary("$_iter"), m.temporary("$_elem")
    m.frame.set(range, name, iterable)
    target = Var.create(range, Ident.create(range, element))
    source = Var.create(range, Ident.create(range, name))
    return SimpleValue(emit_comprehension(m, ListComp.create(range, target, target, source), hint))


def _emit_dict(m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint) -> SugaredValue:
    range = expr.range
    wanted = hint.element if isinstance(hint, OptionalType) else hint
    if isinstance(wanted, UnionType):
        wanted = _dict_in_union(wanted, range)
    if len(expr.inputs) > 1:
        check_number_of_inputs(expr, 0, 1)
    source = expr.inputs[0] if len(expr.inputs) else make_list_literal(range)
    if isinstance(source, DictLiteral) and wanted is not hint:
        source = _pairs_of(source)
    if isinstance(source, ListLiteral):
        pairs = [*source.inputs, *(_keyword_pair(range, each) for each in expr.attributes)]
        if not pairs:
            known = wanted if isinstance(wanted, DictType) else DictType(STR, TENSOR)
            return SimpleValue(m.graph.dict_of(known, (), ()))
        return _dict_of_pairs(m, range, m.emit_sugared(ListLiteral.create(range, pairs)), wanted)
    iterable = m.emit_sugared(source, 1, hint)
    if not (isinstance(iterable, SimpleValue) and isinstance(iterable.type, DictType)):
        check_number_of_inputs(expr, 1)
        return _dict_of_pairs(m, range, iterable, wanted)
    made = emit_builtin_call(m, range, "aten::dict", [NamedValue(iterable.value)], [])
    for each in expr.attributes:
        key = m.graph.constant(each.name.name, each.range)
        args = [NamedValue(made), NamedValue(key), NamedValue(m.emit_expr(each.value))]
        emit_builtin_call(m, each.range, "aten::_set_item", args, [])
    return SimpleValue(made)


def _dict_in_union(hint: UnionType, range: SourceRange) -> Hint:
    """The only dict that a union can be."""
    dicts = [member for member in hint.members if isinstance(member, DictType)]
    if len(dicts) > 1:
        raise FrontendError(
            f"There are multiple candidate Dict types in the Union type annotation `{describe(hint)}`,"
            " and full type inference is not yet supported for the `dict()` constructor.",
            range,
        )
    if not dicts and ANY not in hint.members:
        raise FrontendError(
            f"Expected an Union type annotation with an inner Dict type, but got {describe(hint)}",
            range,
        )
    return dicts[0] if dicts else None


def make_list_literal(range: SourceRange) -> ListLiteral:
    """`[]`."""
    return ListLiteral.create(range, [])


def _pairs_of(literal: DictLiteral) -> ListLiteral:
    """`[(k, v)]` for `{k: v}`."""
    items = zip(literal.key_inputs, literal.value_inputs, strict=True)
    pairs = [TupleLiteral.create(literal.range, [key, value]) for key, value in items]
    return ListLiteral.create(literal.range, pairs)


def _keyword_pair(range: SourceRange, attribute: Attribute) -> TupleLiteral:
    name = StringLiteral.create(range, attribute.name.name)
    return TupleLiteral.create(range, [name, attribute.value])


def _dict_of_pairs(
    m: EmissionContext, range: SourceRange, iterable: SugaredValue, hint: Hint
) -> SugaredValue:
    """A dict of an iterable of pairs: `{k: v for k, v in iterable}`."""
    name = m.temporary("$_iter")
    m.frame.set(range, name, iterable)
    key, value = (Var.create(range, Ident.create(range, m.temporary(p))) for p in ("$_k", "$_v"))
    pair = TupleLiteral.create(range, [key, value])
    each = Var.create(range, Ident.create(range, name))
    comprehension = DictComp.create(range, key, value, pair, each)
    return SimpleValue(emit_dict_comprehension(m, comprehension, hint))


def _emit_tolist(
    m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint
) -> SugaredValue:
    if hint is None:
        raise FrontendError("Expected type hint for result of tolist()", expr.range)
    depth, element = 0, hint
    while isinstance(element, ListType):
        depth, element = depth + 1, element.element
    kinds = {"int": 0, "float": 1, "bool": 2, "complex": 3}
    kind = kinds.get(element.annotation_str)
    if kind is None:
        raise FrontendError(
            f"{describe(element)} is not one of the supported element types for tolist: int, float,"
            " complex, bool",
            expr.range,
        )
    assert form.of is not None
    dim, elem = m.graph.constant(depth), m.graph.constant(kind)
    operands = (form.of.value, dim, elem)
    return SimpleValue(m.graph.value(operator_class("prim::tolist"), operands, hint))


def _emit_index(
    m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint
) -> SugaredValue:
    assert form.of is not None
    range = expr.range
    if len(expr.inputs) != 1:
        count = len(expr.inputs)
        place = range if count else expr.callee.range
        raise FrontendError(f"__getitem__ expected exactly 1 arguments, got {count}", place)
    sliced, tensors = emit_int_and_slice_indexing(m, range, form.of.value, expr.inputs)
    if not tensors:
        return SimpleValue(sliced)
    at = NamedValue(m.graph.list_of(OptionalType(TENSOR), tensors))
    return SimpleValue(emit_builtin_call(m, range, "aten::index", [NamedValue(sliced), at], []))


def _emit_unchecked_cast(
    m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint
) -> SugaredValue:
    check_number_of_inputs(expr, 2)
    type_ = m.types.parse(expr.inputs[0])
    return SimpleValue(m.graph.unchecked_cast(m.emit_expr(expr.inputs[1]), type_))


def _emit_uninitialized(
    m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint
) -> SugaredValue:
    check_number_of_inputs(expr, 1)
    return SimpleValue(m.graph.uninitialized(m.types.parse(expr.inputs[0])))


def _emit_fork(m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint) -> SugaredValue:
    if not len(expr.inputs):
        raise FrontendError("Expected at least one argument to fork()", expr.range)
    range = expr.range
    forked = m.emit_sugared(expr.inputs[0])
    args, kwargs = _positional(m, list(expr.inputs)[1:]), _keywords(m, expr)
    closure = m.graph.node(ClosureOp, (), (NONE,), range)
    block = new_block()
    closure.add_region(Region(block))
    with m.in_frame(block):
        result = forked.call(range, m, args, kwargs).as_value(range, m)
        add_output(block, result)
    set_type(closure.results[0], FutureType(type_of(result)))
    return SimpleValue(closure.results[0])


def _emit_new_object(
    m: EmissionContext, expr: Apply, form: SpecialFormValue, hint: Hint
) -> SugaredValue:
    """`C.__new__(C)`, as the code of archives makes objects."""
    check_number_of_inputs(expr, 1)
    class_ = m.emit_sugared(expr.inputs[0])
    if not isinstance(class_, ClassValue):
        raise FrontendError("__new__ takes a class", expr.range)
    return SimpleValue(m.graph.value(CreateObjectOp, (), class_.definition.type, expr.range))


SPECIAL_FORMS: dict[
    str, Callable[[EmissionContext, Apply, SpecialFormValue, Hint], SugaredValue]
] = {
    "prim::annotate": _emit_annotate,
    "prim::getattr": _emit_getattr,
    "prim::isinstance": _emit_isinstance,
    "prim::HasAttr": _emit_hasattr,
    "prim::range": _emit_range,
    "prim::enumerate": _emit_enumerate,
    "prim::zip": _emit_zip,
    "prim::slice": _emit_slice,
    "prim::TupleConstruct": _emit_tuple,
    "prim::list": _emit_list,
    "prim::dict": _emit_dict,
    "prim::tolist": _emit_tolist,
    "aten::index": _emit_index,
    "prim::unchecked_cast": _emit_unchecked_cast,
    "prim::Uninitialized": _emit_uninitialized,
    "prim::fork": _emit_fork,
    "prim::CreateObject": _emit_new_object,
}
"""By form, what emits a call of it."""
