"""ScriptFunction: a compiled function, which runs natively where it can and can be looked into."""

from __future__ import annotations

import os
from dataclasses import replace
from pickle import PickleError
from typing import IO, Any, NoReturn, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from torchscript_dialect.api.calls_in_traces import call_in_trace, is_pytorch_tracing, refuse_unseen
from torchscript_dialect.api.pytorch_arguments import plain_arguments, tensor_places
from torchscript_dialect.api.save import save, save_to_buffer
from torchscript_dialect.autograd import functions
from torchscript_dialect.autograd.beside_pytorch import run_beside_pytorch
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.ir import Graph, changes
from torchscript_dialect.ir.module import find_function, module_around
from torchscript_dialect.ops.eager.recording import RECORDERS, RECORDING, Callee
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.passes.named import pipelines
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.runtime.executor.debug_state import GraphExecutorState
from torchscript_dialect.runtime.executor.graph_executor import GraphExecutor
from torchscript_dialect.runtime.executor.last_executed import last_executed
from torchscript_dialect.runtime.interpreter.interpreter import ProgramError
from torchscript_dialect.runtime.native.entry import NativeCallable, configure
from torchscript_dialect.runtime.values.arguments import Lent, bind, exact_classes
from torchscript_dialect.runtime.values.exchange import Exchange
from torchscript_dialect.runtime.values.objects import view_of
from torchscript_dialect.serialization.python_printer import print_function
from torchscript_dialect.serialization.python_printer_tables import TypeNamer
from torchscript_dialect.tensor.inference import INSIDE
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.types.function_schema import FunctionSchema

configure(Tensor, TrackedTensor)
functions.install()


class _SlowPath:
    """Calls that no kernel serves: binds the arguments and asks the executor."""

    def __init__(
        self,
        schema: FunctionSchema,
        executor: GraphExecutor,
        exchange: Exchange | None,
        callee: Callee | None,
        native: NativeCallable | None,
    ) -> None:
        self.schema = schema
        self.native = native
        """What tensors of PyTorch's are given to once they are ours."""
        self.tensors = tensor_places(schema)
        self.callee = callee
        self.executor = executor
        self.exchange = exchange
        self.give = view_of if exchange is None else exchange.giver(schema.returns[0].type)
        self.classes = exact_classes(schema)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if self.executor.whole_graphs and not kwargs and not RECORDERS and not INSIDE:
            result = self.executor.run_whole(args)
            if result is not None:
                return result if self.give is None else self.give(result)
        if self.native is not None and not kwargs and not RECORDERS and not INSIDE:
            plain = plain_arguments(args, self.tensors)
            if plain is not None and not self.executor.writes_arguments:
                return self.native(*plain)
        lent: Lent = {}
        if kwargs or tuple(map(type, args)) != self.classes:
            if self.callee is not None and is_pytorch_tracing():
                graph = inlined(self.callee.function.op)
                return call_in_trace(self.callee, graph, args, kwargs)
            args = tuple(bind(self.schema, args, kwargs, self.exchange, lent))
            if lent:
                refuse_unseen(self.schema.name, lent)
        recorder = RECORDING.recorder
        try:
            if recorder is None or self.callee is None:
                result = run_beside_pytorch(self.executor, self.executor, args, lent)
            else:
                result = recorder.function(self.callee, args, self.executor)
        except ProgramError as error:
            if self.callee is not None:
                error.sources = self.callee.unit.texts
            raise
        return result if self.give is None else self.give(result)


