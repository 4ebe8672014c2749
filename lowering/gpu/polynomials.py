"""Indices as polynomials: sums of products of values, so that two that are computed in different ways can be told to be one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from lowering.dialects.kernel import SignatureOp
from lowering.loops.outline_kernel import constant_of
from lowering.loops.words import sizes_function

Atom = SSAValue | tuple["Polynomial", "Polynomial"]
"""A value that is no sum or product, or a quotient, which is rounded down."""
Term = frozenset[tuple[Atom, int]]
"""A product of powers of atoms."""


@dataclass(frozen=True)
class Polynomial:
    """A sum of terms, each so many times; none 0 times."""

    terms: frozenset[tuple[Term, int]]

    def __add__(self, other: Polynomial) -> Polynomial:
        total = Counter(dict(self.terms))
        for term, factor in other.terms:
            total[term] += factor
        return _made(total)

    def __mul__(self, other: Polynomial) -> Polynomial:
        total: Counter[Term] = Counter()
        for term, factor in self.terms:
            for second, by in other.terms:
                powers = Counter(dict(term))
                powers.update(dict(second))
                total[frozenset(powers.items())] += factor * by
        return _made(total)

    def depends_on(self, value: SSAValue) -> bool:
        """Whether a value is among what it is made of."""
        return any(
            part.depends_on(value)
            for term, _ in self.terms
            for atom, _ in term
            for part in (atom if isinstance(atom, tuple) else ())
        ) or any(atom is value for term, _ in self.terms for atom, _ in term)


def _made(total: Counter[Term]) -> Polynomial:
    return Polynomial(frozenset((term, factor) for term, factor in total.items() if factor))


def _atom(value: Atom) -> Polynomial:
    return _made(Counter({frozenset(((value, 1),)): 1}))


def number(value: int) -> Polynomial:
    """A constant."""
    return _made(Counter({frozenset(): value}))


ARITHMETIC = (arith.AddiOp, arith.DivUIOp, arith.MuliOp, arith.RemUIOp, arith.SubiOp)
ZERO, ONE, MINUS_ONE = number(0), number(1), number(-1)


class Polynomials:
    """Makes polynomials of indices, in terms of values that are no sums, differences or products."""

    def __init__(self, known: Mapping[SSAValue, Polynomial]) -> None:
        """`known` are polynomials of values that do not show what they are."""
        self.known = known

    def __call__(self, value: SSAValue | int) -> Polynomial:
        constant = value if isinstance(value, int) else constant_of(value)
        if constant is not None:
            return number(constant)
        assert isinstance(value, SSAValue)
        if value in self.known:
            return self.known[value]
        owner = value.owner
        if isinstance(owner, arith.DivSIOp) and constant_of(owner.rhs) == 1:
            return self(owner.lhs)
        if isinstance(owner, arith.IndexCastOp):
            return self(owner.input)
        if not isinstance(owner, ARITHMETIC):
            return _atom(value)
        left, right = map(self, owner.operands)
        if isinstance(owner, arith.DivUIOp):
            return _atom((left, right))
        if isinstance(owner, arith.RemUIOp):
            return left + _atom((left, right)) * right * MINUS_ONE
        if isinstance(owner, arith.MuliOp):
            return left * right
        return left + (right if isinstance(owner, arith.AddiOp) else right * MINUS_ONE)


def derived_sizes(
    module: ModuleOp, function: FuncOp, signature: SignatureOp
) -> dict[SSAValue, Polynomial]:
    """What `@sizes` computes for the arguments of a kernel that are words."""
    places = zip(function.body.block.args, signature.arguments, strict=False)
    words = {place.data: value for value, place in places if isinstance(place, IntAttr)}
    found: dict[SSAValue, Polynomial] = {}
    sizes = sizes_function(module)
    if sizes is None:
        return found
    (syms,) = sizes.body.block.args
    accesses = [op for op in sizes.body.block.ops if syms in op.operands]
    loads = [op for op in accesses if isinstance(op, memref.LoadOp)]
    atoms = Polynomials({})
    known: dict[SSAValue, Polynomial] = {
        op.res: atoms(words[at]) for op in loads if (at := _word(op)) in words
    }
    of_sizes = Polynomials(known)
    for op in accesses:
        if isinstance(op, memref.StoreOp) and (at := _word(op)) in words:
            found[words[at]] = of_sizes(op.value)
    return found


def _word(op: memref.LoadOp | memref.StoreOp) -> int:
    number = constant_of(op.indices[0])
    assert number is not None
    return number
