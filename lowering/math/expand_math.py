"""Elementary functions become plain arithmetic, without calls to a math library.

Before: any `math` operation over floats, scalar or vector. After: `arith` operations and the `math`
operations of `INLINE`, which every target has as instructions. Operands of f16 and bf16 are
computed in f32. Over vectors there may be `scf.if`, where a rare case costs much. Accuracy: docs/accuracy.md.

What the processor lacks is expanded too: multiply-adds, and arithmetic with bf16.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import BFloat16Type, Float16Type, ModuleOp, f32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter

from lowering.create import create
from lowering.dialects import math_ext
from lowering.interpreter.rounding import FUNCTIONS
from lowering.kernel import require_lowered
from lowering.math import (
    error_function,
    exponential,
    hyperbolic,
    logarithm,
    multiply_add,
    power,
    trigonometric,
)
from lowering.math.bfloat16 import EXPAND_BF16
from lowering.math.expressions import ExpressionBuilder, Float, element_type, with_element
from torchscript_dialect.ir.pattern_driver import (
    FrozenPatternSet,
    RootedPattern,
    apply_conversion,
)

Recipe = Callable[..., Float]
Properties = Mapping[str, Attribute]

RECIPES: dict[type[Operation], Recipe] = {
    math.AcosOp: trigonometric.acos,
    math.AcoshOp: hyperbolic.acosh,
    math.AsinOp: trigonometric.asin,
    math.AsinhOp: hyperbolic.asinh,
    math.Atan2Op: trigonometric.atan2,
    math.AtanOp: trigonometric.atan,
    math.AtanhOp: hyperbolic.atanh,
    math.CbrtOp: power.cbrt,
    math.CosOp: trigonometric.cos,
    math.CoshOp: hyperbolic.cosh,
    math.ErfOp: error_function.erf,
    math_ext.ErfcOp: error_function.erfc,
    math.Exp2Op: exponential.exp2,
    math.ExpM1Op: exponential.expm1,
    math.ExpOp: exponential.exp,
    math.Log10Op: logarithm.log10,
    math.Log1pOp: logarithm.log1p,
    math.Log2Op: logarithm.log2,
    math.LogOp: logarithm.log,
    math.PowFOp: power.powf,
    math.RsqrtOp: power.rsqrt,
    math.SinOp: trigonometric.sin,
    math.SinhOp: hyperbolic.sinh,
    math.TanOp: trigonometric.tan,
    math.TanhOp: hyperbolic.tanh,
}

MULTIPLY_ADDS: dict[type[Operation], Recipe] = {
    math.FmaOp: multiply_add.fma,
    vector.FMAOp: multiply_add.unfused,
}

# What code generators have instructions, or short inline sequences, for.
INLINE: frozenset[type[Operation]] = frozenset(
    {
        math.AbsFOp,
        math.AbsIOp,
        math.CeilOp,
        math.CopySignOp,
        math.CountLeadingZerosOp,
        math.CountTrailingZerosOp,
        math.CtPopOp,
        math.FloorOp,
        math.FmaOp,
        math.RoundEvenOp,
        math.RoundOp,
        math.SqrtOp,
        math.TruncOp,
    }
)

# Powers by an integer: nothing here makes them.
UNSUPPORTED: frozenset[type[Operation]] = frozenset({math.FPowIOp, math.IPowIOp})


@dataclass(frozen=True, slots=True)
class Step:
    """An op of a recipe. Values have numbers: arguments first, those of an op's regions before its results."""

    op_class: type[Operation]
    operands: tuple[int, ...]
    result_types: tuple[Attribute, ...]
    properties: Properties
    regions: tuple[tuple[Step, ...], ...]
    """The ops of each, which is one block without arguments."""


