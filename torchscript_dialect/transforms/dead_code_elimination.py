"""Removes what nobody can see (PyTorch: passes/dead_code_elimination.cpp).

A node stays if it has side effects, if it writes to memory that is known outside of the function,
if something that stays uses a result, or if it writes to memory that something later reads. So
`outputs.append(h)` goes with a list that is never read. Results of `prim::If`, and what loops
carry, go where nobody uses them.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb, is_passive
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of, has_side_effects, may_write
from torchscript_dialect.analysis.location_sets import Locations
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit
from torchscript_dialect.utils.properties import cached_property
from torchscript_dialect.utils.recursion import deep_recursion

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


class DeadCodeElimination(FunctionPass):
    """See the module."""

    name = "ts-dead-code-elimination"
    preserves = (AliasDb,)
    settles = True

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = eliminate_dead_code(function, analyses)
        dump(LOG, "After eliminateDeadCode: ", function)
        return changed


def eliminate_dead_code(function: FuncOp, analyses: Analyses) -> bool:
    """Remove dead nodes; whether anything went. What `analyses` holds is true of the function before and after."""
    if not _may_hold_dead_code(function.body.block):
        return False
    eliminator = _Eliminator(function, analyses)
    with deep_recursion():
        changed = eliminator.run()
    if eliminator.is_aliasing_changed:
        analyses.invalidate(function)
    return changed


def _may_hold_dead_code(block: Block) -> bool:
    """False where a look at each node tells that all stay: without inner blocks, dead nodes that use one another end in one that nobody
    uses.
    """
    return any(
        op.regions or not (_is_used(op) or has_side_effects(op)) for op in edit.body_ops(block)
    )


class _Eliminator:
    """Marks what is alive from the end to the beginning, then sweeps.

    Loops are marked until no more memory is found to be read, because their nodes read in the next iteration what others write in
    this one. What is alive in a block follows from the memory that is read and the results that are used: a block is looked at
    again only where these are others, so that loops in loops cost no more than what is found in them.
    """

    def __init__(self, function: FuncOp, analyses: Analyses) -> None:
        self.function = function
        self.block = function.body.block
        self.analyses = analyses
        self.has_writers = may_write(self.block)
        """Where nothing is written, what aliases what does not matter."""
        # Nodes and values by their `id`: they hash by it, but by a call of Python code.
        self.marked: set[int] = set()
        self.live: set[int] = set()
        self.live_locations: Locations = 0
        self.effects: dict[Operation, bool] = {}
        """Whether anything in the blocks of a node has effects."""
        self.settled: dict[Block, tuple[Locations, int]] = {}
        """The memory that was read, and how many results of its node were alive, when a block was looked at."""
        self.changed = False
        self.is_aliasing_changed = False
        """Whether a new analysis would tell more of the nodes that are left."""

    @cached_property
    def aliases(self) -> AliasDb:
        return self.analyses.aliases(self.function)

    def run(self) -> bool:
        self.drop_fork_inputs(self.block)
        self.mark(edit.terminator(self.block))
        self.mark_block(self.block)
        self.sweep(self.block)
        return self.changed

    def drop_fork_inputs(self, block: Block) -> None:
        for op in edit.all_ops(block):
            if not op.regions:
                continue
            for inner in blocks_of(op):
                self.drop_fork_inputs(inner)
            if isinstance(op, prim.ForkOp):
                body = op.regions[0].block
                gone = [i for i, argument in enumerate(body.args) if argument.first_use is None]
                if gone and LIMIT.allows():
                    edit.erase_operands(op, gone)
                    edit.erase_arguments(body, gone)
                    self.changed = self.is_aliasing_changed = True

    # Marking.

    def make_live(self, value: SSAValue) -> None:
        if id(value) not in self.live:
            self.live.add(id(value))
            if self.has_writers:
                self.live_locations |= self.aliases.all_locations([value])

    def mark(self, op: Operation) -> None:
        """The node stays, and with it the nodes around it and what it uses."""
        current: Operation | None = op
        while current is not None and id(current) not in self.marked:
            self.marked.add(id(current))
            for operand in edit.operands_of(current):
                self.make_live(operand)
            if current.parent is self.block:
                break
            current = current.parent_op()

    def mark_block(self, block: Block) -> None:
        owner = block.parent_op()
        results = () if owner is None else owner.results
        state = (self.live_locations, sum(id(result) in self.live for result in results))
        if self.settled.get(block) == state:
            return
        self.settled[block] = state
        ops = edit.all_ops(block)
        for op in ops:
            if self.has_effects(op):
                self.mark(op)
        if block is not self.block:
            self.mark_yield(block, ops[-1])
        for op in reversed(ops[:-1]):
            if op.regions:
                self.mark_blocks(op)
            self.mark_if_live(op)

    def mark_blocks(self, op: Operation) -> None:
        if not isinstance(op, prim.LoopOp):
            for block in blocks_of(op):
                self.mark_block(block)
            return
        before = None
        while before is None or before != self.live_locations:
            before = self.live_locations
            for block in blocks_of(op):
                self.mark_block(block)

    def mark_yield(self, block: Block, last: Operation) -> None:
        """What a block yields is alive where the result is, or where the next iteration uses it."""
        owner = block.parent_op()
        values = last.operands
        if isinstance(owner, prim.LoopOp) and len(owner.regions) == 1:
            self.make_live(values[0])
            for value, argument, result in zip(values[1:], block.args[1:], owner.results):
                if id(result) in self.live or argument.first_use is not None:
                    self.make_live(value)
        elif isinstance(owner, prim.IfOp):
            for value, result in zip(values, owner.results, strict=True):
                if id(result) in self.live:
                    self.make_live(value)
        else:
            for value in values:
                self.make_live(value)
        self.marked.add(id(last))

    def mark_if_live(self, op: Operation) -> None:
        if id(op) in self.marked:
            return
        for result in op.results:
            if id(result) in self.live:
                self.mark(op)
                return
        if isinstance(op, prim.ForkOp):
            return  # as in PyTorch, a task need not run that nobody waits for, whatever it does
        if self.has_writers and self.aliases.writes(op) & self.live_locations:
            self.mark(op)

    def has_effects(self, op: Operation) -> bool:
        if isinstance(op, prim.ForkOp):
            return False
        if has_side_effects(op) or (self.has_writers and self.aliases.writes_to_wildcard(op)):
            return True
        if not op.regions:
            return False
        known = self.effects.get(op)
        if known is None:
            known = any(self.has_effects(inner) for block in blocks_of(op) for inner in block.ops)
            self.effects[op] = known
        return known

    # Sweeping.

    def sweep(self, block: Block) -> None:
        for op in reversed(edit.body_ops(block)):
            if op.regions:
                if isinstance(op, prim.IfOp):
                    self.drop_if_results(op)
                elif isinstance(op, prim.LoopOp) and len(op.regions) == 1:
                    self.drop_carried(op)
                for inner in blocks_of(op):
                    self.sweep(inner)
            if id(op) not in self.marked and not _is_used(op) and LIMIT.allows():
                if LOG.updates:
                    LOG.update(f"Node {_kind(op)} which outputs {_first_name(op)} will be removed")
                self.is_aliasing_changed |= not is_passive(op)
                edit.erase(op)
                self.changed = True

    def drop_if_results(self, op: prim.IfOp) -> None:
        gone = [i for i, result in enumerate(op.results) if result.first_use is None]
        if not gone or not LIMIT.allows():
            return
        if LOG.updates:
            LOG.update(f"Dead outputs {gone} of node prim::If will be removed")
        edit.erase_results(op, gone)
        for region in op.regions:
            edit.erase_operands(edit.terminator(region.block), gone)
        self.changed = self.is_aliasing_changed = True

    def drop_carried(self, op: prim.LoopOp) -> None:
        body = op.body.block
        gone = [
            i
            for i, result in enumerate(op.results)
            if result.first_use is None and body.args[i + 1].first_use is None
        ]
        if not gone or not LIMIT.allows():
            return
        if LOG.updates:
            LOG.update(f"Dead outputs {gone} of node prim::Loop will be removed")
        edit.erase_results(op, gone)
        edit.erase_operands(op, [i + 2 for i in gone])
        edit.erase_arguments(body, [i + 1 for i in gone])
        edit.erase_operands(edit.terminator(body), [i + 1 for i in gone])
        self.changed = self.is_aliasing_changed = True


def _is_used(op: Operation) -> bool:
    return any(result.first_use is not None for result in op.results)


def _kind(op: Operation) -> str:
    return getattr(op, "KIND", op.name)


def _first_name(op: Operation) -> str:
    return op.results[0].name_hint or "a value without a name" if op.results else "n/a"
