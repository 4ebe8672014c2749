"""`torch.futures`: results of calls that run beside their caller (PyTorch: torch/futures/__init__.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from torchscript_dialect.utils.tasks import Future

__all__ = ["Future", "collect_all", "wait_all"]

_T = TypeVar("_T")


def collect_all(futures: Iterable[Future[Any]]) -> Future[list[Future[Any]]]:
    """A future of these futures that is done when all of them are."""
    given = list(futures)

    def collect() -> list[Future[Any]]:
        wait_all(given)
        return given

    return Future(collect)


def wait_all(futures: Iterable[Future[_T]]) -> list[_T]:
    """The results in their order; raises what the first of the calls that failed raised."""
    return [future.wait() for future in futures]
