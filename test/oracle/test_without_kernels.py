"""What PyTorch's dispatcher has a kernel for on processors, and no kernel is for here, stands in a strict list with its reason."""

import re
import sys
from pathlib import Path

import pytest
import torch

sys.path.append(str(Path(__file__).parents[2] / "tools"))

from generate_operator_docs import operators

LIST = Path(__file__).parent / "operators_without_kernels.txt"

KEYS = (
    "CPU",
    "CompositeImplicitAutograd",
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
    "QuantizedCPU",
    "SparseCPU",
    "SparseCsrCPU",
    "NestedTensorCPU",
)
"""Where PyTorch registers what runs on tensors of processors, of any layout but that of oneDNN."""

NAMESPACES = ("aten", "prims", "quantized", "_quantized", "sparse")


def registered(name: str) -> bool:
    """Whether PyTorch has a kernel of the operator; of TorchScript's own operators the dispatcher knows nothing."""
    try:
        return any(torch._C._dispatch_has_kernel_for_dispatch_key(name, key) for key in KEYS)
    except RuntimeError:
        return False


def listed() -> dict[str, list[re.Pattern[str]]]:
    """The patterns of names under each reason."""
    found: dict[str, list[re.Pattern[str]]] = {}
    reason = ""
    for line in LIST.read_text().splitlines():
        if line.startswith("\t"):
            found[reason] += map(re.compile, line.split())
        elif not line.startswith("#"):
            reason = line
            found[reason] = []
    return found


def missing() -> list[str]:
    """The operators that PyTorch runs and that have no kernel here."""
    return [
        each.qualified_name
        for each in operators()
        if each.kernel is None
        and each.name.partition("::")[0] in NAMESPACES
        and registered(each.qualified_name)
    ]


def test_every_one_has_one_reason() -> None:
    patterns = listed()
    for name in missing():
        fitting = [why for why, of in patterns.items() if any(one.fullmatch(name) for one in of)]
        assert len(fitting) == 1, f"{name}: {fitting}"


def test_nothing_else_is_in_the_list() -> None:
    names = missing()
    for of in listed().values():
        for pattern in of:
            assert any(pattern.fullmatch(name) for name in names), pattern.pattern


@pytest.mark.parametrize(
    ("name", "is_run"),
    [("aten::add.Tensor", True), ("aten::_cudnn_rnn", False), ("aten::len.t", False)],
)
def test_dispatcher_is_asked(name: str, is_run: bool) -> None:
    assert registered(name) is is_run
