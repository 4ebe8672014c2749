"""Lists that are made in sight and never changed (PyTorch: passes/peephole_list_idioms.cpp)."""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.ir import edit
from torchscript_dialect.patterns.memory import Memory
from torchscript_dialect.patterns.values import fold_to, forward
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.core import BOOL, FLOAT, INT

# Inside a class, Python would take this name for a private one.
GetItemOp = aten.__Getitem__TOp  # pyright: ignore[reportPrivateUsage]

MOST_ELEMENTS = 1024
"""Of a list that is made of two: forty lists that are each twice the one before have no end."""

NUMBERS = (ListType(INT), ListType(FLOAT), ListType(BOOL))
"""Lists whose elements are constants like any other."""


class ListPattern(RewritePattern):
    """A pattern that looks into lists."""

    def __init__(self, memory: Memory, *, is_specialized: bool = False) -> None:
        self.memory = memory
        self.is_specialized = is_specialized
        """Whether the types of tensors are those of all calls, so that the sizes of one are a list of known length. Graphs as users see
        them are not; of these, no more lists go than in PyTorch.
        """

    def elements(self, value: SSAValue, reader: Operation) -> tuple[SSAValue, ...] | None:
        """What a list holds where an op reads it: it is never changed, or nobody has had a look at it before."""
        found = self.memory.elements(value)
        maker = value.owner
        if found is not None or not isinstance(maker, prim.ListConstructOp):
            return found
        is_first = maker.parent is reader.parent and _first_user(maker) is reader
        return tuple(maker.operands) if is_first else None

    def length(self, value: SSAValue) -> int | None:
        """How many elements a list has that is never changed: made in sight, constant, or the sizes of a tensor of known rank."""
        found = self.memory.elements(value)
        if found is not None:
            return len(found)
        if not self.is_specialized:
            return None
        if isinstance(value.owner, aten.SizeOp):
            return None if self.memory.is_written(value) else self.rank(value.owner)
        known = edit.constant_value(value) if value.type in NUMBERS else None
        return None if known is None or self.memory.is_written(value) else len(known)

    def rank(self, op: aten.SizeOp) -> int | None:
        """How many sizes an op gives, in all calls of what is specialized so."""
        type_ = self.memory.known_tensor(op.self)
        return None if type_ is None else type_.dim

    def taken(
        self, value: SSAValue, places: Sequence[int], rewriter: PatternRewriter
    ) -> list[SSAValue]:
        """The elements of a list of known length that stand at some places, made where the list was made if they have no values."""
        maker = value.owner
        if isinstance(maker, aten.SizeOp):
            return [_size(maker, place, rewriter) for place in places]
        found = self.memory.elements(value)
        if found is not None:
            return [found[place] for place in places]
        known, element = edit.constant_value(value), prim.type_of(value)
        assert isinstance(element, ListType)
        made = [prim.ConstantOp.of(known[place], element.element) for place in places]
        for one in made:
            rewriter.insert(one)
        return [one.results[0] for one in made]

    def replace(
        self, op: Operation, elements: Sequence[SSAValue], rewriter: PatternRewriter
    ) -> None:
        """Put a new list with these elements in the place of the one that an op gives."""
        made = prim.ListConstructOp.create(
            operands=elements, result_types=op.result_types, location=op.location
        )
        self.memory.aliases.replace_with_new_value(op.results[0], made.results[0])
        rewriter.replace(op, made)


def _size(op: aten.SizeOp, dim: int, rewriter: PatternRewriter) -> SSAValue:
    """One of the sizes that an op gives, asked for where that asks."""
    place = prim.ConstantOp.of(dim, INT)
    size = aten.SizeIntOp.create(
        operands=[op.self, place.results[0]], result_types=[INT], location=op.location
    )
    rewriter.insert((place, size), InsertPoint.before(op))
    return size.results[0]


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
    """`aten::__getitem__(prim::ListConstruct(%x, %y), 1)` -> `%y`

    `aten::__getitem__(aten::size(%x : Float(*, *)), 1)` -> `aten::size(%x, 1)`
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GetItemOp, rewriter: PatternRewriter, /) -> None:
        index = _known_int(op.idx)
        if index is None:
            return
        elements = self.elements(op.list, op)
        if elements is not None and -len(elements) <= index < len(elements):
            forward(rewriter, op, elements[index])
        elif isinstance(op.list.owner, aten.SizeOp):
            length = self.length(op.list)
            if length is not None and -length <= index < length:
                forward(rewriter, op, *self.taken(op.list, [index % length], rewriter))


class UnpackListConstruct(ListPattern):
    """`%a, %b = prim::ListUnpack(prim::ListConstruct(%x, %y))` -> `%x, %y`

    `%a, %b = prim::ListUnpack(aten::size(%x : Float(*, *)))` -> `aten::size(%x, 0), aten::size(%x, 1)`
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.ListUnpackOp, rewriter: PatternRewriter, /) -> None:
        (given,) = op.operands
        if self.length(given) == len(op.results):
            forward(rewriter, op, *self.taken(given, range(len(op.results)), rewriter))


class ConcatenateListConstructs(ListPattern):
    """`aten::add(prim::ListConstruct(%x), prim::ListConstruct(%y))` -> `prim::ListConstruct(%x, %y)`

    Either may be the sizes of a tensor of known rank, or constant.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.AddTOp, rewriter: PatternRewriter, /) -> None:
        first, second = map(self.length, op.operands)
        if first is None or second is None or self.memory.is_written(op.results[0]):
            return
        if first + second > MOST_ELEMENTS:
            return
        elements = [
            one
            for value, length in zip(op.operands, (first, second))
            for one in self.taken(value, range(length), rewriter)
        ]
        self.replace(op, elements, rewriter)


class SliceListConstruct(ListPattern):
    """`aten::slice(prim::ListConstruct(%x, %y), 1, None, 1)` -> `prim::ListConstruct(%y)`

    `aten::slice(aten::size(%x : Float(*, *, *)), 1, None, 1)` -> `prim::ListConstruct(aten::size(%x, 1), aten::size(%x, 2))`
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.SliceTOp, rewriter: PatternRewriter, /) -> None:
        length = self.length(op.l)
        bounds = [edit.constant_value(value, edit.NOT_CONSTANT) for value in op.operands[1:]]
        if length is None or edit.NOT_CONSTANT in bounds or bounds[2] < 1:
            return
        if self.memory.is_written(op.results[0]):
            return
        places = range(length)[slice(*bounds)]
        self.replace(op, self.taken(op.l, places, rewriter), rewriter)


class CopyOfList(ListPattern):
    """`aten::list(%l)` -> `%l`, where nobody writes to either and the caller cannot tell the two apart."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.ListTOp, rewriter: PatternRewriter, /) -> None:
        if self.is_specialized and self.memory.unify(op.results[0], op.l):
            forward(rewriter, op, op.l)


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


def _known_int(value: SSAValue) -> int | None:
    """A constant, or what counts the trips of a loop that is unrolled: a constant and what is added to it."""
    added = 0
    while isinstance(op := value.owner, aten.AddIntOp):
        more = edit.constant_value(op.b)
        if more is None:
            return None
        added += more
        value = op.a
    known = edit.constant_value(value)
    return known + added if isinstance(known, int) else None


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
    CopyOfList,
)
