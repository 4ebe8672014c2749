"""Runs what an entry of the database calls with our operators.

A function of PyTorch's binding is the operator of that name: its name is looked up in the stand-in, a method's on our tensors. What
the database writes in Python (`torch.nn.functional`, lambdas) runs as it is, on PyTorch's tensors, and every function of the binding
that it calls runs here, too, on ours (`_Beside`).
"""

import types
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any
from unittest import mock

import torch
from torch import _lowrank, _tensor
from torch.overrides import TorchFunctionMode

from support.op_db.inputs import ours, tensors
from torchscript_dialect import torch as stand_in
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor.tensor import Tensor

_BUILTINS = (types.BuiltinFunctionType, types.BuiltinMethodType)
_METHODS = (types.MethodDescriptorType, types.WrapperDescriptorType)


_MODES = frozenset(("_set_grad_enabled",))
"""Functions of the binding that are no operators."""


class NoKernel(Exception):
    """An operator that we cannot run."""


class NoError(Exception):
    """PyTorch's operator raises, ours does not."""


def run(function: Any, args: Sequence[Any], kwargs: dict[str, Any], memo: dict[Any, Any]) -> Any:
    """Our result of `function(*args, **kwargs)`; `args` are PyTorch's, `memo` holds our tensors for them.

    Raises:
        NoKernel: an operator that is not supported; and whatever the operators raise.
    """
    found = _counterpart(function)
    if found is not None:
        return found(*ours(list(args), memo), **ours(kwargs, memo))
    ours((list(args), kwargs), memo)
    with _without_overrides(), _Beside(memo):
        result = function(*args, **kwargs)
    return _known(result, memo)


def _counterpart(function: Any) -> Callable[..., Any] | None:
    """What runs here for a function of PyTorch's binding; None for one in Python."""
    if getattr(function, "__module__", None) == "_operator":
        return function
    if (
        isinstance(function, _METHODS) or function is torch.Tensor.unflatten
    ):  # calls itself by way of C++
        return _method(function.__name__)
    if isinstance(function, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        return _operator(str(function).split(".")[1])
    if isinstance(function, types.MethodWrapperType):  # Tensor.real.__get__
        attribute = getattr(function.__self__, "__name__", "")
        return lambda x: getattr(x, attribute)
    return _operator(function.__name__) if isinstance(function, _BUILTINS) else None


def _method(name: str) -> Callable[..., Any]:
    def method(first: Any, *rest: Any, **kwargs: Any) -> Any:
        if not isinstance(first, Tensor):
            raise TypeError(
                f"descriptor '{name}' doesn't apply to a '{type(first).__name__}' object"
            )
        found = getattr(first, name, None)
        if found is None:
            raise NoKernel(f"Tensor.{name}")
        return found(*rest, **kwargs)

    return method


def _operator(name: str) -> Callable[..., Any]:
    # Where PyTorch's public function is Python around one of the binding, so is the stand-in's.
    is_wrapped = isinstance(getattr(torch, name, None), types.FunctionType)
    found = None if is_wrapped else getattr(stand_in, name, None)
    if not registry.lookup(f"aten::{name}") and found is None:
        raise NoKernel(f"no schema of aten::{name}")
    return found if found is not None else lambda *a, **k: call(f"aten::{name}", a, k)


# Python


class _Beside(TorchFunctionMode):
    """Runs the functions of PyTorch's binding on PyTorch's tensors and here on ours, which `memo` keeps together."""

    def __init__(self, memo: dict[Any, Any]) -> None:
        super().__init__()
        self.memo = memo

    def __torch_function__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        given = kwargs or {}
        if func.__name__ in _MODES:
            return func(*args, **given)
        here = _counterpart(func)
        if here is None:
            with self if tensors((args, given)) else nullcontext():
                return func(*args, **given)
        operands, options = _known((list(args), given), self.memo)
        expected: Any = None
        error: Exception | None = None
        before = torch.get_rng_state()
        try:
            expected = func(*args, **given)
        except Exception as raised:
            error = raised
        if error is None and not tensors(expected):
            return expected
        after = torch.get_rng_state()
        torch.set_rng_state(before)  # It is that of our generator, too.
        mine = here(*operands, **options)
        if error is not None:
            raise NoError from error
        torch.set_rng_state(after)
        self._pair(mine, expected)
        return expected

    def _pair(self, mine: Any, theirs: Any) -> None:
        if isinstance(theirs, torch.Tensor):
            self.memo[id(theirs)] = mine, theirs
        if isinstance(theirs, (list, tuple)):
            for one, other in zip(mine, theirs):
                self._pair(one, other)


def _known(value: Any, memo: dict[Any, Any]) -> Any:
    """Ours of PyTorch's values, none of which came out of functions that we did not run."""
    if any(id(tensor) not in memo for tensor in tensors(value)):
        raise NoKernel("a tensor that no operator made")
    return ours(value, memo)


@contextmanager
def _without_overrides() -> Generator[None]:
    """Functions in Python do not ask whether somebody overrides them: they run as they are."""
    never: dict[str, Any] = dict.fromkeys(
        ("has_torch_function", "has_torch_function_unary", "has_torch_function_variadic"),
        lambda *_: False,
    )
    with ExitStack() as stack:
        for module in (torch.functional, torch.nn.functional, _lowrank, _tensor):
            names = {name: answer for name, answer in never.items() if hasattr(module, name)}
            stack.enter_context(mock.patch.multiple(module, **names))
        yield
