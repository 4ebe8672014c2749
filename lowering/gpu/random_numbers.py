"""Kernels that draw random numbers: Philox4x32-10, as PyTorch's generator of CUDA devices uses it.

Note [Random numbers of devices]
Philox is a function of a key of 64 bits, the seed, and a counter of 128 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3,
2011), which gives four words. A thread of PyTorch's kernels has its number in the upper half of the counter; the lower half counts how
often it has drawn, from a quarter of the generator's offset on. There are `threads` threads, each of which has `width` neighbouring
elements at a time, and draws for several such times at once: four numbers of 32 bits, or two of 64. Which thread draws for an element,
when, and which of the words are its, follow from the number of the element, so that any thread can compute it. What numbers become are
curand's transformations, except that sine and cosine of normal numbers are exact ones, where those of curand are approximations.
"""

from __future__ import annotations

from typing import Final, Literal

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    Float64Type,
    FloatAttr,
    IntegerType,
    ModuleOp,
    f32,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from lowering.create import create
from lowering.gpu.element_kernel import ElementKernel
from lowering.linalg.scalar_builder import element_type as element_of
from lowering.loops.code import NO_FAST_MATH
from lowering.shaped import integer_attribute
from torchscript_dialect.tensor.dtype import dtype

NAME = "random_numbers"
Kind = Literal["raw", "uniform", "normal", "integers", "long_integers", "below"]
"""Numbers in (0, 1]; those in [a, b); normal ones of mean a and deviation b; a + words % b, of 32 or 64 bits; which are below a."""
WORDS: Final = ("count", "threads", "width", "counter", "seed", "a", "b")
"""What a kernel takes: how many elements there are, then as the note says; a and b are bits of doubles, or whole numbers."""
WORK_PS = 20_000
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10
TWO_PI = 6.2831854820251465
"""In float32."""


