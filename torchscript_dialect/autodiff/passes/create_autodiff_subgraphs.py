"""Puts nodes that the differentiator can go back through into `prim::DifferentiableGraph`s (PyTorch:
passes/create_autodiff_subgraphs.cpp).

Before: a function whose arguments have types that say which require gradients. After: neighbouring nodes are in the sub-graph of one
node, which stands where the last of them stood. All of its results are new tensors: a view is made outside once more for those outside.

Note [Differentiable sub-graphs]
A sub-graph takes the nodes of a block as they come, and ends before a node that it cannot take and that uses what it computes, that has
side effects, or that may write to what it reads or read what it writes to; else that node is passed by. It takes nodes that write to
nothing but the running statistics of a normalization, whose results nobody writes to later, and that require no gradient or have a
formula (Note [Derivatives] in autodiff/derivatives.py) over tensors whose dtypes are known and real; and loops over such nodes that
only their trip count ends (Note [Gradients of loops] in autodiff/loops.py); and checks, branches that only raise, unless they are the
last.
Dtypes that a run observed must follow from those of the sub-graph's operands, which are all that is checked when it runs.
Branches and other loops are cut at, as PyTorch does, and what is in them forms sub-graphs of its own; the tape joins the pieces. A
sub-graph with fewer than `threshold` nodes that compute something which requires a gradient is not made, unless it is all of the
function, whose calls then are native ones, and makes no views, which the tape goes back through with nothing but sizes. Long ones are
cut where their nodes repeat themselves (Note [Cuts of long graphs] in autodiff/repetition.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import (
    blocks_of,
    has_side_effects,
    is_nondeterministic,
    may_write,
)
from torchscript_dialect.analysis.gradient_writes import written_by_others
from torchscript_dialect.analysis.location_sets import Locations
from torchscript_dialect.autodiff.differentiability import (
    Requirements,
    is_all_of_function,
    is_check,
    is_copied,
    is_copied_tensor,
    is_list_of_tensors,
)
from torchscript_dialect.autodiff.loops import is_differentiable_loop, operands_of_all
from torchscript_dialect.autodiff.observed_types import Dtypes
from torchscript_dialect.autodiff.repetition import cut_where_repeated
from torchscript_dialect.dialects import prim, prim_operators
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.locations import at
from torchscript_dialect.transforms._pass import OBSERVED, RECORDED, FunctionPass, dump
from torchscript_dialect.transforms.decompose_ops import may_be_decomposed
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


@dataclass(frozen=True)
class CreateAutodiffSubgraphs(FunctionPass):
    name = "ts-create-autodiff-subgraphs"

    threshold: int = 2
    """The fewest nodes that compute something which requires a gradient, for which a sub-graph is made."""

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        block = function.body.block
        aliases = analyses.aliases(function) if may_write(block) else None
        written = 0 if aliases is None else written_by_others(block, aliases)
        creator = _Creator(aliases, written, self.threshold, OBSERVED in function.attributes)
        creator.requirements.block(function.body.block)
        creator.may_run_again = any(
            isinstance(op, prim.LoopOp) and _may_make_no_trip(op)
            for op in edit.nested_ops(function.body.block)
        )
        creator.block(function.body.block)
        is_recorded = RECORDED in function.attributes
        function.attributes[RECORDED] = UnitAttr()
        dump(LOG, "After CreateAutodiffSubgraphs: ", function)
        return creator.changed or not is_recorded


class _Creator:
    """`aliases` is None where nothing is written."""

    def __init__(
        self, aliases: AliasDb | None, written: Locations, threshold: int, is_observed: bool
    ) -> None:
        self.aliases = aliases
        self.threshold = threshold
        self.is_observed = is_observed
        self.requirements = Requirements(aliases, written)
        self.dtypes = Dtypes(aliases)
        self.changed = False
        self.may_run_again = False
        """Whether a sub-graph may be run twice, where a loop made no trip: it takes no node that goes by chance."""
        self.debugs = LOG.debugs

    def block(self, block: Block) -> None:
        found: list[Operation] = []
        values: set[SSAValue] = set()
        written: Locations = 0
        for op in edit.body_ops(block):
            if isinstance(op, prim.ConstantOp):
                continue
            if self.may_join(op) and _makes_its_lists(op, values):
                asking = self.dtypes_asked(op, values)
                if self.is_typed(op, {*values, *(one.results[0] for one in asking)}):
                    for one in (*asking, op):
                        found.append(one)
                        values.update(one.results)
                    written |= self.writes(op)
                    continue
            if self.debugs:
                LOG.debug(f"No differentiable graph takes {op.name}{at(op)}")
            if found and self.ends(op, found, values, written):
                self.close(found)
                found, values, written = [], set(), 0
            for inner in blocks_of(op):
                self.block(inner)
        self.close(found)

    def may_join(self, op: Operation) -> bool:
        """Whether a sub-graph may hold a node."""
        if is_check(op):
            return True
        if isinstance(op, OperatorOp):
            if op.OPERATOR is None or op.OPERATOR.kernel is None or op.OPERATOR.schema.is_mutable:
                return False
            if self.may_run_again and (is_nondeterministic(op) or self.writes(op)):
                return False
        elif isinstance(op, prim.LoopOp):
            return is_differentiable_loop(op, self.may_repeat)
        elif not isinstance(op, prim.ConstantChunkOp | prim.ListConstructOp | prim.ListUnpackOp):
            return False
        if has_side_effects(op):
            return False
        if self.aliases is not None and any(
            self.aliases.may_be_written_later(result, op) for result in op.results
        ):
            return False
        lists = [value for value in op.results if is_list_of_tensors(value.type)]
        if any(len(list(value.uses)) != 1 for value in lists):
            return False
        return self.requirements.takes(op)

    def dtypes_asked(self, op: Operation, values: set[SSAValue]) -> list[Operation]:
        """Let a node take dtypes that are asked outside of the sub-graph from new nodes before it, which can be inside."""
        made: list[Operation] = []
        for place, value in enumerate(op.operands if self.is_observed else ()):
            if isinstance(value.owner, prim_operators.DtypeOp) and value not in values:
                copy = edit.clone(value.owner, {})
                edit.insert_before(op, copy)
                op.operands[place] = copy.results[0]
                made.append(copy)
        return made

    def is_typed(self, op: Operation, values: set[SSAValue]) -> bool:
        """Whether the dtypes of what a node makes follow from those of its operands, where types are those of some run. They need not
        where no gradient is wanted.
        """
        if not self.is_observed:
            return True
        open_ = [one for one in op.walk() if not self.dtypes.follow(one, values)]
        return not any(map(self.requirements.may, (v for one in open_ for v in one.results)))

    def may_repeat(self, op: Operation) -> bool:
        """Whether a loop in a sub-graph may hold a node."""
        return not self.writes(op) and not is_check(op) and self.may_join(op)

    def writes(self, op: Operation) -> Locations:
        """The memory that a node may write to."""
        return 0 if self.aliases is None else self.aliases.writes(op)

    def reads(self, op: Operation, written: Locations) -> bool:
        """Whether a node may read memory that is written to."""
        return bool(written) and self.aliases is not None and bool(written & self.aliases.reads(op))

    def ends(
        self, op: Operation, found: Sequence[Operation], values: set[SSAValue], written: Locations
    ) -> bool:
        """Whether nodes, which make these values and write to that memory, cannot be moved past one that is not taken."""
        if has_side_effects(op) or any(v in values for one in op.walk() for v in one.operands):
            return True
        if is_nondeterministic(op) and any(map(is_nondeterministic, found)):
            return True
        if self.aliases is None:
            return False
        if not isinstance(op, prim.GetAttrOp) and self.reads(op, written):
            return True
        own = self.writes(op)
        return bool(own) and any(
            own & self.aliases.locations(value) for one in found for value in one.operands
        )

    def close(self, found: Sequence[Operation]) -> None:
        """Make sub-graphs of nodes, as far as it is worth it."""
        for piece in cut_where_repeated(found):
            self.close_piece(piece)

    def close_piece(self, found: Sequence[Operation]) -> None:
        """Make a sub-graph of nodes, if it is worth it."""
        members = self.without_loose_ends(found)
        every = _all_of(members)
        computing = [op for op in every if any(map(self.requirements.may, op.results))]
        if sum(map(_computations, computing)) < self.least(members):
            return
        made: set[SSAValue] = {result for op in members for result in op.results}
        lists = [v for v in _operands(members, made) if is_list_of_tensors(v.type)]
        if any(map(self.requirements.may, lists)) or not LIMIT.allows():
            return  # no gradient goes out of a sub-graph through a list
        if LOG.updates:
            LOG.update(f"Making a differentiable graph of {', '.join(op.name for op in members)}")
        self.changed = True
        self.make(members, found[: found.index(members[-1])])

    def least(self, members: Sequence[Operation]) -> int:
        """The fewest nodes that compute for which these become a sub-graph."""
        is_whole = is_all_of_function(members) and not any(map(is_copied_tensor, members))
        return min(1, self.threshold) if is_whole else self.threshold

    def without_loose_ends(self, found: Sequence[Operation]) -> list[Operation]:
        """The nodes, less those that require no gradient or are copied, and that no other of them uses, and checks at the end."""
        inside = _all_of(found)
        goes_on = False
        for op in reversed(found):
            if any(map(self.requirements.may, op.results)) and not is_copied(op):
                goes_on = True
                continue
            if goes_on and is_check(op):
                continue
            if not any(use.operation in inside for result in op.results for use in result.uses):
                inside.difference_update(op.walk())
        return [op for op in found if op in inside]

    def make(self, members: list[Operation], among: Sequence[Operation]) -> None:
        """Make a sub-graph of nodes. Those `among` them that are none of them are moved behind it where they use what members make, or
        read what they write.
        """
        last = members[-1]
        block = last.parent
        assert block is not None
        copies = self.copy_outside(members)
        end = copies[-1] if copies else last
        behind = {*members, *copies}
        inside = _all_of(members)
        written: Locations = 0
        for op in among:
            if op in inside:
                written |= self.writes(op)
            elif any(v.owner in behind for v in op.operands) or self.reads(op, written):
                behind.add(op)
                op.detach()
                block.insert_op_after(op, end)
                end = op
        made: set[SSAValue] = {result for op in members for result in op.results}
        operands = _operands(members, made)
        for value in operands:
            self.say_what_may_require(value)
        outputs = [
            result
            for op in members
            for result in op.results
            if any(use.operation not in inside for use in result.uses)
        ]
        body = Block(arg_types=[value.type for value in operands])
        values: dict[SSAValue, SSAValue] = {}
        for value, argument in zip(operands, body.args, strict=True):
            values[value] = argument
            argument.name_hint = value.name_hint
        for op in members:
            for operand in operands_of_all(op):
                if operand not in values:
                    assert isinstance(operand.owner, prim.ConstantOp)
                    body.add_op(edit.clone(operand.owner, values))
            body.add_op(edit.clone(op, values))
        body.add_op(prim.YieldOp.create(operands=[values[output] for output in outputs]))
        node = prim.DifferentiableGraphOp.create(
            operands=operands,
            result_types=[self.type_outside(output) for output in outputs],
            regions=[Region(body)],
        )
        block.insert_op_after(node, last)
        for output, result in zip(outputs, node.results, strict=True):
            result.name_hint = output.name_hint
            self.learn(output, result)
            edit.replace_uses(output, result)
        for op in reversed(members):
            edit.erase(op)

    def say_what_may_require(self, value: SSAValue) -> None:
        """Let the type of an operand not deny a gradient that it may require."""
        type_ = value.type
        if not isinstance(type_, TensorType) or type_.requires_grad is not False:
            return
        if self.requirements.may(value):
            edit.set_type(value, type_.replace(requires_grad=None))

    def learn(self, old: SSAValue, new: SSAValue) -> None:
        """Know of a value what is known of another, which it stands for."""
        self.requirements.known[new] = self.requirements.of(old)
        if self.aliases is not None and isinstance(old.type, TensorType | ListType):
            self.aliases.copy_value(old, new)

    def type_outside(self, value: SSAValue) -> TensorType:
        """The type of a result, which says whether it requires a gradient."""
        type_ = value.type
        assert isinstance(type_, TensorType)
        return type_.replace(requires_grad=self.requirements.of(value))

    def copy_outside(self, members: list[Operation]) -> list[Operation]:
        """Make views, lists and numbers that are used outside there, behind the last node, once more."""
        last = members[-1]
        block = last.parent
        assert block is not None
        inside = _all_of(members)
        outside: list[Operation] = []
        for op in reversed(members):
            users = {use.operation for result in op.results for use in result.uses}
            if is_copied(op) and not users <= inside:
                outside.append(op)
                inside.discard(op)
        made, copies = list[Operation](), dict[SSAValue, SSAValue]()
        inside = _all_of(members)
        for op in reversed(outside):
            copy = edit.clone(op, copies)
            for old, new in zip(op.results, copy.results, strict=True):
                self.learn(old, new)
                for use in tuple(old.uses):
                    if use.operation not in inside:
                        use.operation.operands[use.index] = new
            block.insert_op_after(copy, made[-1] if made else last)
            made.append(copy)
        return made


def _may_make_no_trip(loop: prim.LoopOp) -> bool:
    """Whether a loop that a sub-graph may hold, as it carries tensors, is not known to make a trip."""
    carries = any(isinstance(value.type, TensorType) for value in loop.carried)
    return carries and edit.constant_value(loop.max_trip_count) is None


def _makes_its_lists(op: Operation, values: set[SSAValue]) -> bool:
    """Whether the lists of tensors that a node takes are among `values`: through others no gradient goes out of a sub-graph."""
    return all(value in values for value in op.operands if is_list_of_tensors(value.type))


def _computations(op: Operation) -> int:
    """How many nodes that compute a node is: several where it is decomposed once it has been differentiated."""
    if is_copied(op):
        return 0
    return 2 if may_be_decomposed(type(op)) else 1


def _all_of(ops: Sequence[Operation]) -> set[Operation]:
    """Nodes and those of their blocks."""
    return {inner for op in ops for inner in op.walk()}


def _operands(members: Sequence[Operation], made: set[SSAValue]) -> list[SSAValue]:
    """What the nodes need from outside, each once, in order; numbers and the like that are constant go inside."""
    needed: dict[SSAValue, None] = {}
    for op in members:
        for value in operands_of_all(op):
            is_constant = isinstance(value.owner, prim.ConstantOp)
            if value not in made and not (is_constant and not isinstance(value.type, TensorType)):
                needed[value] = None
    return list(needed)
