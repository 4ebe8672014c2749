"""Elementary functions become plain arithmetic, without calls to a math library.

Before: any `math` operation over floats, scalar or vector. After: `arith` operations and the `math`
operations of `INLINE`, which every target has as instructions. Operands of f16 and bf16 are
computed in f32. Accuracy: docs/accuracy.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import BFloat16Type, Float16Type, ModuleOp, f32
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from lowering.math import error_function, exponential, hyperbolic, logarithm, power, trigonometric
from lowering.math.emit import Emitter, Float, element_type, with_element

Recipe = Callable[..., Float]

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


def record(recipe: Recipe, operands: tuple[SSAValue, ...]) -> tuple[list[Operation], SSAValue]:
    """The operations of `recipe` over the operands, not yet inserted, and their result.

    Raises TypeError for operands that are no floats of at most 64 bits.
    """
    type_ = operands[0].type
    narrow = isinstance(element_type(type_), BFloat16Type | Float16Type)
    e = Emitter(with_element(type_, f32) if narrow else type_)
    if not narrow:
        return e.ops, recipe(*(e.value(operand) for operand in operands)).ssa
    wide = [Float(e, e.op(arith.ExtFOp, (operand,), e.type)) for operand in operands]
    result = e.op(arith.TruncFOp, (recipe(*wide).ssa,), type_)
    return e.ops, result


def build(recipe: Recipe, builder: Builder, *operands: SSAValue) -> SSAValue:
    """Inserts the operations of `recipe` at the builder's insertion point; gives the result."""
    ops, result = record(recipe, operands)
    builder.insert(ops)
    return result


def build_sigmoid(builder: Builder, x: SSAValue) -> SSAValue:
    """Inserts 1 / (1 + e^-x), for which there is no `math` operation."""
    return build(exponential.sigmoid, builder, x)


def build_erfc(builder: Builder, x: SSAValue) -> SSAValue:
    """Inserts 1 - erf(x), relatively accurate for large x; xDSL has no `math` operation."""
    return build(error_function.erfc, builder, x)


@dataclass(frozen=True)
class ExpandMathPass(ModulePass):
    """See the module."""

    name = "ts-expand-math"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for found in [inner for inner in op.walk() if type(inner) in RECIPES]:
            ops, result = record(RECIPES[type(found)], tuple(found.operands))
            block = found.parent
            assert block is not None
            result.name_hint = found.results[0].name_hint
            block.insert_ops_before(ops, found)
            found.results[0].replace_all_uses_with(result)
            block.erase_op(found)
