"""Kernels of PyTorch for operators that have none here (`ts.use_torch_kernels`).

Operands are lent with their memory, so that what the kernel writes to and what it gives views of is the program's own. Gradients go
through PyTorch's tape, as those of Python functions that are written against PyTorch. Random kernels draw from PyTorch's generator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, cast

from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.runtime.values.for_pytorch import tensor_for_pytorch
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.generator import Generator
from torchscript_dialect.tensor.grad_mode import is_grad_enabled
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import is_in_use
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.utils.errors import TorchScriptError


def borrowed_kernel(operator: Operator) -> Callable[..., Any] | None:
    """What runs an operator with PyTorch's kernel; None where PyTorch is not loaded or does not have the operator."""
    torch = pytorch_state.loaded()
    if torch is None:
        return None
    namespace, _, name = operator.name.partition("::")
    packet = getattr(getattr(torch.ops, namespace), name, None)
    overload = getattr(packet, operator.overload or "default", None)
    if overload is None:
        return None
    schema = operator.schema

    def run(*operands: Any) -> Any:
        loan: Any = None
        give: Callable[[Tensor], Any] = partial(tensor_for_pytorch, torch=torch)
        if is_in_use() and is_grad_enabled():
            loan = import_module("torchscript_dialect.autograd.lent_to_pytorch").Loan(torch)
            give = loan.give
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for argument, operand in zip(schema.arguments, operands, strict=True):
            value = _lend(operand, give, schema)
            if argument.kwarg_only:
                named[argument.name] = value
            else:
                positional.append(value)
        with torch.set_grad_enabled(loan is not None and bool(loan.lent)):
            result = overload(*positional, **named)
            result = result if loan is None else loan.take(result)
        return _take(result, schema, operands)

    return run


def _lend(value: Any, give: Callable[[Tensor], Any], schema: FunctionSchema) -> Any:
    if isinstance(value, Tensor):
        return give(value)
    if isinstance(value, (list, tuple)):
        return [_lend(item, give, schema) for item in cast("Sequence[Any]", value)]
    if isinstance(value, Generator):
        raise TorchScriptError(f"{schema.name}: a generator cannot be lent to PyTorch")
    return value


def _take(result: Any, schema: FunctionSchema, operands: tuple[Any, ...]) -> Any:
    """The result as a runtime value; what was written to in place is the operand itself."""
    if len(schema.returns) > 1:
        values: Sequence[Any] = result
        pairs = zip(values, schema.returns, strict=True)
        return tuple(
            _take_one(value, returned.alias, schema, operands) for value, returned in pairs
        )
    alias = schema.returns[0].alias if schema.returns else None
    return _take_one(result, alias, schema, operands)


def _take_one(value: Any, alias: Any, schema: FunctionSchema, operands: tuple[Any, ...]) -> Any:
    if isinstance(value, (tuple, list)):
        items = cast("Sequence[Any]", value)
        return [_take_one(item, None, schema, operands) for item in items]
    if alias is not None and alias.is_write:
        for argument, operand in zip(schema.arguments, operands, strict=True):
            if argument.alias == alias and isinstance(operand, Tensor):
                if tuple(operand.shape) != tuple(value.shape):
                    raise TorchScriptError(f"{schema.name} would resize what PyTorch was lent")
                return operand
    return as_tensor(value) if hasattr(value, "__dlpack__") else value
