"""The interpreter: runs a function's graph as it is, one node after the other (PyTorch: runtime/interpreter.cpp)."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple
from weakref import WeakSet

from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation

from torchscript_dialect.analysis.history import History
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.dialects.places import calls_to, printed_place, range_at, source_place
from torchscript_dialect.ir import changes
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.ir.module import function_of_block, functions_of, module_around
from torchscript_dialect.ir.verification import node_text
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.misfits import misfit, undefined_operand
from torchscript_dialect.runtime.cuda.driver import CudaError
from torchscript_dialect.runtime.interpreter.code import Code
from torchscript_dialect.runtime.interpreter.inner_graphs import Make, bail_out, group, returning
from torchscript_dialect.runtime.interpreter.node_rules import CallResolver
from torchscript_dialect.runtime.interpreter.python_source import PythonSource
from torchscript_dialect.runtime.interpreter.runnable import runnable
from torchscript_dialect.runtime.interpreter.values import RaisedException
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.allocation import allocation_failure
from torchscript_dialect.tensor.device_array import when_device_used
from torchscript_dialect.tensor.float_errors import run_in_silence
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.errors import InternalError, internal_error
from torchscript_dialect.utils.properties import cached_property
from torchscript_dialect.utils.recursion import deep_calls, deep_recursion
from torchscript_dialect.utils.source_range import CONTEXT_LINES, LONGEST_LINE
from torchscript_dialect.utils.tasks import Future, start

HEAD = "Traceback of TorchScript (most recent call last):\n"

MANY = 50
"""Functions of a module, from which on they may call each other deeper than CPython likes: no deeper than there are functions."""

SHOWN = 20
"""Frames that are shown at either end of a long traceback."""


class Frame(NamedTuple):
    """Where a function of a program was, as far as that is known; where its files may not be read, its line is not shown. What was
    compiled here knows what failed there, and the lines around it.
    """

    name: str
    place: FileLineColLoc | None
    reads_files: bool
    graph: str = ""
    """What stands for the place in a graph that came as data."""
    text: str | None = None
    """The line, where the program came with it."""

    def shown(self, sources: Mapping[str, str]) -> str:
        """The frame in PyTorch's form, with its line of the texts `sources` by file name, or else of its file."""
        if self.place is None:
            return self.graph
        place = self.place
        name = self.name.rpartition(".")[2]
        range = range_at(place) if self.reads_files else None
        if range is not None:
            return range.with_context(CONTEXT_LINES, funcname=name)
        file, line, column = place.filename.data, place.line.data, place.column.data
        text = self.text
        if file in sources:
            text = "".join(sources[file].splitlines()[line - 1 : line])
        elif self.reads_files:
            text = source_line(file, line)
        shown = f"    {text}\n    {' ' * column}~ <--- HERE\n" if text else ""
        return f'  File "{file}", line {line}, in {name}\n{shown}'


