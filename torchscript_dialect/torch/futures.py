"""`torch.futures`: results of calls that run beside their caller (PyTorch: torch/futures/__init__.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar, cast

from torchscript_dialect.utils.tasks import Future

__all__ = ["Future", "collect_all", "wait_all"]

_T = TypeVar("_T")


def _all_futures(futures: Iterable[Future[_T]]) -> list[Future[_T]]:
    given = list(futures)
    if any(future is None for future in cast("list[object]", given)):
        raise RuntimeError("Future can't be None")
    return given


def collect_all(futures: Iterable[Future[Any]]) -> Future[list[Future[Any]]]:
    """A future of these futures that is done when all of them are; it raises what the first that failed raised."""
    given = _all_futures(futures)

    def collect() -> list[Future[Any]]:
        errors = [error for error in map(_error_of, given) if error is not None]
        if errors:
            raise errors[0]
        return given

    everything = Future(collect)

    def run_after_the_last(_: object) -> None:
        if all(future.done() for future in given):
            everything.run()

    for future in given:
        future.add_done_callback(run_after_the_last)
    run_after_the_last(None)
    return everything


def _error_of(future: Future[Any]) -> Exception | None:
    try:
        future.wait()
    except Exception as error:
        return error
    return None


def wait_all(futures: Iterable[Future[_T]]) -> list[_T]:
    """The results in their order; raises what the first of the calls that failed raised."""
    given = _all_futures(futures)
    collect_all(given).wait()
    return [future.wait() for future in given]
