"""What the gradients of operators' samples are, in two numbers: along a direction, and how that changes along another one.

The same code runs with PyTorch's tensors and with ours; test/golden/gradients.json holds PyTorch's numbers.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from samples import samples_of
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "gradients.json"
SAMPLES = 2
TRIED = 8
LARGEST = 600
BETWEEN_0_AND_1 = frozenset(
    f"aten::{name}"
    for name in "erfinv special_erfinv logit special_logit special_entr special_ndtri xlogy.Tensor special_xlogy special_xlog1py".split()
)
"""Operators whose samples are brought to where they have slopes."""
STATISTICS = ("running_mean", "running_var")
WIDE = {"float32": "float64", "float64": "float64", "complex64": "complex128", "complex128": "complex128"}  # fmt: skip


class Side(NamedTuple):
    """PyTorch, or ours."""

    tensor_of: Callable[[np.ndarray], Any]
    array_of: Callable[[Any], np.ndarray]
    run: Callable[[Operator, list[Any]], Any]
    grad: Callable[..., Sequence[Any]]


class Slopes(NamedTuple):
    """A number of each order, None where there is none, and how large what they were added up from is."""

    first: float | None
    second: float | None
    scales: tuple[float, float] = (0.0, 0.0)


def names() -> list[str]:
    """The operators that a gradient may go through, by formulas of their own or by those of what they are made of, and that give the
    same for the same operands.
    """
    registry.load_derivatives()
    found: list[str] = []
    for name, rules in registry.attached():
        if rules.grad == "result: not_differentiable":
            continue
        operator = registry.find(name)
        if operator is None or operator.schema.is_mutable:
            continue
        schema = operator.schema
        has_tensors = all(
            any("Tensor" in part.type.repr_str for part in side)
            for side in (schema.arguments, schema.returns)
        )
        if has_tensors and not operator.is_random:
            found.append(name)
    return sorted(found)


def widened(value: Any, side: Side, memo: dict[int, Any], *, between: bool = False) -> Any:
    """An operand as a side takes it, in the widest dtype of its kind."""
    if isinstance(value, np.ndarray):
        if id(value) not in memo:
            array = np.array(value, WIDE.get(value.dtype.name, value.dtype), order="K")
            if between and array.dtype.kind == "f":
                array = 0.05 + 0.9 / (1 + np.exp(-array))
            memo[id(value)] = side.tensor_of(np.asarray(array))
        return memo[id(value)]
    if isinstance(value, (list, tuple)):
        return type(value)(widened(item, side, memo, between=between) for item in value)
    return value


def tensors(value: Any) -> Iterator[Any]:
    """The tensors of an operand or result."""
    if hasattr(value, "requires_grad"):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors(item)


def _drawn(draw: np.random.Generator, side: Side, like: Any) -> tuple[np.ndarray, Any]:
    array = np.asarray(draw.standard_normal(tuple(like.shape)))
    if like.dtype.is_complex:
        array = array + 1j * np.asarray(draw.standard_normal(tuple(like.shape)))
    return array, side.tensor_of(np.array(array))


def _along(
    side: Side, grads: Sequence[Any], directions: Sequence[np.ndarray]
) -> tuple[float, float]:
    parts = [
        np.real(np.conj(side.array_of(g)) * d)
        for g, d in zip(grads, directions, strict=True)
        if g is not None
    ]
    return sum(float(p.sum()) for p in parts), sum(float(np.abs(p).sum()) for p in parts)


@np.errstate(all="ignore")
def slopes(side: Side, operator: Operator, make: Any) -> Slopes | None:
    """The numbers of a sample; None for one that has none. Whatever the operator raises."""
    draw = np.random.default_rng(zlib.crc32(operator.qualified_name.encode()))
    between = operator.qualified_name in BETWEEN_0_AND_1
    operands = [widened(value, side, memo, between=between) for memo in [{}] for value in make()]
    inputs = {
        id(tensor): tensor
        for argument, operand in zip(operator.schema.arguments, operands, strict=False)
        if argument.name not in STATISTICS
        for tensor in tensors(operand)
        if tensor.dtype.is_floating_point or tensor.dtype.is_complex
    }
    leaves = list(inputs.values())
    arrays = [side.array_of(t) for t in leaves]
    if not leaves or any(a.size > LARGEST or a.dtype.name not in WIDE.values() for a in arrays):
        return None
    for tensor in leaves:
        tensor.requires_grad_()
    results = [t for t in tensors(side.run(operator, operands)) if t.requires_grad]
    weights = [_drawn(draw, side, t)[1] for t in results]
    directions = [_drawn(draw, side, t) for t in leaves]
    if not results:
        return None
    found = side.grad(results, leaves, weights, allow_unused=True, create_graph=True)
    first, scale = _along(side, found, [array for array, _ in directions])
    going = [
        (grad, direction)
        for grad, (_, direction) in zip(found, directions, strict=True)
        if grad is not None and grad.requires_grad
    ]
    if not going:
        return Slopes(first, None, (scale, 0.0))
    others = [_drawn(draw, side, t)[0] for t in leaves]
    try:
        again = side.grad([g for g, _ in going], leaves, [d for _, d in going], allow_unused=True)
    except RuntimeError:
        return Slopes(first, None, (scale, 0.0))
    second, wide = _along(side, again, others)
    return Slopes(first, second, (scale, wide))


def samples(operator: Operator) -> list[Any]:
    """The samples that are looked at."""
    return list(samples_of(operator))[:TRIED]
