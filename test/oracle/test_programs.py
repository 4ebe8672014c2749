"""The programs of examples/ against PyTorch itself: the golden files are current, and large inputs agree too."""

import json
from pathlib import Path

import numpy as np
import pytest

from support import oracle, product
from support.canonical import canonical, without_mangling
from support.layouts import array
from support.programs import BOXES, PROGRAMS, Case, Program
from support.records import call_difference

GOLDEN = Path(__file__).parent.parent / "golden" / "programs"
every_program = pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())


@every_program
def test_golden_file_is_current(program: Program) -> None:
    """What PyTorch says today is what the golden file holds; otherwise `tools/regenerate_goldens.py` is due."""
    golden = json.loads((GOLDEN / f"{program.name}.json").read_text())
    today = oracle.describe(program)
    for key in ("graph", "inlined_graph"):
        now, then = (
            canonical(graphs[key], program.source_file, any_order_of_constants=key != "graph")
            for graphs in (today, golden)
        )
        assert now == then
    for key in ("code", "schema"):
        assert without_mangling(today[key]) == without_mangling(golden[key])
    assert today["calls"].keys() == golden["calls"].keys()
    for name, call in today["calls"].items():
        assert call_difference(call, golden["calls"][name], program.scale) is None, name


def _large_pair(shape: tuple[int, ...]) -> Case:
    return Case(f"{shape}", lambda d: (array("a", shape, d), array("b", shape, d)))


def _large_boxes(shape: tuple[int, ...], layout: str) -> Case:
    return Case(
        f"{shape}-{layout}",
        lambda d: tuple(array(name, shape, d, layout, low=0.0, high=1.0) for name in BOXES),
    )


def _large_cell(batch: int, inputs: int, hidden: int) -> Case:
    def make(dtype: np.dtype) -> tuple[np.ndarray, ...]:
        small = {"low": -0.2, "high": 0.2}
        return (
            array("x", (batch, inputs), dtype),
            array("h", (batch, hidden), dtype),
            array("c", (batch, hidden), dtype),
            array("wi", (4 * hidden, inputs), dtype, "contiguous", **small),
            array("wh", (4 * hidden, hidden), dtype, "contiguous", **small),
            array("bi", (4 * hidden,), dtype),
            array("bh", (4 * hidden,), dtype),
        )

    return Case(f"{batch}x{inputs}x{hidden}", make)


LARGE = [
    ("tanh", _large_pair((100, 1000))),
    ("tanh", _large_pair((1001, 1003))),
    ("ratio_iou", _large_boxes((100, 1000), "contiguous")),
    ("ratio_iou", _large_boxes((500, 301), "transposed")),
    ("ratio_iou", _large_boxes((303, 500), "broadcast")),
    ("lstm_cell_s", _large_cell(1, 32, 32)),
    ("lstm_cell_s", _large_cell(64, 256, 512)),
    ("lunif2", Case("300x64", lambda d: (array("x", (300, 64), d, low=-0.2, high=0.2), 2))),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("name", "case"), LARGE, ids=[f"{name}-{case.name}" for name, case in LARGE]
)
def test_large_inputs(name: str, case: Case, dtype: str) -> None:
    """Sizes that run on several threads and in several chunks."""
    program = PROGRAMS[name]
    expected = oracle.run(oracle.script(program), case, np.dtype(dtype))
    scripted = product.script(program)
    for call in (1, 2, 3, 10):
        ours = product.run(scripted, case, np.dtype(dtype), product.as_tensors)
        difference = call_difference(ours, expected, 8 * program.scale)
        assert difference is None, f"call {call}: {difference}"


@every_program
def test_real_torch_source(program: Program) -> None:
    """`ts.script` takes a function written against the real `torch`, and real tensors, and gives the same graph."""
    import torchscript_dialect as ts
    from support.loader import load_program

    scripted = ts.script(load_program(program, "torch"))
    ours = canonical(str(product.method(scripted).graph), program.source_file)
    theirs = oracle.script(program)
    theirs = theirs.forward if program.name == "module" else theirs
    assert ours == canonical(str(theirs.graph), program.source_file)
