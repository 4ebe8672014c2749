"""Functions of tensors that are one kernel on the device.

Note [Fused functions]
A function calls operators on its tensors, which look at elements alone: at no sizes. When it is first called with tensors and numbers
of a kind, it runs operator by operator, since the numbers may never come again. At the second time its calls are recorded
(Note [Recording] in ops/eager/recording.py) while it runs on small tensors of the host, and become the nodes of one kernel; that is
kept on disk as those of groups are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, cast

import numpy as np
from xdsl.builder import Builder
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint

from torchscript_dialect.backend import Executable, NotCompilable, fusing_on
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.ops.eager.recording import Callee, recording
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.operator_kernel import FUSER, with_elements
from torchscript_dialect.runtime.kernels.operator_kernels import compile_block
from torchscript_dialect.runtime.specialization.specialization import Key, argument_key
from torchscript_dialect.runtime.values.type_tests import tensor_type
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.utils.compilation import compilation

Function = Callable[..., list[Tensor]]


class _Nodes:
    """The recorder that makes nodes of calls of operators, each of which gives one tensor."""

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        self.block = Block(arg_types=[with_elements(tensor_type(one)) for one in tensors])
        self.builder = Builder(InsertPoint.at_end(self.block))
        self.values: dict[int, SSAValue] = {}
        self.made: list[Tensor] = []
        """All that have a value: their identities may be no others'."""

    def add(self, made: Tensor, value: SSAValue) -> None:
        self.values[id(made)] = value
        self.made.append(made)

    def operator(
        self,
        operator: Operator,
        operands: Sequence[Any],
        given: Sequence[Any],
        run: Callable[..., Any],
    ) -> Any:
        found = run(*operands)
        node = operator_class(operator.qualified_name).of(
            self.builder, *[self.values.get(id(one), one) for one in operands]
        )
        self.add(found, node.results[0])
        return found

    def module(self, module: Any, run: Callable[[], Any]) -> Any:
        raise AssertionError("a module is called")

    def function(self, callee: Callee, args: Sequence[Any], run: Callable[..., Any]) -> Any:
        raise AssertionError("a function is called")

    def fork(self, run: Callable[[], Any]) -> Any:
        raise AssertionError("a call is forked")


def fused(function: Function) -> Function:
    """The function of tensors, and of other operands by their names, as a kernel: see Note [Fused functions]."""

    @wraps(function)
    def run(*tensors: Tensor, **others: Any) -> list[Tensor]:
        key = _key(function, tensors, others)
        if key not in memory().seen:
            memory().seen[key] = None
            return function(*tensors, **others)
        return _run(function, key, tensors, others)

    return run


def fused_at_once(function: Function) -> Function:
    """The same of a function whose other operands do not change from call to call: it is compiled at its first one."""

    @wraps(function)
    def run(*tensors: Tensor, **others: Any) -> list[Tensor]:
        return _run(function, _key(function, tensors, others), tensors, others)

    return run


def _key(function: Function, tensors: Sequence[Tensor], others: dict[str, Any]) -> Key:
    return (function.__qualname__, argument_key(tensors), *others.values())


def _run(
    function: Function, key: Key, tensors: Sequence[Tensor], others: dict[str, Any]
) -> list[Tensor]:
    """By the kernel for such operands, or operator by operator where there is none."""
    kernels = memory().operators
    if key not in kernels:
        kernels[key] = _compiled(function, tensors, others)
    kernel = kernels[key]
    call = None if kernel is None else kernel.bind(list(tensors))
    if kernel is None or call is None:
        return function(*tensors, **others)
    found: Any = kernel.launch(call)
    return list(cast("tuple[Tensor, ...]", found)) if isinstance(found, tuple) else [found]


@ignores_float_errors
def _compiled(
    function: Function, tensors: Sequence[Tensor], others: dict[str, Any]
) -> Executable | None:
    """The kernel of a function; None where it is none."""
    nodes = _Nodes(tensors)
    small = [_small(one) for one in tensors]
    for one, argument in zip(small, nodes.block.args, strict=True):
        nodes.add(one, argument)
    with recording(nodes):
        results = function(*small, **others)
    with compilation, fusing_on("cuda"):
        try:
            values = [nodes.values[id(one)] for one in results]
            return compile_block(nodes.block, values, function.__qualname__, FUSER, None)
        except NotCompilable:
            return None


def _small(x: Tensor) -> Tensor:
    """A tensor of the host whose dimensions have one element where those of another one have one, otherwise two."""
    shape = [1 if size == 1 else 2 for size in x.array.shape]
    return tensor_of(np.ones(shape, x.array.dtype))
