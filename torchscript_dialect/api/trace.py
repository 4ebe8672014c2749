"""`ts.trace`: functions and modules of what Python code did with example inputs (PyTorch: torch/jit/_trace.py)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from torchscript_dialect.api.function import ScriptFunction
from torchscript_dialect.api.module import ScriptModule, module_of
from torchscript_dialect.api.module_class import Program
from torchscript_dialect.api.script import finish, namer
from torchscript_dialect.frontend.python.module_types import is_module
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tracer.modules import declare_module
from torchscript_dialect.tracer.trace import trace_function, trace_method


def trace(
    func: Any,
    example_inputs: Any = None,
    *,
    strict: bool = True,
    example_kwarg_inputs: Mapping[str, Any] | None = None,
) -> ScriptFunction | ScriptModule:
    """Run a function or module on example inputs, and give a compiled function or module that does what it did.

    `example_inputs` are the positional arguments, a tuple, or the only one; `example_kwarg_inputs` are arguments by name. Inputs and
    results are tensors, and tuples, lists and dicts of tensors; a list or dict is taken as a result where `strict` is False. What is
    compiled already is given back.

    Raises:
        RuntimeError: an input or result is none that a trace can have.
        TypeError: there are both kinds of example inputs, or none.
    """
    if isinstance(func, (ScriptFunction, ScriptModule)):
        return func
    if is_module(func):
        inputs = {"forward": _Example(example_inputs, example_kwarg_inputs)}
        return _trace_module(func, inputs, strict=strict)
    example = _Example(example_inputs, example_kwarg_inputs)
    return _trace_function(func, example, strict=strict)


def trace_module(mod: Any, inputs: Mapping[str, Any], *, strict: bool = True) -> ScriptModule:
    """Trace methods of a module: `trace_module(m, {"forward": x, "encode": (x, y)})`.

    Raises:
        TypeError: it is no module, or the inputs are no dict.
        RuntimeError: as `trace`.
    """
    if not is_module(mod):
        raise TypeError(f"trace_module takes a module, not a {type(mod).__name__}")
    if not isinstance(inputs, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("the inputs of trace_module are a dict: from names of methods to inputs")
    examples = {name: _Example(each, None) for name, each in inputs.items()}
    return _trace_module(mod, examples, strict=strict)


class _Example:
    """The inputs of one call."""

    def __init__(self, positional: Any, named: Mapping[str, Any] | None) -> None:
        if (positional is None) == (named is None):
            raise TypeError("a trace needs either example_inputs or example_kwarg_inputs")
        if positional is not None and not isinstance(positional, tuple):
            positional = (positional,)
        self.args = tuple(map(_as_input, cast("tuple[Any, ...]", positional or ())))
        self.kwargs = {name: _as_input(each) for name, each in (named or {}).items()}

    def inputs(
        self, names: Sequence[str]
    ) -> tuple[Sequence[Any], Sequence[str], Callable[..., Any]]:
        """The inputs in the order of the parameters, the names of these, and what calls a function with them."""
        if not self.kwargs:
            return self.args, names, _call
        unknown = [name for name in self.kwargs if name not in names]
        if unknown:
            raise TypeError(f"example_kwarg_inputs has no parameter '{unknown[0]}' to be for")
        given = [name for name in names if name in self.kwargs]
        return [self.kwargs[name] for name in given], given, partial(_call_named, given)


def _call(function: Callable[..., Any], *args: Any) -> Any:
    return function(*args)


def _call_named(names: Sequence[str], function: Callable[..., Any], *args: Any) -> Any:
    return function(**dict(zip(names, args, strict=True)))


def _as_input(value: Any) -> Any:
    """An input with its arrays, and tensors of other libraries, as tensors."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.ndarray) or hasattr(value, "__dlpack__"):
        return as_tensor(value)
    if isinstance(value, tuple):
        items = [_as_input(item) for item in cast("tuple[Any, ...]", value)]
        make = getattr(cast(Any, value), "_make", tuple)
        return make(items)
    if isinstance(value, list):
        return [_as_input(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        entries = cast("dict[Any, Any]", value).items()
        return {key: _as_input(item) for key, item in entries}
    return value


def _parameter_names(function: Any) -> list[str]:
    """The names of the parameters that may be given by position; none where there may be any number."""
    names: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            return []
        if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
            names.append(parameter.name)
    return names


def _trace_function(function: Any, example: _Example, *, strict: bool) -> ScriptFunction:
    if not callable(function):
        raise TypeError(f"a function or module can be traced, not a {type(function).__name__}")
    inputs, names, call = example.inputs(_parameter_names(function))
    name = getattr(function, "__name__", type(function).__name__)
    name = "_lambda" if name == "<lambda>" else name
    module = getattr(function, "__module__", "__main__")
    prefix = "__torch__" if module == "__main__" else f"__torch__.{module}"
    unit = CompilationUnit()
    made = trace_function(
        unit, partial(call, function), inputs, names, name, f"{prefix}.{name}", strict=strict
    )
    return finish(unit, made)


def _trace_module(module: Any, examples: Mapping[str, _Example], *, strict: bool) -> ScriptModule:
    unit = CompilationUnit()
    definition = declare_module(module, unit)
    for name, example in examples.items():
        method = getattr(module, name)
        inputs, names, call = example.inputs(_parameter_names(method))
        called = module if name == "forward" else method
        run = partial(call, called)
        trace_method(unit, definition, module, run, inputs, names, name, strict=strict)
    return module_of(Program(unit, namer(unit)), definition, module)
