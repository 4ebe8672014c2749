"""Scalar bodies of kernels of devices: quotients, remainders, shifts and powers of integers, and remainders of floats, which the host's
kernels leave to NumPy, as an integer divided by 0 raises there.

Note [Quotients on devices]
No kernel of a device raises. What is divided by 0 gives what the processors give: a quotient has all bits set, a remainder is the
dividend; PyTorch leaves it open. An int divided by -1 wraps around.

Note [Zeros of either sign]
0.0 and -0.0 are equal. Of both, kernels of the host, and NumPy, give the first operand as the smaller or larger one, and devices give
-0.0 or 0.0. Reductions are left with that: threads share only what one op combines.

Note [Remainders of floats]
fmod is exact. With r = |x| and b = |y| in float64, steps k = n-1, ..., 0 subtract a multiple of s = b 2^(50 k) from r, after which
r < s. As r < 2^50 s before, the quotient is known but for 1, and one fused multiplication and addition gives the rest without an
error: it is a multiple of the last bit of s, and not larger than s. Where s overflows it is larger than r, and the step does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from xdsl.dialects import arith, math, scf
from xdsl.ir import Block, Operation

from lowering.linalg.scalar_builder import FLAGS, Scalar, ScalarBuilder

BITS = 50
"""Bits of a quotient that a step finds."""
STEPS = {"float32": 6, "float64": 42}
"""2^(50 n) is larger than the largest number divided by the smallest one."""


class DeviceScalarBuilder(ScalarBuilder):
    """Records what `DeviceProbe` takes."""

    def _quotient(self, x: Scalar, y: Scalar) -> tuple[Scalar, Scalar]:
        """The quotient rounded to zero and the remainder of integers, whose divisor is not 0 and not -1."""
        divide, rest = (
            (arith.DivSIOp, arith.RemSIOp) if x.dtype.is_signed else (arith.DivUIOp, arith.RemUIOp)
        )
        return self._bitwise(divide, x, y), self._bitwise(rest, x, y)

    def _divided(self, x: Any, y: Any) -> tuple[Scalar, Scalar, Scalar]:
        """The divisor, and `_quotient` of any integers."""
        a, b = self._pair(x, y)
        is_zero = self.eq(b, 0)
        is_special = is_zero
        if a.dtype.is_signed:
            is_inverse = self.eq(b, -1)
            is_special = self.bit_or(is_zero, is_inverse)
        quotient, rest = self._quotient(a, self.where(is_special, self.constant(1, b), b))
        if a.dtype.is_signed:
            quotient = self.where(is_special, self.neg(quotient), quotient)
        ones = self.constant(-1 if a.dtype.is_signed else 2 ** (8 * a.dtype.itemsize) - 1, a)
        return b, self.where(is_zero, ones, quotient), self.where(is_zero, a, rest)

    def minimum(self, x: Any, y: Any, /) -> Scalar:
        if self.reduces:
            return self._combined(x, y, (arith.MinimumfOp, arith.MinSIOp, arith.MinUIOp))
        return self._first_of_zeros(x, y, super().minimum(x, y))

    def maximum(self, x: Any, y: Any, /) -> Scalar:
        if self.reduces:
            return self._combined(x, y, (arith.MaximumfOp, arith.MaxSIOp, arith.MaxUIOp))
        return self._first_of_zeros(x, y, super().maximum(x, y))

    def _combined(self, x: Any, y: Any, ops: tuple[type[Operation], ...]) -> Scalar:
        """What one op for floats, integers, or those without a sign gives, in which threads may share a reduction."""
        a, b = self._pair(x, y)
        of_floats, of_integers, without_sign = ops
        if a.dtype.is_floating_point:
            return self.op(of_floats, (a, b), a.dtype, FLAGS)
        return self.op(of_integers if a.dtype.is_signed else without_sign, (a, b), a.dtype)

    def _first_of_zeros(self, x: Any, y: Any, found: Scalar) -> Scalar:
        """The smaller or larger of two, or the first one where they are equal: see Note [Zeros of either sign]."""
        a, b = self._pair(x, y)
        numbers = [self._numbers.get(one.ssa) for one in (a, b)]
        if not a.dtype.is_floating_point or any(number not in (None, 0) for number in numbers):
            return found
        return self.where(self.eq(a, b), a, found)

    def trunc_div(self, x: Any, y: Any, /) -> Scalar:
        return self._divided(x, y)[1]

    def floor_div(self, x: Any, y: Any, /) -> Scalar:
        b, quotient, rest = self._divided(x, y)
        if not b.dtype.is_signed:
            return quotient
        differ = self.bit_xor(self.lt(rest, 0), self.lt(b, 0))
        is_less = self.bit_and(self.bit_and(self.ne(rest, 0), differ), self.ne(b, 0))
        return self.where(is_less, self.sub(quotient, 1), quotient)

    def fmod(self, x: Any, y: Any, /) -> Scalar:
        a, b = self._pair(x, y)
        if not a.dtype.is_floating_point:
            return self._divided(a, b)[2]
        rest, by = (self.cast(self.abs(one), "float64") for one in (a, b))
        for step in reversed(range(STEPS.get(a.dtype.name, STEPS["float32"]))):
            rest = self._reduced(rest, self._scaled(by, BITS * step))
        rest = self.where(self.isnan(by), by, rest)
        return self.copysign(self.cast(rest, a.dtype.name), a)

    def _scaled(self, x: Scalar, exponent: int) -> Scalar:
        """A float64 times 2 to a power, which may be larger than any float64."""
        while exponent:
            part = min(exponent, 1000)
            x, exponent = self.mul(x, 2.0**part), exponent - part
        return x

    def _reduced(self, x: Scalar, by: Scalar) -> Scalar:
        """What is left of x, less than 2^50 times a number, after a multiple of that is subtracted."""
        quotient = self.trunc(self.div(x, by))
        rest = self.op(math.FmaOp, (self.neg(quotient), by, x), x.dtype)
        rest = self.where(self.lt(rest, 0), self.add(rest, by), rest)
        rest = self.where(self.ge(rest, by), self.sub(rest, by), rest)
        return self.where(self.le(by, x), rest, x)

    def _amount(self, x: Any, y: Any) -> tuple[Scalar, Scalar, Scalar]:
        """An integer, by how many bits it is shifted, and whether those are less than 0, or all."""
        a, b = self._pair(x, y)
        is_beyond = self.ge(b, 8 * a.dtype.itemsize)
        if a.dtype.is_signed:
            is_beyond = self.bit_or(self.lt(b, 0), is_beyond)
        return a, b, is_beyond

    def shift_left(self, x: Any, y: Any, /) -> Scalar:
        a, b, is_beyond = self._amount(x, y)
        nothing = self.constant(0, a)
        shifted = self._bitwise(arith.ShLIOp, a, self.where(is_beyond, nothing, b))
        return self.where(is_beyond, nothing, shifted)

    def shift_right(self, x: Any, y: Any, /) -> Scalar:
        a, b, is_beyond = self._amount(x, y)
        if a.dtype.is_signed:
            most = self.constant(8 * a.dtype.itemsize - 1, a)
            return self._bitwise(arith.ShRSIOp, a, self.where(is_beyond, most, b))
        nothing = self.constant(0, a)
        shifted = self._bitwise(arith.ShRUIOp, a, self.where(is_beyond, nothing, b))
        return self.where(is_beyond, nothing, shifted)

    def loop(
        self,
        first: Sequence[Scalar],
        goes_on: Callable[..., Scalar],
        step: Callable[..., Sequence[Scalar]],
        /,
    ) -> list[Scalar]:
        types = [one.ssa.type for one in first]
        before, after = (Block(arg_types=types) for _ in range(2))

        def values(block: Block) -> list[Scalar]:
            return [Scalar(ssa, one.dtype) for ssa, one in zip(block.args, first, strict=True)]

        with self._into(before):
            self.ops.append(scf.ConditionOp(goes_on(*values(before)).ssa, *before.args))
        with self._into(after):
            self.ops.append(scf.YieldOp(*(one.ssa for one in step(*values(after)))))
        made = scf.WhileOp([one.ssa for one in first], types, [before], [after])
        self.ops.append(made)
        return [Scalar(ssa, one.dtype) for ssa, one in zip(made.results, first, strict=True)]

    @contextmanager
    def _into(self, block: Block) -> Generator[None]:
        """Record ops into a block; its constants are no others'."""
        ops, constants = self.ops, dict(self._constants)
        self.ops = []
        yield
        block.add_ops(self.ops)
        self.ops, self._constants = ops, constants

    def gcd(self, x: Any, y: Any, /) -> Scalar:
        a, b = self._pair(x, y)
        is_signed = a.dtype.is_signed
        sizes = [self.abs(one) if is_signed else one for one in (a, b)]
        # The least integer stays negative.
        remainder = arith.RemSIOp if is_signed else arith.RemUIOp

        def step(larger: Scalar, smaller: Scalar) -> list[Scalar]:
            return [smaller, self._bitwise(remainder, larger, smaller)]

        def goes_on(_: Scalar, smaller: Scalar) -> Scalar:
            return self.ne(smaller, 0)

        return self.loop(sizes, goes_on, step)[0]

    def lcm(self, x: Any, y: Any, /) -> Scalar:
        a, b = (self.abs(one) if one.dtype.is_signed else one for one in self._pair(x, y))
        divisor = self.gcd(a, b)
        safe = self.where(self.eq(divisor, 0), self.constant(1, a), divisor)
        quotient = arith.DivSIOp if a.dtype.is_signed else arith.DivUIOp
        found = self.mul(self._bitwise(quotient, a, safe), b)
        wraps = found.dtype.is_signed and found.dtype.itemsize >= 4
        return self.abs(found) if wraps else found

    def pow(self, x: Any, y: Any, /) -> Scalar:
        a, b = self._pair(x, y)
        if a.dtype.is_floating_point:
            return super().pow(a, b)
        power = self.constant(1, a)
        for bit in range(8 * a.dtype.itemsize - 1):
            is_there = self.ne(self.bit_and(b, 1 << bit), 0)
            power = self.where(is_there, self.mul(power, a), power)
            a = self.mul(a, a)
        return power
