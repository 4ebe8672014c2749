"""What runs a `prim::DifferentiableGraph`: forward, back, and as it stands where it is given what it was not made for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from operator import itemgetter
from types import NoneType
from typing import Any, NamedTuple, Protocol

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.backend import Executable, NotCompilable
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.edit import release_regions
from torchscript_dialect.ir.module import module_around
from torchscript_dialect.ir.structure import Structure, structure_of
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.executor.debug_state import Inspectable
from torchscript_dialect.runtime.executor.group_runners import group_callables
from torchscript_dialect.runtime.interpreter.interpreter import interpret
from torchscript_dialect.runtime.kernels.kernels import callable_of, compile_kernel, without_history
from torchscript_dialect.runtime.kernels.whole_graph import SINGLE_NODES, align_to_function
from torchscript_dialect.runtime.native.entry import NativeCallable, NativeUnavailable
from torchscript_dialect.tensor.dtype import dtype, from_name
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import BOOL, FLOAT, INT, NONE, TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.properties import cached_property


class GradientExecutor(Inspectable, Protocol):
    """The executor of a reverse graph."""

    native: NativeCallable | None

    def __call__(self, *args: Any) -> Any:
        """Run the reverse graph."""
        ...


MakeExecutor = Callable[[FuncOp], GradientExecutor]


class Shared:
    """What equal differentiable graphs of a function have in common: Note [Equal graphs] in autodiff/equal_graphs.py."""

    def __init__(self, lists: PassLists, make_executor: MakeExecutor, name: str) -> None:
        self.lists = lists
        self.make_executor = make_executor
        self.name = name
        """That of their function."""
        self.executors: dict[Structure, GradientExecutor] = {}
        """What runs the reverse graphs."""
        self.kernels: dict[Structure, Executable | None] = {}
        """The kernels that are all of the way forward; None for a sub-graph that is more than one."""

    def executor(self, reverse: Block) -> GradientExecutor:
        """What runs a reverse graph."""
        structure = structure_of(reverse)
        found = self.executors.get(structure)
        if found is None:
            found = self.make_executor(_as_function(f"{self.name}.backward", reverse))
            assert found.native is not None
            found.native.set_slow_path(_of_arrays(found.native.slow_path))
            self.executors[structure] = found
        return found

    def kernel(self, body: Block) -> Executable | None:
        """The kernel that is all of a sub-graph, if one is."""
        structure = structure_of(body)
        if structure not in self.kernels:
            self.kernels[structure] = self._compiled(_as_function(self.name, body))
        return self.kernels[structure]

    def _compiled(self, function: FuncOp) -> Executable | None:
        whole = align_to_function(function) or _alone(function)
        if whole is None:
            return None
        with suppress(NotCompilable):
            return compile_kernel(whole, settings.fuser_now(), self.lists)
        return None


class DifferentiableGraph:
    """One node of a plan, ready to run. `forward` takes the operands, whose history it does not see, and gives all that the sub-graph
    yields, as a tuple. `backward` takes what the reverse graph takes, and gives a tuple.
    """

    def __init__(self, node: prim.DifferentiableGraphOp, shared: Shared) -> None:
        self.node = node
        self.name = shared.name
        self.count = len(node.results)
        """How many of the values that are yielded are results."""
        self.vjps: Sequence[int] = node.vjps
        self.number_of_vjp = {place: number for number, place in enumerate(self.vjps)}
        self.results = [(n, place) for n, place in enumerate(self.vjps) if place < self.count]
        """The results that gradients come to: their number among `vjps`, and their place."""
        self.differentiated: Sequence[int] = node.differentiated
        types = [prim.type_of(value) for value in node.operands]
        require = [
            n for n, one in enumerate(types) if isinstance(one, TensorType) and one.requires_grad
        ]
        self.may_have_history = frozenset([*node.differentiated, *require])
        """The places of operands that may have a history. Those that are not differentiated give the sub-graph nothing but sizes, or
        what no gradient goes through.
        """
        places = [*node.captured_inputs, *[~place for place in node.captured_outputs]]
        self.captures = [(place, number in node.sizes) for number, place in enumerate(places)]
        """What the reverse graph takes after gradients: the place of an operand, or the complement of that of what is yielded, and
        whether nothing but its size is needed.
        """
        self.captured_inputs = [(place, is_size) for place, is_size in self.captures if place >= 0]
        self.captured_outputs = [(~place, is_size) for place, is_size in self.captures if place < 0]
        assert node.reverse is not None
        self.has_loops = any(isinstance(op, prim.LoopOp) for op in edit.nested_ops(node.body))
        """Whether what the reverse graph takes may be in lists: Note [Gradients of loops]."""
        first = 1 + max([self.count - 1, *node.vjps, *node.captured_outputs])
        self.trips = range(first, len(prim.yielded(node.regions[0])))
        """The places of what is yielded that tells how many trips loops made."""
        self.groups: dict[Operation, Callable[..., Any]] = {}
        self.kernel: Executable | None = None
        """The kernel that is all of the way forward, if one is."""
        self.forward = self._forward(shared)
        self.executor = shared.executor(node.reverse)
        release_regions(node, 1)
        assert self.executor.native is not None
        self.backward: NativeCallable = self.executor.native
        """Takes arrays for tensors, too."""
        self.expected = [
            (place, _Expected.of(value.type))
            for place, value in enumerate(node.operands)
            if isinstance(value.type, TensorType) and not _is_argument_of_function(value)
        ]
        """What operands are that no key of a plan vouches for."""
        self.misfits = 0
        """Calls in which these had other types."""

    def _forward(self, shared: Shared) -> Callable[..., Any]:
        kernel = shared.kernel(self.node.body)
        if kernel is not None:
            with suppress(NativeUnavailable):
                forward = callable_of(kernel, _Lazy(self), takes_tracked=True)
                self.kernel = kernel
                return forward
        self.groups = group_callables(_groups(self.function), shared.lists, self.name)
        return without_history(interpret(self.function, self.groups))

    def show_reverse(self) -> None:
        """Put the reverse graph back into the node, which does without it while nobody looks."""
        if self.node.reverse is None:
            self.node.add_region(Region(_as_block(self.executor.function)))

    @cached_property
    def function(self) -> FuncOp:
        """The sub-graph as a function, for what runs its nodes one by one."""
        return _as_function(self.name, self.node.body)

    @cached_property
    def sources(self) -> dict[int, list[int]]:
        """Of the results that have a history in some calls only, by place: the numbers, among `differentiated`, of the operands that
        give it.
        """
        differentiability = import_module("torchscript_dialect.autodiff.differentiability")
        return differentiability.sources(self.node, [place for _, place in self.results])

    @property
    def is_native(self) -> bool:
        """Whether one kernel is all of the way forward."""
        return self.kernel is not None

    @cached_property
    def _made_of(self) -> Sequence[frozenset[int]]:
        found = import_module("torchscript_dialect.autodiff.made_of")
        return found.arguments_of_gradients(self.executor.function)

    def needs(self, capture: int, gradients: Sequence[int]) -> bool:
        """Whether any of these gradients, by number, is made of what is captured, by number."""
        argument = len(self.vjps) + capture
        return any(argument in self._made_of[number] for number in gradients)

    @cached_property
    def recorded(self) -> Callable[..., Any]:
        """Runs the nodes of the sub-graph one by one, and records them."""
        special: dict[Operation, Any] = {
            group: interpret(_as_function(self.name, group.body, packs=False), records=True)
            for group in _groups(self.function)
        }
        run = interpret(self.function, special, records=True)

        def results(*args: Any) -> Any:
            found = run(*args)
            return found[0] if self.count == 1 else found[: self.count]

        return results


def _alone(function: FuncOp) -> Block | None:
    """The only node of a function that computes as a kernel; None where there are more, or it has none. `function` may be changed."""
    nodes = edit.body_ops(function.body.block)
    computing = [op for op in nodes if not isinstance(op, (prim.ConstantOp, prim.TupleConstructOp))]
    if len(computing) != 1 or not isinstance(computing[0], OperatorOp):
        return None
    PassPipeline(SINGLE_NODES).apply(module_around(function))
    return align_to_function(function)


def _of_arrays(run: Callable[..., Any]) -> Callable[..., Any]:
    """What calls something with tensors for arrays."""

    def call(*args: Any) -> Any:
        return run(
            *[tensor_of(one) if issubclass(one.__class__, np.ndarray) else one for one in args]
        )

    return call


class _Expected(NamedTuple):
    """What the type of a tensor says, as far as graphs depend on it."""

    dtype: dtype | None
    rank: int | None

    @classmethod
    def of(cls, type_: TensorType) -> _Expected:
        element = None if type_.dtype is None else from_name(type_.dtype)
        return cls(element, None if type_.sizes is None else len(type_.sizes))


def _is_argument_of_function(value: SSAValue) -> bool:
    return isinstance(value.owner, Block) and isinstance(value.owner.parent_op(), FuncOp)


def _groups(function: FuncOp) -> list[prim.TensorExprGroupOp]:
    ops = edit.nested_ops(function.body.block)
    return [op for op in ops if isinstance(op, prim.TensorExprGroupOp)]


def _as_function(name: str, block: Block, *, packs: bool = True) -> FuncOp:
    """A copy of a block as a function in a module, which gives a tuple."""
    copy = edit.clone_block(block)
    end = edit.terminator(copy)
    results: Sequence[SSAValue] = list(end.operands)
    edit.erase(end)
    if packs:
        type_ = TupleType.get(prim.type_of(value) for value in results)
        pack = prim.TupleConstructOp.create(operands=results, result_types=[type_])
        copy.add_op(pack)
        results = pack.results
    copy.add_op(ReturnOp(*results))
    types = [value.type for value in results]
    function = FuncOp(name, (copy.arg_types, types), Region(copy))
    ModuleOp([function])
    return function


def _as_block(function: FuncOp) -> Block:
    """A copy of a function of `_as_function` that packs as the block that it was made of."""
    copy = edit.clone_block(function.body.block)
    end = edit.terminator(copy)
    pack = end.operands[0].owner
    assert isinstance(pack, prim.TupleConstructOp)
    copy.add_op(prim.YieldOp.create(operands=list(pack.operands)))
    edit.erase(end)
    edit.erase(pack)
    return copy


class _Lazy:
    """The nodes of a sub-graph one by one, made ready when a call first needs them."""

    def __init__(self, graph: DifferentiableGraph) -> None:
        self.graph = graph

    @cached_property
    def run(self) -> Callable[..., Any]:
        function = self.graph.function
        special: dict[Operation, Any] = {
            group: interpret(_as_function(self.graph.name, group.body, packs=False))
            for group in _groups(function)
        }
        return interpret(function, special)

    def __call__(self, *args: Any) -> Any:
        return self.run(*args)


class WholeFunction(NamedTuple):
    """A function that is one differentiable graph, whose way forward is one kernel."""

    graph: DifferentiableGraph
    forward: Callable[..., Any]
    """As the graph's, but gives None where the kernel does not fit."""
    classes: tuple[type, ...]
    """Those of the arguments that the plan is for."""
    operands: Callable[[Sequence[Any]], Sequence[Any]]
    """The operands of the graph from the arguments."""
    results: Callable[[Sequence[Any]], Any]
    """What the function returns, from what the graph gives."""


