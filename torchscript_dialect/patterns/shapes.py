"""What types say of tensors that nobody writes to (PyTorch: passes/peephole.cpp)."""

from typing import cast

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.dialects import aten, prim_operators
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.patterns.memory import Memory
from torchscript_dialect.patterns.values import fold_to, forward
from torchscript_dialect.tensor.dtype import from_name


class ShapePattern(RewritePattern):
    """A pattern that looks at the types of tensors."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory


class ExpandToOwnSize(ShapePattern):
    """`aten::expand(%x : Float(2, 3), [2, 3], False)` -> `%x`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.ExpandOp, rewriter: PatternRewriter, /) -> None:
        type_, sizes = self.memory.known_tensor(op.self), edit.constant_value(op.size)
        if type_ is None or type_.sizes is None or sizes is None:
            return
        if tuple(sizes) == type_.sizes:
            forward(rewriter, op, op.self)


class TypeAsOwnType(ShapePattern):
    """`aten::type_as(%x : Float(device=cpu), %y : Float(device=cpu))` -> `%x`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.TypeAsOp, rewriter: PatternRewriter, /) -> None:
        a, b = self.memory.known_tensor(op.self), self.memory.known_tensor(op.other)
        if a is None or b is None or None in (a.dtype, a.device):
            return
        if (a.dtype, a.device) == (b.dtype, b.device):
            forward(rewriter, op, op.self)


class SizesOfKnown(ShapePattern):
    """`aten::size(%x : Float(2, 3))` -> `[2, 3]`, where nobody writes to the list."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.SizeOp, rewriter: PatternRewriter, /) -> None:
        type_ = self.memory.known_tensor(op.self)
        if type_ is None or type_.sizes is None or None in type_.sizes:
            return
        if not self.memory.is_written(op.results[0]):
            fold_to(rewriter, op, list(type_.sizes), type_of(op.results[0]))


class SizeOfKnown(ShapePattern):
    """`aten::size(%x : Float(2, 3), 1)` -> `3`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.SizeIntOp, rewriter: PatternRewriter, /) -> None:
        type_, dim = self.memory.known_tensor(op.self), edit.constant_value(op.dim)
        if type_ is None or type_.sizes is None or dim is None:
            return
        rank = len(type_.sizes)
        if -rank <= dim < rank and (size := cast(int | None, type_.sizes[dim])) is not None:
            fold_to(rewriter, op, size)


class DimOfKnown(ShapePattern):
    """`aten::dim(%x : Float(2, 3))` -> `2`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.DimOp, rewriter: PatternRewriter, /) -> None:
        type_ = self.memory.known_tensor(op.self)
        if type_ is not None and type_.dim is not None:
            fold_to(rewriter, op, type_.dim)


class LenOfSizes(ShapePattern):
    """`aten::len(aten::size(%x : Float(*, *)))` -> `2`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.LenTOp, rewriter: PatternRewriter, /) -> None:
        sizes = op.a.owner
        if not isinstance(sizes, aten.SizeOp) or self.memory.is_written(op.a):
            return
        type_ = self.memory.known_tensor(sizes.self)
        if type_ is not None and type_.dim is not None:
            fold_to(rewriter, op, type_.dim)


class SizesOfOtherRanks(ShapePattern):
    """`aten::eq(aten::size(%x : Float(*, *)), aten::size(%y : Long(*)))` -> `False`, and `aten::ne` -> `True`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: aten.EqIntListOp | aten.NeIntListOp, rewriter: PatternRewriter, /
    ) -> None:
        ranks: set[int] = set()
        for sizes in op.operands:
            owner = sizes.owner
            if not isinstance(owner, aten.SizeOp) or self.memory.is_written(sizes):
                return
            type_ = self.memory.known_tensor(owner.self)
            if type_ is None or type_.dim is None:
                return
            ranks.add(type_.dim)
        if len(ranks) > 1:
            fold_to(rewriter, op, isinstance(op, aten.NeIntListOp))


class DtypeOfKnown(ShapePattern):
    """`prim::dtype(%x : Float)` -> `6`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim_operators.DtypeOp, rewriter: PatternRewriter, /) -> None:
        type_ = self.memory.known_tensor(op.a)
        if type_ is not None and type_.dtype is not None:
            fold_to(rewriter, op, from_name(type_.dtype).scalar_type)


class IsFloatingPointOfKnown(ShapePattern):
    """`aten::is_floating_point(%x : Float)` -> `True`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.IsFloatingPointOp, rewriter: PatternRewriter, /) -> None:
        type_ = self.memory.known_tensor(op.self)
        if type_ is not None and type_.dtype is not None:
            fold_to(rewriter, op, from_name(type_.dtype).is_floating_point)


class IsComplexOfKnown(ShapePattern):
    """`aten::is_complex(%x : Float)` -> `False`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.IsComplexOp, rewriter: PatternRewriter, /) -> None:
        type_ = self.memory.known_tensor(op.self)
        if type_ is not None and type_.dtype is not None:
            fold_to(rewriter, op, from_name(type_.dtype).is_complex)


class DeviceOfKnown(ShapePattern):
    """`prim::device(%x : Float(device=cpu))` -> `cpu`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim_operators.DeviceOp, rewriter: PatternRewriter, /) -> None:
        type_ = self.memory.known_tensor(op.a)
        if type_ is not None and type_.device is not None:
            fold_to(rewriter, op, type_.device, type_of(op.results[0]))


class LayoutOfKnown(ShapePattern):
    """`prim::layout(%x : Float)` -> `0`, strided: tensors of other layouts have no refined types."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim_operators.LayoutOp, rewriter: PatternRewriter, /) -> None:
        if self.memory.known_tensor(op.a) is not None:
            fold_to(rewriter, op, 0)


class IsOnDevice(ShapePattern):
    """`prim::is_cuda(%x : Float(device=cpu))` -> `False`, `prim::is_cpu(%x)` -> `True`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: prim_operators.IsCudaOp | prim_operators.IsCpuOp,
        rewriter: PatternRewriter,
        /,
    ) -> None:
        type_ = self.memory.known_tensor(op.a)
        if type_ is None or type_.device is None:
            return
        device = "cuda" if isinstance(op, prim_operators.IsCudaOp) else "cpu"
        fold_to(rewriter, op, type_.device.partition(":")[0] == device)


SHAPES: tuple[type[ShapePattern], ...] = (
    ExpandToOwnSize,
    TypeAsOwnType,
    SizesOfKnown,
    SizeOfKnown,
    DimOfKnown,
    LenOfSizes,
    SizesOfOtherRanks,
    DtypeOfKnown,
    IsFloatingPointOfKnown,
    IsComplexOfKnown,
    DeviceOfKnown,
    LayoutOfKnown,
    IsOnDevice,
)