class Expansion:
    """The ops of a recipe over operands of one type, recorded once, from which as many copies are made as are asked for."""

    def __init__(self, recipe: Recipe, type_: Attribute, arity: int) -> None:
        operands = Block(arg_types=[type_] * arity).args
        ops, result = _record(recipe, operands)
        place: dict[SSAValue, int] = {value: number for number, value in enumerate(operands)}
        self.steps = _steps(ops, place)
        self.result = place[result]

    def copy(self, operands: Sequence[SSAValue]) -> tuple[list[Operation], SSAValue]:
        """New ops over these operands, not yet inserted, and their result."""
        values = [*operands]
        ops = _copies(self.steps, values)
        return ops, values[self.result]


def _steps(ops: Iterable[Operation], place: dict[SSAValue, int]) -> tuple[Step, ...]:
    steps: list[Step] = []
    for op in ops:
        regions = tuple(_steps(region.block.ops, place) for region in op.regions)
        taken = tuple(place[operand] for operand in op.operands)
        steps.append(Step(type(op), taken, tuple(op.result_types), op.properties, regions))
        for result in op.results:
            place[result] = len(place)
    return tuple(steps)


def _copies(steps: Sequence[Step], values: list[SSAValue]) -> list[Operation]:
    ops: list[Operation] = []
    for step in steps:
        regions = [Region(Block(_copies(inner, values))) for inner in step.regions]
        operands = [values[number] for number in step.operands]
        op = create(step.op_class, operands, step.result_types, step.properties)
        for region in regions:
            op.add_region(region)
        ops.append(op)
        values.extend(op.results)
    return ops


def _record(recipe: Recipe, operands: Sequence[SSAValue]) -> tuple[list[Operation], SSAValue]:
    type_ = operands[0].type
    narrow = isinstance(element_type(type_), BFloat16Type | Float16Type)
    e = ExpressionBuilder(with_element(type_, f32) if narrow else type_)
    if not narrow:
        return e.ops, recipe(*(e.value(operand) for operand in operands)).ssa
    wide = [Float(e, e.op(arith.ExtFOp, (operand,), e.type)) for operand in operands]
    result = e.op(arith.TruncFOp, (recipe(*wide).ssa,), type_)
    return e.ops, result


@lru_cache(maxsize=256)
def expansion(recipe: Recipe, type_: Attribute, arity: int = 1) -> Expansion:
    """The recipe for operands of this type, recorded at the first call.

    Raises:
        TypeError: the operands are no floats of at most 64 bits.
    """
    return Expansion(recipe, type_, arity)


class ExpandFunction(RootedPattern):
    """An elementary function becomes the ops of its recipe.

    `%y = math.cosh %x : f32` becomes `%a = math.absf %x`, some thirty ops of e^|x| / 2, and `%y = arith.addf %w, %v`.
    """

    def __init__(self, root: type[Operation], recipe: Recipe) -> None:
        self.roots = (root,)
        self.recipe = recipe

    def rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        operands = op.operands
        ops, result = expansion(self.recipe, operands[0].type, len(operands)).copy(operands)
        rewriter.replace(op, ops, (result,))


def _expansions(recipes: Mapping[type[Operation], Recipe]) -> FrozenPatternSet:
    return FrozenPatternSet(ExpandFunction(root, recipe) for root, recipe in recipes.items())


EXPAND_MATH = _expansions(RECIPES)
EXPAND_MULTIPLY_ADDS = _expansions(MULTIPLY_ADDS)


@dataclass(frozen=True)
class ExpandMathPass(ModulePass):
    """See the module."""

    name = "ts-expand-math"
    ROUNDS_OTHERWISE: ClassVar = frozenset({FUNCTIONS})
    """Polynomials take the place of functions."""

    fma: bool = True
    """Whether the processor has multiply-adds."""
    bf16: bool = True
    """Whether it rounds to bf16."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        require_lowered(op, self.name)
        apply_conversion(op, EXPAND_MATH)
        if not self.fma:
            apply_conversion(op, EXPAND_MULTIPLY_ADDS)
        if not self.bf16:
            apply_conversion(op, EXPAND_BF16)
