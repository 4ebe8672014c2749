"""Copies between arrays on the device, each with strides of its own: which kernel does one, and its words."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from torchscript_dialect.runtime.cuda.kernel import THREADS
from torchscript_dialect.tensor.device_array import DeviceArray

TILE = 32
"""Elements of both dimensions of a tile: `lowering.gpu.turned_copy.TILE`."""
SHORT = 16
"""Where dimensions are shorter, hardly anything is in a tile."""


class Dimension(NamedTuple):
    """A dimension of both arrays: its size, and the strides of source and target in elements."""

    size: int
    of_source: int
    of_target: int


class Copy(NamedTuple):
    """A launch that copies: the kernel, for how many dimensions, how many blocks, and its words."""

    name: str
    rank: int
    blocks: int
    words: list[int]


def planned(target: DeviceArray, source: DeviceArray) -> Copy:
    """What copies between arrays of one shape and dtype, which have elements."""
    dims = dimensions(target, source)
    along = next((one for one in dims[:-1] if one.of_source == 1), None)
    across = dims[-1] if dims else None
    if (
        along is not None
        and across is not None
        and across.of_target == 1
        and abs(across.of_source) > 1
        and min(along.size, across.size) >= SHORT
    ):
        others = [one for one in dims[:-1] if one is not along]
        tiles = [-(-one.size // TILE) for one in (along, across)]
        blocks = prod(tiles) * prod(one.size for one in others)
        words = [number for one in (along, across, *others) for number in one]
        return Copy("turned_copy", len(dims), blocks, [blocks, *words])
    count = prod(one.size for one in dims)
    words = [number for one in dims for number in one]
    return Copy("strided_copy", len(dims), -(-count // THREADS), [count, *words])


def dimensions(target: DeviceArray, source: DeviceArray) -> list[Dimension]:
    """The dimensions of a copy in the order of the target's strides, the least last; those are one that both arrays walk as one."""
    size = target.itemsize
    given = [
        Dimension(extent, of_source // size, of_target // size)
        for extent, of_source, of_target in zip(
            target.shape, source.strides, target.strides, strict=True
        )
        if extent != 1
    ]
    found: list[Dimension] = []
    for one in sorted(given, key=lambda one: -abs(one.of_target)):
        before = found[-1] if found else None
        if before is not None and before[1:] == (
            one.size * one.of_source,
            one.size * one.of_target,
        ):
            found[-1] = Dimension(before.size * one.size, one.of_source, one.of_target)
        else:
            found.append(one)
    return found
