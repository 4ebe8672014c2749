"""Gradients, and how they change, are those of PyTorch (test/golden/gradients.json; `python tools/regenerate_gradient_goldens.py`)."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any

import pytest

from support import gradient_golden as golden
from torchscript_dialect.autograd import functions
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor.conversion import as_tensor

recorded = cache(lambda: json.loads(golden.GOLDEN.read_text()))
SHARDS = 6
DIFFERENT: dict[str, str] = {
    **dict.fromkeys(
        (
            "aten::linalg_eigh",
            "aten::_linalg_eigh",
            "aten::linalg_eig",
            "aten::linalg_svd",
            "aten::svd",
        ),
        "vectors have any sign",
    ),
    **dict.fromkeys(
        ("aten::cholesky_inverse", "aten::cholesky_solve"),
        "PyTorch's is one of the triangle that the operator does not read, too",
    ),
    "aten::linalg_eigvalsh": "of symmetric matrices, which samples are not",
    **dict.fromkeys(
        ("aten::as_strided_scatter", "aten::ldexp.Tensor", "aten::narrow_copy"),
        "PyTorch's is not what differences tell",
    ),
    **dict.fromkeys(
        ("aten::_weight_norm", "aten::_weight_norm_interface"),
        "PyTorch's second one leaves out how the norm changes; its own gradgradcheck fails",
    ),
}
"""Operators whose numbers are others, or may be, with the reason."""


def run(operator: Operator, operands: list[Any]) -> Any:
    assert operator.recorded is not None
    return operator.recorded(*operands)


OURS = golden.Side(as_tensor, lambda tensor: tensor.array, run, functions.grad)


def differences(name: str) -> list[str]:
    operator = registry.find(name)
    assert operator is not None
    found: list[str] = []
    for number, (make, wanted) in enumerate(
        zip(golden.samples(operator), recorded()[name], strict=False)
    ):
        if not wanted:
            continue
        try:
            mine = golden.slopes(OURS, operator, make)
        except RuntimeError as error:
            found.append(f"{name}, sample {number}: {str(error).splitlines()[-1]}")
            continue
        for order in (0, 1):
            one = (mine[order] if mine else None) or 0.0
            other = wanted[order] or 0.0
            near = 1e-7 * (1 + abs(other) + (mine.scales[order] if mine else 0.0))
            if (wanted[order] is not None or order == 0) and not math.isclose(
                one,  # pyright: ignore[reportArgumentType]
                other,
                rel_tol=0,
                abs_tol=near,
            ):
                found.append(f"{name}, sample {number}, order {order + 1}: {one}, not {other}")
    return found


@pytest.mark.parametrize("shard", range(SHARDS))
def test_gradients_are_those_of_pytorch(shard: int) -> None:
    names = sorted(recorded().keys() - DIFFERENT.keys())[shard::SHARDS]
    assert [difference for name in names for difference in differences(name)] == []


def test_operators_through_which_gradients_go_are_recorded() -> None:
    assert len(recorded()) > 800
    assert recorded().keys() <= set(golden.names())
