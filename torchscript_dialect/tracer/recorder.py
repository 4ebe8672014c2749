"""Records the calls of a program as nodes of a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from xdsl.ir import Operation, SSAValue

from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.locations import UNKNOWN_LOCATION
from torchscript_dialect.ops.eager.recording import Callee, recording
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.grad_mode import is_grad_enabled
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tracer.bindings import as_bound
from torchscript_dialect.tracer.compiled_calls import record_call
from torchscript_dialect.tracer.forks import TracedFuture, record_fork
from torchscript_dialect.tracer.modules import ModuleScopes
from torchscript_dialect.tracer.recorded_parts import RECORDED_PARTS
from torchscript_dialect.tracer.state import TracingState
from torchscript_dialect.types.containers import ListType, OptionalType
from torchscript_dialect.types.core import FLOAT, INT, NUMBER, TorchScriptType
from torchscript_dialect.types.function_schema import Argument
from torchscript_dialect.types.subtyping import unshaped
from torchscript_dialect.types.tensor_type import TensorType

_NUMBERS = (INT, FLOAT, NUMBER)
_WITHOUT_GRADIENT = frozenset(
    f"aten::{name}"
    for name in (
        "detach", "detach_", "zeros_like", "ones_like", "empty_like", "full_like", "rand_like",
        "randn_like", "new_zeros", "new_ones", "new_full", "new_empty",
    )
)  # fmt: skip
"""Operators whose results require no gradients, although they are of floating point."""


_RECORDED_BELOW_AUTOGRAD = frozenset(("aten::_convolution",))
"""Operators whose results PyTorch shows without gradients, although they have them."""


class TraceRecorder:
    """Appends a node for each call to a trace; see Note [Recording] in ops/eager/recording.py."""

    def __init__(self, state: TracingState, scopes: ModuleScopes | None = None) -> None:
        self.state = state
        self._scopes = scopes

    def operator(
        self,
        operator: Operator,
        operands: Sequence[Any],
        given: Sequence[Any],
        run: Callable[..., Any],
    ) -> Any:
        """Run an operator, and record it if tensors are its result."""
        with recording(None):
            if not _gives_tensors(operator):
                return run(*operands)
            parts = RECORDED_PARTS.get(operator.qualified_name)
            if parts is not None:
                run(*operands)  # its messages, where the operands do not fit
                with recording(self):
                    return parts(*operands)
            call = as_bound(operator, operands, given)
            arguments = call.operator.schema.arguments
            values = [
                self._operand(argument, operand, one)
                for argument, operand, one in zip(arguments, call.operands, call.given, strict=True)
            ]
            requires_grad = self._asks_for_gradients(operator.name, operands)
            location = self.state.location()
            result = run(*operands)
            results = [result] if len(operator.schema.returns) == 1 else list(result)
            types = [unshaped(one.type) for one in call.operator.schema.returns]
            node = self.state.node(call.operator.qualified_name, values, types)
            node.location = location
            for each, value in zip(results, node.results, strict=True):
                self.set_result(each, value, requires_grad)
            if call.operator.name in _RECORDED_BELOW_AUTOGRAD:
                type_ = self.state.type_of(result)
                edit.set_type(node.results[0], type_.replace(requires_grad=False))
            return result

    # Operands.

    def _operand(self, argument: Argument, operand: Any, given: Any) -> SSAValue:
        type_ = argument.type
        if isinstance(type_, OptionalType) and operand is not None:
            type_ = type_.element
        if operand is None:
            return self.state.constant(None)
        if isinstance(type_, TensorType):
            return self.state.value_of(operand)
        if isinstance(type_, ListType):
            return self._list(type_.element, operand, given)
        if isinstance(given, Tensor) and not isinstance(operand, Tensor):
            return self._number(type_, operand, given)
        return self.state.constant(operand)

    def _number(self, type_: TorchScriptType, number: Any, tensor: Tensor) -> SSAValue:
        """A number that the caller gave as a tensor; a constant where the trace knows nothing of the tensor."""
        if type_ not in _NUMBERS:
            return self.state.constant(number)
        return self.state.number(tensor, type_)

    def _list(self, element: TorchScriptType, operand: Any, given: Any) -> SSAValue:
        state = self.state
        parts = cast("list[Any]", given if isinstance(given, (list, tuple)) else [given])
        if len(parts) != len(operand):
            parts = operand
        inner = element.element if isinstance(element, OptionalType) else element
        items: list[SSAValue] = []
        for part, item in zip(parts, operand):
            if item is None:
                items.append(state.constant(None))
            elif isinstance(inner, TensorType):
                items.append(state.value_of(item))
            elif isinstance(part, Tensor):
                items.append(self._number(inner, item, part))
            else:
                items.append(state.constant(item))
        return state.list_of(items, element)

    # Results.

    def _asks_for_gradients(self, name: str, operands: Iterable[Any]) -> bool:
        if name in _WITHOUT_GRADIENT or not is_grad_enabled():
            return False
        for operand in operands:
            parts = cast("list[Any]", operand) if isinstance(operand, list) else (operand,)
            if any(isinstance(p, Tensor) and self.state.requires_grad(p) for p in parts):
                return True
        return False

    def set_result(self, result: Any, value: SSAValue, requires_grad: bool = False) -> None:
        """Let the trace know the tensors in a result that a node has given.

        Raises:
            RuntimeError: there is something else in it.
        """
        state = self.state
        match result:
            case Tensor():
                self.set_tensor(result, value, requires_grad)
                return
            case None:
                return
            case tuple():
                items = cast("tuple[Any, ...]", result)
                parts = state.unpack_tuple(value, type_of(value).contained)
            case list():
                items = cast("list[Any]", result)
                parts = state.unpack_list(value, len(items))
            case dict():
                entries = cast("dict[Any, Any]", result)
                items = list(entries.values())
                parts = [state.item(value, key) for key in entries]
            case _:
                raise RuntimeError(
                    f"a trace holds tensors, and tuples, lists and dicts of them, not {result!r}: the"
                    f" {type(result).__name__} is a result of {state.describe(value)}"
                )
        for item, part in zip(items, parts, strict=True):
            self.set_result(item, part, requires_grad)

    def set_tensor(self, tensor: Tensor, value: SSAValue, requires_grad: bool = False) -> None:
        """From now on the tensor is what the trace has as this value."""
        if requires_grad and (tensor.is_floating_point() or tensor.is_complex()):
            self.state.require_grad(tensor)
        self.state.set_value(tensor, value)
        edit.set_type(value, self.state.type_of(tensor))

    def detached(self, tensor: Tensor) -> None:
        """Let the trace know that `detach_` took a tensor's history: what `detach` gives stands for it from now on."""
        with recording(None):
            state = self.state
            node = state.node("aten::detach", [state.value_of(tensor)], [state.type_of(tensor)])
            state.forget_gradient(tensor)
            self.set_tensor(tensor, node.results[0])

    # Sizes, which are tensors of one element for the program.

    def size(self, tensor: Tensor, dim: int, size: int) -> Tensor:
        """The size of a dimension as a tensor."""
        with recording(None):
            state = self.state
            operands = [state.value_of(tensor), state.constant(dim)]
            return self._number_tensor(state.node("aten::size.int", operands, [INT]), size)

    def numel(self, tensor: Tensor) -> Tensor:
        """The number of elements as a tensor."""
        with recording(None):
            operands = [self.state.value_of(tensor)]
            node = self.state.node("aten::numel", operands, [INT])
            return self._number_tensor(node, tensor.array.size)

    def _number_tensor(self, node: Operation, number: int) -> Tensor:
        tensor = as_tensor(number)
        op = operator_class("prim::NumToTensor.Scalar").create(
            operands=[node.results[0]],
            result_types=[TensorType.of("Long", (), None, "cpu")],
            location=self.state.in_scope(UNKNOWN_LOCATION),
        )
        self.state.set_value(tensor, self.state.insert(op).results[0])
        return tensor

    # Modules and compiled functions.

    def module(self, module: Any, run: Callable[[], Any]) -> Any:
        """Run a module, in its scope if it is part of what is traced."""
        path = None if self._scopes is None else self._scopes.path_of(module)
        if path is None or self._scopes is None:
            return run()
        with self._scopes.entered(self.state, path):
            return run()

    def fork(self, run: Callable[[], Any]) -> TracedFuture:
        """Run a forked call, in a region of its own."""
        return record_fork(self.state, run, self.set_result)

    def function(self, callee: Callee, args: Sequence[Any], run: Callable[..., Any]) -> Any:
        """Run a compiled function or method, and record a call of it."""
        with recording(None):
            result, value = record_call(self.state, self._scopes, callee, args, run)
            self.set_result(result, value, self._asks_for_gradients(callee.function.name, args))
            return result


def _gives_tensors(operator: Operator) -> bool:
    """Whether all results of an operator are tensors, or lists of tensors."""
    returns = operator.schema.returns
    return bool(returns) and all(
        isinstance(one.type, TensorType)
        or (isinstance(one.type, ListType) and isinstance(one.type.element, TensorType))
        for one in returns
    )
