"""Which region of the stand-in's `torch.autocast` a thread is in."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from threading import local


class Region(local):
    """What a thread computes with."""

    dtype: str | None = None
    """The name of the dtype; empty in a region that casts nothing, None outside of all."""
    fast: str | None = None
    """The name of the dtype that a region in this one computes with, if it is not told; None outside of all."""


REGION = Region()


@contextmanager
def region(dtype: str, fast: str | None = None) -> Generator[None]:
    """Let this thread be in a region with this dtype, and those inside with `fast`."""
    before, fast_before = REGION.dtype, REGION.fast
    REGION.dtype = dtype
    REGION.fast = fast or fast_before
    try:
        yield
    finally:
        REGION.dtype = before
        REGION.fast = fast_before
