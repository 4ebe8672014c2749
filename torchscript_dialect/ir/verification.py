"""Whether IR is what it should be, and what is said of an exception that nobody expected.

xDSL's verifier shows the whole module for a mistake in one op. Here the op is shown, with its place in the source.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.ir.dominance import uses_before_values
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.ir.locations import at
from torchscript_dialect.serialization.graph_printer import print_node, value_names
from torchscript_dialect.utils.errors import TorchScriptError, internal_error, is_told

SHOWN = 300
"""Characters of a node that are shown."""


class VerificationError(TorchScriptError, VerifyException):
    """IR that is not what it should be; `op` is where."""

    def __init__(self, reason: str, op: Operation) -> None:
        kind = kind_of(op)
        what = reason if reason.startswith(f"{kind} ") else f"{kind}: {reason}"
        super().__init__(f"{what}{node_text(op)}{at(op)}")
        self.op = op


def kind_of(op: Operation) -> str:
    """The operator of a node as graphs spell it; the name of another op."""
    return getattr(op, "KIND", op.name) if isinstance(op, TorchScriptOp) else op.name


def verify(top: Operation) -> None:
    """Check that every op in `top` is what it should be, and uses values that are made before it.

    Raises:
        VerificationError: an op is not, or does not; the message shows it and says why.
    """
    for op in _ops(top):
        reason = _why_malformed(op)
        if reason is not None:
            raise VerificationError(reason, op)
    for op, operand in uses_before_values(top):
        name = operand.name_hint or "a value without a name"
        raise VerificationError(f"it uses {name}, which is not made before it", op)


def explained(error: Exception, doing: str, top: Operation | None = None) -> Exception:
    """What a user hears of an exception while `doing` something: itself if it is told to users, that the IR of `top` is malformed
    if it is, and otherwise that the mistake is ours.
    """
    if is_told(error):
        return error
    try:
        if top is not None:
            verify(top)
    except VerificationError as malformed:
        return malformed
    return internal_error(error, doing)


def _ops(top: Operation) -> Iterator[Operation]:
    yield top
    for region in top.regions:
        for block in region.blocks:
            yield from nested_ops(block)


def _why_malformed(op: Operation) -> str | None:
    try:
        op.verify(verify_nested_ops=False)
    except (VerifyException, DiagnosticException) as error:
        return str(error.__cause__ or error)
    except Exception as error:  # a verifier that stumbles has found something, too
        return f"{type(error).__name__}: {error}"
    for region in op.regions:
        if len(region.blocks) == 1 and region.block.is_empty and not op.has_trait(NoTerminator):
            return "its block is empty, without a terminator"
    return None


def node_text(op: Operation) -> str:
    """The line of a node in its graph, as messages show it below what they say; empty for other ops."""
    if not isinstance(op, TorchScriptOp):
        return ""
    top = op
    while (parent := top.parent_op()) is not None and parent.parent is not None:
        top = parent
    try:
        names = {} if top.parent is None else value_names(top.parent)
        for region in top.regions:
            names |= value_names(region.block)
        text = print_node(op, names).splitlines()[0].partition(" # ")[0].strip()
    except Exception:  # what is malformed need not have a text
        return ""
    return f"\n  in `{text if len(text) <= SHOWN else text[:SHOWN] + '...'}`"
