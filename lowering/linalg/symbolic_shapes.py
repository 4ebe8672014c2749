"""Which sizes of a fusion group must be equal, and which are free: one kernel then serves every size.

Note [Symbolic sizes]
A group is specialized for one set of sizes, but its kernel must not be. Every dimension of an input begins as a symbol of its
own; the operators unite the symbols of dimensions that have to be equal, and mark a dimension of size 1 that meets another size
as static: it broadcasts. What stays apart may differ from call to call, even where the sizes happened to be equal. Symbols
that the inputs do not bind (a chunk's size) are computed from others, and where both are known they are compared: a call
for which a constraint does not hold is not served by the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from lowering.kernel import LoweringError
from torchscript_dialect.backend import Dim, Sym
from torchscript_dialect.tensor.dtype import dtype, float64


@dataclass(eq=False)
class Symbol:
    """A size: `size` in the specialization. `find()` gives the representative of all symbols that are equal to it."""

    size: int
    is_static: bool = False
    """Of size 1 for good: the dimension broadcasts."""
    is_fixed: bool = False
    """Of this size for good: the program names it, or computes with it."""
    definitions: list[Definition] = field(default_factory=list["Definition"])
    _parent: Symbol | None = None

    def find(self) -> Symbol:
        symbol = self
        while symbol._parent is not None:
            symbol = symbol._parent
        return symbol

    def unite(self, other: Symbol) -> None:
        """Require the two sizes to be equal.

        Raises:
            LoweringError: they are not: types of a path that has never run need not fit together.
        """
        a, b = self.find(), other.find()
        if a is b:
            return
        if a.size != b.size:
            raise LoweringError(f"sizes {a.size} and {b.size} meet that would have to be equal")
        b._parent = a
        a.is_static |= b.is_static
        a.is_fixed |= b.is_fixed
        a.definitions += b.definitions


@dataclass(frozen=True)
class Definition:
    """What a symbol equals: the `sum` of several others, a `number`, the word that is `given` with that number, a `span` of one other,
    `(operand + number) / parts` rounded up, the `rest`, at least 1, that `parts` times the second of two others leave of the first,
    a `ratio`: the product of others, divided by `parts` and `divisors` without remainder, or what is `named`: the first of others, and
    where that is -1 the product of the rest, divided by `divisors` without remainder, each of which is at least 1 then.
    """

    kind: Literal["sum", "number", "given", "span", "rest", "ratio", "named"]
    operands: tuple[Symbol, ...] = ()
    parts: int = 1
    number: int = 0
    divisors: tuple[Symbol, ...] = ()

    @property
    def is_product(self) -> bool:
        """Whether it is a product that nothing divides."""
        return self.kind == "ratio" and self.parts == 1 and not self.divisors


Shape = tuple[Symbol, ...]


def fresh(sizes: Sequence[int]) -> Shape:
    """A symbol for each dimension."""
    return tuple(Symbol(size) for size in sizes)


def fixed(size: int) -> Symbol:
    """A size that is the same in every call."""
    return Symbol(size, is_fixed=True)


def ratio(size: int, factors: Shape, parts: int = 1, divisors: Shape = ()) -> Symbol:
    """A product of sizes, divided by a number and by other sizes."""
    symbol = Symbol(size)
    symbol.definitions.append(Definition("ratio", factors, parts, divisors=divisors))
    return symbol


def unite(first: Shape, second: Shape) -> None:
    """Let the sizes of two shapes of one rank be the same."""
    for a, b in zip(first, second, strict=True):
        a.unite(b)


def broadcast(shapes: Sequence[Shape]) -> Shape:
    """The shape of a pointwise result; symbols that meet are united, sizes of 1 that meet others become static."""
    rank = max(map(len, shapes), default=0)
    result: list[Symbol] = []
    for axis in range(-rank, 0):
        met = [shape[axis] for shape in shapes if len(shape) >= -axis]
        large = [symbol for symbol in met if symbol.size != 1]
        for symbol in met:
            if large and symbol.size == 1:
                symbol.find().is_static = True
        leading, *others = large or met
        for symbol in others:
            leading.unite(symbol)
        result.append(leading)
    return tuple(result)


def broadcast_axes(operand: Shape, result: Shape) -> tuple[int, ...]:
    """Which dimension of the result each dimension of an operand goes along; -1 for one that broadcasts."""
    first = len(result) - len(operand)
    return tuple(
        -1 if symbol.find().is_static else first + axis for axis, symbol in enumerate(operand)
    )


def matrix_product(a: Shape, b: Shape) -> Shape:
    """`(M, K) x (K, N)` gives `(M, N)`."""
    if len(a) != 2 or len(b) != 2 or a[1].size != b[0].size:
        raise LoweringError("a matrix product takes two matrices that fit together")
    a[1].unite(b[0])
    return (a[0], b[1])


def number_of_chunks(size: int, count: int) -> int:
    """How many parts there are where `count` are asked for: fewer, where a part that is rounded up leaves nothing for the last ones."""
    return count if size % count == 0 else -(-size // -(-size // count))


def chunks(whole: Symbol, count: int) -> list[Symbol]:
    """The sizes of `count` parts of a dimension: equal, or all but the last, which is smaller.

    Raises:
        LoweringError: there are fewer.
    """
    if number_of_chunks(whole.size, count) != count:
        raise LoweringError(f"a dimension of size {whole.size} has fewer than {count} chunks")
    if whole.size % count == 0:
        return [ratio(whole.size // count, (whole,), count)] * count
    part = Symbol(-(-whole.size // count))
    part.definitions.append(Definition("span", (whole,), count))
    last = Symbol(whole.size - (count - 1) * part.size)
    last.definitions.append(Definition("rest", (whole, part), count - 1))
    return [part] * (count - 1) + [last]


def concatenation(shapes: Sequence[Shape], axis: int) -> Shape:
    """The shape of the concatenation along an axis; all other sizes must be equal."""
    if not shapes:
        raise LoweringError("a concatenation of nothing")
    first, *others = shapes
    for other in others:
        if len(other) != len(first):
            raise LoweringError("tensors of different numbers of dimensions are not concatenated")
        for index, (a, b) in enumerate(zip(first, other, strict=True)):
            if index != axis:
                a.unite(b)
    total = Symbol(sum(shape[axis].size for shape in shapes))
    total.definitions.append(Definition("sum", tuple(shape[axis] for shape in shapes)))
    return (*first[:axis], total, *first[axis + 1 :])


@dataclass(frozen=True)
class Buffer:
    """A tensor argument of a kernel: its number among these, and how far it reaches."""

    number: int
    itemsize: int
    shape: Shape
    strides: tuple[Dim, ...] | None
    """In elements; None where it is contiguous."""


class Words:
    """Gives symbols their words in `syms`: first those that inputs bind, then those that are computed."""

    def __init__(self) -> None:
        self.of: dict[Symbol, int] = {}
        self.count = 0
        self.bound: set[Symbol] = set()
        self.computed: list[tuple[Symbol, Definition]] = []
        self.checked: list[tuple[Symbol, Definition]] = []
        self.ordered: list[tuple[int, int]] = []
        """Words of strides the first of which must not be smaller than the second."""
        self.bounds: list[tuple[Symbol, int, int | None]] = []
        """Sizes with the smallest and the largest that they may be."""
        self.fitting: list[tuple[int, dtype]] = []
        """Words of floats, each with the dtype whose elements have to be able to hold it."""
        self.apart: list[tuple[Buffer, Buffer]] = []
        """Arguments that must have no memory in common."""

    @property
    def need_function(self) -> bool:
        """Whether there is anything to compute or to check."""
        checks = self.checked or self.ordered or self.bounds or self.fitting or self.apart
        return bool(self.computed or checks)

    def new(self) -> int:
        """A word for something that is no size."""
        self.count += 1
        return self.count - 1

    def descending(self, strides: Sequence[Dim]) -> None:
        """Require symbolic strides to descend: in another order, results would have another one, too."""
        words = [stride.index for stride in strides if isinstance(stride, Sym)]
        self.ordered += pairwise(words)

    def bind(self, symbol: Symbol) -> int | None:
        """The word of an input's dimension, None for a static one."""
        root = symbol.find()
        if root.is_static:
            return None
        if root not in self.of:
            self.of[root] = self.new()
            self.bound.add(root)
        return self.of[root]

    def word(self, symbol: Symbol) -> int | None:
        """The word of any dimension, None for a static one."""
        root = symbol.find()
        if root.is_static:
            return None
        if root not in self.of and not self._define(root, set()):
            raise LoweringError("a size follows from no input of the kernel")
        return self.of[root]

    def _define(self, root: Symbol, pending: set[Symbol]) -> bool:
        """Let the first definition compute a size that does not lead back to it, or to another that is `pending`."""
        if root in self.of or root.is_static:
            return True
        if root in pending:
            return False
        for definition in [*_number(root), *root.definitions]:
            needed = (*definition.operands, *definition.divisors)
            if all(self._define(one.find(), pending | {root}) for one in needed):
                self.of[root] = self.new()
                self.computed.append((root, definition))
                return True
        return False

    def give(self, symbol: Symbol, word: int) -> None:
        """Note that a size is in a word that is no size's own."""
        symbol.find().definitions.append(Definition("given", number=word))

    def own(self, symbol: Symbol, word: int) -> None:
        """Let a symbol that is no size have a word that is there."""
        self.of[symbol] = word

    def require(self, symbol: Symbol, low: int, high: int | None = None) -> None:
        """Require a size to be neither smaller nor larger than that.

        Raises:
            LoweringError: it is now.
        """
        if symbol.size < low or (high is not None and symbol.size > high):
            raise LoweringError(f"a size of {symbol.size} is out of the range of the kernel")
        self.bounds.append((symbol, low, high))

    def fit(self, word: int, of: dtype) -> None:
        """Require elements of a dtype to be able to hold the float in a word: it is NaN, an infinity or no larger than the largest."""
        if of is not float64:
            self.fitting.append((word, of))

    def constraints(self, symbols: Sequence[Symbol]) -> None:
        """Note every definition that is left to be checked, of these symbols."""
        done = {(root, id(definition)) for root, definition in self.computed}
        for root in dict.fromkeys(symbol.find() for symbol in symbols):
            for definition in root.definitions:
                if (root, id(definition)) not in done:
                    self.checked.append((root, definition))
            if not any(known is root and one.kind == "number" for known, one in self.computed):
                self.checked += [(root, definition) for definition in _number(root)]


def _number(root: Symbol) -> list[Definition]:
    """What a size that is the same in every call equals; one that broadcasts is static, and needs no word."""
    is_number = root.is_fixed and not root.is_static
    return [Definition("number", number=root.size)] if is_number else []
