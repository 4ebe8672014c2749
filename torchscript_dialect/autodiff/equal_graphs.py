"""Equal differentiable graphs are differentiated once.

Note [Equal graphs]
A network of fifty equal layers has fifty equal graphs. What becomes of one of them follows from its structure and from what is known
of its operands: which of them require gradients, and which of their sizes are the same. Another one of which the same is known gets
copies, whose nodes stand where its own stand in the source and whose values have its own names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from torchscript_dialect.autodiff.differentiability import requires_gradient
from torchscript_dialect.autodiff.extents import Extent, Extents, Sizes
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.structure import structure_of

Operands = Sequence[Sizes | None]
"""What is known of the sizes of the operands of a graph."""


def gradient_name(name: str | None) -> str | None:
    """What the gradient of a value of this name is called."""
    return None if name is None else f"grad_{name}"


class _Source(NamedTuple):
    """Where the nodes of a block stand in the source, and what its values are called, in its order."""

    places: Sequence[Attribute]
    names: Sequence[str | None]


class _First(NamedTuple):
    """The first one of equal graphs: what it was, what it has become, and how its operands' sizes are the same since."""

    source: _Source
    node: prim.DifferentiableGraphOp
    pattern: Sequence[Any]


class EqualGraphs:
    """The graphs of a function that are differentiated so far."""

    def __init__(self) -> None:
        self.known: dict[Any, _First] = {}

    def differentiate(
        self,
        node: prim.DifferentiableGraphOp,
        extents: Extents,
        sizes: Operands,
        written: Sequence[bool],
        differentiate: Callable[[], None],
    ) -> None:
        """Give a node what an equal one has become, or `differentiate` it. `sizes` are those of its operands, and `written` says which
        of them somebody writes to.
        """
        key = (
            structure_of(node.body),
            tuple(requires_gradient(operand) for operand in node.operands),
            _pattern(sizes),
            tuple(written),
            len(node.results),
        )
        source = _source_of(node.body)
        first = self.known.get(key)
        if first is None or not _copy(first, node, source):
            differentiate()
            self.known.setdefault(key, _First(source, node, _pattern(sizes)))
            return
        _unite(extents, sizes, first.pattern)


def _pattern(sizes: Operands) -> tuple[Any, ...]:
    """Sizes as numbers and as places in the order of those that are not known, with what is known of these."""
    numbers: dict[Extent, int] = {}

    def of(size: int | Extent) -> Any:
        if isinstance(size, int):
            return size
        found = size.find()
        return (numbers.setdefault(found, len(numbers)), found.is_one)

    return tuple([None if one is None else tuple(map(of, one)) for one in sizes])


def _unite(extents: Extents, sizes: Operands, pattern: Sequence[Any]) -> None:
    """Learn that those sizes are the same that are the same in a pattern."""
    firsts: dict[Any, int | Extent] = {}
    for one, places in zip(sizes, pattern, strict=True):
        for size, place in zip(one or (), places or (), strict=True):
            extents.unite(firsts.setdefault(place, size), size)


def _values(block: Block, ops: Iterable[Operation]) -> list[SSAValue]:
    """The values of a block, in their order; `ops` are those in it."""
    values: list[SSAValue] = list(block.args)
    for op in ops:
        values += op.results
        for region in op.regions:
            values += region.block.args
    return values


def _source_of(block: Block) -> _Source:
    ops = edit.nested_ops(block)
    names = [value.name_hint for value in _values(block, ops)]
    return _Source([op.location for op in ops], names)


def _renaming(old: Iterable[Any], new: Iterable[Any]) -> dict[Any, Any] | None:
    """What stands for what; None where one thing stands for several."""
    pairs = set(zip(old, new, strict=True))
    found = dict(pairs)
    return found if len(found) == len(pairs) else None


def _copy(first: _First, node: prim.DifferentiableGraphOp, source: _Source) -> bool:
    """Give a node what the first one has become; False where its places or names do not correspond to those of the first."""
    places = _renaming(first.source.places, source.places)
    names = _renaming(first.source.names, source.names)
    if places is None or names is None:
        return False
    names |= {gradient_name(old): gradient_name(new) for old, new in names.items()}
    edit.release_regions(node, 0)
    for region in first.node.regions:
        block = edit.clone_block(region.block)
        ops = edit.nested_ops(block)
        for op in ops:
            op.location = places.get(op.location, op.location)
        for value in _values(block, ops):
            edit.set_name(value, names.get(value.name_hint, value.name_hint))
        node.add_region(Region(block))
    node.attributes |= first.node.attributes
    return True
