"""One step of an optimizer over all parameters, in place (PyTorch: native/FusedAdam.cpp, FusedSGD.cpp, FusedAdagrad.cpp).

Where `found_inf` holds a 1, gradients are not finite and nothing changes; `grad_scale` is what the gradients were multiplied with.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import opmath

Array = NDArray[Any]
Tensors = Sequence[Tensor]


def _gradient(grad: Tensor, scale: Tensor | None, maximize: bool) -> Array:
    """The gradient as it counts, and as it is found afterwards: without the scale."""
    if scale is not None:
        grad.array[...] = grad.array / grad.array.dtype.type(float(scale))
    wide = grad.array.astype(opmath(grad.dtype).numpy_dtype)
    return -wide if maximize else wide


def _check(lists: Sequence[Tensors]) -> None:
    for tensors in lists:
        if tensors and len(tensors) != len(lists[0]):
            raise RuntimeError(
                f"Tensor lists must have the same number of tensors, got {len(lists[0])} and "
                f"{len(tensors)}"
            )


def _parameters(
    lists: Sequence[Tensors], scale: Tensor | None, found_inf: Tensor | None, maximize: bool
) -> Iterator[tuple[int, Array, Array, Any]]:
    """The place, the elements and the gradient of each parameter that changes, as wide as is computed, and the type of such numbers.

    `lists` begins with the parameters and their gradients.
    """
    if found_inf is not None and float(found_inf) == 1:
        return
    _check(lists)
    for place, (param, grad) in enumerate(zip(lists[0], lists[1])):
        number = opmath(param.dtype).numpy_dtype.type
        yield place, param.array.astype(number), _gradient(grad, scale, maximize), number


def _adam(*, decoupled: bool) -> Callable[..., None]:
    @ignores_float_errors
    def step(
        params: Tensors,
        grads: Tensors,
        means: Tensors,
        squares: Tensors,
        largest: Tensors,
        steps: Tensors,
        rate: Any,
        beta1: float,
        beta2: float,
        decay: float,
        eps: float,
        amsgrad: bool,
        maximize: bool,
        scale: Tensor | None,
        found_inf: Tensor | None,
    ) -> None:
        lists = [params, grads, means, squares, largest, steps]
        for place, x, g, number in _parameters(lists, scale, found_inf, maximize):
            if decay:
                if decoupled:
                    x -= number(float(rate) * decay) * x
                else:
                    g = g + number(decay) * x
            mean = means[place].array.astype(number)
            mean += (g - mean) * number(1 - beta1)
            square = squares[place].array.astype(number)
            square = square * number(beta2) + number(1 - beta2) * g * g
            count = float(steps[place])
            root = square
            if amsgrad:
                root = np.maximum(largest[place].array.astype(number), square)
                largest[place].array[...] = root
            spread = np.sqrt(root) / number(math.sqrt(1 - beta2**count)) + number(eps)
            x -= number(float(rate) / (1 - beta1**count)) * mean / spread
            means[place].array[...] = mean
            squares[place].array[...] = square
            params[place].array[...] = x

    return step


@ignores_float_errors
def _sgd(
    params: Tensors,
    grads: Tensors,
    buffers: Tensors,
    decay: float,
    momentum: float,
    rate: Any,
    dampening: float,
    nesterov: bool,
    maximize: bool,
    is_first: bool,
    scale: Tensor | None,
    found_inf: Tensor | None,
) -> None:
    for place, x, g, number in _parameters([params, grads, buffers], scale, found_inf, maximize):
        if decay:
            g = g + x * number(decay)
        if momentum:
            buffer = buffers[place].array.astype(number)
            buffer = g if is_first else buffer * number(momentum) + g * number(1 - dampening)
            buffers[place].array[...] = buffer
            g = g + buffer * number(momentum) if nesterov else buffer
        params[place].array[...] = x - number(float(rate)) * g


@ignores_float_errors
def _adagrad(
    params: Tensors,
    grads: Tensors,
    sums: Tensors,
    steps: Tensors,
    rate: Any,
    rate_decay: float,
    decay: float,
    eps: float,
    maximize: bool,
    scale: Tensor | None,
    found_inf: Tensor | None,
) -> None:
    lists = [params, grads, sums, steps]
    for place, x, g, number in _parameters(lists, scale, found_inf, maximize):
        if decay:
            g = g + x * number(decay)
        total = sums[place].array.astype(number) + g * g
        sums[place].array[...] = total
        slowed = float(rate) / (1 + (float(steps[place]) - 1) * rate_decay)
        params[place].array[...] = x - number(slowed) * g / (np.sqrt(total) + number(eps))


for _name, _step in (
    ("adam", _adam(decoupled=False)),
    ("adamw", _adam(decoupled=True)),
    ("sgd", _sgd),
    ("adagrad", _adagrad),
):
    registry.kernel(f"_fused_{_name}_ _fused_{_name}_.tensor_lr")(_step)
