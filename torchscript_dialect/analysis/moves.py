"""Moving nodes inside a block without changing what the program does (PyTorch: `AliasDb::tryMove`).

A node moves with the nodes between it and the goal that depend on it: those that use its results,
and those that must stay on their side of its reads and writes. Writes to one memory keep their
order, and no read passes a write.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.effects import has_side_effects
from torchscript_dialect.analysis.location_sets import Locations


class _WorkingSet:
    """The node that moves and those that have to go with it."""

    def __init__(self, mover: Operation, aliases: AliasDb) -> None:
        self.aliases = aliases
        self.mover: Operation | None = mover
        self.nodes: list[Operation] = []
        self.users: set[Operation] = set()
        self.mover_users = _users_in_block(mover)
        self.mover_writes = aliases.writes(mover)
        self.mover_reads = aliases.reads(mover)
        self.writes: Locations = 0
        self.reads: Locations = 0

    def add(self, op: Operation) -> None:
        self.nodes.append(op)
        self.users |= _users_in_block(op)
        self.writes |= self.aliases.writes(op)
        self.reads |= self.aliases.reads(op)

    def let_mover_go(self) -> None:
        self.mover = None
        self.mover_users = set[Operation]()
        self.mover_writes = self.mover_reads = 0

    def depends_on(self, op: Operation, *, is_after: bool) -> bool:
        """Whether the set cannot pass `op`, which stands behind it in the block if `is_after`."""
        if self.mover is None and not self.nodes:
            return False
        if is_after:
            if op in self.users or op in self.mover_users:
                return True
        else:
            users = _users_in_block(op)
            if self.mover in users or any(node in users for node in self.nodes):
                return True
        written, read = self.aliases.writes(op), self.aliases.reads(op)
        ours_read = self.reads | self.mover_reads
        ours_written = self.writes | self.mover_writes
        return bool(ours_read & written or ours_written & (read | written))


def _users_in_block(op: Operation) -> set[Operation]:
    """The nodes of the same block that use a result, themselves or in their blocks."""
    block = op.parent
    assert block is not None
    users: set[Operation] = set()
    for result in op.results:
        for use in result.uses:
            user = block.find_ancestor_op_in_block(use.operation)
            if user is not None:
                users.add(user)
    return users


def could_move_before(aliases: AliasDb, op: Operation, goal: Operation) -> bool:
    """Whether `move_before` would move the node."""
    return _try_move(aliases, op, goal, before=True, dry_run=True)


def could_move_after(aliases: AliasDb, op: Operation, goal: Operation) -> bool:
    """Whether `move_after` would move the node."""
    return _try_move(aliases, op, goal, before=False, dry_run=True)


def move_before(aliases: AliasDb, op: Operation, goal: Operation) -> bool:
    """Move a node directly before another one of its block if the program stays the same; whether
    it did.
    """
    return _try_move(aliases, op, goal, before=True, dry_run=False)


def move_after(aliases: AliasDb, op: Operation, goal: Operation) -> bool:
    """Move a node directly after another one of its block if the program stays the same; whether it
    did.
    """
    return _try_move(aliases, op, goal, before=False, dry_run=False)


def _try_move(
    aliases: AliasDb, op: Operation, goal: Operation, *, before: bool, dry_run: bool
) -> bool:
    block = op.parent
    if block is None or block is not goal.parent:
        return False
    if op is goal:
        return True
    forward = op.is_before_in_block(goal)
    stays_on_side = forward == before
    current = op.next_op if forward else op.prev_op
    if stays_on_side and current is goal:
        return True
    if has_side_effects(op) or (not stays_on_side and has_side_effects(goal)):
        return False
    working = _WorkingSet(op, aliases)
    while current is not goal:
        assert current is not None
        if has_side_effects(current):
            return False
        if working.depends_on(current, is_after=forward):
            working.add(current)
        current = current.next_op if forward else current.prev_op
    if stays_on_side:
        working.let_mover_go()
    if working.depends_on(goal, is_after=forward):
        return False
    if dry_run:
        return True
    if stays_on_side:
        _put(block, op, goal, before=before)
        _put_all(block, working.nodes, goal, before=not before)
    else:
        _put(block, op, goal, before=before)
        _put_all(block, working.nodes, op, before=before)
    return True


def _put_all(block: Block, ops: list[Operation], goal: Operation, *, before: bool) -> None:
    for op in ops:
        _put(block, op, goal, before=before)
        goal = op


def _put(block: Block, op: Operation, goal: Operation, *, before: bool) -> None:
    op.detach()
    if before:
        block.insert_op_before(op, goal)
    else:
        block.insert_op_after(op, goal)
