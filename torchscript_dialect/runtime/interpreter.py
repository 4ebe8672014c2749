"""The interpreter: runs a function's graph as it is, one node after the other (PyTorch: runtime/interpreter.cpp)."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from torchscript_dialect.runtime.code import Code
from torchscript_dialect.runtime.python_source import CallResolver, PythonSource
from torchscript_dialect.runtime.values import RaisedException


class Error(RuntimeError):
    """An exception that a TorchScript program raised (`torch.jit.Error`)."""


class InterpreterFunction:
    """A function ready to run: `f(*inputs)` with the graph's inputs as runtime values."""

    def __init__(
        self,
        function: FuncOp,
        resolve: CallResolver,
        special: dict[Operation, Any] | None = None,
    ) -> None:
        self.name = function.sym_name.data
        self.code = Code(function)
        self.source = PythonSource(self.code, resolve, special or {})
        self.run: Callable[..., Any] = self.source.compile(self.name)

    def __call__(self, *inputs: Any) -> Any:
        try:
            return self.run(*inputs)
        except Exception as error:
            raise self.explain(error) from None

    def explain(self, error: Exception) -> Exception:
        """The error that a user sees: where in the program it happened, and what happened."""
        if isinstance(error, Error) or getattr(error, "_torchscript_explained", False):
            return error
        trace = error.__traceback__
        node: Operation | None = None
        while trace is not None:
            if trace.tb_frame.f_code is self.run.__code__:
                node = self.source.nodes[trace.tb_lineno - 1]
            trace = trace.tb_next
        where = describe_place(self.name, node)
        head = "The following operation failed in the TorchScript interpreter.\n" + where
        if isinstance(error, RaisedException):
            return Error(f"{head}{error.class_name}: {error}")
        if isinstance(error, (RuntimeError, IndexError, KeyError, ValueError, ArithmeticError)):
            explained = type_for(error)(f"{head}{type(error).__name__}: {error}")
            explained.__cause__ = error
            explained._torchscript_explained = True  # pyright: ignore[reportAttributeAccessIssue]
            return explained
        error.add_note(where)
        return error


def type_for(error: Exception) -> type[Exception]:
    """PyTorch gives a RuntimeError for whatever fails in its interpreter; an IndexError stays one."""
    return IndexError if isinstance(error, IndexError) else RuntimeError


def describe_place(name: str, node: Operation | None) -> str:
    """The traceback of one frame in PyTorch's form."""
    head = "Traceback of TorchScript (most recent call last):\n"
    location = None if node is None else node.location
    if not isinstance(location, FileLineColLoc):
        return head
    file, line, column = location.filename.data, location.line.data, location.column.data
    text = source_line(file, line)
    shown = "" if text is None else f"    {text}\n    {' ' * column}~ <--- HERE\n"
    return f'{head}  File "{file}", line {line}, in {name}\n{shown}'


def source_line(file: str, line: int) -> str | None:
    """A line of a source file, None where it cannot be read."""
    return linecache.getline(file, line).rstrip("\n") or None
