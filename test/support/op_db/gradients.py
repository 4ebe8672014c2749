"""Whether our gradients of an entry, and those of these gradients, agree with PyTorch's, for every sample that requires them."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from support.op_db import calls, inputs
from support.op_db.pairs import OpInfo, Outcome, SampleInput, _at_most, entries
from torchscript_dialect.autograd.functions import grad
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor

DTYPES = ("float64", "complex128")
SECONDS = 120
SAMPLES = {1: 1000, 2: 12}
"""How many samples of a pair are compared, by order: all, or some."""
TOLERANCE = 1e-6


def pairs(order: int = 1) -> list[tuple[str, str]]:
    """Every entry that PyTorch differentiates `order` times, with the dtypes that it does that in."""
    return [
        (name, dtype)
        for name, entry in entries().items()
        for dtype in DTYPES
        if (entry.supports_autograd if order == 1 else entry.supports_gradgrad)
        and getattr(torch, dtype) in entry.supported_backward_dtypes("cpu")
    ]


def outcome(name: str, dtype: str, limit: int | None = None, order: int = 1) -> Outcome:
    """Compare the gradients of a pair, for the first samples of it: `limit`, or as many as the list is made of. With an order of 2,
    the gradients of the gradients.
    """
    found = Outcome(name, dtype)
    entry = entries()[name]
    inputs.seed()
    try:
        with _at_most(SECONDS), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for number, sample in enumerate(
                entry.sample_inputs("cpu", getattr(torch, dtype), requires_grad=True)
            ):
                if number >= (limit or SAMPLES[order]):
                    break
                found.calls += 1
                difference = _difference(entry, sample, order)
                if difference is not None:
                    found.differences.append(f"{difference} | sample {number + 1}")
    except TimeoutError:
        found.differences.insert(0, f"takes more than {SECONDS} s | ")
    return found


_IDENTITY = SampleInput(None).output_process_fn_grad.__code__
_CALL = OpInfo.__dataclass_fields__["gradcheck_wrapper"].default


def _function(entry: Any, sample: Any) -> Any:
    """What PyTorch's own tests of an entry take gradients of: of symmetric matrices, say, and what does not depend on signs of
    eigenvectors.
    """
    process = sample.output_process_fn_grad
    if process.__code__ is _IDENTITY and entry.gradcheck_wrapper is _CALL:
        return entry.op
    return lambda *args, **kwargs: process(entry.gradcheck_wrapper(entry.op, *args, **kwargs))


def _difference(entry: Any, sample: Any, order: int) -> str | None:
    args, kwargs = [sample.input, *sample.args], dict(sample.kwargs)
    function = _function(entry, sample)
    theirs = [t for t in inputs.tensors((args, kwargs)) if t.requires_grad]
    if not theirs or any(t.layout != torch.strided for t in inputs.tensors((args, kwargs))):
        return None
    memo: dict[Any, Any] = {}
    for tensor in inputs.tensors((args, kwargs)):
        mine = as_tensor(tensor.detach().clone())
        memo[id(tensor)] = (mine.requires_grad_() if tensor.requires_grad else mine), tensor
    inputs.seed()
    try:
        expected = _differentiable(inputs.tensors(function(*args, **kwargs)), torch.Tensor)
        if not expected:
            return None
        weights = [
            _weight(tuple(t.shape), number, t.is_complex()) for number, t in enumerate(expected)
        ]
        wanted = _gradients(torch.autograd.grad, torch.from_numpy, expected, theirs, weights, order)
    except Exception:
        return None
    inputs.seed()
    try:
        result = calls.run(function, args, kwargs, memo)
        outputs = _differentiable(_tensors(result), Tensor)
        if len(outputs) != len(expected):
            return f"{len(outputs)} results require gradients, not {len(expected)}"
        mine = _gradients(
            grad, as_tensor, outputs, [memo[id(t)][0] for t in theirs], weights, order
        )
    except TimeoutError:
        raise
    except calls.NoKernel as missing:
        return f"no kernel: {missing}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[-1][:200] if str(error) else ''}"
    for number, (one, other) in enumerate(zip(mine, wanted, strict=True)):
        difference = difference_of(one, other)
        if difference is not None:
            return f"gradient {number}: {difference}"
    return None


def _gradients(
    grad: Any,
    tensor_of: Any,
    outputs: Sequence[Any],
    inputs: Sequence[Any],
    weights: Sequence[np.ndarray],
    order: int,
) -> Sequence[Any]:
    """The gradients by the inputs; of the second order by the weights, too. `grad` is PyTorch's or ours."""
    given = [tensor_of(weight) for weight in weights]
    if order == 1:
        return grad(outputs, inputs, given, allow_unused=True)
    given = [tensor.requires_grad_() for tensor in given]
    first = grad(outputs, inputs, given, allow_unused=True, create_graph=True)
    chosen = [
        (one, tensor_of(_weight(tuple(one.shape), 100 + number, one.dtype.is_complex)))
        for number, one in enumerate(first)
        if one is not None and one.requires_grad
    ]
    by = [*inputs, *given]
    if not chosen:
        return [None] * len(by)
    return grad([one for one, _ in chosen], by, [w for _, w in chosen], allow_unused=True)


def difference_of(mine: Any, theirs: Any) -> str | None:
    """How two gradients differ; none is one of zeros."""
    if mine is None and theirs is None:
        return None
    if theirs is None or mine is None:
        given: Any = mine if theirs is None else theirs.resolve_conj().resolve_neg()
        there = np.asarray(given.numpy())
        return None if np.allclose(there, 0, atol=TOLERANCE) else "one is missing"
    one, other = mine.array, theirs.numpy(force=True)
    if one.shape != other.shape or mine.dtype.name != str(theirs.dtype).removeprefix("torch."):
        return f"{mine.dtype.name}{one.shape}, not {theirs.dtype}{other.shape}"
    near = TOLERANCE * (100 if one.dtype.name in ("float32", "complex64") else 1)
    if np.allclose(one, other, rtol=near, atol=near, equal_nan=True):
        return None
    return "the values differ"


def _differentiable(tensors: Sequence[Any], type_: type) -> list[Any]:
    return [t for t in tensors if isinstance(t, type_) and t.requires_grad]


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in _tensors(item)]
    return []


def _weight(shape: tuple[int, ...], number: int, is_complex: bool) -> np.ndarray:
    draw = np.random.default_rng(number)
    weight = np.asarray(draw.standard_normal(shape))
    return weight + 1j * np.asarray(draw.standard_normal(shape)) if is_complex else weight
