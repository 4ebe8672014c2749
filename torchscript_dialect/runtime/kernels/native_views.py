"""Calls of views that need no Python: native programs, which are made of kernels for the kinds of operands that come (Note [Traced
views] in `traced_views.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torchscript_dialect.ops.registry import Kernel
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.kernels.traced_views import traced
from torchscript_dialect.runtime.native.entry import (
    HAS_NATIVE_CALLS,
    NativeCallable,
    NativeUnavailable,
)
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.errors import InternalError

KINDS = 12
"""Programs that one callable has, each of which is for operands for which its kernel goes one way."""
PATIENCE = 64
"""Calls that no program serves before one more is made."""


def native_views(kernel: Kernel, operands: Sequence[Any]) -> Callable[..., Any] | None:
    """What runs a kernel of views for operands as these natively, and others by itself; None where there may be no such thing now, or
    there is no program.
    """
    calls = _Rare(kernel)
    return calls.native if calls.add(operands) else None


class _Rare:
    """Runs the calls that no program of a native callable serves, and adds a program for those that come often."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.left = PATIENCE
        self.tries = KINDS
        self.native = NativeCallable(self)
        settings.listen(self)

    def settings_changed(self) -> None:
        """Forget programs: settings say whether there may be native code."""
        self.native.clear_specializations()
        self.left, self.tries = PATIENCE, KINDS

    def __call__(self, *operands: Any) -> Any:
        self.left -= 1
        if not self.left:
            self.left = PATIENCE
            self.add(operands)
        return self.kernel(*operands)

    def add(self, operands: Sequence[Any]) -> bool:
        """Add a program for operands, where there is one and room for it; whether it was added."""
        now = settings.current()
        if not (self.tries and HAS_NATIVE_CALLS and now.specializes):
            return False
        self.tries -= 1
        try:
            with compilation:
                self.native.add_views(traced(self.kernel, operands))
        except NativeUnavailable:
            return False
        except Exception as error:  # the kernel itself says in its own words what it does not take
            if isinstance(error, InternalError):
                raise
            return False
        return True
