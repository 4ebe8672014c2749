"""How an operator becomes linalg: one class a rule, found through the slot `lower` of the operator's declaration.

Note [Lowering of operators]
An `OperatorLowering` is a rewrite pattern, and more: it says which nodes it takes, so that fusion can ask, and what shape they
give, because all shapes of a graph are found before its first node is rewritten (Note [Symbolic sizes]). `lower` in the
operator table names the class, as `module:Class`, or is it:

    registry.attach("aten::mm", lower="lowering.linalg.matmul:MatrixProduct")

Fusion asks in processes that then find their kernels on disk. So files with lowerings import no dialect of upstream: a lowering
makes ops by the methods of a `LinalgBuilder`, which is imported when a graph is converted.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from lowering.linalg.symbolic_shapes import Shape
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.locations import at
from torchscript_dialect.ir.pattern_driver import RootedPattern
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.errors import PassError

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder


class OperatorLowering(RootedPattern):
    """See Note [Lowering of operators]. An instance is for one class of op in one conversion."""

    is_view: ClassVar[bool] = False
    """Whether the results are views of the operand, or tell its sizes, for which alone no kernel is worth making."""
    turns: ClassVar[bool] = False
    """Whether a view has the dimensions of the operand in another order."""
    repeats: ClassVar[bool] = False
    """Whether a view has dimensions that the operand has not: the strides of these tell nothing of the order in memory."""
    vanishes: ClassVar[bool] = False
    """Whether the op becomes nothing of its own: the lowerings of its users look at it."""
    writes: ClassVar[bool] = False
    """Whether the operator writes to its first operand, which it gives: in a group, to what nobody sees before the group ends."""
    takes_properties: ClassVar[bool] = False
    """Whether the op may be given the dtype or the device of a tensor: it has the type of its result instead."""
    follows_order: ClassVar[bool] = True
    """Whether the order in memory of the results is that of the operands."""
    skips_unused: ClassVar[bool] = False
    """Whether results that nobody uses are not computed, so that nothing has to be known of them."""
    takes_complex: ClassVar[bool] = False
    """Whether elements may be complex numbers, in kernels of the CPU."""
    joins_groups: ClassVar[bool] = True
    """Whether fusion may put such nodes into groups."""
    wider: ClassVar[str | None] = None
    """Where the lowering of nodes is that this one does not take: no kernel has them, and they are lowered for other compilers."""

    def __init__(self, root: type[Operation], builder: LinalgBuilder) -> None:
        self.roots = (root,)
        self.builder = builder

    @classmethod
    @abstractmethod
    def takes(cls, op: Any) -> bool:
        """Whether the op, of whose results all is known, has a form in linalg that gives what the operator would."""

    @classmethod
    def gives_views(cls, op: Any) -> bool:
        """See `is_view`, of those that give views of some operands, and new tensors of others."""
        return cls.is_view

    @classmethod
    def suits_kernel(cls, op: Any) -> bool:
        """Whether a kernel may compute what linalg says, and pays: kernels give tensors without gaps, and walk memory in its order."""
        return True

    @classmethod
    def pays_alone(cls, op: Any) -> bool:
        """Whether a kernel of the op alone is faster than NumPy."""
        return True

    @classmethod
    def pays_at_once(cls, op: Any) -> bool:
        """Whether NumPy takes as long for the op as for several others, whatever its size: its kernel pays like theirs."""
        return False

    @classmethod
    def updates(cls, op: Any) -> Sequence[SSAValue]:
        """The operands that the op writes to besides what it gives, which come from outside: Note [Updates in groups]."""
        return ()

    @classmethod
    def weight(cls, op: Any) -> int | None:
        """About how many instructions the op adds to a loop that it shares with others; None for one that begins loops of its own."""
        return 0 if cls.is_view else None

    @classmethod
    def fitting_numbers(cls, op: Any) -> Iterable[tuple[SSAValue, dtype]]:
        """Numbers that are not known, each with a dtype whose elements have to be able to hold it: the operator raises for others."""
        return ()

    @abstractmethod
    def shapes(self, b: Any, op: Any) -> Sequence[Shape | None]:
        """The shapes of the results, None for a number; sizes that have to be equal are united. `b` is the conversion's builder: what
        leaves for other compilers alone has an `ExportBuilder`.

        Raises:
            LoweringError: the shapes of the operands do not fit together.
        """

    @abstractmethod
    def lower(self, b: Any, op: Any) -> Sequence[SSAValue | None]:
        """Make ops that compute the op from its operands, which are tensors by now; their results, None for one that nobody uses, and
        behind these what its `updates` become.
        """

    def rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if self.vanishes or not self.builder.lowers_with(op, self):
            return
        for operand in op.operands:
            type_ = self.builder.type_of(operand)
            if isinstance(type_, TensorType) and type_.data.dtype is None:
                raise PassError(
                    f"{op.name}: the dtype of an operand is not known: ts-propagate-shapes comes first{at(op)}"
                )
        self.builder.rewriter = rewriter
        values = self.lower(self.builder, op)
        count, updated = len(op.results), self.updates(op)
        for old, new in zip((*op.results, *updated), values, strict=True):
            if new is not None:
                self.builder.replaced(old, new)
        for old, new in zip(updated, values[count:], strict=True):
            _give(op, old, new)
        rewriter.replace(op, (), values[:count])


def _give(op: Operation, old: SSAValue, new: SSAValue | None) -> None:
    """Let the block of an op give a value in the place of an argument."""
    end = None if op.parent is None else op.parent.last_op
    assert end is not None and new is not None
    for place, value in enumerate(end.operands):
        if value is old:
            end.operands[place] = new


STRUCTURAL: dict[type[Operation], str] = {
    prim.ConstantChunkOp: "lowering.linalg.views:Chunks",
    prim.ListConstructOp: "lowering.linalg.sizes:SizeList",
    prim.ListUnpackOp: "lowering.linalg.pieces:Unpacking",
}
"""The lowerings of nodes that are no operators."""


def lowering_of(op_class: type[Operation]) -> type[OperatorLowering] | None:
    """The lowering of ops of a class, None where there is none."""
    if issubclass(op_class, OperatorOp):
        found = None if op_class.OPERATOR is None else op_class.OPERATOR.lower
    else:
        found = STRUCTURAL.get(op_class)
    return load(found) if isinstance(found, str) else found


def widest_lowering_of(op: Operation) -> type[OperatorLowering] | None:
    """The lowering of an op for other compilers: the first that takes it, or else the last of those that there are."""
    found = lowering_of(type(op))
    if found is not None and (found.writes or found.updates(op)):
        return None
    while found is not None and found.wider is not None and not found.takes(op):
        found = load(found.wider)
    return found


@lru_cache(maxsize=256)
def load(place: str) -> type[OperatorLowering]:
    """The lowering at a place, `module:Class`."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def is_view(op: Operation) -> bool:
    """Whether the op's results are views of its operand, or tell its sizes."""
    lowering = lowering_of(type(op))
    return lowering is not None and lowering.gives_views(op)


def vanishes(op: Operation) -> bool:
    """Whether the op becomes nothing of its own: in a kernel, nothing stands for what it gives."""
    lowering = lowering_of(type(op))
    return lowering is not None and lowering.vanishes


def pays_alone(op: Operation) -> bool:
    """Whether a kernel of the op alone is worth having."""
    lowering = lowering_of(type(op))
    return lowering is not None and lowering.pays_alone(op)
