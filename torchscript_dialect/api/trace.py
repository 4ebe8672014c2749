"""`ts.trace`: functions and modules of what Python code did with example inputs (PyTorch: torch/jit/_trace.py)."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np

from torchscript_dialect.api.function import ScriptFunction
from torchscript_dialect.api.module import ScriptModule, module_of
from torchscript_dialect.api.module_class import Program, namer
from torchscript_dialect.api.script import finish
from torchscript_dialect.api.trace_check import (
    check_graphs,
    check_results,
    copied,
    without_shapes,
)
from torchscript_dialect.api.trace_torch import (
    as_foreign,
    is_foreign,
    trace_by_pytorch,
    trace_module_by_pytorch,
)
from torchscript_dialect.frontend.python.module_types import is_module
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.ir import Graph
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.generator import default_generator
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tracer.modules import declare_module
from torchscript_dialect.tracer.trace import trace_function, trace_method


def trace(
    func: Any,
    example_inputs: Any = None,
    *,
    check_trace: bool = True,
    check_inputs: Sequence[Any] | None = None,
    check_tolerance: float = 1e-5,
    strict: bool = True,
    example_kwarg_inputs: Mapping[str, Any] | None = None,
) -> Any:
    """Run a function or module on example inputs, and give a compiled function or module that does what it did.

    `example_inputs` are the positional arguments, a tuple or list, or the only one; `example_kwarg_inputs` are arguments by name.
    Inputs and results are tensors, and tuples, lists and dicts of tensors; a dict is a result where `strict` is False, and a list there
    without a warning. A module that is compiled already is given back. With `check_trace` the program is traced once more with the
    example and with each of `check_inputs`, which must give the same graph, and trace and program are run on all of these, with a
    `TracerWarning` where results differ by more than `check_tolerance`. What is written against PyTorch, which has to be loaded then,
    is traced by it.

    Raises:
        RuntimeError: an input or result is none that a trace can have.
        TracingCheckError: a second trace is another one.
        TypeError: there are both kinds of example inputs, or none.
    """
    if isinstance(func, ScriptModule):
        warnings.warn(
            "The input to trace is already a ScriptModule, tracing it is a no-op. Returning the object as is.",
            stacklevel=2,
        )
        return func
    if is_foreign(func, (example_inputs, dict(example_kwarg_inputs or {}))):
        options = {
            "check_trace": check_trace,
            "check_inputs": None if check_inputs is None else as_foreign(list(check_inputs)),
            "check_tolerance": check_tolerance,
            "strict": strict,
            "example_kwarg_inputs": as_foreign(example_kwarg_inputs),
        }
        return trace_by_pytorch(func, example_inputs, **options)
    examples = [_Example(each, None) for each in check_inputs or ()]
    checks = _Checks(check_trace, examples, check_tolerance)
    example = _Example(example_inputs, example_kwarg_inputs)
    owner = getattr(func, "__self__", None)
    if is_module(owner):
        if func.__name__ != "forward":
            raise AttributeError(
                "trace doesn't support compiling individual module's functions.\nPlease use trace_module"
            )
        func = owner
    if is_module(func):
        return _trace_module(func, {"forward": example}, {"forward": checks}, strict=strict)
    return _trace_function(func, example, checks, strict=strict)


def trace_module(
    mod: Any,
    inputs: Mapping[str, Any],
    *,
    check_trace: bool = True,
    check_inputs: Sequence[Mapping[str, Any]] | None = None,
    check_tolerance: float = 1e-5,
    strict: bool = True,
    example_inputs_is_kwarg: bool = False,
) -> Any:
    """Trace methods of a module: `trace_module(m, {"forward": x, "encode": (x, y)})`. Each of `check_inputs` is such a dict, too. With
    `example_inputs_is_kwarg` what stands for a method is a dict: its arguments by name.

    Raises:
        TypeError: it is no module, or the inputs are no dict.
        RuntimeError, TracingCheckError: as `trace`.
    """
    if not isinstance(inputs, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("the inputs of trace_module are a dict: from names of methods to inputs")
    if is_foreign(mod, ()):
        options = {
            "check_trace": check_trace,
            "check_inputs": None if check_inputs is None else as_foreign(list(check_inputs)),
            "check_tolerance": check_tolerance,
            "strict": strict,
            "example_inputs_is_kwarg": example_inputs_is_kwarg,
        }
        return trace_module_by_pytorch(mod, inputs, **options)
    if not is_module(mod):
        raise TypeError(f"trace_module takes a module, not a {type(mod).__name__}")

    def example(each: Any) -> _Example:
        return _Example(None, each) if example_inputs_is_kwarg else _Example(each, None)

    examples = {name: example(each) for name, each in inputs.items()}
    checks: dict[str, _Checks] = {}
    for name in inputs:
        given = [example(each[name]) for each in check_inputs or () if name in each]
        checks[name] = _Checks(check_trace, given, check_tolerance)
    return _trace_module(mod, examples, checks, strict=strict)


@dataclass(frozen=True)
class _Checks:
    """What is held against what after a trace."""

    wanted: bool
    examples: Sequence[_Example]
    tolerance: float

    def run(
        self,
        traced: Callable[..., Any],
        program: Callable[..., Any],
        graph: Graph,
        again: Callable[[_Example], Graph],
        example: _Example,
    ) -> None:
        """Trace once more with all inputs and compare graphs, then run with them and compare results."""
        if not self.wanted:
            return
        with default_generator.drawn_again():
            check_graphs(graph, again(example))
            for each in self.examples:
                check_graphs(without_shapes(graph), without_shapes(again(each)))
            for number, each in enumerate([example, *self.examples]):
                whose = f"check_inputs[{number - 1}]" if number else "the example"
                run = each.caller(program)
                check_results(traced, run, each.values, self.tolerance, whose)


class _Example:
    """The inputs of one call."""

    def __init__(self, positional: Any, named: Mapping[str, Any] | None) -> None:
        if (positional is None) == (named is None):
            raise TypeError("a trace needs either example_inputs or example_kwarg_inputs")
        if isinstance(positional, list):
            positional = tuple(cast("list[Any]", positional))
        elif positional is not None and not isinstance(positional, tuple):
            positional = (positional,)
        given = cast("tuple[Any, ...]", positional) if named is None else tuple(named.values())
        self.values: tuple[Any, ...] = tuple(map(_as_input, given))
        self._named = None if named is None else list(named)

    def caller(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function as one of `values` alone."""
        if self._named is None:
            return function
        return partial(_call_named, self._named, function)

    @property
    def is_named(self) -> bool:
        return self._named is not None

    def in_order(self, names: Sequence[str]) -> Sequence[str]:
        """Put the inputs in the order of the parameters; gives the names of these."""
        if self._named is None:
            return names
        unknown = [name for name in self._named if name not in names]
        if unknown:
            raise TypeError(f"example_kwarg_inputs has no parameter '{unknown[0]}' to be for")
        by_name = dict(zip(self._named, self.values, strict=True))
        self._named = [name for name in names if name in by_name]
        self.values = tuple(by_name[name] for name in self._named)
        return self._named


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
    if isinstance(function, ScriptFunction):
        return [argument.name for argument in function.schema.arguments]
    names: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            return []
        if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
            names.append(parameter.name)
    return names


