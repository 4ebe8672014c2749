"""Which region of the stand-in's `torch.autocast` a thread is in."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from threading import local


class Region(local):
    """What a thread computes with."""

    dtype: str | None = None
    """The name of the dtype; empty in a region that casts nothing, None outside of all."""


REGION = Region()


@contextmanager
def region(dtype: str | None) -> Generator[None]:
    """Let this thread be in a region with this dtype, or outside of all."""
    before, REGION.dtype = REGION.dtype, dtype
    try:
        yield
    finally:
        REGION.dtype = before