class ScriptFunction(NativeCallable):
    """A compiled TorchScript function.

    Call it with tensors, arrays and Python values. `native_calls` counts the calls that were served without entering
    Python. Errors of the program are RuntimeErrors that show where in the source it was; wrong arguments are an
    ArgumentError, which shows the declaration.
    """

    def __init__(  # pyright: ignore[reportInconsistentConstructor]
        self,
        function: FuncOp,
        schema: FunctionSchema,
        qualified_name: str,
        namer: TypeNamer | None = None,
        compiled: tuple[Function, CompilationUnit] | None = None,
        own_lists: PassLists | None = None,
    ) -> None:
        """Without `compiled` the function came as data."""
        self.__torchscript_function__ = compiled
        unit = None if compiled is None else compiled[1]
        self._function = function
        self._namer = namer
        by_position = not any(argument.kwarg_only for argument in schema.arguments)
        native = self if by_position else None  # native calls know no names
        self._executor = GraphExecutor(function, native, own_lists, is_checked=compiled is None)
        self._exchange = None if unit is None else Exchange(unit, self._executor.resolve)
        self.schema = schema
        self.qualified_name = qualified_name
        callee = None if compiled is None else Callee(*compiled)
        super().__init__(_SlowPath(schema, self._executor, self._exchange, callee, native))

    def __repr__(self) -> str:
        return f"<ScriptFunction {self.schema}>"

    def __copy__(self) -> ScriptFunction:
        """The function itself, as with functions of Python."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> ScriptFunction:
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refuse to be pickled, as in PyTorch: `ts.save` writes functions.

        Raises:
            PickleError: always.
        """
        raise PickleError("ScriptFunction cannot be pickled")

    @property
    def name(self) -> str:
        """The function's name without its module."""
        return self.schema.name

    def __torchscript_functions__(self) -> list[FuncOp]:
        """What a pipeline runs on."""
        return [self._function]

    @property
    def __name__(self) -> str:
        return self.schema.name

    @property
    def graph(self) -> Graph:
        """The graph as the frontend and its clean-up left it."""
        return Graph(self._function)

    @property
    def inlined_graph(self) -> Graph:
        """A copy of the graph with every call replaced by what it calls."""
        return inlined(self._function)

    @property
    def code(self) -> str:
        """The function as Python source."""
        return print_function(
            self._function,
            name=self.schema.name,
            schema=self.schema,
            class_resolver=self._namer,
        )

    @property
    def module_op(self) -> ModuleOp:
        """The xDSL module that holds the function and those that it calls; see Note [Edited functions]."""
        return self.graph.module_op

    def invalidate(self) -> None:
        """Forget what was made of the function: after edits of its ops, which nobody hears of. Edits by the methods of its graph
        and runs of pipelines do without. See Note [Edited functions].
        """
        changes.edited(self._function)
        self._executor.invalidate()

    def graph_for(self, *args: Any, **kwargs: Any) -> Graph:
        """What runs for these arguments: the optimized graph with the checks that guard its kernels, or the graph as it is where
        optimization is off or there are as many specializations as the strategy allows. A function whose types have to be observed
        shows what its runs so far have made of it.
        """
        return self._executor.graph_for(bind(self.schema, args, kwargs, self._exchange))

    def get_debug_state(self) -> GraphExecutorState:
        """The state of the executor."""
        return GraphExecutorState(self._executor)

    def save(self, file: str | os.PathLike[str] | IO[bytes], _extra_files: Any = None) -> None:
        """`ts.save` of the function."""
        save(self, file, _extra_files)

    def save_to_buffer(self, _extra_files: Any = None) -> bytes:
        """The bytes that `save` writes."""
        return save_to_buffer(self, _extra_files)


def inlined(function: FuncOp) -> Graph:
    """A copy of a function's graph in which calls are replaced by what they call."""
    module = module_around(function)
    copy = module.clone()
    passes = pipelines["inlining"].passes  # with those that users have added
    PassPipeline(
        replace(cast(Any, one), keep_hierarchy=True) if one.name == "ts-inline" else one
        for one in passes
    ).apply(copy)
    return Graph(find_function(copy, function.sym_name.data))


def last_executed_optimized_graph() -> Graph:
    """The optimized graph of the compiled function that ran last; see `ScriptFunction.graph_for`.

    Raises:
        RuntimeError: no compiled function has run, or the last one is gone.
    """
    executor, plan = last_executed()
    return executor.last_graph(plan)