def whole_of(function: FuncOp, graph: DifferentiableGraph) -> WholeFunction | None:
    """The function as that, None where it is not."""
    block, node = function.body.block, graph.node
    classes = [_class_of(prim.type_of(argument)) for argument in block.args]
    known = tuple(one for one in classes if one is not None)
    if graph.kernel is None or graph.expected or len(known) < len(classes):
        return None
    arguments: list[SSAValue] = list(block.args)
    results: list[SSAValue] = list(node.results)
    packs = [op for op in block.ops if isinstance(op, prim.TupleConstructOp)]
    others = [op for op in block.ops if not isinstance(op, (prim.ConstantOp, ReturnOp))]
    if len(others) != 1 + len(packs) or len(packs) > 1 or block.last_op is None:
        return None
    returned = list((packs or [block.last_op])[0].operands)
    if not all(one in arguments for one in node.operands):
        return None
    if not returned or not all(one in results for one in returned):
        return None
    places = [results.index(one) for one in returned]
    with suppress(NativeUnavailable):
        return WholeFunction(
            graph,
            callable_of(graph.kernel, _misses, takes_tracked=True),
            known,
            _picker([arguments.index(one) for one in node.operands]),
            _picker(places) if packs else itemgetter(places[0]),
        )
    return None


def _picker(places: Sequence[int]) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    """What makes a tuple of the items at these places."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda items: tuple([items[place] for place in places])


_CLASSES: dict[TorchScriptType, type] = {INT: int, FLOAT: float, BOOL: bool, NONE: NoneType}


def _class_of(type_: TorchScriptType) -> type | None:
    """The class of all values of a type, as far as gradients go by it."""
    if isinstance(type_, TensorType):
        return TrackedTensor if type_.requires_grad else Tensor
    return _CLASSES.get(type_)


def _misses(*_: Any) -> None:
    """The slow path of a kernel whose caller knows another way."""


def on_tape_whole(whole: WholeFunction) -> Callable[..., Any]:
    """What runs a function that is one graph, and remembers how to go back; gives None where it does not serve the arguments."""
    return import_module("torchscript_dialect.autograd.graph_calls").recorded_function(whole)


def on_tape(graph: DifferentiableGraph) -> Callable[..., Any]:
    """What runs a sub-graph on tensors that may require gradients, and remembers how to go back."""
    return import_module("torchscript_dialect.autograd.graph_calls").recorded_graph(graph)