class ProgramError(RuntimeError):
    """What went wrong in a program, and in `frames` where, callers first."""

    sources: Mapping[str, str] = MappingProxyType({})
    """The program's text by file name, where it was never in a file."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.frames: list[Frame] = []

    def __str__(self) -> str:
        failed = "The following operation failed in the TorchScript interpreter.\n"
        frames = [frame.shown(self.sources) for frame in self.frames]
        if len(frames) > 2 * SHOWN:
            left_out = f"  ... {len(frames) - 2 * SHOWN} calls ...\n"
            frames = [*frames[:SHOWN], left_out, *frames[-SHOWN:]]
        return f"{failed}{HEAD}{''.join(frames)}{self.args[0]}"


class Error(ProgramError):
    """An exception that a TorchScript program raised (`torch.jit.Error`)."""


class InternalProgramError(ProgramError, InternalError):
    """A mistake of ours that a program came upon."""

    __str__ = ProgramError.__str__


class ProgramIndexError(ProgramError, IndexError):
    """An index out of range; an IndexError for Python too, as with PyTorch."""


class ProgramNotImplementedError(ProgramError, NotImplementedError):
    """An operator that has no kernel for what it was given; a NotImplementedError for Python too, as with PyTorch."""


class InterpreterFunction:
    """A function ready to run: `f(*inputs)` with the graph's inputs as runtime values."""

    def __init__(
        self,
        function: FuncOp,
        resolve: CallResolver,
        special: dict[Operation, Any] | None = None,
        *,
        is_checked: bool = False,
        records: bool = False,
        history: History | None = None,
    ) -> None:
        self.name = function.sym_name.data
        self.calls_deep = isinstance(resolve, _Callees) and len(resolve.functions) > MANY
        self.function = function
        with compilation, deep_recursion():
            make = partial(_inner_graph, resolve=resolve, is_checked=is_checked, records=records)
            given = special or {}
            inner = {op: run for op, run in self._inner(make) if op not in given}
            self.special = {**inner, **given}
            self.resolve = resolve
            self.source = self._source(is_checked, records, history)
        self.run: Callable[..., Any] = self._compiled()
        _made.add(self)

    @property
    def code(self) -> Code:
        """The instructions of the function, made anew: the source that runs does not need them."""
        return Code(self.function)

    def _source(self, is_checked: bool, records: bool, history: History | None) -> PythonSource:
        return PythonSource(
            self.code,
            self.resolve,
            self.special,
            is_checked=is_checked,
            records=records,
            history=history,
        )

    def _compiled(self) -> Callable[..., Any]:
        run = self.source.compile()
        return returning(run, self) if self.bails_out else run

    def renew(self) -> None:
        """Make the source anew, at the next call: operators are run by others."""

        def run(*inputs: Any) -> Any:
            with compilation, deep_recursion():
                known = self.source
                self.source = self._source(known.is_checked, known.records, known.history)
            self.run = self._compiled()
            return self.run(*inputs)

        self.run = run

    def _inner(self, make: Make) -> Iterator[tuple[Operation, Callable[..., Any]]]:
        """What runs the graphs that nodes of the function carry."""
        self.bails_out = False
        for op in nested_ops(self.function.body.block, isolated=False):
            if isinstance(op, prim.ForkOp):
                yield op, task_starter(make(op.regions[0].block))
            elif isinstance(op, prim.BailOutOp):
                self.bails_out = True
                yield op, bail_out(op, self, make)
            elif isinstance(op, prim.GroupOp):
                yield op, group(op, make)

    def __call__(self, *inputs: Any) -> Any:
        if self.calls_deep:
            with deep_calls():
                return self.inside(*inputs)
        try:
            return run_in_silence(self.run, inputs)
        except Exception as error:
            raise self.explain(error)  # noqa: B904

    def inside(self, *inputs: Any) -> Any:
        """The same for a call from a function of the program."""
        try:
            return run_in_silence(self.run, inputs)
        except Exception as error:
            raise self.explain(error)  # noqa: B904

    def explain(self, error: Exception) -> Exception:
        """The error that a user sees: what happened, and where in the program, callers first.

        Who raises it keeps it in no variable: its traceback has the frame that the variable would be of.
        """
        trace = error.__traceback__
        node: Operation | None = None
        while trace is not None:
            node = self.source.node_at(trace.tb_frame.f_code, trace.tb_lineno) or node
            trace = trace.tb_next
        if isinstance(node, prim.ScalarGroupOp) and isinstance(error, ProgramError):
            return error  # what ran the loop has told where
        if isinstance(node, prim.TensorExprGroupOp):
            node = _last_operator(node)
        *callers, frame = frames_at(self.name, node, reads_files=not self.source.is_checked)
        if node is not None and frame.place is None and self.source.is_checked:
            frame = frame._replace(graph=f"  In graph @{self.name}{node_text(node)}\n")
        explained = self._explained(error, node)
        if explained is None:
            error.add_note(HEAD + frame.shown({}))
            return error
        explained.frames[:0] = [*callers, frame]
        explained.__suppress_context__ = True
        return explained

    def _explained(self, error: Exception, node: Operation | None) -> ProgramError | None:
        """What an error of a node is to users, with no place yet; None where it stays what it is."""
        if isinstance(error, CudaError):
            return None
        if isinstance(error, ProgramError):
            return error
        if isinstance(node, prim.GetAttrOp) and isinstance(error, KeyError):
            return ProgramError(f"the object has no attribute '{error.args[0]}'")
        if (failure := allocation_failure(error)) is not None:
            maker = getattr(node, "KIND", self.name)
            return ProgramError(f"RuntimeError: {maker}: {failure}")
        if isinstance(node, OperatorOp) and (failure := misfit(node.KIND, error)) is not None:
            return type_for(failure)(f"RuntimeError: {failure}")
        if (missing := undefined_operand(error, getattr(node, "OPERATOR", None))) is not None:
            return ProgramError(f"RuntimeError: {missing}")
        if isinstance(error, RecursionError):
            return ProgramError("RuntimeError: functions call each other too deep")
        if isinstance(error, RaisedException):
            return Error(f"{error.class_name}: {error}")
        if isinstance(node, prim.PythonOp) and not isinstance(error, _PYTHON_ERRORS):
            return None
        is_of_program = isinstance(error, PROGRAM_ERRORS)
        is_of_users = _is_of_users(node)
        is_operator = isinstance(node, OperatorOp | prim.ConstantChunkOp)
        if is_operator and is_of_program and not is_of_users:
            # Whatever PyTorch's kernels raise.
            return type_for(error)(f"RuntimeError: {error}")
        if self.source.is_checked or is_of_program or is_of_users:
            return type_for(error)(f"{type(error).__name__}: {error}")
        maker = getattr(node, "KIND", self.name)
        internal = InternalProgramError(str(internal_error(error, f"{maker} runs")))
        internal.__cause__ = error
        return internal


