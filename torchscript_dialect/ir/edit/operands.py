"""Edits of the operands and results of an op, which stays the same object, so that what is known of it by identity stays true."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import Attribute, Operation, OpResult

from torchscript_dialect.ir.edit.links import set_results


def erase_operands(op: Operation, gone: Iterable[int]) -> None:
    """Take operands away by their index."""
    indices = set(gone)
    op.operands = [v for i, v in enumerate(op.operands) if i not in indices]


def erase_results(op: Operation, gone: Iterable[int]) -> None:
    """Take results away that nothing uses, by their index."""
    indices = set(gone)
    for index in indices:
        assert op.results[index].first_use is None, "a result that is used cannot be erased"
    set_results(op, [result for i, result in enumerate(op.results) if i not in indices])


def insert_results(op: Operation, index: int, types: Sequence[Attribute]) -> list[OpResult]:
    """New results in front of the one at `index`."""
    new = [OpResult(type_, op, 0) for type_ in types]
    set_results(op, [*op.results[:index], *new, *op.results[index:]])
    return new


def permute_results(op: Operation, order: Sequence[int]) -> None:
    """Put the results in another order: result i is what result `order[i]` was."""
    set_results(op, [op.results[index] for index in order])
