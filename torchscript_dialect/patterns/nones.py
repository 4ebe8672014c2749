"""What types say of None (PyTorch: passes/peephole.cpp)."""

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.dialects import aten, prim, prim_operators
from torchscript_dialect.dialects.prim import ConstantOp, type_of
from torchscript_dialect.patterns.values import fold_to, forward, use_instead
from torchscript_dialect.types.containers import OptionalType, UnionType
from torchscript_dialect.types.core import ANY, NONE, NoneType
from torchscript_dialect.types.subtyping import is_subtype, unshaped

# Inside a class, Python would take these names for private ones.
IsOp = aten.__Is__Op  # pyright: ignore[reportPrivateUsage]
IsNotOp = aten.__Isnot__Op  # pyright: ignore[reportPrivateUsage]
UnwrapOptionalOp = aten._UnwrapOptionalOp  # pyright: ignore[reportPrivateUsage]


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


class DecideIsNone(RewritePattern):
    """`aten::__is__(%x : Tensor, None)` -> `False`

    Two Nones are left to constant propagation.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: IsOp | IsNotOp, rewriter: PatternRewriter, /) -> None:
        a, b = op.self, op.obj
        if (must_be_none(a) and must_not_be_none(b)) or (must_be_none(b) and must_not_be_none(a)):
            fold_to(rewriter, op, isinstance(op, IsNotOp))


class UnwrapPresentValue(RewritePattern):
    """`aten::_unwrap_optional(%x : Tensor)` -> `%x`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: UnwrapOptionalOp | prim_operators.UncheckedUnwrapOptionalOp,
        rewriter: PatternRewriter,
        /,
    ) -> None:
        if must_not_be_none(op.optional):
            forward(rewriter, op, op.optional)


class DropUncheckedCast(RewritePattern):
    """`prim::unchecked_cast(%x : Tensor) : Tensor?` -> `%x`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.UncheckedCastOp, rewriter: PatternRewriter, /) -> None:
        value, result = op.operands[0], op.results[0]
        if is_subtype(unshaped(type_of(value)), unshaped(type_of(result))):
            forward(rewriter, op, value)


class UseNoneForResult(RewritePattern):
    """`%n : NoneType = prim::CallFunction(%f)`, uses of `%n` -> `None`

    Of an early return carried by a loop, of a call. The op stays.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        for result in op.results:
            if type(result.type) is not NoneType or result.first_use is None:
                continue
            if not isinstance(op, ConstantOp):
                none = rewriter.insert(ConstantOp.of(None, result.type))
                use_instead(rewriter, result, none.results[0])
