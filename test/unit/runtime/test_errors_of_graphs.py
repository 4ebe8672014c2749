"""Graphs whose nodes do not fit are told in words, with the operator.

Point 7 of docs/testing.md.
"""

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts


def run(node: str, *args: Any) -> Any:
    text = f"graph(%x : Tensor, %name : str, %i : int):\n  %r : Tensor = {node}\n  return (%r)\n"
    return ts.run_graph(ts.parse_ir(text), np.ones(2, np.float32), *args)


@pytest.mark.parametrize(
    ("node", "message"),
    [
        ("prim::profile(%x, %name)", "prim::profile lets one value through, or none"),
        ("prim::ModuleContainerIndex(%x, %i)", "a Tensor has no submodules"),
    ],
)
def test_operands_that_do_not_fit(node: str, message: str) -> None:
    with pytest.raises(RuntimeError, match=message) as error:
        run(node, "a", 0)
    assert type(error.value).__module__.startswith("torchscript_dialect.")


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("name", ["/nowhere/at/all", "/", "a\0b"])
def test_files_that_are_not_there(name: str, shared: bool) -> None:
    text = f"def f(name: str):\n    return torch.from_file(name, shared={shared}, size=3)\n"
    with pytest.raises(RuntimeError, match="unable to map the file") as error:
        ts.CompilationUnit(text).f(name)
    assert 'File "<string>", line 2, in f' in str(error.value)
