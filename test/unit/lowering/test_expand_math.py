"""Elementary functions: accuracy and special values of compiled code, and what the pass leaves."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import arith, func, math
from xdsl.dialects.builtin import ModuleOp, VectorType, bf16, f16, f32, f64, i32
from xdsl.ir import Attribute, Block, Operation, Region

from lowering.dialects.math_ext import MathExt
from lowering.math.expand_math import (
    INLINE,
    RECIPES,
    UNSUPPORTED,
    ExpandMathPass,
    expansion,
)
from support.elementary import (
    FUNCTIONS,
    LARGEST_RELATIVE_ERROR,
    LARGEST_ULP,
    Function,
    every_exponent,
    golden_points,
    pairs,
    relative_errors,
    specials,
    ulp_errors,
)
from support.math_kernels import MathKernel

GOLDEN = golden_points()
BRANCHES = frozenset(("vector.reduction", "scf.if", "scf.yield"))
"""What recipes over vectors have for rare arguments."""


def expanded(op_class: type[Operation], type_: Attribute) -> ModuleOp:
    """A function that applies `op_class`, after the pass."""
    arity = 2 if op_class in (math.PowFOp, math.Atan2Op) else 1
    block = Block(arg_types=[type_] * arity)
    op = op_class.create(operands=block.args, result_types=[type_])
    op.results[0].name_hint = "y"
    block.add_ops([op, func.ReturnOp(op.results[0])])
    module = ModuleOp([func.FuncOp("f", ([type_] * arity, [type_]), Region(block))])
    ExpandMathPass().apply(Context(), module)
    return module


def test_every_math_operation_has_a_place():
    assert {*math.Math.operations, *MathExt.operations} == RECIPES.keys() | INLINE | UNSUPPORTED
    assert not INLINE & RECIPES.keys()


def test_every_recipe_is_measured():
    assert {f.what for f in FUNCTIONS.values() if isinstance(f.what, type)} == RECIPES.keys()


@pytest.mark.parametrize(
    "type_", [f32, f64, VectorType(f32, [16]), VectorType(f64, [2]), bf16, f16]
)
@pytest.mark.parametrize("op_class", RECIPES, ids=lambda op_class: op_class.name)
def test_only_inline_operations_are_left(op_class: type[Operation], type_: Attribute):
    module = expanded(op_class, type_)
    module.verify()
    body = next(iter(module.body.block.ops))
    assert isinstance(body, func.FuncOp)
    *_, result = body.body.block.ops
    assert result.operands[0].name_hint == "y"
    branches = BRANCHES if isinstance(type_, VectorType) else frozenset[str]()
    for op in body.body.walk():
        known = type(op) in INLINE or op is result or op.name in branches
        assert known or op.name.startswith(("arith.", "arith_ext."))
        # A possible NaN or overflow has no integer.
        assert op.name not in ("arith.fptosi", "arith.fptoui")


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=lambda f: f.name)
def test_float32(function: Function):
    kernel = MathKernel(function.what, function.arity, "f32")
    if function.arity == 1:
        arguments = (np.concatenate([specials(np.float32), every_exponent(np.float32, 16)]),)
    else:
        first, second = every_exponent(np.float32, 8, 1), every_exponent(np.float32, 8, 2)
        np.random.default_rng(3).shuffle(second)
        some = pairs(specials(np.float32))
        arguments = np.concatenate([some[0], first]), np.concatenate([some[1], second])
    with np.errstate(all="ignore"):
        reference = function.reference(*(x.astype(np.float64) for x in arguments))
    errors = ulp_errors(kernel(*arguments), reference)
    worst = int(np.argmax(errors))
    assert errors[worst] <= LARGEST_ULP, [x[worst] for x in arguments]


@pytest.mark.parametrize("name", GOLDEN)
def test_float64(name: str):
    function = FUNCTIONS[name]
    kernel = MathKernel(function.what, function.arity, "f64")
    arguments, reference = GOLDEN[name]
    errors = relative_errors(kernel(*arguments), reference)
    worst = int(np.argmax(errors))
    assert errors[worst] <= LARGEST_RELATIVE_ERROR, [x[worst] for x in arguments]
    # Where NumPy's result is a limit or zero, ours is the same.
    numbers = specials(np.float64)
    special = pairs(numbers) if function.arity == 2 else (numbers,)
    with np.errstate(all="ignore"):
        reference = function.reference(*special)
    trivial = ~np.isfinite(reference) | (reference == 0)
    broken = trivial & (relative_errors(kernel(*special), reference) > 0)
    assert not broken.any(), [x[broken] for x in special]


def test_exact_results():
    powers = np.arange(-1022, 1024).astype(np.float64)
    kernel = MathKernel(math.Exp2Op, 1, "f64")
    np.testing.assert_array_equal(kernel(powers), np.exp2(powers))
    kernel = MathKernel(math.Log2Op, 1, "f64")
    np.testing.assert_array_equal(kernel(np.exp2(powers)), powers)
    kernel = MathKernel(math.Log10Op, 1, "f64")
    tens = np.array([float(10**k) for k in range(23)])
    np.testing.assert_array_equal(kernel(tens), np.arange(23))
    kernel = MathKernel(math.PowFOp, 2, "f64")
    whole = np.arange(1, 9).astype(np.float64)
    base, exponent = pairs(whole)
    np.testing.assert_array_equal(kernel(base, exponent), np.power(base, exponent))


def test_sine_next_to_multiples_of_pi():
    # The float32 arguments with the least remainders, for their sizes.
    x = np.array([16367173 * 2.0**72, 10367820 * 2.0**9, 12966667 * 2.0**20, 3.1415927], np.float32)
    x = np.concatenate([x, -x])
    for name in ("sin", "cos", "tan"):
        function = FUNCTIONS[name]
        result = MathKernel(function.what, 1, "f32")(x)
        wide = MathKernel(function.what, 1, "f64")(x.astype(np.float64))
        assert ulp_errors(result, wide).max() <= LARGEST_ULP


@pytest.mark.parametrize("dtype, large", [("f32", 3e38), ("f32", 2.0**20), ("f64", 1e300)])
@pytest.mark.parametrize("op_class", [math.SinOp, math.CosOp, math.TanOp])
def test_large_arguments_leave_the_others_as_they_are(
    op_class: type[Operation], dtype: str, large: float
):
    kernel = MathKernel(op_class, 1, dtype)
    usual = np.arange(-500, 500) * np.pi / 4
    mixed = usual.copy()
    mixed[::5] = large
    expected, found = kernel(usual), kernel(mixed)
    expected[::5] = kernel(np.array([large]))
    np.testing.assert_array_equal(found, expected)


def test_integers_are_refused():
    with pytest.raises(TypeError, match="expected f32, f64 or a vector of one of them, got i32"):
        expansion(RECIPES[math.ExpOp], i32)


def test_half_precision_is_computed_in_single():
    module = expanded(math.ExpOp, VectorType(bf16, [4]))
    kinds = [type(op) for op in module.walk()]
    assert kinds.count(arith.ExtFOp) == kinds.count(arith.TruncFOp) == 1


def test_recipes_are_recorded_once():
    first = expansion(RECIPES[math.TanhOp], VectorType(f32, [16]))
    expanded(math.TanhOp, VectorType(f32, [16]))
    assert expansion(RECIPES[math.TanhOp], VectorType(f32, [16])) is first


def test_copies_of_a_recipe_do_not_share_properties():
    type_ = VectorType(f32, [16])
    ops, _ = expansion(RECIPES[math.TanhOp], type_).copy(Block(arg_types=[type_]).args)
    others, _ = expansion(RECIPES[math.TanhOp], type_).copy(Block(arg_types=[type_]).args)
    for op in ops:
        op.properties.clear()
    assert all(other.properties for other in others if isinstance(other, arith.ConstantOp))
