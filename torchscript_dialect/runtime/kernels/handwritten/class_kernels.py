"""Native kernels of losses of classes (`class_ir.py`), which need not be compiled."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from torchscript_dialect.backend import KernelSpec, ScalarInput, Sym, TensorInput, TensorOutput
from torchscript_dialect.runtime.kernels.handwritten import class_ir
from torchscript_dialect.runtime.kernels.handwritten.own_kernels import (
    NAMES,
    kernel_of,
    native_or_nothing,
    nothing,
)
from torchscript_dialect.runtime.native.loader import LoadedCode
from torchscript_dialect.runtime.native.runtime_blob import RuntimeKernel, load_runtime_code
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

PLACE_NS = 2.0


def picked(
    x: Tensor, target: Tensor, weight: Tensor | None, ignored: int
) -> tuple[Tensor, Tensor] | None:
    """The losses of the elements of images `(N, C, ...)` and their weights, as `(N, P)`; None where there is no kernel."""
    native = _native(class_ir.PICKED, x.array.dtype.char, weight is not None, 0)
    weights = () if weight is None else (weight,)
    return native(_planes(x), _targets(target, x), *weights, ignored)


def spread(
    grad: Tensor,
    x: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: int,
    ignored: int,
    total: Tensor,
) -> Tensor | None:
    """The gradient of a loss of images; None where there is no kernel."""
    if reduction not in range(len(class_ir.HOW)):
        return None
    weights = () if weight is None else (weight,)
    slopes = grad.array.reshape((len(x.array), -1) if reduction == 0 else ())
    native = _native(class_ir.SPREAD, x.array.dtype.char, weight is not None, reduction)
    targets = _targets(target, x)
    made = native(tensor_of(slopes), _planes(x), targets, *weights, total, ignored)
    return None if made is None else tensor_of(made.array.reshape(x.array.shape))


def _planes(x: Tensor) -> Tensor:
    shape = x.array.shape
    return tensor_of(x.array.reshape(*shape[:2], -1))


def _targets(target: Tensor, x: Tensor) -> Tensor:
    return tensor_of(target.array.reshape(len(x.array), -1))


@lru_cache(maxsize=64)
def _native(name: str, dtype: str, is_weighted: bool, reduction: int) -> Any:
    """What runs a kind of kernel, and gives None for calls that it does not serve."""
    element = NAMES.get(dtype)
    if element is None:
        return nothing
    return native_or_nothing(lambda: _kernel(name, element, is_weighted, reduction))


def _kernel(name: str, dtype: str, is_weighted: bool, reduction: int) -> RuntimeKernel:
    images, classes, places = map(Sym, (class_ir.IMAGES, class_ir.CLASSES, class_ir.PLACES))
    whole, each = (images, classes, places), (images, places)
    weights = (TensorInput(dtype, (classes,)),) if is_weighted else ()
    operands = (TensorInput(dtype, whole), TensorInput("int64", each), *weights)
    ignored = ScalarInput("int", Sym(class_ir.IGNORED))
    is_forward = name == class_ir.PICKED
    kind = class_ir.KINDS[is_weighted]
    if is_forward:
        inputs = (*operands, ignored)
        outputs = (TensorOutput(dtype, each),) * 2
    else:
        kind = f"{kind}_{class_ir.HOW[reduction]}"
        slopes = TensorInput(dtype, () if reduction else each)
        inputs = (slopes, *operands, TensorInput(dtype, ()), ignored)
        outputs = (TensorOutput(dtype, whole),)
    spec = KernelSpec(
        inputs=inputs,
        outputs=outputs,
        num_syms=len(whole) + 1,
        total=(images,),
        returns_tuple=is_forward,
        work=each if is_forward else whole,
        cost_ns=PLACE_NS,
    )
    return kernel_of(spec, _code(), f"{name}_{kind}_{dtype}", f"{name}_sizes")


@cache
def _code() -> LoadedCode:
    return load_runtime_code("classes", class_ir.class_ir, functions=class_ir.FUNCTIONS)
