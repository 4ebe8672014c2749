"""The programs of examples/ against the golden files: what PyTorch printed and computed for them."""

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import torchscript_dialect as ts
from support import product
from support.canonical import canonical, without_mangling
from support.programs import PROGRAMS, Program
from support.records import Record, call_difference

GOLDEN = Path(__file__).parent.parent / "golden" / "programs"
every_program = pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())


@cache
def golden(name: str) -> Record:
    return json.loads((GOLDEN / f"{name}.json").read_text())


@pytest.fixture(autouse=True)
def _settings() -> Iterator[None]:
    """Each test meets the default fuser and the default specialization strategy."""
    strategy = ts.set_fusion_strategy([("STATIC", 2), ("DYNAMIC", 20)])
    yield
    ts.set_fusion_strategy(strategy)


class Differences:
    """Collects what differs in the calls of a test, so that one run names every case that fails."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.calls = golden(program.name)["calls"]
        self.found: list[str] = []
        self.checked = 0

    def check(self, name: str, ours: Record, when: str) -> None:
        self.checked += 1
        if difference := call_difference(ours, self.calls[name], self.program.scale):
            self.found.append(f"{name}, {when}: {difference}")

    def report(self) -> None:
        if not self.found:
            return
        shown = "\n".join(self.found[:8])
        pytest.fail(
            f"{len(self.found)} of {self.checked} calls differ from PyTorch's:\n{shown}",
            pytrace=False,
        )


def test_every_case_has_a_golden_record() -> None:
    for program in PROGRAMS.values():
        assert set(golden(program.name)["calls"]) == {name for name, _, _ in program.variants()}


@every_program
def test_graph(program: Program) -> None:
    ours = product.method(product.script(program)).graph
    expected = canonical(golden(program.name)["graph"], program.source_file)
    assert canonical(str(ours), program.source_file) == expected


@every_program
def test_inlined_graph(program: Program) -> None:
    if program.name == "lunif2":
        pytest.skip("torch.norm is a library function whose body is each library's own")
    ours, theirs = (
        canonical(text, program.source_file, any_order_of_constants=True)
        for text in (
            str(product.method(product.script(program)).inlined_graph),
            golden(program.name)["inlined_graph"],
        )
    )
    assert ours == theirs


@every_program
def test_code(program: Program) -> None:
    ours = product.method(product.script(program)).code
    assert without_mangling(ours) == without_mangling(golden(program.name)["code"])


@every_program
def test_schema(program: Program) -> None:
    ours = str(product.method(product.script(program)).schema)
    assert without_mangling(ours) == without_mangling(golden(program.name)["schema"])


@every_program
@pytest.mark.parametrize("setting", ["fuser none", "not optimized"])
def test_interpreted(program: Program, setting: str) -> None:
    differences = Differences(program)
    with ts.fuser("none") if setting == "fuser none" else ts.optimized_execution(False):
        scripted = product.script(program)
        for name, case, dtype in program.variants():
            for call in (1, 2):
                differences.check(
                    name, product.run(scripted, case, dtype), f"{setting}, call {call}"
                )
    differences.report()


@every_program
@pytest.mark.parametrize("entry", [product.as_arrays, product.as_tensors])
def test_first_to_tenth_call(program: Program, entry: product.Convert) -> None:
    """A new compilation for each case, so that every case is observed, specialized and run by its own kernels."""
    differences = Differences(program)
    for name, case, dtype in program.variants():
        scripted = product.script(program)
        for call in range(1, 11):
            ours = product.run(scripted, case, dtype, entry)
            if call in (1, 2, 3, 10):
                differences.check(name, ours, f"call {call}")
    differences.report()


@every_program
def test_shapes_and_dtypes_change(program: Program) -> None:
    """One compiled function meets every case in turn, three calls each: new shapes and layouts first, then a new dtype."""
    differences = Differences(program)
    scripted = product.script(program)
    for name, case, dtype in program.variants():
        for call in (1, 2, 3):
            differences.check(
                name, product.run(scripted, case, dtype), f"after others, call {call}"
            )
    differences.report()


@every_program
@pytest.mark.parametrize("seed", [0, 1])
def test_guards_fail_in_random_order(program: Program, seed: int) -> None:
    """One compiled function meets all cases mixed, as arrays and as tensors, more kinds than it specializes for."""
    differences = Differences(program)
    rng = random.Random(seed)
    scripted = product.script(program)
    calls: list[Any] = list(program.variants()) * 3
    rng.shuffle(calls)
    for position, (name, case, dtype) in enumerate(calls):
        entry = rng.choice([product.as_arrays, product.as_tensors])
        ours = product.run(scripted, case, dtype, entry)
        differences.check(name, ours, f"seed {seed}, position {position}, {entry.__name__}")
    differences.report()
