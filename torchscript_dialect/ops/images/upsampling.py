"""Interpolation to other sizes: the nearest element, or the weighted mean of neighbours (PyTorch: native/UpSample.h).

Dimensions are interpolated one after the other (`resampling.py`), and 16-bit floats compute in float32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.images.resampling import (
    FILTERS,
    Resize,
    Taps,
    antialiased,
    cubic,
    linear,
    nearest,
)
from torchscript_dialect.ops.layouts import along_memory, laid_out, laid_out_strides
from torchscript_dialect.ops.plans import planned
from torchscript_dialect.ops.shapes import (
    NOTHING,
    Fact,
    dtype_of,
    fresh,
    is_known,
    of_any_sizes,
    rank_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath

Array = NDArray[Any]
Ints = Sequence[int]
Scales = Sequence[float | None]


def check_sizes(name: str, rank: int, shape: Ints, output_size: Ints) -> None:
    """Raise RuntimeError where nothing can be resized so."""
    if len(output_size) != rank:
        raise RuntimeError(
            f"It is expected output_size equals to {rank}, but got size {len(output_size)}"
        )
    if len(shape) != rank + 2:
        raise RuntimeError(
            f"It is expected input_size equals to {rank + 2}, but got size {len(shape)}"
        )
    if min(*shape[2:], *output_size) <= 0:
        given, wanted = (_named(sizes) for sizes in (shape[2:], output_size))
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input ({given}) output "
            f"({wanted})"
        )
    if not shape[1]:
        raise RuntimeError(
            f"Non-empty {rank + 2}D data tensor expected but got a tensor with sizes {list(shape)}"
        )


def _named(sizes: Ints) -> str:
    return ", ".join(f"{axis}: {size}" for axis, size in zip("DHW"[-len(sizes) :], sizes))


def _sizes(sizes: Sequence[Any], output_size: Ints | None, scales: Scales | None) -> list[Any]:
    """The sizes of the result, from one of the two; of a size that is not known nothing follows by scaling.

    Raises:
        RuntimeError: both or none are given, or not one for each dimension.
    """
    if (output_size is None) == (scales is None):
        raise RuntimeError("Must specify exactly one of output_size and scale_factors")
    given: Sequence[Any] | None = scales if output_size is None else output_size
    assert given is not None
    if len(given) != len(sizes) - 2:
        raise RuntimeError(
            f"expected {len(sizes) - 2} sizes or scale factors, but got {len(given)}"
        )
    if output_size is not None:
        return [*output_size]
    return [None if n is None else int(n * factor) for n, factor in zip(sizes[2:], given)]


@planned
def _taps_of(make: Callable[[Resize], Taps], resize: Resize) -> Taps:
    return make(resize)


@dataclass(frozen=True, slots=True)
class Mode:
    """An operator of one name: its rank, and from a dimension to the elements of which its resized one is made."""

    name: str
    rank: int
    taps: Callable[[Resize], Taps]
    has_corners: bool = True
    keeps_same_size: bool = True
    """Whether a tensor that has the sizes already stays as it is, whatever the scales say."""
    kernel: str | None = None
    """What PyTorch calls the kernel that takes no 16-bit floats."""

    @property
    def takes_bytes(self) -> bool:
        """Whether uint8 is resized too: images by nearest elements, or in integers."""
        return not self.has_corners or self.rank == 2

    def check_dtype(self, name: str, x: Tensor) -> None:
        is_byte = x.dtype is dtypes.uint8 and self.takes_bytes and not name.endswith("_backward")
        if not (x.dtype.is_floating_point or is_byte):
            raise NotImplementedError(f"\"{name}\" not implemented for '{x.dtype.type_name}'")
        if self.kernel is not None and x.dtype.itemsize < 4 and not is_byte:
            raise NotImplementedError(
                f"\"{self.kernel}\" not implemented for '{x.dtype.type_name}'"
            )

    def taps_of(
        self, x: Array, sizes: Ints, output_size: Ints, align_corners: bool, scales: Scales
    ) -> Iterator[tuple[int, Taps]]:
        """For each dimension that changes, its number and its taps."""
        single = np.dtype(np.float32)
        for axis, (size, count, scale) in enumerate(zip(sizes, output_size, scales), 2):
            compute = x.dtype if self.has_corners else single
            if size != count or not self.keeps_same_size:
                yield axis, _taps_of(self.taps, Resize(size, count, scale, align_corners, compute))

    def forward(self, x: Tensor, output_size: Ints, align_corners: bool, scales: Scales) -> Tensor:
        check_sizes(self.name, self.rank, x.array.shape, output_size)
        self.check_dtype(self.name, x)
        raw, sizes = x.array, x.array.shape[2:]
        if self.has_corners and x.dtype is dtypes.uint8:
            wide = np.empty(0)
            for axis, taps in reversed(
                [*self.taps_of(wide, sizes, output_size, align_corners, scales)]
            ):
                raw = taps.apply_to_bytes(raw, axis)
            return tensor_of(laid_out(raw, x.array))
        if self.has_corners:
            raw = raw.astype(opmath(x.dtype).numpy_dtype, copy=False)
        for axis, taps in self.taps_of(raw, sizes, output_size, align_corners, scales):
            raw = along_memory(taps.apply, raw, axis)
        return tensor_of(laid_out(raw, x.array))

    def backward(
        self,
        grad: Tensor,
        output_size: Ints,
        input_size: Ints,
        align_corners: bool,
        scales: Scales,
    ) -> Tensor:
        if len(input_size) != self.rank + 2:
            raise RuntimeError(
                f"It is expected input_size equals to {self.rank + 2}, but got size {len(input_size)}"
            )
        check_sizes(self.name, self.rank, input_size, output_size)
        expected = [*input_size[:2], *output_size]
        if list(grad.array.shape) != expected:
            raise RuntimeError(
                f"Expected grad_output to have the same shape as output; output.size = {expected} but "
                f"got grad_output.size = {list(grad.array.shape)}"
            )
        self.check_dtype(f"{self.name}_backward", grad)
        raw = grad.array.astype(opmath(grad.dtype).numpy_dtype, copy=False)
        sizes = input_size[2:]
        for axis, taps in self.taps_of(raw, sizes, output_size, align_corners, scales):
            gather = partial(taps.gather_gradient, size=sizes[axis - 2])
            raw = along_memory(gather, raw, axis)
        return tensor_of(laid_out(raw, grad.array))

    def split(self, arguments: Sequence[Any]) -> tuple[bool, Sequence[Any]]:
        return (arguments[0], arguments[1:]) if self.has_corners else (False, arguments)

    def sizes_and_scales(
        self, shape: Ints, output_size: Ints | None, arguments: Sequence[Any]
    ) -> tuple[Ints, bool, Scales] | None:
        """The size of the result, how corners are aligned and the factors, of either overload; None for another rank."""
        if len(shape) != self.rank + 2:
            return None
        align_corners, scales = self.split(arguments)
        if len(scales) == 1 and (scales[0] is None or isinstance(scales[0], list)):
            factors = cast("Scales | None", scales[0])
            sizes = _sizes(shape, output_size, factors)
            return sizes, align_corners, factors or [None] * self.rank
        return (output_size or ()), align_corners, scales

    def shape(self, facts: Sequence[Fact]) -> Fact:
        x, output_size, *arguments = facts
        sizes = rank_known(x)
        if sizes is None or len(sizes) != self.rank + 2 or not is_known(output_size, arguments):
            return of_any_sizes(x)
        scales = arguments[-1] if output_size is None else None
        try:
            shape = (*sizes[:2], *_sizes(sizes, output_size, scales))
        except RuntimeError:
            return NOTHING
        return fresh(dtype_of(x), shape, x, strides=laid_out_strides(x, shape))

    def shape_of_gradient(self, facts: Sequence[Fact]) -> Fact:
        grad, _, input_size, *_ = facts
        if not is_known(input_size) or len(input_size) != self.rank + 2:
            return of_any_sizes(grad)
        strides = laid_out_strides(grad, input_size)
        return fresh(dtype_of(grad), tuple(input_size), grad, strides=strides)


def _declare(mode: Mode) -> None:
    """An operator with sizes and, separately, scales; one with sizes or a list of scales, if there is one; and the gradient."""

    def kernel(x: Tensor, output_size: Ints, *arguments: Any) -> Tensor:
        align_corners, scales = mode.split(arguments)
        return mode.forward(x, output_size, align_corners, scales)

    def by_list(x: Tensor, output_size: Ints | None, *arguments: Any) -> Tensor:
        align_corners, (scales,) = mode.split(arguments)
        if x.array.ndim != mode.rank + 2:
            raise RuntimeError(
                f"It is expected input_size equals to {mode.rank + 2}, but got size {x.array.ndim}"
            )
        sizes = _sizes(x.array.shape, output_size, scales)
        return mode.forward(x, sizes, align_corners, scales or [None] * mode.rank)

    def backward(grad: Tensor, output_size: Ints, input_size: Ints, *arguments: Any) -> Tensor:
        align_corners, scales = mode.split(arguments)
        return mode.backward(grad, output_size, input_size, align_corners, scales)

    registry.implement(mode.name, kernel, shape=mode.shape)
    registry.implement(f"{mode.name}.vec", by_list, shape=mode.shape)
    registry.implement(f"{mode.name}_backward", backward, shape=mode.shape_of_gradient)


def _modes() -> Iterator[Mode]:
    for rank, linear_name in enumerate(("linear1d", "bilinear2d", "trilinear3d"), 1):
        for exact, prefix in enumerate(("upsample_nearest", "_upsample_nearest_exact")):
            taps = partial(nearest, exact=bool(exact))
            keeps = rank == 2 and not exact
            yield Mode(f"{prefix}{rank}d", rank, taps, has_corners=False, keeps_same_size=keeps)
        yield Mode(f"upsample_{linear_name}", rank, linear)
    yield Mode("upsample_bicubic2d", 2, cubic, keeps_same_size=False)
    for filter in FILTERS:
        taps = partial(antialiased, name=filter)
        yield Mode(f"_upsample_{filter}2d_aa", 2, taps, kernel="compute_index_ranges_weights")


MODES = MappingProxyType({mode.name: mode for mode in _modes()})
"""By the names of operators."""
for _mode in MODES.values():
    _declare(_mode)
