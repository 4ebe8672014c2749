"""What the nodes of operators' results are called, by sample; the same code runs with PyTorch's tensors and with ours.

test/golden/node_names.json holds PyTorch's names.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from samples import samples_of
from support.gradient_golden import STATISTICS, Side, tensors, widened
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "node_names.json"
SAMPLES = 4
NO_DERIVATIVE = "torch::autograd::NotImplemented"
"""What PyTorch calls the node of an operator that it has no derivative of."""


def operators() -> list[Operator]:
    """Those that take tensors and give some."""
    registry.load_derivatives()
    found: list[Operator] = []
    for name, _ in registry.attached():
        operator = registry.find(name)
        if operator is None or not name.startswith("aten::") or "_foreach_" in name:
            continue
        schema = operator.schema
        has_tensors = all(
            any("Tensor" in part.type.repr_str for part in side)
            for side in (schema.arguments, schema.returns)
        )
        has_out = any(a.kwarg_only and a.alias and a.alias.is_write for a in schema.arguments)
        if has_tensors and not has_out and not operator.is_random:
            found.append(operator)
    return sorted(found, key=lambda operator: operator.qualified_name)


def names(side: Side, operator: Operator) -> list[str]:
    """For each sample the names of the nodes of the results, between spaces; nothing where there are none, or the call is refused."""
    return [_names(side, operator, make) for make in list(samples_of(operator))[:SAMPLES]]


def _names(side: Side, operator: Operator, make: Any) -> str:
    try:
        memo: dict[int, Any] = {}
        operands = [widened(value, side, memo) for value in make()]
        written: set[int] = set()
        for argument, operand in zip(operator.schema.arguments, operands, strict=False):
            for tensor in tensors(operand):
                is_float = tensor.dtype.is_floating_point or tensor.dtype.is_complex
                if is_float and argument.name not in STATISTICS:
                    tensor.requires_grad_()
                if argument.alias is not None and argument.alias.is_write:
                    written.add(id(tensor))
        operands = [
            value.clone() if id(value) in written and value.requires_grad else value
            for value in operands
        ]
        results = list(tensors(side.run(operator, operands)))
    except (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError):
        return ""
    found = ["-" if one.grad_fn is None else one.grad_fn.name() for one in results]
    has_names = set(found) - {"-"} and NO_DERIVATIVE not in found
    return " ".join(found) if has_names else ""
