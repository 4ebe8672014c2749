"""Whether our gradients of an entry agree with PyTorch's, for every sample that requires them."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from support.op_db import calls, inputs
from support.op_db.pairs import Outcome, _at_most, entries
from torchscript_dialect.autograd.functions import grad
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor

DTYPES = ("float64", "complex128")
SECONDS = 120
SAMPLES = 3
TOLERANCE = 1e-6


def pairs() -> list[tuple[str, str]]:
    """Every entry that PyTorch differentiates, with the dtypes that it does that in."""
    return [
        (name, dtype)
        for name, entry in entries().items()
        for dtype in DTYPES
        if entry.supports_autograd
        and getattr(torch, dtype) in entry.supported_backward_dtypes("cpu")
    ]


def outcome(name: str, dtype: str, limit: int | None = None) -> Outcome:
    """Compare the gradients of a pair, for the first samples of it: `limit`, or as many as the list is made of."""
    found = Outcome(name, dtype)
    entry = entries()[name]
    inputs.seed()
    try:
        with _at_most(SECONDS), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for number, sample in enumerate(
                entry.sample_inputs("cpu", getattr(torch, dtype), requires_grad=True)
            ):
                if number >= (limit or SAMPLES):
                    break
                found.calls += 1
                difference = _difference(entry, sample)
                if difference is not None:
                    found.differences.append(f"{difference} | sample {number + 1}")
    except TimeoutError:
        found.differences.insert(0, f"takes more than {SECONDS} s | ")
    return found


def _outputs(entry: Any, sample: Any, result: Any) -> Any:
    process = sample.output_process_fn_grad
    return result if process is None else process(result)


def _difference(entry: Any, sample: Any) -> str | None:
    args, kwargs = [sample.input, *sample.args], dict(sample.kwargs)
    theirs = [t for t in inputs.tensors((args, kwargs)) if t.requires_grad]
    if not theirs or any(t.layout != torch.strided for t in inputs.tensors((args, kwargs))):
        return None
    memo: dict[Any, Any] = {}
    for tensor in inputs.tensors((args, kwargs)):
        mine = as_tensor(tensor.detach().clone())
        memo[id(tensor)] = (mine.requires_grad_() if tensor.requires_grad else mine), tensor
    inputs.seed()
    try:
        expected = _differentiable(inputs.tensors(entry.op(*args, **kwargs)), torch.Tensor)
        if not expected:
            return None
        weights = [
            _weight(tuple(t.shape), number, t.is_complex()) for number, t in enumerate(expected)
        ]
        of_weights = [torch.from_numpy(w) for w in weights]
        wanted = torch.autograd.grad(expected, theirs, of_weights, allow_unused=True)
    except Exception:
        return None
    inputs.seed()
    try:
        result = calls.run(entry.op, args, kwargs, memo)
        outputs = _differentiable(_tensors(result), Tensor)
        if len(outputs) != len(expected):
            return f"{len(outputs)} results require gradients, not {len(expected)}"
        mine = grad(
            outputs,
            [memo[id(t)][0] for t in theirs],
            [as_tensor(w) for w in weights],
            allow_unused=True,
        )
    except TimeoutError:
        raise
    except calls.NoKernel as missing:
        return f"no kernel: {missing}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[-1][:200] if str(error) else ''}"
    for number, (one, other) in enumerate(zip(mine, wanted)):
        difference = difference_of(one, other)
        if difference is not None:
            return f"gradient {number}: {difference}"
    return None


def difference_of(mine: Any, theirs: Any) -> str | None:
    """How two gradients differ; none is one of zeros."""
    if mine is None and theirs is None:
        return None
    if theirs is None or mine is None:
        given: Any = mine if theirs is None else theirs.resolve_conj().resolve_neg()
        there = np.asarray(given.numpy())
        return None if not np.any(there) else "one is missing"
    one, other = mine.array, theirs.numpy(force=True)
    if one.shape != other.shape or mine.dtype.name != str(theirs.dtype).removeprefix("torch."):
        return f"{mine.dtype.name}{one.shape}, not {theirs.dtype}{other.shape}"
    if np.allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True):
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
