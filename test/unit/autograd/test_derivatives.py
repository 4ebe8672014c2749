"""Derivatives against differences, on the samples of the operators in float64 and complex128.

One direction in the space of all operands, and one weight for each element of the results, are drawn for a sample: the derivative of the
weighted sum along that direction is what the gradients say, or what two runs of the operator do. Samples on a kink, where both sides
differ, tell nothing and are left out.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from samples import samples_of
from torchscript_dialect import torch
from torchscript_dialect.autograd import functions
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor

STEP = 1e-6
TOLERANCE = 2e-4
WIDE = {
    "float32": np.float64,
    "float64": np.float64,
    "complex64": np.complex128,
    "complex128": np.complex128,
}
SAMPLES = 2
"""How many samples of an operator are looked at, and how many more are tried where those tell nothing."""
TRIED = 12

UNCHECKED = {
    **dict.fromkeys(("aten::linalg_eigh", "aten::_linalg_eigh"), "eigenvectors have any sign"),
    **dict.fromkeys(
        (
            "aten::cholesky",
            "aten::linalg_cholesky",
            "aten::linalg_cholesky_ex",
            "aten::linalg_eigvalsh",
            "aten::linalg_pinv.atol_rtol_float",
        ),
        "of symmetric matrices, which those beside a sample are not",
    ),
    **dict.fromkeys(
        ("aten::cholesky_inverse", "aten::cholesky_solve"),
        "of triangular factors: PyTorch's gradients stand in both triangles, of which one is read",
    ),
    **dict.fromkeys(("aten::put", "aten::scatter.src"), "samples write to a place twice"),
    **dict.fromkeys(
        (
            "aten::native_batch_norm_backward",
            "aten::native_layer_norm_backward",
            "aten::native_group_norm_backward",
        ),
        "what they get for statistics are functions of the input",
    ),
    "aten::log_sigmoid_backward": "its buffer is a function of the input",
    **dict.fromkeys(
        ("aten::_ctc_loss", "aten::_ctc_loss.Tensor"),
        "as PyTorch's, it is that of logarithms of probabilities, which add up to one",
    ),
    **dict.fromkeys(
        (
            f"aten::{'_' if kind.endswith('mask_tensor_qparams') else ''}fake_quantize_per_{kind}"
            for kind in (
                "tensor_affine",
                "tensor_affine.tensor_qparams",
                "tensor_affine_cachemask",
                "tensor_affine_cachemask_tensor_qparams",
                "channel_affine",
                "channel_affine_cachemask",
            )
        ),
        "rounding goes in steps; the gradient is that of no rounding",
    ),
    "aten::polar": "as PyTorch's, it is not that of negative lengths",
}
MISSING = re.compile(
    r"derivative for argument '\w+' of|The (QR decomposition is not|derivative of linalg.qr)|the gradients of layers with|"
    r", so it is ill-defined"
)
STATISTICS = ("running_mean", "running_var")
"""Operands of floats that are no inputs to differentiate by."""


def declared() -> list[str]:
    """The operators with formulas of their own, of which something can be differentiated."""
    registry.load_derivatives()
    return sorted(
        name
        for name, rules in registry.declared()
        if rules.grad is not None
        and rules.grad != "result: not_differentiable"
        and name not in UNCHECKED
    )


def widened(value: Any, memo: dict[int, Any]) -> Any:
    """Operands in which differences can be taken: arrays become tensors, one array one tensor."""
    if isinstance(value, np.ndarray):
        if id(value) not in memo:
            memo[id(value)] = as_tensor(value.astype(WIDE.get(value.dtype.name, value.dtype)))
        return memo[id(value)]
    if isinstance(value, (list, tuple)):
        return type(value)(widened(item, memo) for item in value)
    return value


def leaves(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)


def is_smooth(tensor: Tensor) -> bool:
    return tensor.dtype.is_floating_point or tensor.dtype.is_complex


def drawn(draw: np.random.Generator, like: np.ndarray) -> np.ndarray:
    found = np.asarray(draw.standard_normal(like.shape))
    if like.dtype.kind == "c":
        found = found + 1j * np.asarray(draw.standard_normal(like.shape))
    return np.asarray(found, dtype=like.dtype)


def weighted(results: Sequence[np.ndarray], weights: Sequence[np.ndarray]) -> float:
    return sum(
        float(np.real(np.conj(weight) * result).sum())
        for result, weight in zip(results, weights, strict=True)
    )


def inputs_of(operator: Operator, operands: Sequence[Any]) -> list[Tensor]:
    """The operands that gradients are asked for, one tensor once."""
    found: dict[int, Tensor] = {}
    for argument, operand in zip(operator.schema.arguments, operands, strict=True):
        if argument.name not in STATISTICS:
            found |= {id(tensor): tensor for tensor in leaves(operand) if is_smooth(tensor)}
    return list(found.values())


@np.errstate(all="ignore")
def error(operator: Operator, make: Any) -> str | None:
    """How a sample disagrees; None where it tells nothing, the empty text where it agrees."""
    draw = np.random.default_rng(zlib.crc32(operator.qualified_name.encode()))
    operands = widened(make(), {})
    inputs = inputs_of(operator, operands)
    if not inputs or any(t.array.dtype.name not in WIDE or t.array.size > 200 for t in inputs):
        return None
    assert operator.kernel is not None and operator.recorded is not None
    base = [t.array.copy() for t in inputs]
    for tensor in inputs:
        tensor.requires_grad_()
    try:
        results = list(leaves(operator.recorded(*operands)))
    except (RuntimeError, ValueError, IndexError):
        return None  # what the operator does not take
    chosen = [number for number, result in enumerate(results) if result.requires_grad]
    if not chosen or any(
        results[n].array.dtype.name not in ("float64", "complex128") for n in chosen
    ):
        return None
    outputs = [results[number] for number in chosen]
    weights = [drawn(draw, result.array) for result in outputs]
    try:
        of_outputs = [as_tensor(weight) for weight in weights]
        found = functions.grad(outputs, inputs, of_outputs, allow_unused=True)
    except RuntimeError as missing:
        assert MISSING.search(str(missing)), missing
        return None
    directions = [drawn(draw, array) for array in base]
    told = sum(
        float(np.real(np.conj(gradient.array) * direction).sum())
        for gradient, direction in zip(found, directions, strict=True)
        if gradient is not None
    )
    for tensor in inputs:
        tensor.requires_grad_(False)
    values: list[float] = []
    for distance in (-STEP, 0.0, STEP):
        for tensor, start, direction in zip(inputs, base, directions, strict=True):
            tensor.array[...] = start + distance * direction
        there = [result.array for result in leaves(operator.kernel(*operands))]
        values.append(weighted([there[number] for number in chosen], weights))
    before, after = (values[1] - values[0]) / STEP, (values[2] - values[1]) / STEP
    scale = max(1.0, abs(before), abs(after))
    if not np.all(np.isfinite(values)) or abs(before - after) > 0.01 * scale:
        return None
    expected = (before + after) / 2
    if abs(told - expected) <= TOLERANCE * scale:
        return ""
    return f"{told} by the derivative, {expected} by differences"


def checked(name: str) -> int:
    """How many samples of an operator agree; an AssertionError for one that does not."""
    operator = registry.find(name)
    if operator is None or operator.kernel is None or operator.schema.is_mutable:
        return 0
    if operator.is_random:
        return 0
    agreed = 0
    for number, make in enumerate(samples_of(operator)):
        if agreed == SAMPLES or number == TRIED:
            break
        found = error(operator, make)
        assert not found, f"{name}, sample {number}: {found}"
        agreed += found is not None
    return agreed


@pytest.mark.parametrize("shard", range(8))
def test_derivatives_are_what_differences_tell(shard: int) -> None:
    names = declared()[shard::8]
    told = [name for name in names if checked(name)]
    assert len(told) > len(names) // 2, f"only {told} were looked at"


def test_every_formula_names_inputs_and_compiles() -> None:
    from torchscript_dialect.autodiff.derivatives import derivative

    for name in declared()[::7]:
        operator = registry.find(name)
        assert operator is not None
        found = derivative(operator)
        assert found is not None
        names = {argument.name for argument in operator.schema.arguments}
        for formula in found.formulas:
            assert names.issuperset(formula.inputs), name
            assert formula.function is not None


def test_recorded_results_have_the_strides_of_plain_ones() -> None:
    """What operators are made of lays out results in other ways than their kernels."""
    x, tau = torch.ones(2, 5, 3), torch.full((2, 2), 0.25)
    ends = torch.tensor([[0, 1, 5], [0, 2, 5]])
    for run in (
        lambda x: torch.linalg.householder_product(x, tau),
        lambda x: torch.segment_reduce(x, "prod", axis=1, offsets=ends),
        lambda x: torch.segment_reduce(x[:1], "max", axis=1, offsets=ends[:1]),
        lambda x: torch.triangular_solve(x[0, :3], x[:, :3])[1],
    ):
        plain, recorded = run(x), run(x.clone().requires_grad_())
        assert recorded.requires_grad and recorded._base is None
        assert recorded.shape == plain.shape and recorded.stride() == plain.stride()


def test_in_place_and_plain_forms_with_overloads_of_other_names() -> None:
    """`pow_.Scalar` is `pow.Tensor_Scalar` in place, not `pow.Scalar`."""
    for exponent in (2, torch.tensor(2.0)):
        x = torch.tensor([3.0, 4.0], requires_grad=True)
        (x * 1).pow_(exponent).sum().backward()
        assert x.grad.tolist() == [6, 8]
