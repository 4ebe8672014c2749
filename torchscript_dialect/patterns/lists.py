"""Lists that are made in sight and never changed (PyTorch: passes/peephole_list_idioms.cpp)."""

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.ir import edit
from torchscript_dialect.patterns.memory import Memory
from torchscript_dialect.patterns.values import fold_to, forward

# Inside a class, Python would take this name for a private one.
GetItemOp = aten.__Getitem__TOp  # pyright: ignore[reportPrivateUsage]

MOST_ELEMENTS = 1024
"""Of a list that is made of two: forty lists that are each twice the one before have no end."""


class ListPattern(RewritePattern):
    """A pattern that looks into lists."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def elements(self, value: SSAValue, reader: Operation) -> tuple[SSAValue, ...] | None:
        """What a list holds where an op reads it: it is never changed, or nobody has had a look at it before."""
        found = self.memory.elements(value)
        maker = value.owner
        if found is not None or not isinstance(maker, prim.ListConstructOp):
            return found
        is_first = maker.parent is reader.parent and _first_user(maker) is reader
        return tuple(maker.operands) if is_first else None


class LenOfListConstruct(ListPattern):
    """`aten::len(prim::ListConstruct(%x, %y))` -> `2`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: aten.LenTOp | aten.LenAnyOp, rewriter: PatternRewriter, /
    ) -> None:
        elements = self.elements(op.operands[0], op)
        if elements is not None:
            fold_to(rewriter, op, len(elements))


class ItemOfListConstruct(ListPattern):
    """`aten::__getitem__(prim::ListConstruct(%x, %y), 1)` -> `%y`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GetItemOp, rewriter: PatternRewriter, /) -> None:
        index = edit.constant_value(op.idx)
        if not isinstance(index, int):
            return
        elements = self.elements(op.list, op)
        if elements is not None and -len(elements) <= index < len(elements):
            forward(rewriter, op, elements[index])


class UnpackListConstruct(ListPattern):
    """`%a, %b = prim::ListUnpack(prim::ListConstruct(%x, %y))` -> `%x, %y`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.ListUnpackOp, rewriter: PatternRewriter, /) -> None:
        elements = self.memory.elements(op.operands[0])
        if elements is not None and len(elements) == len(op.results):
            forward(rewriter, op, *elements)


class ConcatenateListConstructs(ListPattern):
    """`aten::add(prim::ListConstruct(%x), prim::ListConstruct(%y))` -> `prim::ListConstruct(%x, %y)`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.AddTOp, rewriter: PatternRewriter, /) -> None:
        first, second = map(self.memory.elements, op.operands)
        if first is None or second is None or self.memory.is_written(op.results[0]):
            return
        if len(first) + len(second) > MOST_ELEMENTS:
            return
        made = prim.ListConstructOp.create(
            operands=(*first, *second), result_types=op.result_types, location=op.location
        )
        self.memory.aliases.replace_with_new_value(op.results[0], made.results[0])
        rewriter.replace(op, made)


class SliceListConstruct(ListPattern):
    """`aten::slice(prim::ListConstruct(%x, %y), 1, None, 1)` -> `prim::ListConstruct(%y)`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.SliceTOp, rewriter: PatternRewriter, /) -> None:
        elements = self.memory.elements(op.l)
        bounds = [edit.constant_value(value, edit.NOT_CONSTANT) for value in op.operands[1:]]
        if elements is None or edit.NOT_CONSTANT in bounds or bounds[2] < 1:
            return
        if self.memory.is_written(op.results[0]):
            return
        made = prim.ListConstructOp.create(
            operands=elements[slice(*bounds)],
            result_types=op.result_types,
            location=op.location,
        )
        self.memory.aliases.replace_with_new_value(op.results[0], made.results[0])
        rewriter.replace(op, made)


class AppendToListConstruct(ListPattern):
    """`%l = prim::ListConstruct(%x); aten::append(%l, %y)` -> `%l = prim::ListConstruct(%x, %y)`, if the append is the first use.

    Nobody has seen the shorter list then (PyTorch: passes/remove_mutation.cpp).
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.AppendTOp, rewriter: PatternRewriter, /) -> None:
        value, element = op.operands
        maker = value.owner
        if not isinstance(maker, prim.ListConstructOp) or maker.parent is not op.parent:
            return
        if _first_user(maker) is not op:
            return
        made = prim.ListConstructOp.create(
            operands=(*maker.operands, element),
            result_types=[value.type],
            location=maker.location,
        )
        rewriter.insert(made)
        self.memory.aliases.replace_with_new_value(value, made.results[0])
        rewriter.replace(op, (), made.results)
        rewriter.replace(maker, (), made.results)


def _first_user(maker: prim.ListConstructOp) -> Operation | None:
    """The first op behind one that makes a list, in its block, that takes the list, or holds ops that do."""
    value = maker.results[0]
    op = maker.next_op
    while op is not None:
        inside = [inner for region in op.regions for inner in edit.nested_ops(region.block)]
        if any(value in one.operands for one in (op, *inside)):
            return op
        op = op.next_op
    return None


LISTS: tuple[type[ListPattern], ...] = (
    LenOfListConstruct,
    ItemOfListConstruct,
    UnpackListConstruct,
    ConcatenateListConstructs,
    SliceListConstruct,
)