def _is_of_users(node: Operation | None) -> bool:
    """Whether a node runs an operator that was registered in this process, whose kernel may raise anything."""
    operator = node.OPERATOR if isinstance(node, OperatorOp) else None
    return operator is not None and registry.is_registered(operator.qualified_name)


def _last_operator(group: prim.TensorExprGroupOp) -> Operation:
    """What of a group is named where its kernel fails: that kernel makes nothing but results."""
    operators = [op for op in group.body.ops if isinstance(op, OperatorOp)]
    return operators[-1] if operators else group


_made: WeakSet[InterpreterFunction] = WeakSet()
"""What has to hear that a device is in use."""


def _look_for_devices() -> None:
    for function in list(_made):
        function.renew()


when_device_used(_look_for_devices)


_PYTHON_ERRORS = (RuntimeError, LookupError, ValueError, ArithmeticError)
"""What Python functions raise that is a RuntimeError for who called the program; anything else is theirs."""

PROGRAM_ERRORS = (*_PYTHON_ERRORS, TypeError)
"""What kernels raise; a graph that is not a compiler's may make them raise anything."""


def type_for(error: Exception) -> type[ProgramError]:
    """PyTorch gives a RuntimeError for whatever fails in its interpreter; what is an IndexError or NotImplementedError stays one."""
    if isinstance(error, NotImplementedError):
        return ProgramNotImplementedError
    return ProgramIndexError if isinstance(error, IndexError) else ProgramError


def frames_at(name: str, node: Operation | None, *, reads_files: bool) -> list[Frame]:
    """The frames of a traceback for a function of that name, at a node: one, and one for each function that was inlined there."""
    if node is None:
        return [Frame(name, None, reads_files)]
    frames: list[Frame] = []
    for call in calls_to(node.location):
        frames.append(_frame(name, call.location, reads_files))
        name = call.desc.data
    return [*frames, _frame(name, node.location, reads_files)]


def _frame(name: str, location: Attribute, reads_files: bool) -> Frame:
    printed = printed_place(location)
    if printed is None:
        return Frame(name, source_place(location), reads_files)
    original = printed.original  # archives name any file, and hold what stands there
    text = None if original is None else original.text.rstrip("\n").replace("\t", " ")
    text = text if text is not None and text.isprintable() and len(text) <= LONGEST_LINE else None
    return Frame(name, printed.place, False, text=text)


