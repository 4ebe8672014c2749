"""Functions for other compilers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from torchscript_dialect.api.function import ScriptFunction
from torchscript_dialect.api.function_from import function_from
from torchscript_dialect.api.module import ScriptMethod, ScriptModule, forward_of
from torchscript_dialect.backend import Dimensions, NotCompilable, get_exporter
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import Graph
from torchscript_dialect.ir.edit import (
    add_argument,
    insert_before,
    nested_ops,
    replace_uses,
    set_type,
    type_of,
    update_function_type,
)
from torchscript_dialect.ir.module import find_function, module_around
from torchscript_dialect.passes.named import pipeline, pipelines
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.runtime.executor.graph_executor import GraphExecutor
from torchscript_dialect.runtime.interpreter.interpreter import frames_at
from torchscript_dialect.runtime.specialization.module_attributes import lift_attributes
from torchscript_dialect.runtime.values.arguments import bind
from torchscript_dialect.runtime.values.type_tests import tensor_type
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import ListType, TupleType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.errors import TorchScriptError

# pyright: reportPrivateUsage=false

Exported: TypeAlias = ScriptFunction | ScriptModule | ScriptMethod | Graph | ModuleOp
Weights: TypeAlias = Literal["constants", "arguments"]


@grad_mode.enabled(False)  # what leaves has no gradients
def to_linalg(
    f: Exported,
    example_inputs: Any,
    *,
    weights: Weights = "constants",
    dynamic: bool | Mapping[str, Collection[int]] = False,
    bufferize: bool = False,
) -> ModuleOp:
    """The function as `func.func @forward` over tensors in upstream dialects (func, linalg, tensor, arith, math, scf).

    `example_inputs` is one value or a tuple of them; sizes and dtypes of the result are theirs. The text of the module parses
    in upstream MLIR. A tuple or list that the function returns becomes several results. Of a script module, `forward` leaves
    as it is now: numbers become constants, and so do tensors, or else, with `weights="arguments"`, those of `state_dict()`
    become arguments, in its order, after the function's own.

    `dynamic` names, by argument, the dimensions whose sizes may be others than those of the examples: `tensor<?x3xf32>`. True
    stands for all that are larger than 1. Dynamic sizes that meet in the program have to be equal in a call. What the operators check
    when they run, say that an index is in range, the compiled program does not.

    `bufferize` gives memrefs instead of tensors, with which xDSL's own conversions go on (`convert-linalg-to-loops`).

    Raises:
        TypeError: `f` is nothing of that.
        ValueError: there are no such `weights`, or no such `dynamic` dimensions.
        TorchScriptError: the function does something that has no form in linalg; the message names it and its place in the source.
    """
    if weights not in ("constants", "arguments"):
        raise ValueError(f"weights become 'constants' or 'arguments', not {weights!r}")
    several = isinstance(example_inputs, tuple)
    args = cast(tuple[Any, ...], example_inputs) if several else (example_inputs,)
    source = _source(f, args)
    executor = source.executor
    types = executor.specialized_types(source.values)
    dims = _dynamic_dims(executor.function, types[: len(types) - len(source.tensors)], dynamic)
    function = executor.specialized(
        [_of_other_sizes(type_, dims.get(i, ())) for i, type_ in enumerate(types)], "export"
    )
    settle(function)
    if dims:
        _set_example_types(function, types)
    known: dict[int, Tensor] = {}
    if source.tensors:
        first = len(source.values) - len(source.tensors)
        kept = source.named if weights == "arguments" else 0
        known = dict(enumerate(source.tensors[kept:], first + kept))
    try:
        return exported(function, "forward", known, dims, "memref" if bufferize else "linalg")
    except NotCompilable as error:
        raise explained(error, source.name, reads_files=not executor.is_checked) from None


def exported(
    function: FuncOp,
    name: str,
    known: Mapping[int, Tensor] = MappingProxyType({}),
    dynamic: Dimensions = MappingProxyType({}),
    over: str = "linalg",
) -> ModuleOp:
    """A specialized function over tensors or memrefs, under a name; `known` are arguments, by number, that become constants.

    Tensors that are constants in the function become arguments of it.

    Raises:
        NotCompilable: something in it has no form in linalg.
    """
    constants = {**known, **_lifted_constants(function)}
    return get_exporter(over)(function.body.block, name, constants, dynamic)


def settle(function: FuncOp) -> None:
    """Run the pipeline `settling` on a function, until nothing changes."""
    module = module_around(function)
    known, before = _known(function), None
    while known != before:
        pipelines["settling"].apply(module)
        known, before = _known(function), known


def _known(function: FuncOp) -> tuple[int, int]:
    """How many nodes there are, and of how many tensors the sizes are known."""
    ops = nested_ops(function.body.block)
    types = [result.type for op in ops for result in op.results]
    return len(ops), sum(isinstance(t, TensorType) and t.sizes is not None for t in types)


def explained(error: NotCompilable, name: str, *, reads_files: bool) -> TorchScriptError:
    """What a user is told of a function that cannot leave."""
    frames = frames_at(name, error.op, reads_files=reads_files)
    place = "".join(frame.shown({}) for frame in frames)
    return TorchScriptError(f"'{name}' cannot leave: {error}\n{place}".rstrip())


def _dynamic_dims(
    function: FuncOp,
    types: Sequence[TorchScriptType],
    wanted: bool | Mapping[str, Collection[int]],
) -> dict[int, Collection[int]]:
    """The dynamic dimensions by the number of the argument."""
    sizes = [type_.sizes or () if isinstance(type_, TensorType) else () for type_ in types]
    can = [[dim for dim, size in enumerate(one) if size not in (0, 1)] for one in sizes]
    if isinstance(wanted, bool):
        return {number: dims for number, dims in enumerate(can) if dims and wanted}
    names = [argument.name_hint for argument in function.body.block.args[: len(types)]]
    for name, dims in wanted.items():
        if name not in names or not set(dims) <= set(can[names.index(name)]):
            raise ValueError(
                f"{name} has no dynamic dimensions {[*dims]}: these are dimensions of tensors in"
                " arguments, counted from 0, with other sizes than 0 and 1 in the example"
            )
    return {names.index(name): dims for name, dims in wanted.items()}


def _of_other_sizes(type_: TorchScriptType, dynamic: Collection[int]) -> TorchScriptType:
    """The type without the sizes of dynamic dimensions."""
    if not dynamic or not isinstance(type_, TensorType):
        return type_
    sizes = [None if dim in dynamic else size for dim, size in enumerate(type_.sizes or ())]
    return type_.replace(sizes=tuple(sizes), strides=None)


def _set_example_types(function: FuncOp, types: Sequence[TorchScriptType]) -> None:
    """Give all values the types that they have for the example, once no size has become a number that depends on it."""
    for argument, type_ in zip(function.body.block.args, types, strict=True):
        set_type(argument, type_)
    update_function_type(function)
    PassPipeline("ts-propagate-shapes{numbers=true}").apply(module_around(function))


class _Source(NamedTuple):
    """What is exported: a function, the values that it is called with, and which of these, the last ones, are tensors of a module."""

    name: str
    executor: GraphExecutor
    values: list[Any]
    tensors: list[Tensor]
    named: int
    """How many of these are parameters and buffers, the first ones."""


def _source(f: Exported, args: tuple[Any, ...]) -> _Source:
    if isinstance(f, ScriptModule):
        return _method_source(forward_of(f), args)
    if isinstance(f, ScriptMethod):
        return _method_source(f, args)
    made = function_from(f) if isinstance(f, Graph | ModuleOp) else f
    if not isinstance(made, ScriptFunction):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            "to_linalg takes a function, a script module, a Graph or a ModuleOp, not a"
            f" {type(f).__name__}"
        )
    executor = made._executor
    return _Source(made.name, executor, bind(made.schema, args, {}), [], 0)


def _method_source(method: ScriptMethod, args: tuple[Any, ...]) -> _Source:
    """A method as a function of its arguments and of the tensors of its module."""
    owner, executor = method._owner, method._executor
    state = owner.__torchscript_state__
    if state.pre_hooks or state.hooks:
        raise TorchScriptError(f"the hooks of {owner.original_name} cannot leave")
    copy = executor.module.clone()
    pipeline(executor.lists, "inlining").apply(copy)
    function = find_function(copy, executor.function.sym_name.data)
    named = owner.state_dict(keep_vars=True)
    try:
        tensors = lift_attributes(function, owner.__torchscript_object__, named)
    except NotCompilable as error:
        raise explained(error, method.name, reads_files=not executor.is_checked) from None
    values = bind(method.schema, (owner, *args), {}, method._exchange)[1:]
    alone = GraphExecutor(function, own_lists=executor.own_lists, is_checked=executor.is_checked)
    count = len({id(tensor) for tensor in named.values()})
    return _Source(method.name, alone, [*values, *tensors], tensors, count)


def _lifted_constants(function: FuncOp) -> dict[int, Tensor]:
    """Make arguments of the constants that are tensors; what they are, by the number of the argument."""
    block = function.body.block
    found: dict[int, Tensor] = {}
    for op in nested_ops(block):
        value = op.value if isinstance(op, prim.ConstantOp) and not op.function_symbol else None
        if isinstance(value, list | tuple):
            _take_apart(op, cast("Sequence[Any]", value))
    for op in nested_ops(block):
        value = op.value if isinstance(op, prim.ConstantOp) and not op.function_symbol else None
        if isinstance(value, Tensor):
            found[len(block.args)] = value
            replace_uses(op.results[0], add_argument(block, tensor_type(value)))
    return found


def _take_apart(op: Operation, values: Sequence[Any]) -> None:
    """Make a constant tuple or list that holds tensors of its elements."""
    (result,) = op.results
    if not any(isinstance(value, Tensor | list | tuple) for value in values):
        return
    type_, kind = type_of(result), prim.TupleConstructOp
    if isinstance(type_, TupleType):
        types = list(type_.elements)
    else:
        assert isinstance(type_, ListType)
        types, kind = [type_.element] * len(values), prim.ListConstructOp
    elements = [prim.ConstantOp.of(v, t) for v, t in zip(values, types, strict=True)]
    made = kind.create(
        operands=[element.results[0] for element in elements],
        result_types=[type_],
        location=op.location,
    )
    for new in (*elements, made):
        insert_before(op, new)
    replace_uses(result, made.results[0])
    for element, value in zip(elements, values, strict=True):
        if isinstance(value, list | tuple):
            _take_apart(element, cast("Sequence[Any]", value))
