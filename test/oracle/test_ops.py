"""Every operator with a kernel against PyTorch's own, on its samples: values, dtypes, shapes, strides, errors."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from samples import compare, samples_of, torch_side
from samples.exceptions import DIFFERENT, DIFFERENT_BY_CAPABILITY, ORDER_OF_SUMS
from samples.golden import describe
from torchscript_dialect.ops import registry

registry.load_families()
NAMES = [
    name
    for name, _ in registry.attached()
    if name not in torch_side.UNREACHABLE
    and (found := registry.find(name)) is not None
    and found.kernel is not None
]


OF_THIS_PROCESSOR = DIFFERENT_BY_CAPABILITY.get(torch.backends.cpu.get_cpu_capability(), {})


@pytest.mark.parametrize("name", NAMES)
def test_same_as_pytorch(name: str) -> None:
    operator = registry.find(name)
    different: list[str] = []
    scale = ORDER_OF_SUMS.get(name, 1.0)
    for index, make in enumerate(samples_of(operator)):
        result, after = compare.run(operator, make)
        expected, expected_after = torch_side.run(operator, make)
        found = compare.difference(result, expected, scale)
        if found is None and after is not None and expected_after is not None:
            found = compare.difference(after, expected_after, scale)
        if found is not None:
            different.append(f"sample {index} {make()}: {found}")
    count, reason = OF_THIS_PROCESSOR.get(name) or DIFFERENT.get(name, (0, ""))
    assert len(different) == count, "\n".join([reason, *different[:5]])


@pytest.mark.parametrize("name", sorted({name.partition(".")[0] for name in NAMES}))
def test_schemas_are_pytorchs(name: str) -> None:
    """The same overloads with the same texts, in the order in which they are tried."""
    theirs = [str(schema) for schema in torch._C._jit_get_schemas_for_operator(name)]
    ours = [operator.text for operator in registry.lookup(name)]
    if theirs:
        assert ours == theirs


def test_table_has_every_schema_of_pytorch() -> None:
    """In a process of its own, where no test has registered operators. Otherwise `tools/generate_schemas.py` is due."""
    tool = Path(__file__).parents[2] / "tools" / "generate_schemas.py"
    subprocess.run([sys.executable, tool, "--check"], check=True)


def test_golden_file_is_current() -> None:
    """Otherwise `tools/regenerate_op_goldens.py` is due."""
    golden = json.loads((Path(__file__).parent.parent / "golden" / "ops.json").read_text())
    assert golden.keys() == {
        name for name in NAMES if name not in DIFFERENT and describe(name) is not None
    }
