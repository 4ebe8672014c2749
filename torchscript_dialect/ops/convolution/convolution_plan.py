"""What a convolution does for operands of certain shapes: where its windows are, the sizes of its result, and what is wrong with them.

Nothing here looks at elements, so that a plan is made once and serves all calls with such shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import NamedTuple, cast

Ints = Sequence[int]


@dataclass(frozen=True, slots=True)
class Windows:
    """The arguments that say where the windows are; a list of one number counts for all dimensions."""

    stride: Ints
    padding: Ints | str
    dilation: Ints
    groups: int
    output_padding: Ints | None = None
    """None where the convolution is not transposed."""

    def __post_init__(self) -> None:
        for name in ("stride", "padding", "dilation", "output_padding"):
            numbers = getattr(self, name)
            if isinstance(numbers, list):
                object.__setattr__(self, name, tuple(cast(list[int], numbers)))

    @classmethod
    def of_transposed(
        cls, stride: Ints, padding: Ints, output_padding: Ints, groups: int, dilation: Ints
    ) -> Windows:
        """Those of `aten::conv_transpose2d` and the like, whose arguments these are."""
        return cls(stride, padding, dilation, groups, output_padding)

    @classmethod
    def of_either(
        cls,
        stride: Ints,
        padding: Ints,
        dilation: Ints,
        transposed: bool,
        output_padding: Ints,
        groups: int,
        *_library_settings: bool | Sequence[bool],
    ) -> Windows:
        """Those of `aten::convolution` and the like, whose arguments these are."""
        return cls(stride, padding, dilation, groups, output_padding if transposed else None)

    def over(self, rank: int) -> Windows:
        """The same with a number for each of `rank` dimensions.

        Raises:
            RuntimeError: a list has another length, or a number is out of range.
        """
        output_padding = self.output_padding
        if output_padding is not None:
            output_padding = _spread("output_padding", output_padding, rank)
        padding = self.padding
        if not isinstance(padding, str):
            padding = _spread("padding", padding, rank)
        spread = Windows(
            _spread("stride", self.stride, rank),
            padding,
            _spread("dilation", self.dilation, rank),
            self.groups,
            output_padding,
        )
        spread._check()
        return spread

    def _check(self) -> None:
        if not isinstance(self.padding, str) and min(self.padding) < 0:
            raise RuntimeError("negative padding is not supported")
        if self.output_padding is not None and min(self.output_padding) < 0:
            raise RuntimeError("negative output_padding is not supported")
        if min(self.stride) <= 0:
            raise RuntimeError("non-positive stride is not supported")
        if min(self.dilation) <= 0:
            raise RuntimeError(
                f"dilation should be greater than zero, but got {list(self.dilation)}"
            )
        if self.groups <= 0:
            raise RuntimeError("non-positive groups is not supported")
        if self.padding not in ("same", "valid") and isinstance(self.padding, str):
            raise RuntimeError(f"Invalid padding string: '{self.padding}'")
        if self.padding == "same" and max(self.stride) > 1:
            raise RuntimeError("padding='same' is not supported for strided convolutions")

    @property
    def fits_output_padding(self) -> bool:
        """Whether what is added to the result of a transposed convolution is not too much; for a number for each dimension."""
        each = zip(self.output_padding or (), self.stride, self.dilation)
        return all(more < max(s, d) for more, s, d in each)

    def pads(self, kernel: Ints) -> list[tuple[int, int]]:
        """What is added before and after each dimension."""
        if isinstance(self.padding, str):
            if self.padding == "valid":
                return [(0, 0)] * len(kernel)
            totals = [d * (k - 1) for d, k in zip(self.dilation, kernel)]
            return [(total // 2, total - total // 2) for total in totals]
        return [(p, p) for p in self.padding]

    def sizes(self, sizes: Ints, kernel: Ints) -> list[int]:
        """The sizes of the result: negative or 0 where no window fits."""
        pads = self.pads(kernel)
        if self.output_padding is None:
            return [
                (size + sum(pad) - d * (k - 1) - 1) // s + 1
                for size, k, pad, s, d in zip(sizes, kernel, pads, self.stride, self.dilation)
            ]
        return [
            (size - 1) * s - sum(pad) + d * (k - 1) + more + 1
            for size, k, pad, s, d, more in zip(
                sizes, kernel, pads, self.stride, self.dilation, self.output_padding
            )
        ]


def _spread(name: str, numbers: Ints, rank: int) -> tuple[int, ...]:
    if len(numbers) not in (1, rank):
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {rank} values to match the "
            f"convolution dimensions, but got {name}={list(numbers)}"
        )
    return (*numbers,) if len(numbers) == rank else (*numbers,) * rank


COLUMN_ELEMENTS = 1 << 22
"""About how many elements of the matrix of columns are held at a time; a single image may take more."""


def images_at_once(elements: int) -> int:
    """How many images are computed with at a time, if each has so many elements in columns."""
    return max(1, COLUMN_ELEMENTS // max(1, elements))


class Columns(NamedTuple):
    """The shapes in which windows of a padded input become columns that the weights multiply."""

    windows: tuple[int, ...]
    """(N, C, kernel, sizes)."""
    matrix: tuple[int, ...]
    """(N, groups, C / groups * kernel, sizes), all windows of a group side by side."""
    weights: tuple[int, ...]
    result: tuple[int, ...]
    at_once: int
    """How many images are computed with at a time."""


@lru_cache(maxsize=2048)
def columns_for(
    x: tuple[int, ...], w: tuple[int, ...], sizes: tuple[int, ...], groups: int
) -> Columns:
    """Those for an input `x` (N, C, ...), padded already, weights (O, C / groups, kernel), and sizes of the result."""
    kernel, outputs = w[2:], w[0] // groups
    rows, places = x[1] // groups * prod(kernel), prod(sizes)
    return Columns(
        (*x[:2], *kernel, *sizes),
        (x[0], groups, rows, places),
        (groups, outputs, rows),
        (x[0], groups, outputs, places),
        images_at_once(x[1] * prod(kernel) * places),
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """A convolution of operands with certain shapes."""

    windows: Windows
    """With a number for each dimension."""
    shape: tuple[int, ...]
    """Of the result."""
    inner: tuple[slice, ...]
    """Where in a tensor that is padded the unpadded one is: the input, or of a transposed convolution the result."""
    outer_shape: tuple[int, ...]
    """The shape of that padded tensor."""
    columns: Columns
    """Of a convolution that is not transposed."""
    is_padded: bool
    is_transposed: bool
    is_empty: bool
    """Whether the result has no elements."""
    bias_shape: tuple[int, ...]
    """That of the bias beside the result."""


@lru_cache(maxsize=2048)
def plan_for(
    x: tuple[int, ...], weight: tuple[int, ...], bias: tuple[int, ...] | None, windows: Windows
) -> Plan:
    """The plan for operands of these shapes: `x` (N, C, ...), `weight` and `bias`.

    Raises:
        RuntimeError: they do not fit, in PyTorch's words.
    """
    if len(weight) < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if len(weight) > 5:
        raise RuntimeError(f"convolution of {len(weight) - 2} dimensions is not supported")
    windows = windows.over(len(weight) - 2)
    _check_shapes(x, weight, bias, windows)
    _check_sizes(x, weight, windows)
    sizes = windows.sizes(x[2:], weight[2:])
    transposed = windows.output_padding is not None
    least = 0 if transposed and not x[0] else 1  # nothing is looked at of no images
    if min(sizes) < least:
        raise RuntimeError(
            f"Given input size per channel: ({_by(x[2:])}). Calculated output size per "
            f"channel: ({_by(sizes)}). Output size is too small"
        )
    channels = weight[1] * windows.groups if transposed else weight[0]
    shape = (x[0], channels if x[1] else 0, *sizes)
    pads = windows.pads(weight[2:])
    lead, within = (shape[:2], sizes) if transposed else (x[:2], x[2:])
    inner = (slice(None), slice(None), *(slice(p[0], p[0] + n) for p, n in zip(pads, within)))
    outer = (*lead, *(n + sum(pad) for n, pad in zip(within, pads)))
    return Plan(
        windows,
        shape,
        inner,
        outer,
        columns_for(outer, weight, shape[2:], windows.groups),
        is_padded=any(map(sum, pads)),
        is_transposed=transposed,
        is_empty=not prod(shape),
        bias_shape=(-1, *(1,) * len(sizes)),
    )


# Checks


def _check_shapes(x: Ints, w: Ints, bias: Ints | None, windows: Windows) -> None:
    groups, transposed = windows.groups, windows.output_padding is not None
    of = list(w)
    if len(x) != len(w):
        raise RuntimeError(
            f"Expected {len(w)}-dimensional input for {len(w)}-dimensional weight {of}, but got "
            f"{len(x)}-dimensional input of size {list(x)} instead"
        )
    if w[0] < groups and w[0]:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got "
            f"weight of size {of} instead"
        )
    if w[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but "
            f"got weight of size [{of}] instead"
        )
    if not transposed and not w[0]:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least 1 at dimension 0, but got weight "
            f"of size {of} instead"
        )
    channels = w[0] if transposed else w[1] * groups
    if x[1] != channels:
        given = "transposed=1" if transposed else f"groups={groups}"
        raise RuntimeError(
            f"Given {given}, weight of size {of}, expected input{list(x)} to have {channels} "
            f"channels, but got {x[1]} channels instead"
        )
    outputs = w[1] * groups if transposed else w[0]
    if bias is not None and bias != (outputs,):
        given = "transposed=1, " if transposed else ""
        raise RuntimeError(
            f"Given {given}weight of size {of}, expected bias to be 1-dimensional with {outputs} "
            f"elements, but got bias of size {list(bias)} instead"
        )


def _check_sizes(x: Ints, w: Ints, windows: Windows) -> None:
    kernel = w[2:]
    if not all(kernel):
        raise RuntimeError(
            f"kernel size should be greater than zero, but got weight of size {list(w)}"
        )
    if windows.output_padding is not None:
        _check_output_padding(windows)
    else:
        wide = [size + sum(pad) for size, pad in zip(x[2:], windows.pads(kernel))]
        reach = [d * (k - 1) + 1 for d, k in zip(windows.dilation, kernel)]
        if any(size < least for size, least in zip(wide, reach)):
            raise RuntimeError(
                f"Calculated padded input size per channel: ({_by(wide)}). Kernel size: "
                f"({_by(reach)}). Kernel size can't be greater than actual input size"
            )
    if not all(x[2:]):
        raise RuntimeError(
            f"Only zero batch or zero channel inputs are supported, but got input shape: {list(x)}"
        )


def _check_output_padding(windows: Windows) -> None:
    assert windows.output_padding is not None
    of = {
        "output_padding": windows.output_padding,
        "stride": windows.stride,
        "dilation": windows.dilation,
    }
    if windows.fits_output_padding:
        return
    names = ("depth", "height", "width")[-len(windows.stride) :]
    said = [f"{key}_{name}: {n}" for key, numbers in of.items() for name, n in zip(names, numbers)]
    raise RuntimeError(
        f"output padding must be smaller than either stride or dilation, but got {' '.join(said)}"
    )


def _by(sizes: Ints) -> str:
    return " x ".join(map(str, sizes))
