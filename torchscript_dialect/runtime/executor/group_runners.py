"""What runs fusion groups: kernels, and nodes one by one where these do not fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from torchscript_dialect.backend import NotCompilable
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.module import function_of_block
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.interpreter.interpreter import InterpreterFunction, interpret
from torchscript_dialect.runtime.kernels.kernels import callable_of, compile_kernels
from torchscript_dialect.runtime.native.entry import NativeUnavailable
from torchscript_dialect.utils.properties import cached_property


def group_callables(
    groups: Sequence[prim.TensorExprGroupOp], lists: PassLists, name: str
) -> dict[Operation, Callable[..., Any]]:
    """What runs each of the groups: its kernel where the operands fit, its nodes one by one where they do not.
    `name` is that of their function.
    """
    kernels = compile_kernels([group.body for group in groups], settings.fuser_now(), lists)
    callables: dict[Operation, Callable[..., Any]] = {}
    for group, kernel in zip(groups, kernels, strict=True):
        callables[group] = interpreted = LazyInterpreter(group, name)
        if not isinstance(kernel, NotCompilable):
            with suppress(NativeUnavailable):
                callables[group] = callable_of(kernel, interpreted)
    return callables


class LazyInterpreter:
    """The nodes of a group, made ready when a call first needs them."""

    def __init__(self, group: prim.GroupOp, name: str) -> None:
        self.group = group
        self.name = name
        """What errors call the function around the group."""
        self.calls = 0
        """Calls that the group's kernel did not take."""

    @cached_property
    def interpreter(self) -> InterpreterFunction:
        alone = function_of_block(self.group.body)
        alone.sym_name = StringAttr(self.name)
        return interpret(alone)

    def __call__(self, *args: Any) -> Any:
        self.calls += 1
        return self.interpreter(*args)
