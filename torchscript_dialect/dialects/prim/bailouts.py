"""Nodes that leave a program where a promise of it is broken.

Note [Bail-outs]
`prim::Guard` promises that its result has the type that it says. It cannot be run: `ts-insert-bailouts` makes a `prim::BailOut` of it.
All those of a function share one `prim::BailoutTemplate`, which carries the function as it was, without any promise. In it a
`prim::BailOutPoint` stands for every guard and says by its operands which values are alive there; the bail-out of the same `index`
takes these. Where a value does not have the type that was promised, the rest of the template after that point, its tail, runs on
the values that are alive, and what it gives is what the function gives. A tail is made when it is needed
(runtime/interpreter/bailout_graph.py).

Note [Alive at a point]
Alive is what the tail of a point uses and does not make itself: what is used after the point in its block, then after the node around
that block, and so on outward. A body of a loop runs again, so that all that it uses from outside of the loop is alive in all of it,
and so are the trip count and the number of the trip. Constants are never alive, since a tail makes its own. What a point takes is no
use. Blocks are walked from their ends with one set. The two blocks of a branch begin with the same one: what the first has added is
taken out for the second, and as the first is the smaller one, all together take n log n steps.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from xdsl.ir import Block, Operation, OpTraits, SSAValue
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from torchscript_dialect.dialects.accessors import AttributeValue, Operand, Operands
from torchscript_dialect.dialects.interfaces import Acts, Aliases
from torchscript_dialect.dialects.prim.constants import ConstantOp
from torchscript_dialect.dialects.prim.constraints import INDEX, constrain
from torchscript_dialect.dialects.prim.control_flow import EnterOp, IfOp, LoopOp
from torchscript_dialect.dialects.prim.op import PrimOp, require, require_subtype, type_of
from torchscript_dialect.ops.aliasing import Aliasing
from torchscript_dialect.types.core import INT


class BailOutPointOp(PrimOp):
    """Where the tail begins that `prim::BailOut`s of this `index` run: Note [Bail-outs].

    The operands are the values that are alive here, the guarded one first.
    """

    name = "prim.BailOutPoint"
    RESULTS = 0
    ATTRIBUTES = constrain(index=INDEX)
    traits = OpTraits(lambda: (Acts(), Aliases()))

    alive = Operands()
    index = AttributeValue("index")

    def verify_types(self) -> None:
        require(bool(self.operands), "prim::BailOutPoint takes the value that is guarded")


class BailoutTemplateOp(PrimOp):
    """The function as it was without promises: Note [Bail-outs]. The result is there to be given to `prim::BailOut`s."""

    name = "prim.BailoutTemplate"
    OPERANDS = 0
    RESULTS = REGIONS = 1
    traits = OpTraits(lambda: (IsolatedFromAbove(), Acts(), Aliases()))

    @property
    def body(self) -> Block:
        return self.regions[0].block

    def points(self) -> dict[int, BailOutPointOp]:
        """The points of the program by their indices."""
        return {op.index: op for op in _ops_in(self.body) if isinstance(op, BailOutPointOp)}

    def verify_types(self) -> None:
        require_subtype(type_of(self.results[0]), INT, "the result of prim::BailoutTemplate")
        outer = self.parent_op()
        require(
            outer is None or outer.has_trait(IsolatedFromAbove),
            "prim::BailoutTemplate stands in no block of another node",
        )
        self._verify_points()
        self._verify_bailouts()

    def _verify_points(self) -> None:
        seen: set[int] = set()
        for point, needed in alive_at_points(self.body).items():
            require(
                point.index not in seen, f"two points of a program have the index {point.index}"
            )
            seen.add(point.index)
            if not {*needed} <= {*point.alive}:
                raise VerifyException(
                    f"prim::BailOutPoint {point.index} does not take all values that are alive there"
                )

    def _verify_bailouts(self) -> None:
        points = self.points()
        given = _given(self.body)
        returned = _given(self.parent) if self.parent is not None else given
        require(
            len(returned) == len(given),
            f"prim::BailoutTemplate gives {len(given)} values, its function {len(returned)}",
        )
        for value, expected in zip(given, returned, strict=True):
            require_subtype(type_of(value), type_of(expected), "what prim::BailoutTemplate gives")
        for use in self.results[0].uses:
            if isinstance(use.operation, BailOutOp) and use.index == 0:
                use.operation.verify_()
                use.operation.verify_point(points)


class BailOutOp(PrimOp):
    """The second operand where it has the type of the result; where it has not, the rest of the template, which is the first operand,
    runs on the operands after that: Note [Bail-outs].
    """

    name = "prim.BailOut"
    RESULTS = 1
    ATTRIBUTES = constrain(index=INDEX)
    traits = OpTraits(lambda: (Acts(), Aliases(Aliasing(views=((0, 1),), references=(0,)))))

    template = Operand(0)
    value = Operand(1)
    alive = Operands(1)
    index = AttributeValue("index")

    def verify_types(self) -> None:
        require(
            len(self.operands) > 1 and isinstance(self.template.owner, BailoutTemplateOp),
            "prim::BailOut takes a prim::BailoutTemplate and the value that it guards",
        )
        require_subtype(
            type_of(self.results[0]), type_of(self.value), "the result of prim::BailOut"
        )

    def verify_point(self, points: dict[int, BailOutPointOp]) -> None:
        """Check this against the points of the template."""
        point = points.get(self.index)
        if point is None:
            raise VerifyException(f"prim::BailoutTemplate has no point {self.index}")
        require(
            len(point.alive) == len(self.alive),
            f"prim::BailOut takes {len(self.alive)} values to a point where {len(point.alive)} are alive",
        )
        for value, expected in zip(self.alive, point.alive, strict=True):
            require_subtype(type_of(value), type_of(expected), "an operand of prim::BailOut")


def alive_at_points(block: Block) -> dict[BailOutPointOp, list[SSAValue]]:
    """What is alive at each point of a program, in the order of its definition: Note [Alive at a point].

    Raises:
        VerifyException: a point stands where it has no tail.
    """
    liveness = _Liveness(block)
    liveness.block(block)
    return liveness.found


class _Liveness:
    """One walk over a program from its end: Note [Alive at a point]."""

    def __init__(self, block: Block) -> None:
        self.found: dict[BailOutPointOp, list[SSAValue]] = {}
        self.alive: set[SSAValue] = set()
        self.added: list[SSAValue] = []
        """What was added to `alive`, one after the other."""
        self.places: dict[SSAValue, int] = {}
        self.depths: dict[SSAValue, int] = {}
        """How many blocks are around the block that a value is defined in."""
        self.sizes: dict[Block, int] = {}
        self.kept: dict[LoopOp, set[SSAValue]] = {}
        """What a loop uses from outside, but for what a loop around it has from outside, too."""
        self.loops: list[LoopOp] = []
        self.loop_depths: list[int] = []
        """The loops around what is being numbered, and the depths of the blocks that they stand in."""
        self.enters = False
        self.in_tailless = False
        self._number(block, 0)

    def _number(self, block: Block, depth: int) -> None:
        """Look at the values of a block, and at what loops use."""
        self._define(block.args, depth)
        size = 0
        for op in block.ops:
            size += 1
            if not isinstance(op, BailOutPointOp):
                self.enters |= isinstance(op, EnterOp)
                self._note_uses(op)
            for inner in _blocks_of(op):
                if isinstance(op, LoopOp):
                    self.kept.setdefault(op, set())
                    self.loops.append(op)
                    self.loop_depths.append(depth)
                self._number(inner, depth + 1)
                if isinstance(op, LoopOp):
                    self.loops.pop()
                    self.loop_depths.pop()
                size += self.sizes[inner]
            self._define(op.results, depth)
        self.sizes[block] = size

    def _define(self, values: Iterable[SSAValue], depth: int) -> None:
        for value in values:
            self.places[value] = len(self.places)
            self.depths[value] = depth

    def _note_uses(self, op: Operation) -> None:
        for value in op.operands:
            if value in self.depths and not isinstance(value.owner, ConstantOp):
                outermost = bisect_left(self.loop_depths, self.depths[value])
                if outermost < len(self.loops):
                    self.kept[self.loops[outermost]].add(value)

    def block(self, block: Block) -> None:
        """Walk over a block from its end."""
        op = block.last_op
        while op is not None:
            if isinstance(op, BailOutPointOp):
                self._find(op)
            else:
                self.alive.difference_update(op.results)
                self._blocks(op)
                self._use(op.operands)
            op = op.prev_op
        self.alive.difference_update(block.args)

    def _find(self, point: BailOutPointOp) -> None:
        require(
            not (self.enters or self.in_tailless),
            "prim::BailOutPoint stands in blocks of branches and loops alone, where no `with` is entered",
        )
        point.verify_()
        guarded = point.alive[0]
        others = sorted(self.alive - {guarded}, key=self.places.__getitem__)
        self.found[point] = [guarded, *others]

    def _blocks(self, op: Operation) -> None:
        """Walk over the blocks of a node."""
        blocks = _blocks_of(op)
        if isinstance(op, IfOp) and len(blocks) == 2:
            smaller, larger = sorted(blocks, key=self.sizes.__getitem__)
            before = len(self.added)
            self.block(smaller)
            added = [value for value in self.added[before:] if value in self.alive]
            self.alive.difference_update(added)
            self.block(larger)
            self._use(added)
        elif isinstance(op, LoopOp) and len(blocks) == 1 and blocks[0].args and op.operands:
            self._use((op.max_trip_count, blocks[0].args[0], *self.kept[op]))
            self.block(blocks[0])
        else:
            outer, self.in_tailless = self.in_tailless, True
            for block in blocks:
                self.block(block)
            self.in_tailless = outer

    def _use(self, values: Iterable[SSAValue]) -> None:
        for value in values:
            if value not in self.alive and not isinstance(value.owner, ConstantOp):
                self.alive.add(value)
                self.added.append(value)


def _blocks_of(op: Operation) -> list[Block]:
    """The blocks of a node in which values of the program are used."""
    if not op.regions or op.has_trait(IsolatedFromAbove):
        return []
    return [block for region in op.regions for block in region.blocks]


def _ops_in(block: Block) -> Iterable[Operation]:
    """All nodes of a program, in no order that means anything."""
    waiting = [block]
    while waiting:
        for op in waiting.pop().ops:
            yield op
            waiting += _blocks_of(op)


def _given(block: Block) -> Sequence[SSAValue]:
    """The values that a program gives."""
    return () if block.last_op is None else tuple(block.last_op.operands)