def source_line(file: str, line: int) -> str | None:
    """A line of a source file, None where it cannot be read."""
    return linecache.getline(file, line).rstrip("\n") or None


def interpret(
    function: FuncOp,
    special: dict[Operation, Any] | None = None,
    resolve: CallResolver | None = None,
    *,
    is_checked: bool = False,
    records: bool = False,
    history: History | None = None,
) -> InterpreterFunction:
    """The interpreter of a function; its callees are what `resolve` finds, or else the functions of its module. Where it
    `is_checked`, since it came as data, what its graph claims is checked and no file that it names is read. One that `records` puts
    operators on the tape of gradients; which of them, where `history` is given: Note [History under no_grad] in analysis/history.py.
    """
    if resolve is None:
        resolve = callees_of(module_around(function), is_checked=is_checked, records=records)
    return InterpreterFunction(
        function, resolve, special, is_checked=is_checked, records=records, history=history
    )


def callees_of(
    module: ModuleOp,
    *,
    is_checked: bool = False,
    define: Callable[[str], None] | None = None,
    records: bool = False,
) -> CallResolver:
    """What runs the functions of a module, by symbol; KeyError for a symbol that none has. `define` is asked to compile one that is
    missing.
    """
    return _Callees(module, is_checked, define, records)


def _inner_graph(
    block: Block, *, resolve: CallResolver, is_checked: bool, records: bool
) -> InterpreterFunction:
    """What runs a graph that a node carries, or that is made for one."""
    alone = function_of_block(block)
    return InterpreterFunction(alone, resolve, is_checked=is_checked, records=records)


def task_starter(body: Callable[..., Any]) -> Callable[..., Future[Any]]:
    """What begins a call of `body` as a task, and gives its future."""
    return lambda *inputs: start(grad_mode.carried(partial(body, *inputs)))


def recording(resolve: CallResolver) -> CallResolver:
    """What runs the same functions and puts their operators on the tape of gradients."""
    return resolve.recording if isinstance(resolve, _Callees) else resolve


class _Callees:
    """What `callees_of` gives: callees by symbol, prepared anew after edits."""

    def __init__(
        self,
        module: ModuleOp,
        is_checked: bool,
        define: Callable[[str], None] | None,
        records: bool,
    ) -> None:
        self.is_checked = is_checked
        self.records = records
        self.define = define
        self.module = module
        self.functions = {op.sym_name.data: op for op in functions_of(module)}
        self.callees: dict[str, _Callee] = {}
        changes.listen(module, self)

    @cached_property
    def recording(self) -> _Callees:
        """Callees that record."""
        return _Callees(self.module, self.is_checked, self.define, True)

    def __call__(self, name: str) -> _Callee:
        if name not in self.callees:
            if name not in self.functions:
                if self.define is not None:
                    self.define(name)
                self.functions |= {op.sym_name.data: op for op in functions_of(self.module)}
            self.callees[name] = _Callee(self.functions[name], self, self.is_checked, self.records)
        return self.callees[name]

    def function_edited(self) -> None:
        for callee in self.callees.values():
            callee.ready = None

    def ops_handed_out(self) -> None:
        """The executor of the caller looks for edits."""


class _Callee:
    """A callee, prepared when it is first called: functions may call each other."""

    def __init__(
        self, function: FuncOp, resolve: CallResolver, is_checked: bool, records: bool
    ) -> None:
        self.function = function
        self.resolve = resolve
        self.is_checked = is_checked
        self.records = records
        self.ready: InterpreterFunction | None = None

    def __call__(self, *args: Any) -> Any:
        if self.ready is None:
            self.ready = InterpreterFunction(
                runnable(self.function),
                self.resolve,
                is_checked=self.is_checked,
                records=self.records,
            )
        return self.ready.inside(*args)
