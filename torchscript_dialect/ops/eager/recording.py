"""Who records what Python code does with tensors: the tracer, while it traces.

Note [Recording]
Each thread has at most one recorder. Calls of operators (`dispatch.call`), of modules and of compiled functions ask for it and, where
there is one, hand it the call. Everything that the recorder runs itself is run without recorder, so that what an operator is made
of is not recorded again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from threading import local
from typing import Any, NamedTuple, Protocol

from torchscript_dialect.ops.registry import Operator


class Callee(NamedTuple):
    """A compiled function of a unit; a method has the module that it is called on, which is its first argument."""

    function: Any
    unit: Any
    owner: Any = None


class Recorder(Protocol):
    """Sees every call that Python code makes while it is active, and gives its result, which `run` computes."""

    def operator(
        self,
        operator: Operator,
        operands: Sequence[Any],
        given: Sequence[Any],
        run: Callable[..., Any],
    ) -> Any:
        """A call of an operator. `given` is what the caller gave for each operand, before conversions."""
        ...

    def module(self, module: Any, run: Callable[[], Any]) -> Any:
        """A call of a module's `forward`."""
        ...

    def function(self, callee: Callee, args: Sequence[Any], run: Callable[..., Any]) -> Any:
        """A call of a compiled function or method with runtime values."""
        ...

    def fork(self, run: Callable[[], Any]) -> Any:
        """A forked call; gives its future."""
        ...


class Recording(local):
    """The recorder of each thread."""

    recorder: Recorder | None = None


RECORDING = Recording()
RECORDERS: list[object] = []
"""The recorders of all threads, and the regions of `torch.autocast` that they are in: where there is none, nobody has to ask for those
of the thread.
"""


@contextmanager
def recording(recorder: Recorder | None) -> Generator[None]:
    """Hand the calls of this thread to a recorder, or to none."""
    before, RECORDING.recorder = RECORDING.recorder, recorder
    if recorder is not None:
        RECORDERS.append(recorder)
    try:
        yield
    finally:
        if recorder is not None:
            RECORDERS.remove(recorder)
        RECORDING.recorder = before
