"""`torch.autograd.profiler.record_function`: a part of a program with a name, for profilers, of which none is told."""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any, Optional

from torchscript_dialect import torch


class record_function(ContextDecorator):  # PyTorch's name
    """A part of a program with a name."""

    def __init__(self, name: str, args: Optional[str] = None):  # noqa: UP045
        self.name: str = name
        self.args: Optional[str] = args  # noqa: UP045
        self.run_callbacks_on_exit: bool = True
        self.record = torch.jit.annotate(Optional["torch.classes.profiler._RecordFunction"], None)

    def __enter__(self):
        self.record = torch.ops.profiler._record_function_enter_new(self.name, self.args)
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any):
        if not self.run_callbacks_on_exit:
            return
        record = self.record
        assert record is not None
        torch.ops.profiler._record_function_exit(record)