def _trace_function(
    function: Any, example: _Example, checks: _Checks, *, strict: bool
) -> ScriptFunction:
    is_compiled = isinstance(function, ScriptFunction)
    if not callable(function):
        raise TypeError(f"a function or module can be traced, not a {type(function).__name__}")
    names = example.in_order(_parameter_names(function))
    if is_compiled and not example.is_named:
        names = ()  # as in PyTorch
    name = getattr(function, "__name__", type(function).__name__)
    name = "_lambda" if name == "<lambda>" else name
    module = getattr(function, "__module__", "__main__")
    prefix = "__torch__" if module == "__main__" else f"__torch__.{module}"
    run = example.caller(function)

    def trace_once(chosen: _Example) -> ScriptFunction:
        unit = CompilationUnit()
        inputs = copied(chosen.values) if checks.wanted else chosen.values
        made = trace_function(unit, run, inputs, names, name, f"{prefix}.{name}", strict=strict)
        return finish(unit, made)

    traced = trace_once(example)
    checks.run(traced, function, traced.graph, lambda chosen: trace_once(chosen).graph, example)
    return traced


def _trace_module(
    module: Any,
    examples: Mapping[str, _Example],
    checks: Mapping[str, _Checks],
    *,
    strict: bool,
) -> ScriptModule:
    for part in module.modules():
        if getattr(part, "_backward_hooks", None):
            raise ValueError(f"Modules that have backward hooks assigned can't be compiled: {part}")

    def trace_once(chosen: Mapping[str, _Example]) -> ScriptModule:
        unit = CompilationUnit()
        definition = declare_module(module, unit)
        for name, example in chosen.items():
            names = example.in_order(_parameter_names(getattr(module, name)))
            run = example.caller(_called(module, name))
            inputs = copied(example.values) if checks[name].wanted else example.values
            trace_method(unit, definition, module, run, inputs, names, name, strict=strict)
        return module_of(Program(unit, namer(unit)), definition, module)

    def graph_again(name: str, chosen: _Example) -> Graph:
        return vars(trace_once({**examples, name: chosen}))[name].inlined_graph

    traced = trace_once(examples)
    for name, example in examples.items():
        method = vars(traced)[name]
        run, again = _called(module, name), partial(graph_again, name)
        checks[name].run(method, run, method.inlined_graph, again, example)
    return traced


def _called(module: Any, name: str) -> Callable[..., Any]:
    """What a method's trace runs: of `forward`, the module with its hooks."""
    return module if name == "forward" else getattr(module, name)
