"""Runs a program and makes functions and methods of what it did."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.ir import Block, SSAValue

from torchscript_dialect.dialects.prim import YieldOp
from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.frontend.python.module_definition import ModuleDefinition
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.ir import edit
from torchscript_dialect.ops.eager.recording import RECORDING, recording
from torchscript_dialect.runtime.native.entry import without_native_calls
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tracer.modules import ModuleScopes
from torchscript_dialect.tracer.recorder import TraceRecorder
from torchscript_dialect.tracer.scope_blocks import (
    clean_up,
    declare_function,
    declare_method,
    make_methods,
    take_body,
)
from torchscript_dialect.tracer.state import TracingState
from torchscript_dialect.tracer.tensor_hooks import TracerWarning, hooked
from torchscript_dialect.types.containers import DictType, ListType, TupleType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.subtyping import unshaped
from torchscript_dialect.types.tensor_type import TENSOR


def trace_function(
    unit: CompilationUnit,
    run: Callable[..., Any],
    inputs: Sequence[Any],
    names: Sequence[str],
    name: str,
    qualified_name: str,
    *,
    strict: bool,
) -> Function:
    """Run a function on inputs; gives the function of what it did.

    Raises:
        RuntimeError: a trace runs already, or an input or result is none that traces have.
    """
    block = Block()
    _record(unit, block, run, inputs, names, strict=strict)
    op = take_body(block)
    clean_up(op)
    return declare_function(unit, name, op, qualified_name)


def trace_method(
    unit: CompilationUnit,
    definition: ModuleDefinition,
    module: Any,
    run: Callable[..., Any],
    inputs: Sequence[Any],
    names: Sequence[str],
    name: str,
    *,
    strict: bool,
) -> Function:
    """Run a method of a module on inputs; gives the method of what it did. Submodules that were called get methods, too.

    Raises:
        RuntimeError: as for functions.
    """
    block = Block()
    scopes = ModuleScopes(module, definition)
    _record(unit, block, run, inputs, names, scopes, strict=strict)
    made = make_methods(unit, block, scopes)
    op = take_body(block)
    for method in made:
        clean_up(method.op)
    clean_up(op)
    return declare_method(unit, definition, name, op)


def _record(
    unit: CompilationUnit,
    block: Block,
    run: Callable[..., Any],
    inputs: Sequence[Any],
    names: Sequence[str],
    scopes: ModuleScopes | None = None,
    *,
    strict: bool,
) -> None:
    """Fill a block with what a program does with inputs."""
    if RECORDING.recorder is not None:
        raise RuntimeError("a trace cannot be made while another one runs")
    state = TracingState(unit, block)
    if scopes is not None:
        scopes.begin(state)
    arguments = [
        block.insert_arg(_type_of_input(state, x, inputs), len(block.args)) for x in inputs
    ]
    if len(names) >= len(inputs):
        for argument, name in zip(arguments, names):
            argument.name_hint = name
    given = [_take(state, x, argument) for x, argument in zip(inputs, arguments, strict=True)]
    recorder = TraceRecorder(state, scopes)
    with hooked(), without_native_calls(), recording(recorder):
        result = run(*given)
        if result is None:
            raise RuntimeError(_NOTHING)
        with recording(None):
            output = _give(state, result, strict=strict)
    block.add_op(YieldOp.create(operands=[output]))


def _type_of_input(state: TracingState, value: Any, inputs: Any) -> TorchScriptType:
    """The type of an input, or of a part of one; `inputs` are all of them."""
    match value:
        case Tensor():
            if value.requires_grad:
                state.require_grad(value)
            return state.type_of(value)
        case tuple():
            items = cast("tuple[Any, ...]", value)
            return TupleType.get([_type_of_input(state, item, inputs) for item in items])
        case list():
            items = cast("list[Any]", value)
            if not items:
                raise RuntimeError("List trace inputs must have elements")
            return ListType(_one_type(state, items, "List trace inputs must have", inputs))
        case dict():
            entries = cast("dict[Any, Any]", value)
            if not entries:
                raise RuntimeError("Dictionary inputs must have entries")
            what = "Dictionary inputs to traced functions must have"
            key_types = list(dict.fromkeys(map(_type_of_key, entries)))
            if len(key_types) > 1:
                raise _inconsistent(what, key_types)
            return DictType(key_types[0], _one_type(state, list(entries.values()), what, inputs))
        case _:
            raise RuntimeError(
                f"Type '{_annotation(tuple(inputs))}' cannot be traced. Only Tensors and (possibly nested) Lists, Dicts, and Tuples of"
                " Tensors can be traced"
            )


def _annotation(value: Any) -> str:
    """How an annotation would write the type of a value."""
    match value:
        case Tensor():
            return "Tensor"
        case tuple():
            return f"Tuple[{', '.join(map(_annotation, cast('tuple[Any, ...]', value)))}]"
        case [first, *_]:
            return f"List[{_annotation(first)}]"
        case dict() if value:
            key, first = next(iter(cast("dict[Any, Any]", value).items()))
            return f"Dict[{_annotation(key)}, {_annotation(first)}]"
        case _:
            return type(value).__name__


def _one_type(
    state: TracingState, values: Sequence[Any], what: str, inputs: Any
) -> TorchScriptType:
    """The type of what is in one container."""
    types = list(dict.fromkeys(unshaped(_type_of_input(state, value, inputs)) for value in values))
    if len(types) > 1:
        raise _inconsistent(what, types)
    return types[0]


def _type_of_key(key: Any) -> TorchScriptType:
    return TENSOR if isinstance(key, Tensor) else type_of_constant(key)


def _inconsistent(what: str, types: Sequence[TorchScriptType]) -> RuntimeError:
    first, second = (type_.annotation_str for type_ in types[:2])
    return RuntimeError(f"{what} consistent type. Found {first} and {second}")


def _take(state: TracingState, value: Any, argument: SSAValue) -> Any:
    """What the program gets for an input."""
    match value:
        case Tensor():
            if state.has_value(value):  # an input twice, or a parameter
                asks_for_gradient = value.requires_grad
                value = tensor_of(value.array)
                if asks_for_gradient:
                    state.require_grad(value)
            state.set_value(value, argument)
            return value
        case tuple():
            items = cast("tuple[Any, ...]", value)
            types = [_type_of_input(state, item, value) for item in items]
            parts = state.unpack_tuple(argument, types)
            made = [_take(state, item, part) for item, part in zip(items, parts, strict=True)]
            return getattr(cast(Any, value), "_make", tuple)(made)
        case list():
            items = cast("list[Any]", value)
            parts = state.unpack_list(argument, len(items))
            return [_take_typed(state, item, part) for item, part in zip(items, parts, strict=True)]
        case _:
            entries = cast("dict[Any, Any]", value)
            return {
                key: _take_typed(state, item, state.item(argument, key))
                for key, item in entries.items()
            }


def _take_typed(state: TracingState, value: Any, part: SSAValue) -> Any:
    if isinstance(value, Tensor):
        edit.set_type(part, _type_of_input(state, value, (value,)))
    return _take(state, value, part)


_STRICT = (
    "Encountering a {} at the output of the tracer might cause the trace to be incorrect, this is only valid if the container structure"
    " does not change based on the module's inputs. Consider using a constant container instead (e.g. for `list`, use a `tuple`"
    " instead. for `dict`, use a `NamedTuple` instead). If you absolutely need this and know the side effects, pass strict=False to"
    " trace() to allow this behavior."
)
_RESULTS = "Only tensors, lists, tuples of tensors, or dictionary of tensors can be output from traced functions"
_NOTHING = "The traced function didn't return any values! Side-effects are not captured in traces, so it would be a no-op."


def _give(state: TracingState, result: Any, *, strict: bool) -> SSAValue:
    """The value of what a program returned.

    Raises:
        RuntimeError: it is none that traces have, or in a container that may have another structure in another run and `strict`.
    """
    match result:
        case Tensor():
            if not state.has_value(result):
                raise RuntimeError(
                    f"output 1 ( {result} ) of traced region did not have observable data dependence with trace inputs; this probably"
                    " indicates your program cannot be understood by the tracer."
                )
            return state.value_of(result)
        case tuple():
            items = cast("tuple[Any, ...]", result)
            return state.tuple_of([_give(state, item, strict=strict) for item in items])
        case list():
            items = cast("list[Any]", result)
            if not items:
                raise RuntimeError(
                    "Tracer cannot infer type of []\n:List trace inputs must have elements"
                )
            if not all(isinstance(item, Tensor) for item in items):
                raise RuntimeError(_RESULTS)
            if strict:
                warnings.warn(_STRICT.format("list"), TracerWarning, stacklevel=2)
            return state.list_of([_give(state, item, strict=strict) for item in items], TENSOR)
        case dict() if strict:
            raise RuntimeError(_STRICT.format("dict"))
        case dict():
            entries = cast("dict[Any, Any]", result)
            for item in entries.values():
                parts = cast("tuple[Any, ...]", item if isinstance(item, tuple) else (item,))
                if not all(isinstance(part, Tensor) for part in parts):
                    raise RuntimeError(
                        f"output 1 ({entries}) of traced region cannot be understood by the tracer, only outputs matching"
                        " dict[Union[str, Tensor], Union[Tensor, Tuple[Tensor, ...]]] can be a dictionary output of a traced function"
                    )
                _give(state, item, strict=strict)
            return state.dict_of(entries)
        case _:
            raise RuntimeError(_RESULTS)
