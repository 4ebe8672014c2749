"""Errors that users meet, all with the place in the source (PyTorch: frontend/error_report.h).

A message is laid out as PyTorch does it:

    what is wrong:
      File "f.py", line 3
    def f(x):
        return g(x)
               ~ <--- HERE
    'g' is being compiled since it was called from 'f'
      File "main.py", line 7
        ...
"""

import difflib
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from xdsl.utils.exceptions import PassFailedException, VerifyException

from torchscript_dialect.utils.source_range import SourceRange


class Placed(Protocol):
    """A tree, or whatever else knows its range: making ranges takes time, and few are shown."""

    @property
    def range(self) -> SourceRange: ...


@dataclass
class Call:
    """A function that is being compiled, and what the compiler is at in it."""

    name: str
    at: Placed | SourceRange | None

    @property
    def range(self) -> SourceRange | None:
        return self.at if isinstance(self.at, SourceRange | None) else self.at.range


_call_stack: ContextVar[tuple[Call, ...]] = ContextVar("torchscript_call_stack", default=())


@contextmanager
def compiling(name: str, range: SourceRange | None = None) -> Generator[Call]:
    """While the body runs, errors tell that `name` is being compiled and for whom; nests.

    The body may change `Call.at` as it goes on.
    """
    call = Call(name, range)
    token = _call_stack.set((*_call_stack.get(), call))
    try:
        yield call
    finally:
        _call_stack.reset(token)


def _pending_range() -> SourceRange | None:
    """Where the function being compiled is."""
    stack = _call_stack.get()
    return stack[-1].range if stack else None


def call_stack_notes() -> str:
    """One note per caller of the function being compiled, innermost first; may be empty."""
    stack = _call_stack.get()
    notes: list[str] = []
    for callee, caller in zip(reversed(stack), reversed(stack[:-1]), strict=False):
        notes.append(
            f"'{callee.name}' is being compiled since it was called from '{caller.name}'\n"
        )
        if caller.range is not None:
            notes.append(caller.range.highlight())
    return "".join(notes)


def suggestion(name: str, known: Iterable[str]) -> str:
    """`. Did you mean 'x'?` where one of the known names is close to the name, else nothing."""
    close = difflib.get_close_matches(name, [other for other in known if other != name], 1, 0.75)
    return f". Did you mean '{close[0]}'?" if close else ""


class TorchScriptError(RuntimeError):
    """A mistake in a user's program or input. `str()` is the message, the highlighted source, and
    the calls.

    The calls are those at the time the error is made.
    """

    def __init__(self, message: str, source_range: SourceRange | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.source_range = source_range
        self.call_stack = call_stack_notes()

    def __str__(self) -> str:
        if self.source_range is None:
            return self.message + ("\n" + self.call_stack.rstrip("\n") if self.call_stack else "")
        return f"{self.message}:\n{self.source_range.highlight()}{self.call_stack}".rstrip("\n")


class FrontendError(TorchScriptError):
    """Source that cannot be made into a syntax tree."""


class NotSupportedError(FrontendError):
    """A Python construct that TorchScript does not have."""


class ParseError(FrontendError):
    """Text that is not the syntax it should be."""


class InternalError(TorchScriptError):
    """A mistake of this compiler's, not of its user's."""


class NestingError(TorchScriptError, VerifyException):
    """What is nested too deep for Python's recursion, at the place that is being compiled if there is one."""

    def __init__(self, message: str) -> None:
        super().__init__(message, _pending_range())


class PassError(TorchScriptError, PassFailedException):
    """A pass that cannot do its work on what it is given, or that left something wrong behind."""


def is_told(error: BaseException) -> bool:
    """Whether somebody expects an exception: it is of a class of ours, a warning that is to be an error, or one of memory."""
    return isinstance(error, (Warning, MemoryError)) or type(error).__module__.startswith(_PACKAGES)


_PACKAGES = ("torchscript_dialect.", "lowering.")


@contextmanager
def told(doing: str) -> Generator[None]:
    """What is raised in the body by a mistake of ours is an internal error."""
    try:
        yield
    except Exception as error:
        if is_told(error):
            raise
        raise internal_error(error, doing) from error


def internal_error(error: Exception, doing: str, range: SourceRange | None = None) -> InternalError:
    """What a user hears of an exception that nobody expected, and which is the cause of this one. The place is `range`, or else
    what is being compiled.
    """
    range = range or _pending_range()
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    return InternalError(
        f"internal error while {doing}: {what}\n"
        "This is a mistake of torchscript_dialect, not of the program. Please report it with the program and the traceback",
        range,
    )
