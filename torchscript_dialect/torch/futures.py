"""`torch.futures`: results of calls that run beside their caller (PyTorch: torch/futures/__init__.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from torchscript_dialect.utils.tasks import Future

__all__ = ["Future", "wait_all"]

_T = TypeVar("_T")


def wait_all(futures: Iterable[Future[_T]]) -> list[_T]:
    """The results in their order; raises what the first of the calls that failed raised."""
    return [future.wait() for future in futures]
