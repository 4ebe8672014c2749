"""Runs what an entry of the database calls with our operators.

A function of PyTorch's binding is the operator of that name: its name is looked up in the stand-in, a method's on our tensors. What
the database writes in Python (`torch.nn.functional`, lambdas) is traced, and the operators that the trace holds run here.
"""

import types
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import mock

import torch
from torch.jit._trace import _get_trace_graph  # pyright: ignore[reportAttributeAccessIssue]

from support.op_db.inputs import ours
from torchscript_dialect import torch as stand_in
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.dispatch import call
from torchscript_dialect.tensor.conversion import as_tensor


class NoKernel(Exception):
    """An operator that we cannot run."""


def run(function: Any, args: Sequence[Any], kwargs: dict[str, Any], memo: dict[Any, Any]) -> Any:
    """Our result of `function(*args, **kwargs)`; `args` are PyTorch's, `memo` holds our tensors for them.

    Raises:
        NoKernel: an operator that is not supported; and whatever the operators raise.
    """
    if getattr(function, "__module__", None) == "_operator":
        return function(*ours(list(args), memo))
    if isinstance(function, (types.BuiltinFunctionType, types.BuiltinMethodType)):
        return _operator(function.__name__)(*ours(list(args), memo), **ours(kwargs, memo))
    if isinstance(function, (types.MethodDescriptorType, types.WrapperDescriptorType)):
        first, *rest = ours(list(args), memo)
        method = getattr(first, function.__name__, None)
        if method is None:
            raise NoKernel(f"Tensor.{function.__name__}")
        return method(*rest, **ours(kwargs, memo))
    return _run_traced(function, args, kwargs, memo)


def _operator(name: str) -> Callable[..., Any]:
    if not registry.lookup(f"aten::{name}"):
        raise NoKernel(f"no schema of aten::{name}")
    found = getattr(stand_in, name, None)
    return found if found is not None else lambda *a, **k: call(f"aten::{name}", a, k)


# Traces


def _run_traced(
    function: Any, args: Sequence[Any], kwargs: dict[str, Any], memo: dict[Any, Any]
) -> Any:
    tensors: list[torch.Tensor] = []
    shape = _flattened((list(args), kwargs), tensors)

    is_sequence = False

    def flat(*inputs: torch.Tensor) -> Any:
        nonlocal is_sequence
        given_args, given_kwargs = _restored(shape, inputs)
        result = function(*given_args, **given_kwargs)
        is_sequence = isinstance(result, (list, tuple))
        return result

    with _seeds() as seeds:
        graph = _traced(flat, tuple(tensors))
    for seed in seeds:
        stand_in.manual_seed(seed)
    values = {
        value.debugName(): ours(tensor, memo) for value, tensor in zip(graph.inputs(), tensors)
    }
    for node in graph.nodes():
        _run_node(node, values)
    (result,) = [values[output.debugName()] for output in graph.outputs()]
    result = result.operand(0) if isinstance(result, _Number) else result
    return [result] if is_sequence and not isinstance(result, (list, tuple)) else result


@contextmanager
def _seeds() -> Generator[list[int]]:
    """The seeds that a function sets: a trace does not hold them."""
    found: list[int] = []
    manual_seed = torch.manual_seed

    def noted(seed: int) -> torch.Generator:
        found.append(seed)
        return manual_seed(seed)

    with mock.patch.object(torch, "manual_seed", noted):
        yield found


def _traced(flat: Callable[..., Any], inputs: tuple[torch.Tensor, ...]) -> Any:
    state = torch.get_rng_state()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _get_trace_graph(flat, inputs, _force_outplace=False)[0]
    finally:
        torch.set_rng_state(state)


class _Place(int):
    """The number of a tensor among the inputs of a trace."""


def _flattened(value: Any, tensors: list[torch.Tensor]) -> Any:
    if isinstance(value, torch.Tensor):
        tensors.append(value)
        return _Place(len(tensors) - 1)
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        return type(value)(_flattened(item, tensors) for item in value)
    if isinstance(value, dict):
        return {key: _flattened(item, tensors) for key, item in value.items()}
    return value


def _restored(value: Any, tensors: Sequence[torch.Tensor]) -> Any:
    if isinstance(value, _Place):
        return tensors[value]
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        return type(value)(_restored(item, tensors) for item in value)
    if isinstance(value, dict):
        return {key: _restored(item, tensors) for key, item in value.items()}
    return value


@dataclass(frozen=True)
class _Number:
    """A 0-d tensor in a trace, which may be what the trace made of a number of the program."""

    tensor: torch.Tensor

    def operand(self, place: int) -> Any:
        """What an operator takes at a place: a number that is not the first operand was one in the program."""
        return self.tensor.item() if place else ours(self.tensor, {})


def _run_node(node: Any, values: dict[str, Any]) -> None:
    operands = [values[value.debugName()] for value in node.inputs()]
    outputs = [value.debugName() for value in node.outputs()]
    kind = node.kind()
    if kind == "prim::Constant":
        value = next(node.outputs()).toIValue()
        is_number = isinstance(value, torch.Tensor) and not value.ndim
        values[outputs[0]] = _Number(value) if is_number else ours(value, {})
    elif kind in ("prim::ListConstruct", "prim::TupleConstruct"):
        items = [o.operand(0) if isinstance(o, _Number) else o for o in operands]
        values[outputs[0]] = items if kind == "prim::ListConstruct" else tuple(items)
    elif kind in ("prim::ListUnpack", "prim::TupleUnpack"):
        values.update(zip(outputs, operands[0]))
    elif kind == "prim::NumToTensor":
        values[outputs[0]] = as_tensor(operands[0])
    else:
        result = _run_operator(node, operands)
        several = len(outputs) != 1
        values.update(zip(outputs, (result or ()) if several else [result]))


def _run_operator(node: Any, operands: list[Any]) -> Any:
    name = node.schema().partition("(")[0]
    operator = registry.find(name)
    if operator is None or operator.kernel is None:
        raise NoKernel(name)
    if not any(isinstance(operand, _Number) for operand in operands):
        return operator.kernel(*operands)
    tensors = [ours(o.tensor, {}) if isinstance(o, _Number) else o for o in operands]
    mixed = [o.operand(place) if isinstance(o, _Number) else o for place, o in enumerate(operands)]
    try:
        return call(node.kind(), mixed)
    except TypeError:
        return operator.kernel(*tensors)
