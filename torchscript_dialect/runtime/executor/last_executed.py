"""Which plan ran last, in any thread (PyTorch: runtime/graph_executor.cpp, `lastExecutedOptimizedGraph`).

Native calls leave the address of their table in a word; calls through Python say which executor and plan it was, and clear the word.
"""

from __future__ import annotations

from array import array
from typing import Any, ClassVar, Final
from weakref import ReferenceType

from torchscript_dialect.runtime import settings

NATIVE: Final = array("q", [0])
"""The word."""
NATIVE_AT: Final = NATIVE.buffer_info()[0]


class Last:
    """The last call through Python: the executor, and the plan, by its place among the executor's `whole_graphs` if it is one of them;
    None for a function that ran as it is.
    """

    executor: ClassVar[ReferenceType[Any] | None] = None
    plan: ClassVar[ReferenceType[Any] | int | None] = None


def last_executed() -> tuple[Any, Any]:
    """The executor and the plan of the last call.

    Raises:
        RuntimeError: nothing ran, or what ran is gone.
    """
    if NATIVE[0]:
        for executor in settings.listening():
            native = getattr(executor, "native", None)
            kernel = None if native is None else native.owner_of(NATIVE[0])
            if kernel is not None:
                return executor, executor.plan_of(kernel)
    executor = None if Last.executor is None else Last.executor()
    known = Last.plan
    plan = None
    if executor is not None and known is not None:
        plan = executor.plan_of_whole(known) if isinstance(known, int) else known()
    if executor is None or (plan is None and known is not None):
        raise RuntimeError("no compiled function has run, or the last one is gone")
    return executor, plan
