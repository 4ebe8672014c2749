"""Puts operators that one kernel can compute into `prim::TensorExprGroup`s (PyTorch:
passes/tensorexpr_fuser.cpp).

Works on typed graphs. Before: nodes with complete tensor types. After: the nodes of a group are in
the region of one node, which stands where the last of them stood. Results of the group are the
values that are used outside, in the order of their definition, all of them fresh tensors: a view
of them that is used outside is made outside, after the group. They have no gaps, and may have their dimensions in another order than
memory, as the nodes would give them. A view of what comes from outside stays where it is for those outside, and is made inside once
more.

Note [Fusion groups]
A group takes the nodes of a block as they come that the backend can lower (`Backend.can_lower`), and
ends before a node that uses what the group computes, that has side effects, or that may write to what the
group reads. A node may write to what another one of the group computes, where no view of that is used afterwards: later uses of
what is written to become uses of the node's result, which is the same tensor, so that nobody sees the one before. All else is pure, but
for updates, so that moving nodes down to the last one passes no hazard.

Note [Updates in groups]
A batch norm in training moves running statistics, which come from outside (`Backend.updates`). A group may hold it, and ends before a
node that may read or write the memory of these; no member after it does. The group gives what becomes of them, and `prim::Update`
writes that to them behind the group: kernels write to nothing. Where the nodes of the group are interpreted, the batch norm writes to
what the group was given, and that is what the group gives, so that the update changes nothing. So all goes well where what is written
to is other memory of the same call, too, as the weight would be, or the other statistics: a kernel serves no such call.

The backend may cut what it found into several groups (`Backend.cut`). A group with fewer than `min_group_size` nodes that compute is
left as it was, and so is one that has a single such node, unless the backend says that this one pays (`Backend.pays_alone`). One that
pays in a few calls (`Backend.pays_at_once`) is a group, however many nodes are asked for. Nodes in blocks form groups of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of, has_side_effects, may_write
from torchscript_dialect.analysis.location_sets import Locations
from torchscript_dialect.backend import Backend, fusing_backend
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.locations import at
from torchscript_dialect.ir.requirements import require_functions
from torchscript_dialect.transforms._pass import RECORDED, FunctionPass, dump
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.errors import PassError
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


@dataclass(frozen=True)
class FuseTensorExprs(FunctionPass):
    name = "ts-fuse-tensorexprs"
    preserves = (AliasDb,)

    min_group_size: int = 2
    """The fewest nodes that compute, views aside, for which a group is made."""

    def check(self, function: FuncOp) -> None:
        super().check(function)
        self._check_sizes([function])

    def check_module(self, module: ModuleOp) -> None:
        for function in (functions := require_functions(module, self.name)):
            super().check(function)
        self._check_sizes(functions)

    def _check_sizes(self, functions: list[FuncOp]) -> None:
        """One tensor of which something is known shows that it was looked for."""
        ops = [op for function in functions for op in edit.nested_ops(function.body.block)]
        values = [value for op in ops for value in (*op.operands, *op.results)]
        tensors = [value.type for value in values if isinstance(value.type, TensorType)]
        is_known = any(type_.is_refined for type_ in tensors)
        backend = fusing_backend()
        if not is_known and any(backend.can_lower(op) is None for op in ops):
            raise PassError(
                f"{self.name} comes after ts-propagate-shapes on functions whose arguments have sizes, and no tensor of"
                f" {', '.join(f'@{function.sym_name.data}' for function in functions)} has any"
            )

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        aliases = analyses.aliases(function) if may_write(function.body.block) else None
        fuser = _Fuser(aliases, fusing_backend(), self.min_group_size)
        fuser.is_recorded = RECORDED in function.attributes
        fuser.block(function.body.block)
        if fuser.changed and (aliases is None or fuser.updates):
            analyses.invalidate(function)
        dump(LOG, "After FuseTensorExprs: ", function)
        return fuser.changed


@dataclass
class _Candidates:
    """Fusible nodes that may become a group, and what they compute: not views of what comes from outside."""

    nodes: list[Operation] = field(default_factory=list[Operation])
    values: set[SSAValue] = field(default_factory=set[SSAValue])
    updated: Locations = 0
    """The memory from outside that some of them write to."""

    def add(self, op: Operation, is_view: bool) -> None:
        self.nodes.append(op)
        if not is_view or any(operand in self.values for operand in op.operands):
            self.values.update(op.results)


class _Fuser:
    """`aliases` is None where nothing is written: what aliases what does not matter then."""

    def __init__(self, aliases: AliasDb | None, backend: Backend, min_group_size: int) -> None:
        self.aliases = aliases
        self.backend = backend
        self.min_group_size = min_group_size
        self.is_recorded = False
        """Whether nodes outside of groups are recorded for gradients: those that may require one stay there."""
        self.changed = False
        self.updates = False
        """Whether what groups give is written to what comes from outside."""
        self.debugs = LOG.debugs

    def block(self, block: Block) -> None:
        found = _Candidates()
        for op in list(block.ops):
            if isinstance(op, prim.ConstantOp):
                continue
            if self.may_join(op):
                if self.add(op, found):
                    continue
                if self.add(op, alone := _Candidates()):
                    self.close(found)
                    found = alone
                    continue
            if self.debugs:
                LOG.debug(f"No group takes {op.name}{at(op)}")
            if found.nodes and self.ends_group(op, found):
                self.close(found)
                found = _Candidates()
            if isinstance(op, prim.DifferentiableGraphOp):
                self.differentiable_graph(op)
            for inner in blocks_of(op):
                self.block(inner)
        self.close(found)

    def add(self, op: Operation, found: _Candidates) -> bool:
        """Make an op that a group may hold a candidate beside others; whether it can be."""
        if self.meets_update(op, found):
            return False
        updates = self.backend.updates(op)
        if not updates:
            if not self.may_write_in_group(op, found):
                return False
            found.add(op, self.backend.is_view(op))
            return True
        if self.aliases is None or any(value.owner in found.nodes for value in updates):
            return False
        found.updated |= self.aliases.all_locations(updates)
        found.add(op, is_view=False)
        return True

    def differentiable_graph(self, op: prim.DifferentiableGraphOp) -> None:
        """Make groups of the nodes of a sub-graph."""
        fuser = _Fuser(self.aliases, self.backend, self.min_group_size)
        fuser.block(op.body)
        self.changed |= fuser.changed
        self.updates |= fuser.updates

    def may_join(self, op: Operation) -> bool:
        """Whether a group may hold an op, and give what it computes to others: no list that is appended to."""
        if self.aliases is not None and any(map(self.aliases.has_writers, _lists(op))):
            return False
        if self.is_recorded and any(map(_may_require_gradient, op.operands)):
            return False
        return bool(self.backend.can_lower(op))

    def may_write_in_group(self, op: Operation, found: _Candidates) -> bool:
        """Whether an op that writes to its first operand may be a candidate; if so, its result stands for that from then on."""
        if self.aliases is None or not self.aliases.writes(op):
            return True
        target, inside = op.operands[0], set(found.nodes)
        if not self.is_computed_by(target.owner, found):
            return False
        written = self.aliases.locations(target)
        for member in found.nodes:
            for value in member.results if self.backend.is_view(member) else ():
                seen = any(use.operation not in inside for use in value.uses)
                if seen and self.aliases.all_locations([value]) & written:
                    return False
        for use in tuple(target.uses):
            if use.operation not in inside and use.operation is not op:
                use.operation.operands[use.index] = op.results[0]
                self.changed = True
        return True

    def meets_update(self, op: Operation, found: _Candidates) -> bool:
        """Whether an op may read or write what a candidate writes to outside."""
        if not found.updated or self.aliases is None or isinstance(op, prim.GetAttrOp):
            return False
        return bool(found.updated & (self.aliases.reads(op) | self.aliases.writes(op)))

    def is_computed_by(self, maker: object, found: _Candidates) -> bool:
        """Whether a candidate makes a new tensor, or writes to one that others have made."""
        return (
            isinstance(maker, Operation)
            and maker in found.nodes
            and not self.backend.is_view(maker)
        )

    def ends_group(self, op: Operation, found: _Candidates) -> bool:
        """Whether the candidates cannot be moved past a node that is not one of them."""
        if has_side_effects(op) or self.meets_update(op, found):
            return True
        if self.aliases is not None and (written := self.aliases.writes(op)):
            for one in found.nodes:  # also views: a reshape may be a copy, of what is there now
                if any(written & self.aliases.locations(value) for value in one.operands):
                    return True
        return any(operand in found.values for inner in op.walk() for operand in inner.operands)

    def close(self, found: _Candidates) -> None:
        """Make groups of the candidates: one, if the backend does not cut them."""
        for nodes in self.backend.cut(found.nodes) if found.nodes else ():
            self.make_group(nodes)

    def make_group(self, nodes: Sequence[Operation]) -> None:
        """Make a group of neighbouring candidates, if it is worth it. What members take and no kernel can be given, as lists, is made
        inside once more.
        """
        nodes = [*self.made_outside(nodes), *nodes]
        views = {op for op in nodes if self.backend.is_view(op)}
        members = _needed(nodes, views)
        computing = [op for op in members if op not in views]
        if not self.is_worthwhile(computing):
            return
        if not LIMIT.allows():
            return
        LOG.update(f"Making a group of {', '.join(op.name for op in members)}")
        self.changed = True
        updates = {op: self.backend.updates(op) for op in members}
        self.updates |= any(updates.values())
        _Group(nodes, members, views, updates, self.aliases).make()

    def made_outside(self, nodes: Sequence[Operation]) -> list[Operation]:
        """What makes what members take and no kernel can be given, and is none of them; in order."""
        inside, found = set(nodes), dict[Operation, None]()
        for op in nodes:
            self._add_makers(op, inside, found)
        return list(found)

    def _add_makers(
        self, op: Operation, inside: Set[Operation], found: dict[Operation, None]
    ) -> None:
        for value in op.operands:
            maker = value.owner
            if not isinstance(maker, Operation) or maker in inside or maker in found:
                continue
            if not isinstance(maker, prim.ConstantOp) and self.backend.vanishes(maker):
                self._add_makers(maker, inside, found)
                found[maker] = None

    def is_worthwhile(self, computing: Sequence[Operation]) -> bool:
        """Whether a group of nodes that are no views is worth a kernel."""
        if len(computing) != 1:
            return len(computing) >= max(self.min_group_size, 2)
        if not self.backend.pays_alone(computing[0]):
            return False
        return self.min_group_size <= 1 or self.backend.pays_at_once(computing[0])


def _may_require_gradient(value: SSAValue) -> bool:
    """Whether a value may be a tensor that requires a gradient, or a list of such."""
    if isinstance(value.owner, prim.ConstantOp):
        return False
    if isinstance(value.type, TensorType):
        return value.type.requires_grad is not False
    if not isinstance(value.type, ListType) or not isinstance(value.type.element, TensorType):
        return False
    owner = value.owner
    if not isinstance(owner, prim.ListConstructOp):
        return True
    return any(map(_may_require_gradient, owner.operands))


def _lists(op: Operation) -> list[SSAValue]:
    """The lists that an op takes or makes."""
    return [value for value in (*op.operands, *op.results) if isinstance(value.type, ListType)]


def _needed(nodes: Sequence[Operation], views: set[Operation]) -> list[Operation]:
    """The nodes that compute, and the views that those use, one through the other."""
    kept: list[Operation] = []
    used: set[SSAValue] = set()
    for op in reversed(nodes):
        if op not in views or any(result in used for result in op.results):
            kept.append(op)
            used.update(op.operands)
    kept.reverse()
    return kept


class _Group:
    """A group in the making. `nodes` are the candidates: the members, and views that no member
    uses. `updates`: what each of them writes to outside.
    """

    def __init__(
        self,
        nodes: Sequence[Operation],
        members: list[Operation],
        views: set[Operation],
        updates: Mapping[Operation, Sequence[SSAValue]],
        aliases: AliasDb | None,
    ) -> None:
        self.nodes = nodes
        self.updates = updates
        self.members = members
        self.views = views
        self.inside = set(members)
        self.aliases = aliases
        self.last = next(op for op in reversed(members) if op not in views)
        assert self.last.parent is not None
        self.block = self.last.parent
        self.computed = self.results_of_members()

    def make(self) -> None:
        self.move_views_behind(self.views_outside())
        self.group_node(self.outputs())
        for op in reversed(self.members):
            if not any(result.first_use for result in op.results):
                edit.erase(op)

    def results_of_members(self) -> set[SSAValue]:
        """What the members compute, and views of that, with those that no member uses."""
        found: set[SSAValue] = set()
        for op in self.nodes:
            is_computed = op in self.inside and op not in self.views
            if is_computed or any(operand in found for operand in op.operands):
                found.update(op.results)
        return found

    def is_used_outside(self, value: SSAValue, outside: set[Operation]) -> bool:
        return any(
            use.operation not in self.inside or use.operation in outside for use in value.uses
        )

    def views_outside(self) -> list[Operation]:
        """The views of what members compute that are no members or that somebody outside sees, and those that they are views of; in
        order.
        """
        found: set[Operation] = set()
        for op in reversed(self.nodes):
            if op not in self.views or not any(result in self.computed for result in op.results):
                continue
            if op not in self.inside or any(self.is_used_outside(r, found) for r in op.results):
                found.add(op)
        return [op for op in self.nodes if op in found]

    def move_views_behind(self, views: list[Operation]) -> None:
        """Give the users outside views that are made behind the last member."""
        place = self.last
        copies: dict[SSAValue, SSAValue] = {}
        behind = set(self.nodes[self.nodes.index(self.last) :])
        for op in views:
            if op in behind:
                continue
            if op in self.inside:
                moved = edit.clone(op, copies)
                for old, new in zip(op.results, moved.results, strict=True):
                    self.use_outside(old, new)
            else:
                moved = op
                op.detach()
            self.block.insert_op_after(moved, place)
            place = moved

    def use_outside(self, old: SSAValue, new: SSAValue) -> None:
        """Let everything but the members use `new`."""
        if self.aliases is not None and isinstance(old.type, TensorType | ListType):
            self.aliases.copy_value(old, new)
        for use in tuple(old.uses):
            if use.operation not in self.inside:
                use.operation.operands[use.index] = new

    def outputs(self) -> list[SSAValue]:
        """What the members compute and somebody outside uses."""
        return [
            result
            for op in self.members
            if op not in self.views
            for result in op.results
            if any(use.operation not in self.inside for use in result.uses)
        ]

    def group_node(self, outputs: list[SSAValue]) -> Operation:
        """The group, its results used outside instead of the members'."""
        operands = self.operands()
        body = Block(arg_types=[value.type for value in operands])
        values: dict[SSAValue, SSAValue] = {}
        for value, argument in zip(operands, body.args, strict=True):
            values[value] = argument
            argument.name_hint = value.name_hint
        for op in self.members:
            for operand in op.operands:
                if operand not in values:
                    assert isinstance(operand.owner, prim.ConstantOp)
                    body.add_op(edit.clone(operand.owner, values))
            body.add_op(edit.clone(op, values))
        updated = [value for op in self.members for value in self.updates[op]]
        end = prim.YieldOp.create(operands=[values[one] for one in (*outputs, *updated)])
        body.add_op(end)
        group = prim.TensorExprGroupOp.create(
            operands=operands, result_types=end.operand_types, regions=[Region(body)]
        )
        self.block.insert_op_after(group, self.last)
        self.update_behind(group, updated, group.results[len(outputs) :])
        for output, result in zip(outputs, group.results):
            result.name_hint = output.name_hint
            self.use_outside(output, result)
        return group

    def update_behind(
        self, group: Operation, updated: Sequence[SSAValue], values: Sequence[SSAValue]
    ) -> None:
        """Write what the group gives for it to what comes from outside."""
        behind = group.next_op
        assert behind is not None
        for target, value in zip(updated, values, strict=True):
            edit.insert_before(behind, prim.UpdateOp.create(operands=[target, value]))

    def operands(self) -> list[SSAValue]:
        """What the members need from outside, each once, in order; numbers and the like that are constant go inside."""
        made = {result for op in self.members for result in op.results}
        needed: dict[SSAValue, None] = {}
        for op in self.members:
            for operand in op.operands:
                goes_inside = isinstance(operand.owner, prim.ConstantOp) and not isinstance(
                    operand.type, TensorType
                )
                if operand not in made and not goes_inside:
                    needed[operand] = None
        return list(needed)
