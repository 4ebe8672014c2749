"""How kernels of factories are declared: their options, dtypes and sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import (
    NOTHING,
    Fact,
    fresh,
    is_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float8 import converted
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.layout import layout
from torchscript_dialect.types.tensor_type import TensorProperties

Scalar = complex
Shape = Sequence[int]


def check_options(kind: int | None, device: Device | None, pin_memory: bool | None) -> None:
    """RuntimeError unless the options name a strided tensor on the cpu."""
    if device is not None and str(device) not in ("cpu", "cpu:0"):
        raise RuntimeError(f"tensors live on the cpu only, not on device '{device}'")
    if kind:
        raise RuntimeError(f"tensors are strided only: layout {kind} is not supported")
    if pin_memory:
        raise RuntimeError("Cannot access accelerator device when none is available.")


_NO_OPTIONS = (None, None, None)


Empty: TypeAlias = Callable[..., tuple[Shape, int, int | None]]
"""Of the operands of a factory, the size of a sparse tensor that keeps nothing, the dense dimensions of one by rows, and the dtype."""


def factory(
    names: str,
    *,
    has_format: bool = False,
    shape: registry.ShapeRule | None = None,
    sparse: Empty | None = None,
    **known: Any,
) -> Callable[[registry.KernelFunction], registry.KernelFunction]:
    """Attach a function as the kernel of operators that make tensors.

    The options behind the dtype, which are checked here, leave a tensor on the cpu no choice but a layout, where `sparse` says what is
    made. The function takes what stands before them, and the memory format behind them if there is one.
    """
    place = -4 if has_format else -3

    def of_options(given: Sequence[Any], kind: Any, device: Any, pin_memory: Any) -> Any:
        """What is made of another layout; None for a strided tensor."""
        if kind and sparse is not None:
            check_options(None, device, pin_memory)
            return _empty_of(kind, *sparse(*given))
        check_options(kind, device, pin_memory)
        return None

    def attach_to(function: registry.KernelFunction) -> registry.KernelFunction:
        def kernel(*operands: Any) -> Any:
            given, options = operands[:-3], operands[-3:]
            made = None if options == _NO_OPTIONS else of_options(given, *options)
            return function(*given) if made is None else made

        def kernel_with_format(*operands: Any) -> Any:
            *given, kind, device, pin_memory, format = operands
            made = of_options(given, kind, device, pin_memory)
            return function(*given, format) if made is None else made

        def of_layouts(facts: Sequence[Fact]) -> Fact:
            assert shape is not None
            return NOTHING if facts[place] not in (None, 0) else shape(facts)

        chosen = kernel_with_format if has_format else kernel
        rule = shape if sparse is None or shape is None else of_layouts
        registry.kernel(names, shape=rule, **known)(chosen)
        return function

    return attach_to


def _empty_of(kind: int, size: Shape, dense: int, wanted: int | None) -> Any:
    """A sparse tensor that keeps nothing; RuntimeError for blocks, and fewer dimensions than rows and columns have."""
    if kind == layout.sparse_coo:
        return _run("sparse_coo_tensor.size", list(size), wanted, kind, None, None)
    if kind not in (layout.sparse_csr, layout.sparse_csc) or len(size) < 2:
        raise RuntimeError(
            f"Only batched sparse compressed (non-block) tensors are supported, but got size {list(size)}"
        )
    name, index = "_sparse_compressed_tensor_with_dims", dtypes.int64.scalar_type
    return _run(name, 0, dense, list(size), [], index, wanted, kind, None, None)


def _run(name: str, *operands: Any) -> Any:
    operator = registry.find(f"aten::{name}")
    assert operator is not None and operator.kernel is not None
    return operator.kernel(*operands)


def chosen_dtype(wanted: int | None) -> dtype:
    return dtypes.get_default_dtype() if wanted is None else dtypes.from_scalar_type(wanted)


def check_size(size: Shape) -> tuple[int, ...]:
    """The shape as a tuple; RuntimeError for a negative size."""
    for number in size:
        if number < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {number}: {list(size)}"
            )
    return tuple(size)


def sized_rule(place: int, wanted_place: int) -> registry.ShapeRule:
    """The rule of an operator that is given its shape."""

    def rule(facts: Sequence[Fact]) -> Fact:
        wanted = facts[wanted_place]
        element = chosen_dtype(wanted) if wanted is None or isinstance(wanted, int) else None
        size = facts[place]
        sizes = tuple(size) if is_known(size) else None
        return on_device(fresh(element, sizes), facts[wanted_place + 2])

    return rule


def on_device(made: TensorProperties, wanted: Fact) -> TensorProperties:
    """What is made without another tensor: on the processor, if nothing else is wanted."""
    return replace(made, device="cpu") if wanted is None else made


def filled(shape: Shape, value: Scalar, element: dtype) -> NDArray[Any]:
    """A contiguous array of one number."""
    size = check_size(shape)
    if value == 0 and isinstance(value, int):
        return np.zeros(size, element.numpy_dtype)
    made = np.empty(size, element.numpy_dtype)
    made.fill(as_element(value, element))
    return made


@ignores_float_errors
def as_element(value: Scalar, element: dtype) -> Any:
    check_fits(element, value)
    return converted(element.numpy_dtype, np.asarray(value))


def counted_rule(*places: int, element: dtype | None = None) -> registry.ShapeRule:
    """The rule of an operator that is given its sizes one by one; `element` is the default of its dtype."""

    def rule(facts: Sequence[Fact]) -> Fact:
        sizes = [facts[place] for place in places]
        wanted = facts[-4]
        made = element if wanted is None and element is not None else None
        if made is None and (wanted is None or isinstance(wanted, int)):
            made = chosen_dtype(wanted)
        known = tuple(size if isinstance(size, int) else None for size in sizes)
        return on_device(fresh(made, known), facts[-2])

    return rule
