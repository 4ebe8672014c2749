"""`torch.autograd.gradcheck`: gradients held against differences (PyTorch: torch/autograd/gradcheck.py)."""

# pyright: basic
from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from torchscript_dialect.autograd.functions import grad
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.dtype import float64
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, tensors_in
from torchscript_dialect.tensor.unstrided import UnstridedTensor

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """Gradients that differences do not confirm."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    fast_mode: bool = False,
    **_: Any,
) -> bool:
    """Whether the gradients of `func` by its floating inputs that require some are what differences of `2 * eps` tell, each element of
    each result by each element of each input. Gradients in one direction (`fast_mode`) are not told apart: all are compared.

    Raises:
        GradcheckError: they are not, and `raise_exception` is on.
        ValueError: no input requires a gradient.
        RuntimeError: elements of an input stand on the same memory.
    """
    given = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    try:
        _check_inputs(given)
        results = tensors_in(func(*given))
        for part in ("real", "imag"):
            _check_part(
                func,
                given,
                part,
                eps,
                atol,
                rtol,
                any(one.dtype.is_complex for one in results),
            )
        _check_again(func, given, nondet_tol)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    gen_non_contig_grad_outputs: bool = False,
    **options: Any,
) -> bool:
    """`gradcheck` of the gradients of `func`, weighted by `grad_outputs`, which are drawn where they are not given."""
    given = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    if grad_outputs is None:
        results = [one for one in tensors_in(func(*given)) if one.requires_grad]
        weights = tuple(_drawn(one) for one in results)
    else:
        weights = (grad_outputs,) if isinstance(grad_outputs, Tensor) else tuple(grad_outputs)
    count = len(given)

    def slopes(*arguments: Any) -> tuple[Tensor, ...]:
        own, own_weights = arguments[:count], arguments[count:]
        results = [one for one in tensors_in(func(*own)) if one.requires_grad]
        wanted = [one for one in own if _is_wanted(one)]
        found = grad(results, wanted, own_weights, create_graph=True, allow_unused=True)
        return tuple(one for one in found if one is not None)

    return gradcheck(slopes, (*given, *weights), **options)


def _is_wanted(value: Any) -> bool:
    return isinstance(value, Tensor) and value.requires_grad


def _drawn(like: Tensor) -> Tensor:
    drawn = call("aten::randn_like", (like.detach(),))
    return drawn.requires_grad_()


def _check_inputs(given: Sequence[Any]) -> None:
    if not any(map(_is_wanted, given)):
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )
    for place, one in enumerate(given):
        if not _is_wanted(one) or isinstance(one, UnstridedTensor):
            continue
        if one.dtype is not float64 and one.dtype.name != "complex128":
            warnings.warn(
                f"Input #{place} requires gradient and is not a double precision floating point or complex. This check will likely "
                "fail if all the inputs are not of double precision floating point or complex. ",
                UserWarning,
                stacklevel=3,
            )
        strides = zip(one.stride(), one.shape, strict=True)
        if any(stride == 0 and size > 1 for stride, size in strides):
            raise RuntimeError(
                f"The {place}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be "
                "able to compute the numerical gradients correctly. You should call .contiguous on the input before passing it to "
                "gradcheck."
            )


def _part(value: Tensor, part: str) -> Tensor | None:
    """The real or imaginary part of a result; None where it has no such, or no gradients."""
    if value.dtype.is_complex:
        return call(f"aten::{part}", (value,))
    return value if part == "real" and value.dtype.is_floating_point else None


def _check_part(
    func: Callable[..., Any],
    given: Sequence[Any],
    part: str,
    eps: float,
    atol: float,
    rtol: float,
    is_complex: bool,
) -> None:
    wanted = [(place, one) for place, one in enumerate(given) if _is_wanted(one)]
    results = tensors_in(func(*given))
    for number, result in enumerate(results):
        half = _part(result, part)
        if half is None:
            continue
        tensors = [one for _, one in wanted]
        analytical = _analytical(half, tensors)
        for (place, one), found in zip(wanted, analytical, strict=True):
            differences = _differences(func, given, one, number, part, eps)
            if not result.requires_grad:
                if np.abs(differences).max(initial=0.0) > atol:
                    raise GradcheckError("Numerical gradient for function expected to be zero")
                continue
            if not np.allclose(found, differences, rtol, atol):
                kind = "real" if part == "real" else "imaginary"
                start = (
                    f"While considering the {kind} part of complex outputs only, "
                    if is_complex
                    else ""
                )
                raise GradcheckError(
                    f"{start}Jacobian mismatch for output {number} with respect to input {place},\n"
                    f"numerical:{_shown(differences, one)}\nanalytical:{_shown(found, one)}\n"
                )


def _shown(values: Any, like: Tensor) -> str:
    return str(tensor_of(np.asarray(values, like.array.dtype)))


def _analytical(result: Tensor, wanted: Sequence[Tensor]) -> list[Any]:
    """For each input the gradients of all elements of a result: (elements of the input, elements of the result)."""
    size = result.array.size
    found = [np.zeros((one.array.size, size), one.array.dtype) for one in wanted]
    if not result.requires_grad:
        return found
    for column in range(size):
        weight = np.zeros(size, result.array.dtype)
        weight[column] = 1
        weights = tensor_of(weight.reshape(result.array.shape))
        grads = grad(result, wanted, weights, retain_graph=True, allow_unused=True)
        for table, one in zip(found, grads, strict=True):
            if one is not None:
                table[:, column] = one.detach().array.reshape(-1)
    return found


def _differences(
    func: Callable[..., Any], given: Sequence[Any], by: Tensor, number: int, part: str, eps: float
) -> Any:
    """The same by differences; of complex inputs the derivative by the real part plus i times that by the imaginary one."""
    array = by.array

    def value() -> Any:
        half = _part(tensors_in(func(*given))[number], part)
        assert half is not None
        return np.array(half.detach().array, np.float64).reshape(-1)

    steps = [(eps, 1)] if array.dtype.kind == "f" else [(eps, 1), (eps * 1j, 1j)]
    rows: list[Any] = []
    with grad_mode.enabled(True):
        for index in np.ndindex(array.shape):
            before = array[index]
            row: Any = 0
            for step, unit in steps:
                array[index] = before + step
                above = value()
                array[index] = before - step
                row = row + unit * (above - value()) / (2 * eps)
                array[index] = before
            rows.append(row)
    return np.array(rows) if rows else np.zeros((0, value().size))


def _check_again(func: Callable[..., Any], given: Sequence[Any], tolerance: float) -> None:
    """Whether backward gives the same a second time."""
    wanted = [one for one in given if _is_wanted(one)]
    for result in tensors_in(func(*given)):
        if not result.requires_grad:
            continue
        weight = call("aten::randn_like", (result.detach(),))
        runs = [grad(result, wanted, weight, True, allow_unused=True) for _ in range(2)]
        for one, other in zip(*runs, strict=True):
            if one is None or other is None:
                continue
            if np.abs(one.array - other.array).max(initial=0.0) > tolerance:
                raise GradcheckError(
                    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives "
                    "different values, although analytical gradient matches numerical gradient."
                    f"The tolerance for nondeterminism was {tolerance}."
                )
