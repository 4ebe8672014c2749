"""Forked calls in a trace: `torch.jit.fork` becomes a region of its own, and each wait for it a node (PyTorch: python/init.cpp)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Block, Region, SSAValue

from torchscript_dialect.dialects.prim import ClosureOp, YieldOp, type_of
from torchscript_dialect.tracer.state import TracingState
from torchscript_dialect.types.containers import FutureType

_SetResult = Callable[[Any, SSAValue], None]


class TracedFuture:
    """The result of a forked call. It has run when it was traced; each `wait` is recorded."""

    def __init__(
        self, state: TracingState, value: SSAValue, result: Any, set_result: _SetResult
    ) -> None:
        self._state = state
        self._value = value
        self._result = result
        self._set_result = set_result

    def wait(self) -> Any:
        """The result, which is what the recorded node gives from now on."""
        future = type_of(self._value)
        assert isinstance(future, FutureType)
        node = self._state.node("aten::wait", [self._value], [future.element])
        self._set_result(self._result, node.results[0])
        return self._result

    value = wait

    def done(self) -> bool:
        return True


def record_fork(
    state: TracingState, run: Callable[[], Any], set_result: _SetResult
) -> TracedFuture:
    """Run a call and record it as a fork. Tensors of the caller are captured; what the call computes leaves it as its result only.

    Raises:
        RuntimeError: the result is none that traces have.
    """
    body = Block()
    with state.forked(body):
        result = run()
        output = state.value_of_any(result)
        body.add_op(YieldOp.create(operands=[output]))
    closure = ClosureOp.create(
        result_types=[FutureType(type_of(output))],
        regions=[Region(body)],
    )
    return TracedFuture(state, state.insert(closure).results[0], result, set_result)
