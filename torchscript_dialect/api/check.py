"""`ts.check`: what of a program cannot run here, found before anything runs."""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from typing import Any

from xdsl.ir import Operation

from torchscript_dialect.api.function import ScriptFunction
from torchscript_dialect.api.module import ScriptModule
from torchscript_dialect.api.script import script
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.dialects.places import source_place
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.kernels.torch_kernels import borrowed_kernel
from torchscript_dialect.utils.errors import TorchScriptError


@dataclass(frozen=True)
class Problem:
    """Something that cannot run: an operator without a kernel, or source that is no TorchScript (then `what` is the message)."""

    what: str
    place: str = ""
    """File, line and column, where they are known."""
    line: str = ""
    """The line of the source."""

    def __str__(self) -> str:
        head = f"{self.place}: {self.what}" if self.place else self.what
        return f"{head}\n    {self.line}" if self.line else head


def check(obj: Any) -> list[Problem]:
    """All that stops a function, a module or what was compiled of one: each operator that has no kernel at each place, or the
    first thing that is no TorchScript. Empty where everything runs. Nothing of the program is run.
    """
    try:
        scripted = script(obj)
    except TorchScriptError as error:
        return [Problem(str(error).strip())]
    if not isinstance(scripted, (ScriptFunction, ScriptModule)):
        return []
    modules = dict.fromkeys(each.parent_op() for each in scripted.__torchscript_functions__())
    return [problem for module in modules if module is not None for problem in problems_of(module)]


def problems_of(module: Operation) -> list[Problem]:
    """What none of the functions of a module can run, each place once."""
    return list(dict.fromkeys(_problem(op) for op in module.walk() if is_missing(op)))


def is_missing(op: Operation) -> bool:
    """Whether nothing runs a node: no kernel of ours, and none that PyTorch lends."""
    if not isinstance(op, OperatorOp):
        return False
    operator = op.OPERATOR
    if operator is None:
        return True
    if operator.kernel is not None:
        return False
    return not settings.current().torch_kernels or borrowed_kernel(operator) is None


def place_of(op: Operation) -> str:
    """File, line and column of a node in the source; empty where they are not known."""
    location = source_place(op.location)
    if location is None:
        return ""
    return f"{location.filename.data}:{location.line.data}:{location.column.data}"


def _problem(op: Operation) -> Problem:
    assert isinstance(op, OperatorOp)
    what = op.KIND if op.OPERATOR is None else op.OPERATOR.text
    location = source_place(op.location)
    line = ""
    if location is not None:
        line = linecache.getline(location.filename.data, location.line.data).strip()
    return Problem(f"operator {what} has no kernel", place_of(op), line)
