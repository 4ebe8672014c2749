"""Errors of xDSL's passes and targets, told with the operation, the reason and what the pass needs.

They are written for IR of their own, and say so by whatever exception comes first.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from types import FrameType

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from torchscript_dialect.ir.locations import at
from torchscript_dialect.ir.verification import explained, kind_of, node_text
from torchscript_dialect.utils.errors import PassError

XDSL = "xdsl."
_OURS = ("torchscript_dialect.", "lowering.")
_MATCHER = "the function pdl_interp.func @matcher, in the module or in the file {}"
_MLIR_OPT = "MLIR's program mlir-opt on PATH or as XDSL_MLIR_OPT"
NEEDS = {
    "apply-eqsat-pdl": f"{_MLIR_OPT}, and patterns of the pdl dialect, in the module or in the file pdl_file",
    "apply-eqsat-pdl-interp": _MATCHER.format("pdl_interp_file"),
    "apply-pdl-interp": _MATCHER.format("pdl_interp_file"),
    "convert-linalg-to-loops": "linalg on buffers, such as ts-bufferize makes",
    "convert-linalg-to-memref-stream": "linalg on buffers, such as ts-bufferize makes",
    "convert-scf-to-cf": "functions alone around scf operations",
    "frontend-desymrefy": "regions of one block",
    "func-to-pdl-rewrite": "functions whose arguments are of the pdl dialect",
    "mlir-opt": _MLIR_OPT,
    "test-lower-linalg-to-snitch": "linalg on buffers, such as ts-bufferize makes",
    "test-vectorize-matmul": "linalg.matmul on buffers of two dimensions",
}
"""What passes need, where what they raise does not say it."""

SHOWN = 6
"""Lines of what an exception says that are shown: some say the whole module."""


def refusal(error: Exception, name: str, target: Operation) -> Exception:
    """A `PassError` for an exception in what is called so. Where code of ours raised it that xDSL's came to, the IR may be
    malformed, and otherwise the mistake is ours.
    """
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    known = [frame for frame in frames if _module(frame).startswith((XDSL, *_OURS))]
    if known and _module(known[-1]).startswith(_OURS):
        return explained(error, f"{name} runs", target)
    op = next(_operations(reversed(known), target), None)
    place = "" if op is None else f"{node_text(op)}{at(op)}"
    what = "this" if op is None else kind_of(op)
    return PassError(f"{called(name)} cannot work on {what}: {_reason(error)}{place}")


def called(name: str) -> str:
    """The name of a pass as messages begin with it, and what it needs where that is known."""
    return f"{name}, which needs {NEEDS[name]}," if name in NEEDS else name


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _operations(frames: Iterator[FrameType], target: Operation) -> Iterator[Operation]:
    """The operations of `target` that a pass was at, as the variables of its functions tell; innermost first."""
    for frame in frames:
        for name, value in frame.f_locals.items():
            is_inside = name.endswith("op") and isinstance(value, Operation)
            if is_inside and not isinstance(value, ModuleOp) and target.is_ancestor(value):
                yield value


def _reason(error: Exception) -> str:
    """What an exception says; an assertion without a message, by what is asserted."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    if len(lines) > SHOWN:
        lines[SHOWN // 2 : -SHOWN // 2] = ["..."]
    text = "\n".join(lines)
    if isinstance(error, AssertionError) and not text:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"an assertion of {last.name} fails, `{last.line}`"
    is_xdsls = type(error).__module__.startswith(XDSL)
    if text and (is_xdsls or isinstance(error, (AssertionError, NotImplementedError, ValueError))):
        return text
    return f"{type(error).__name__}: {text}".rstrip(": ")
