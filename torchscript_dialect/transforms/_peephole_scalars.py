"""Peephole rules for values that are no tensors (PyTorch: passes/peephole_non_tensor.cpp,
peephole_list_idioms.cpp).
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.dialects.prim import ConstantOp, type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._peephole_context import Rewriter, Rule, overload
from torchscript_dialect.types.containers import DictType, ListType, OptionalType, UnionType
from torchscript_dialect.types.core import ANY, BOOL, INT, NONE, TorchScriptType
from torchscript_dialect.types.subtyping import is_subtype, unify_types, unshaped

_INT64_LIMIT = 2**63


def must_be_none(value: SSAValue) -> bool:
    """Whether the value is None whenever the program comes there."""
    if value.type == NONE:
        return True
    owner = value.owner
    is_constant = isinstance(owner, ConstantOp) and not owner.attributes
    return is_constant and isinstance(value.type, OptionalType)


def must_not_be_none(value: SSAValue) -> bool:
    """Whether the value's type, or the value of a constant, excludes None."""
    type_ = type_of(value)
    if isinstance(type_, OptionalType):
        return isinstance(value.owner, ConstantOp) and bool(value.owner.attributes)
    if isinstance(type_, UnionType):
        return NONE not in type_.members.data
    return type_ not in (NONE, ANY) and type_.KIND != "VarType"


def _is_none_test(rewriter: Rewriter, op: Operation) -> bool:
    """None against what is not None; two Nones are left to constant propagation."""
    a, b = op.operands
    is_not = op.name == "aten.__isnot__"
    if (must_be_none(a) and must_not_be_none(b)) or (must_be_none(b) and must_not_be_none(a)):
        return rewriter.fold(op, is_not)
    return False


def _unwrap(rewriter: Rewriter, op: Operation) -> bool:
    value = op.operands[0]
    return must_not_be_none(value) and rewriter.replace(op.results[0], value)


def _unchecked_cast(rewriter: Rewriter, op: Operation) -> bool:
    value, result = op.operands[0], op.results[0]
    if not is_subtype(unshaped(type_of(value)), unshaped(type_of(result))):
        return False
    return rewriter.replace(result, value)


def _whole_number(rewriter: Rewriter, op: Operation) -> bool:
    """`int(i)` and `ceil(i)` of an int."""
    if len(op.operands) != 1 or op.operands[0].type != INT:
        return False
    return rewriter.replace(op.results[0], op.operands[0])


def _if(rewriter: Rewriter, op: prim.IfOp) -> bool:
    """A result that is True where the condition is, and False elsewhere, is the condition; types of
    results are refined.
    """
    changed = False
    pairs = zip(*(prim.yielded(region) for region in op.regions), strict=True)
    for result, (then, otherwise) in zip(op.results, pairs, strict=True):
        if (
            result.type == BOOL
            and edit.constant_value(then) is True
            and edit.constant_value(otherwise) is False
        ):
            changed |= rewriter.replace(result, op.condition)
        types = (type_of(then), type_of(otherwise))
        if isinstance(result.type, OptionalType) and not any(
            isinstance(type_, OptionalType) for type_ in types
        ):
            unified = unify_types(*types)
            if unified is not None and unified != result.type:
                edit.set_type(result, unified)
                changed = True
    return changed


_COMPARABLE = ("BoolType", "IntType", "NoneType")


def _equal_to_itself(rewriter: Rewriter, op: Operation) -> bool:
    """`a == a` for values that equal themselves; a float may be NaN."""
    if len(op.operands) != 2 or op.operands[0] is not op.operands[1]:
        return False
    type_ = type_of(op.operands[0])
    parts: tuple[TorchScriptType, ...] = (type_,)
    if isinstance(type_, (ListType, DictType)):
        parts = type_.contained
    if any(part.KIND not in _COMPARABLE for part in parts):
        return False
    return rewriter.fold(op, op.name.startswith("aten.eq"))


