"""What programs ask of the machine that they run on: `torch.cuda.is_available()` and the like.

They are answered when the program is compiled. PyTorch 2.13 scripts none of these functions.
"""

from __future__ import annotations

import sys
from typing import Any

from torchscript_dialect.frontend.python.calls import PythonFunctionValue
from torchscript_dialect.frontend.sugared.arguments import Arguments
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.sugared_value import SimpleValue, SugaredValue
from torchscript_dialect.utils.source_range import SourceRange

_QUESTIONS = ("is_available", "device_count")
_WAITS = "synchronize"


def host_value(obj: Any) -> HostValue | None:
    """What a function of `torch.cuda`, PyTorch's or the stand-in's, means in programs; None for other objects."""
    name = getattr(obj, "__name__", None)
    if name not in (*_QUESTIONS, _WAITS):
        return None
    for library in ("torch", "torchscript_dialect.torch"):
        cuda = sys.modules.get(f"{library}.cuda")
        if cuda is not None and getattr(cuda, name, None) is obj:
            return HostValue(obj, cuda)
    return None


class HostValue(SugaredValue):
    """A function of `torch.cuda`: a constant, or nothing where there is no device to wait for."""

    def __init__(self, fn: Any, cuda: Any) -> None:
        self.fn = fn
        self.cuda = cuda

    def kind(self) -> str:
        return "python function"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        waits = self.fn.__name__ == _WAITS
        if (waits and self.cuda.is_available()) or (not waits and (args or kwargs)):
            callee = PythonFunctionValue(self.fn, m.type_resolver)
            return callee.call(range, m, args, kwargs, n_binders)
        return SimpleValue(m.graph.constant(None if waits else self.fn(), range))