def random_numbers(kind: Kind, element: dtype) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) that fills elements of a dtype in their order."""
    kernel = ElementKernel(element_of(element))
    (target,) = kernel.arrays
    words = {name: kernel.word(place) for place, name in enumerate(WORDS)}
    inside = _Builder(kernel.body)
    number = inside.cast(arith.IndexCastOp, kernel.number, i64)
    value = _Number(inside, kind, element, words, number).value
    kernel.store(value, target, kernel.number)
    return kernel.module(NAME, words=len(WORDS), cost=WORK_PS)


class _Builder:
    """Appends arithmetic to a block."""

    def __init__(self, block: Block) -> None:
        self.block = block

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def whole(self, value: int, type_: IntegerType) -> SSAValue:
        attribute = integer_attribute(value, type_)
        return self.add(create(arith.ConstantOp, (), (type_,), {"value": attribute}))

    def real(self, value: float, type_: AnyFloat) -> SSAValue:
        return self.add(arith.ConstantOp(FloatAttr(value, type_)))

    def do(self, kind: type[Operation], *operands: SSAValue) -> SSAValue:
        """An operation whose result has the type of its operands."""
        is_float = isinstance(operands[0].type, AnyFloat)
        flags: dict[str, Attribute] = {"fastmath": NO_FAST_MATH} if is_float else {}
        return self.add(create(kind, operands, [operands[0].type], flags))

    def cast(self, kind: type[Operation], value: SSAValue, to: Attribute) -> SSAValue:
        return self.add(create(kind, [value], [to]))

    def is_equal(self, x: SSAValue, y: SSAValue) -> SSAValue:
        if not isinstance(x.type, AnyFloat):
            return self.add(arith.CmpiOp(x, y, "eq"))
        return self.add(arith.CmpfOp(x, y, "oeq"))

    def chosen(self, number: SSAValue, values: list[SSAValue]) -> SSAValue:
        """The value of a number, which is that of one of them."""
        found = values[-1]
        for place, value in reversed(list(enumerate(values[:-1]))):
            is_it = self.is_equal(number, self.whole(place, i64))
            found = self.add(create(arith.SelectOp, [is_it, value, found], [value.type]))
        return found

    def halves(self, value: SSAValue) -> list[SSAValue]:
        """The lower and the upper 32 bits."""
        upper = self.do(arith.ShRUIOp, value, self.whole(32, i64))
        return [self.cast(arith.TruncIOp, one, i32) for one in (value, upper)]

    def joined(self, upper: SSAValue, lower: SSAValue, shift: int = 32) -> SSAValue:
        """64 bits of two words, of which the upper one lies `shift` bits higher."""
        wide = [self.cast(arith.ExtUIOp, one, i64) for one in (upper, lower)]
        return self.do(
            arith.XOrIOp, self.do(arith.ShLIOp, wide[0], self.whole(shift, i64)), wide[1]
        )

    def philox(self, counter: list[SSAValue], key: list[SSAValue]) -> list[SSAValue]:
        """The four words of a counter of four words and a key of two."""
        for round_ in range(ROUNDS):
            if round_:
                key = [
                    self.do(arith.AddiOp, one, self.whole(step, i32))
                    for one, step in zip(key, KEY_STEPS, strict=True)
                ]
            products = [
                self.halves(
                    self.do(
                        arith.MuliOp,
                        self.cast(arith.ExtUIOp, one, i64),
                        self.whole(multiplier, i64),
                    )
                )
                for one, multiplier in zip(counter[::2], MULTIPLIERS, strict=True)
            ]
            (low0, high0), (low1, high1) = products
            mixed = [
                self.do(arith.XOrIOp, self.do(arith.XOrIOp, high, old), part)
                for high, old, part in zip((high1, high0), counter[1::2], key, strict=True)
            ]
            counter = [mixed[0], low1, mixed[1], low0]
        return counter


class _Number:
    """The number of an element."""

    def __init__(
        self,
        builder: _Builder,
        kind: Kind,
        element: dtype,
        words: dict[str, SSAValue],
        number: SSAValue,
    ) -> None:
        self.b = b = builder
        self.words = words
        self.element = element
        self.stored = element_of(element)
        self.type: AnyFloat = f64 if isinstance(self.stored, Float64Type) else f32
        self.is_long = kind == "long_integers" or (self.type == f64 and kind != "integers")
        at_once = 2 if self.is_long else 4
        per_draw = b.do(arith.DivUIOp, b.whole(at_once, i64), words["width"])
        place, inner = self._divided(number, words["width"])
        time, thread = self._divided(place, words["threads"])
        draw, turn = self._divided(time, per_draw)
        start = b.do(arith.MuliOp, turn, words["width"])
        self.lane = b.do(arith.AddiOp, start, inner)
        counter = b.do(arith.AddiOp, words["counter"], draw)
        counters = [*b.halves(counter), *b.halves(thread)]
        self.drawn = b.philox(counters, b.halves(words["seed"]))
        make = {
            "raw": lambda: self._narrowed(self._number),
            "uniform": self._uniform,
            "normal": self._normal,
            "integers": self._integer,
            "long_integers": self._integer,
            "below": self._below,
        }
        self.value = make[kind]()

    def _divided(self, x: SSAValue, by: SSAValue) -> tuple[SSAValue, SSAValue]:
        return self.b.do(arith.DivUIOp, x, by), self.b.do(arith.RemUIOp, x, by)

    def _bound(self, name: str, type_: AnyFloat) -> SSAValue:
        """One of the numbers that are given, in a float type."""
        double = self.b.cast(arith.BitcastOp, self.words[name], f64)
        return double if type_ == f64 else self.b.cast(arith.TruncFOp, double, type_)

    def _narrowed(self, value: SSAValue) -> SSAValue:
        return (
            value if value.type == self.stored else self.b.cast(arith.TruncFOp, value, self.stored)
        )

    def _scaled(self, word: SSAValue, step: float) -> SSAValue:
        """The middle of the piece that a word stands for, of pieces of a size."""
        b, type_ = self.b, self.type
        value = b.cast(arith.UIToFPOp, word, type_)
        return b.do(math.FmaOp, value, b.real(step, type_), b.real(step / 2, type_))

    @property
    def _number(self) -> SSAValue:
        """A number in (0, 1]."""
        b, (x, y, z, w) = self.b, self.drawn
        if self.type == f64:
            longs = [b.joined(y, x, 21), b.joined(w, z, 21)]
            return self._scaled(b.chosen(self.lane, longs), 2.0**-53)
        return self._scaled(b.chosen(self.lane, self.drawn), 2.0**-32)

    def _uniform(self) -> SSAValue:
        """What would be the upper bound is the lower one."""
        b, type_ = self.b, self.type
        low, high = self._bound("a", type_), self._bound("b", type_)
        value = self._narrowed(b.do(math.FmaOp, self._number, b.do(arith.SubfOp, high, low), low))
        ends = [self._narrowed(one) for one in (low, high)]
        is_end = b.is_equal(value, ends[1])
        return b.add(create(arith.SelectOp, [is_end, ends[0], value], [self.stored]))

    def _normal(self) -> SSAValue:
        """Box and Muller's: of two numbers a sine and a cosine."""
        b, type_, (x, y, z, w) = self.b, self.type, self.drawn
        if type_ == f64:
            radius = self._scaled(b.joined(y, x, 21), 2.0**-53)
            turn = self._scaled(b.joined(w, z, 21), 2.0**-52)
            angle = b.do(arith.MulfOp, turn, b.real(3.141592653589793, f64))
            is_cosine = b.is_equal(self.lane, b.whole(1, i64))
        else:
            is_second = b.add(arith.CmpiOp(self.lane, b.whole(2, i64), "uge"))
            first, second = (
                b.add(create(arith.SelectOp, [is_second, later, sooner], [i32]))
                for sooner, later in ((x, z), (y, w))
            )
            radius = self._scaled(first, 2.0**-32)
            angle = self._scaled(second, 2.0**-32 * TWO_PI)
            odd = b.do(arith.AndIOp, self.lane, b.whole(1, i64))
            is_cosine = b.is_equal(odd, b.whole(1, i64))
        squared = b.do(arith.MulfOp, b.do(math.LogOp, radius), b.real(-2.0, type_))
        sine, cosine = (b.do(one, angle) for one in (math.SinOp, math.CosOp))
        part = b.add(create(arith.SelectOp, [is_cosine, cosine, sine], [type_]))
        value = b.do(arith.MulfOp, part, b.do(math.SqrtOp, squared))
        return self._narrowed(
            b.do(math.FmaOp, value, self._bound("b", type_), self._bound("a", type_))
        )

    def _integer(self) -> SSAValue:
        b, (x, y, z, w) = self.b, self.drawn
        if self.is_long:
            word = b.chosen(self.lane, [b.joined(x, y), b.joined(z, w)])
        else:
            word = b.cast(arith.ExtUIOp, b.chosen(self.lane, self.drawn), i64)
        value = b.do(arith.AddiOp, b.do(arith.RemUIOp, word, self.words["b"]), self.words["a"])
        if self.element.is_floating_point:
            return self._narrowed(b.cast(arith.SIToFPOp, value, self.type))
        if self.stored == i1:
            return b.add(arith.CmpiOp(value, b.whole(0, i64), "ne"))
        return value if self.stored == i64 else b.cast(arith.TruncIOp, value, self.stored)

    def _below(self) -> SSAValue:
        b = self.b
        is_below = b.add(arith.CmpfOp(self._number, self._bound("a", self.type), "olt"))
        if self.stored == i1:
            return is_below
        if self.element.is_floating_point:
            return self._narrowed(b.cast(arith.UIToFPOp, is_below, self.type))
        return b.cast(arith.ExtUIOp, is_below, self.stored)
