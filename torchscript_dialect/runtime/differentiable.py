"""What runs a `prim::DifferentiableGraph`: forward, back, and as it stands where it is given what it was not made for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, Protocol

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.backend import NotCompilable
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.debug_state import Inspectable
from torchscript_dialect.runtime.group_runners import group_callables
from torchscript_dialect.runtime.interpreter import InterpreterFunction, interpret
from torchscript_dialect.runtime.kernels import callable_of, compile_kernel
from torchscript_dialect.runtime.native.entry import NativeCallable, NativeUnavailable
from torchscript_dialect.runtime.whole_graph import align_to_function
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.properties import cached_property


class GradientExecutor(Inspectable, Protocol):
    """The executor of a reverse graph."""

    native: NativeCallable | None

    def __call__(self, *args: Any) -> Any:
        """Run the reverse graph."""
        ...


MakeExecutor = Callable[[FuncOp], GradientExecutor]


class DifferentiableGraph:
    """One node of a plan, ready to run. `forward` takes the operands, without history, and gives all that the sub-graph yields, as a
    tuple. `backward` takes what the reverse graph takes, and gives a tuple.
    """

    def __init__(
        self,
        node: prim.DifferentiableGraphOp,
        lists: PassLists,
        make_executor: MakeExecutor,
        name: str,
    ) -> None:
        self.node = node
        self.count = len(node.results)
        """How many of the values that are yielded are results."""
        self.vjps: Sequence[int] = node.vjps
        self.captured_inputs: Sequence[int] = node.captured_inputs
        self.captured_outputs: Sequence[int] = node.captured_outputs
        self.differentiated: Sequence[int] = node.differentiated
        self.sizes = frozenset[int](node.sizes)
        assert node.reverse is not None
        self.function = _as_function(name, node.body)
        self.reverse_function = _as_function(f"{name}.backward", node.reverse)
        self.groups: dict[Operation, Callable[..., Any]] = {}
        self.forward = self._forward(lists, name)
        self.executor = make_executor(self.reverse_function)
        self.backward: Callable[..., Any] = self.executor.native or self.executor
        self.expected = [
            (place, value.type)
            for place, value in enumerate(node.operands)
            if isinstance(value.type, TensorType) and not _is_argument_of_function(value)
        ]
        """The types of operands that no key of a plan vouches for."""

    def _forward(self, lists: PassLists, name: str) -> Callable[..., Any]:
        groups = _groups(self.function)
        whole = align_to_function(self.function)
        if whole is not None:
            with suppress(NotCompilable, NativeUnavailable):
                kernel = compile_kernel(whole, settings.current().fuser, lists)
                return callable_of(kernel, _Lazy(self.function))
        self.groups = group_callables(groups, lists, name)
        return interpret(self.function, self.groups)

    @property
    def is_native(self) -> bool:
        """Whether one kernel is all of the way forward."""
        return not isinstance(self.forward, InterpreterFunction)

    @cached_property
    def recorded(self) -> Callable[..., Any]:
        """Runs the nodes of the sub-graph one by one, and records them."""
        special: dict[Operation, Any] = {
            group: interpret(
                _as_function(self.function.sym_name.data, group.body, packs=False), records=True
            )
            for group in _groups(self.function)
        }
        run = interpret(self.function, special, records=True)

        def results(*args: Any) -> Any:
            found = run(*args)
            return found[0] if self.count == 1 else found[: self.count]

        return results

    def fits(self, args: Sequence[Any]) -> bool:
        """Whether values are what they were when types were observed."""
        return all(_fits(args[place], type_) for place, type_ in self.expected)


def _fits(value: Any, type_: TensorType) -> bool:
    if not isinstance(value, Tensor) or value.dtype.type_name != type_.dtype:
        return False
    return type_.sizes is None or value.array.ndim == len(type_.sizes)


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


class _Lazy:
    """The nodes of a function one by one, made ready when a call first needs them."""

    def __init__(self, function: FuncOp) -> None:
        self.function = function

    @cached_property
    def run(self) -> Callable[..., Any]:
        special: dict[Operation, Any] = {
            group: interpret(_as_function(self.function.sym_name.data, group.body, packs=False))
            for group in _groups(self.function)
        }
        return interpret(self.function, special)

    def __call__(self, *args: Any) -> Any:
        return self.run(*args)


def on_tape(graph: DifferentiableGraph) -> Callable[..., Any]:
    """What runs a sub-graph on tensors that may require gradients, and remembers how to go back."""
    return import_module("torchscript_dialect.autograd.graph_node").recorded_graph(graph)
