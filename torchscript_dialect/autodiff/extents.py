"""Which sizes of tensors in a graph are the same, whatever they are: where gradients need not be summed to undo broadcasting.

A size is a number or an `Extent`. Where the type of an argument leaves a size open it is not 1, as in plans, whose keys say which sizes
are; so two of them that meet are equal. Other open sizes may be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.edit import constant_value
from torchscript_dialect.types.tensor_type import TensorType

# pyright: reportPrivateUsage=false


@dataclass(eq=False)
class Extent:
    """A size that is not known."""

    is_one: bool | None = None
    """Whether it is 1; None where that is not known. Never True: 1 is a number."""
    same: Extent | None = None

    def find(self) -> Extent:
        """What stands for all sizes that are equal to this one."""
        found = self
        while found.same is not None:
            found = found.same
        return found


Size = int | Extent
Sizes = tuple[Size, ...]


def _plain(size: Size) -> Size:
    return size.find() if isinstance(size, Extent) else size


class Extents:
    """The sizes of values, learned from one op after the other."""

    def __init__(self) -> None:
        self.known: dict[SSAValue, Sizes] = {}
        self.is_certain = True
        """Whether the nodes that are learned of are run: of what need not run does not follow which sizes are equal."""

    def argument(self, value: SSAValue) -> None:
        """Learn of an argument of a function."""
        type_ = value.type
        if isinstance(type_, TensorType) and type_.sizes is not None:
            self.known[value] = tuple(Extent(False) if n is None else n for n in type_.sizes)

    def inside(self, arguments: Sequence[SSAValue], free: Sequence[SSAValue]) -> Extents:
        """What is known in the body of a loop, which need not run: of its last `arguments`, which stand for `free` values."""
        copies: dict[Size, Size] = {}
        inner = Extents()
        for argument, value in zip(arguments[len(arguments) - len(free) :], free, strict=True):
            sizes = self.of(value)
            if sizes is None:
                continue
            for size in sizes:
                copies.setdefault(size, size if isinstance(size, int) else Extent(size.is_one))
            inner.known[argument] = tuple(copies[size] for size in sizes)
        return inner

    def of(self, value: SSAValue) -> Sizes | None:
        """The sizes of a tensor; None where not even their number is known."""
        if value not in self.known:
            type_ = value.type
            if not isinstance(type_, TensorType) or type_.sizes is None:
                return None
            self.known[value] = tuple(Extent() if n is None else n for n in type_.sizes)
        return tuple(map(_plain, self.known[value]))

    def are_equal(self, a: SSAValue, b: SSAValue) -> bool:
        """Whether two tensors have the same sizes in every call."""
        first = self.of(a)
        return first is not None and first == self.of(b)

    def same(self, value: SSAValue, other: SSAValue) -> None:
        """Learn that a tensor has the sizes of another."""
        sizes = self.of(other)
        if sizes is not None:
            self.known[value] = sizes

    def unite(self, a: Size, b: Size) -> None:
        """Learn that two sizes are equal, if the nodes are run."""
        first, second = _plain(a), _plain(b)
        if not self.is_certain:
            return
        if isinstance(first, Extent) and isinstance(second, Extent) and first is not second:
            first.same = second
            if second.is_one is None:
                second.is_one = first.is_one

    def block(self, block: Block) -> None:
        """Learn of all nodes of a block."""
        for op in block.ops:
            self.learn(op)

    def learn(self, op: Operation) -> None:
        """Learn of one node, whose operands are known."""
        if isinstance(op, prim.IfOp):
            before, self.is_certain = self.is_certain, False
            for region in op.regions:
                self.block(region.block)
            self.is_certain = before
        rule = _RULES.get(type(op))
        if isinstance(op, OperatorOp) and op.OPERATOR is not None:
            rule = rule or (_pointwise if op.OPERATOR.rules.pointwise is not None else None)
        found = None if rule is None else rule(self, op)
        for result, sizes in zip(op.results, found or (), strict=False):
            if sizes is not None:
                self.known[result] = self._refined(sizes, result)

    def _refined(self, sizes: Sizes, value: SSAValue) -> Sizes:
        """Sizes with the numbers that the type of the value has."""
        type_ = value.type
        told = type_.sizes if isinstance(type_, TensorType) else None
        if told is None or len(told) != len(sizes):
            return sizes
        return tuple(size if n is None else n for size, n in zip(sizes, told, strict=True))

    def broadcast(self, shapes: Sequence[Sizes]) -> Sizes:
        """The sizes of what is computed of elements of such tensors. Sizes that are not 1 are the same where they meet."""
        result: list[Size] = []
        for axis in range(-max(map(len, shapes), default=0), 0):
            result.append(self._met([_plain(s[axis]) for s in shapes if len(s) >= -axis]))
        return tuple(result)

    def _met(self, sizes: Sequence[Size]) -> Size:
        numbers = [size for size in sizes if isinstance(size, int) and size != 1]
        extents = list(dict.fromkeys(size for size in sizes if isinstance(size, Extent)))
        larger = [one for one in extents if one.is_one is False]
        for one in larger[1:]:
            self.unite(one, larger[0])
        if numbers:
            return numbers[0]
        if larger:
            return larger[0]
        if len(extents) > 1:
            return Extent()
        return extents[0] if extents else 1


Found = Sequence[Sizes | None] | None


def _pointwise(extents: Extents, op: Operation) -> Found:
    shapes = [extents.of(value) for value in op.operands if isinstance(value.type, TensorType)]
    known = [shape for shape in shapes if shape is not None]
    return [extents.broadcast(known)] * len(op.results) if len(known) == len(shapes) else None


def _same(extents: Extents, op: Operation) -> Found:
    return [extents.of(op.operands[0])] * len(op.results)


def _transposed(extents: Extents, op: Operation) -> Found:
    sizes = extents.of(op.operands[0])
    return None if sizes is None or len(sizes) > 2 else [sizes[::-1]]


def _product(first: int) -> Callable[[Extents, Operation], Found]:
    def rule(extents: Extents, op: Operation) -> Found:
        a, b = (extents.of(value) for value in op.operands[first : first + 2])
        if a is None or b is None or len(a) < 2 or len(a) != len(b):
            return None
        extents.unite(a[-1], b[-2])
        return [(*a[:-1], b[-1])] if len(a) == 2 or a[:-2] == b[:-2] else None

    return rule


def _linear(extents: Extents, op: Operation) -> Found:
    x, weight = (extents.of(value) for value in op.operands[:2])
    if not x or weight is None or len(weight) != 2:
        return None
    extents.unite(x[-1], weight[1])
    return [(*x[:-1], weight[0])]


def _listed(extents: Extents, op: Operation) -> Found:
    """A tensor of the sizes that another one has."""
    owner = op.operands[1].owner
    if isinstance(owner, aten._SizeIfNotEqualOp):
        owner = owner.operands[0].owner
    return [extents.of(owner.operands[0])] if isinstance(owner, aten.SizeOp) else None


def _chunks(extents: Extents, op: Operation) -> Found:
    """All chunks but the last are equal."""
    assert isinstance(op, prim.ConstantChunkOp)
    sizes = extents.of(op.tensor)
    if sizes is None or not sizes:
        return None
    axis = op.dim % len(sizes)
    first, last = Extent(), Extent()
    shapes = [(*sizes[:axis], one, *sizes[axis + 1 :]) for one in (first, last)]
    return [*[shapes[0]] * (len(op.results) - 1), shapes[1]]


def _unsqueezed(extents: Extents, op: Operation) -> Found:
    sizes, axis = extents.of(op.operands[0]), constant_value(op.operands[1])
    if sizes is None or axis is None:
        return None
    axis %= len(sizes) + 1
    return [(*sizes[:axis], 1, *sizes[axis:])]


def _branches(extents: Extents, op: Operation) -> Found:
    found: list[Sizes | None] = []
    for values in zip(*(prim.yielded(region) for region in op.regions), strict=True):
        first, *others = map(extents.of, values)
        found.append(first if all(other == first for other in others) else None)
    return found


_RULES: dict[type[Operation], Callable[[Extents, Operation], Found]] = {
    prim.IfOp: _branches,
    prim.ConstantChunkOp: _chunks,
    aten.TOp: _transposed,
    aten.MmOp: _product(0),
    aten.BmmOp: _product(0),
    aten.MatmulOp: _product(0),
    aten.AddmmOp: _product(1),
    aten.LinearOp: _linear,
    aten.ViewOp: _listed,
    aten.ReshapeOp: _listed,
    aten.ExpandOp: _listed,
    aten._GradSumToSizeOp: _listed,
    aten.UnsqueezeOp: _unsqueezed,
    aten.SoftmaxIntOp: _same,
    aten.LogSoftmaxIntOp: _same,
    aten.ContiguousOp: _same,
    aten.CloneOp: _same,
    aten.CopyOp: _same,
    aten.DetachOp: _same,
    aten.ZerosLikeOp: _same,
    aten.OnesLikeOp: _same,
    aten.DropoutOp: _same,
    aten.CumsumOp: _same,
}