def _int_constant(op: Operation) -> int | None:
    """The constant operand of int arithmetic; it is moved to the right where the order does not
    matter.
    """
    if len(op.operands) != 2 or any(v.type != INT for v in op.operands):
        return None
    a, b = op.operands
    commutes = isinstance(op, OperatorOp) and op.KIND in ("aten::mul", "aten::add")
    if commutes and isinstance(a.owner, ConstantOp):
        if not isinstance(b.owner, ConstantOp):
            op.operands = [b, a]
        return a.owner.value
    return edit.constant_value(b)


def _times_one(rewriter: Rewriter, op: Operation) -> bool:
    """`i * 1` and `i // 1`. `i / 1` is a float."""
    if _int_constant(op) != 1 or op.results[0].type != INT:
        return False
    return rewriter.replace(op.results[0], op.operands[0])


def _plus_constant(rewriter: Rewriter, op: Operation) -> bool:
    """`i + 0`, and `(i + a) + b` as `i + (a + b)`."""
    number = _int_constant(op)
    if number is None:
        return False
    if number == 0:
        return rewriter.replace(op.results[0], op.operands[0])
    inner = op.operands[0].owner
    if not isinstance(inner, OperatorOp) or inner.KIND not in ("aten::add", "aten::sub"):
        return False
    other = _int_constant(inner)
    if other is None or isinstance(inner.operands[0].owner, ConstantOp):
        return False
    assert isinstance(op, OperatorOp)
    merged = number + other if inner.KIND == op.KIND else number - other
    if merged == 0:
        return rewriter.replace(op.results[0], inner.operands[0])
    if not -_INT64_LIMIT <= merged < _INT64_LIMIT:
        return False
    op.operands = [inner.operands[0], edit.insert_constant(op, merged, INT)]
    return True


# Lists made in sight.


def _elements(rewriter: Rewriter, value: SSAValue) -> tuple[SSAValue, ...] | None:
    """The elements of a list that is made in sight and never changed."""
    if not isinstance(value.owner, prim.ListConstructOp) or rewriter.is_written(value):
        return None
    return tuple(value.owner.operands)


def _len(rewriter: Rewriter, op: Operation) -> bool:
    elements = _elements(rewriter, op.operands[0])
    return elements is not None and rewriter.fold(op, len(elements))


def _get_item(rewriter: Rewriter, op: Operation) -> bool:
    if overload(op) != "aten::__getitem__.t":
        return False
    index = edit.constant_value(op.operands[1])
    if not isinstance(index, int):
        return False
    elements = _elements(rewriter, op.operands[0])
    if elements is None or not -len(elements) <= index < len(elements):
        return False
    return rewriter.replace(op.results[0], elements[index])


def _list_unpack(rewriter: Rewriter, op: Operation) -> bool:
    elements = _elements(rewriter, op.operands[0])
    if elements is None or len(elements) != len(op.results):
        return False
    replaced = [rewriter.replace(r, e) for r, e in zip(op.results, elements, strict=True)]
    return any(replaced)


def _concatenate(rewriter: Rewriter, op: Operation) -> bool:
    if overload(op) != "aten::add.t":
        return False
    parts = [_elements(rewriter, operand) for operand in op.operands]
    known = [element for part in parts if part is not None for element in part]
    if None in parts or op.results[0].first_use is None or rewriter.is_written(op.results[0]):
        return False
    made = prim.ListConstructOp.create(operands=known, result_types=op.result_types)
    edit.insert_before(op, made)
    return rewriter.replace(op.results[0], made.results[0])


def _add(rewriter: Rewriter, op: Operation) -> bool:
    return _plus_constant(rewriter, op) or _concatenate(rewriter, op)


SCALAR_RULES: dict[str, Rule] = {
    "aten::__is__": _is_none_test,
    "aten::__isnot__": _is_none_test,
    "aten::_unwrap_optional": _unwrap,
    "prim::unchecked_unwrap_optional": _unwrap,
    "prim::unchecked_cast": _unchecked_cast,
    "aten::Int": _whole_number,
    "aten::ceil": _whole_number,
    "prim::If": _if,
    "aten::eq": _equal_to_itself,
    "aten::ne": _equal_to_itself,
    "aten::mul": _times_one,
    "aten::floordiv": _times_one,
    "aten::add": _add,
    "aten::sub": _plus_constant,
    "aten::len": _len,
    "aten::__getitem__": _get_item,
    "prim::ListUnpack": _list_unpack,
}
