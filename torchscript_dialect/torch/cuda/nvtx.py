"""Ranges of time with a name, for profilers (PyTorch: torch/cuda/nvtx.py). No profiler is told of them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from threading import local
from typing import Any

from torchscript_dialect.runtime.cuda.driver import is_available

__all__ = ["mark", "range", "range_pop", "range_push"]


class _Depth(local):
    ranges: int = 0


_DEPTH = _Depth()


def range_push(msg: str) -> int:
    """Begin a range; gives how many are around it.

    Raises:
        RuntimeError: there is no device.
    """
    mark(msg)
    _DEPTH.ranges += 1
    return _DEPTH.ranges - 1


def range_pop() -> int:
    """End the last range that was begun; gives how many are around it, -2 if none was."""
    mark("")
    if not _DEPTH.ranges:
        return -2
    _DEPTH.ranges -= 1
    return _DEPTH.ranges


def mark(msg: str) -> None:
    """Name a point in time; RuntimeError without a device."""
    del msg
    if not is_available():
        raise RuntimeError("NVTX functions not installed. Are you sure you have a CUDA build?")


@contextmanager
def range(msg: str, *args: Any, **kwargs: Any) -> Generator[None]:
    """A range as long as one is inside."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
