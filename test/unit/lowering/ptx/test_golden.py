"""The PTX of the programs of the documents that this project implements, and what ptxas makes of it on each kind of device."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[4]
PTXAS = shutil.which("ptxas")


def _tool() -> ModuleType:
    path = ROOT / "tools" / "regenerate_ptx_goldens.py"
    spec = importlib.util.spec_from_file_location("regenerate_ptx_goldens", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tools"))
        spec.loader.exec_module(module)
    return module


TOOL = _tool()
GRAPHS = TOOL.graphs()
MOST_REGISTERS: dict[str, int] = dict.fromkeys(
    ("bfloat16_product", "half_layer", "lstm_product", "tf32_product"), 255
)
"""Of a thread; 80 where nothing stands here. Four warps add up a tile, and two such blocks fit a processor."""
every_graph = pytest.mark.parametrize("path", GRAPHS, ids=[path.stem for path in GRAPHS])


@every_graph
def test_the_text_is_the_golden_one(path: Path) -> None:
    golden = path.with_suffix(".ptx").read_text("utf-8")
    if not golden.startswith(TOOL.first_line()):
        pytest.skip("the golden text is of another version of LLVM")
    assert TOOL.first_line() + TOOL.ptx(path, TOOL.OF_GOLDEN) == golden


@pytest.mark.parametrize("name", ["softmax", "half_softmax", "layer_norm", "sum", "square_error"])
def test_threads_of_a_block_share_a_row(name: str) -> None:
    (path,) = (one for one in GRAPHS if one.stem == name)
    assert path.with_suffix(".ptx").read_text("utf-8").count("shfl.sync") >= 5


@pytest.mark.skipif(PTXAS is None, reason="there is no ptxas")
@every_graph
def test_ptxas_takes_it(path: Path) -> None:
    """For every kind of device; nothing is spilled."""
    for sm in TOOL.DEVICES:
        registers, spilled = TOOL.assembled(TOOL.ptx(path, sm), sm, PTXAS)
        print(f"{path.stem} on sm_{sm}: {registers} registers, {spilled} bytes spilled")
        assert registers <= MOST_REGISTERS.get(path.stem, 80)
        assert spilled == 0
