"""Every pass on IR of every form: it works, or says in words that this is nothing for it.

Every third pair of pass and form; TORCHSCRIPT_DIALECT_LONG_TESTS=1 takes all.

Point 7 of docs/testing.md.
"""

from __future__ import annotations

import os

import pytest

from support.kinds_of_ir import kinds, misfit
from torchscript_dialect.passes.table import all_names

EVERY = 1 if os.environ.get("TORCHSCRIPT_DIALECT_LONG_TESTS") == "1" else 3
PASSES = sorted(name for name in all_names() if name.startswith("ts-"))
STARTS = {name: place % EVERY for place, name in enumerate(PASSES)}


def test_there_are_forms_of_every_stage() -> None:
    forms = kinds()
    assert len(forms) > 50
    held = {op.name.partition(".")[0] for module in forms.values() for op in module.walk()}
    stages = (
        "aten prim func linalg tensor memref scf arith math kernel vector llvm gpu nvvm".split()
    )
    assert {*stages} <= held


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_works_or_says_that_it_does_not(name: str) -> None:
    modules = list(kinds().items())[STARTS[name] :: EVERY]
    found = {kind: misfit(name, module) for kind, module in modules}
    assert not {kind: what for kind, what in found.items() if what is not None}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ts-bufferize", "cpu: ts-bufferize"),
        ("ts-bufferize", "gpu: ts-collapse-loops"),
        ("ts-linalg-to-loops", "cpu: ts-linalg-to-loops"),
        ("ts-linalg-to-loops", "cpu: ts-fuse-elementwise"),
        ("ts-plan-memory", "cpu: ts-plan-memory"),
        ("ts-plan-memory", "cpu: ts-linalg-to-loops"),
        ("ts-convert-to-ssa", "graph: numbers"),
        ("ts-convert-torch-to-linalg", "graph: pointwise"),
        ("ts-map-to-gpu", "cpu: ts-outline-matmul"),
        ("ts-map-to-gpu", "gpu: ts-map-to-gpu"),
        ("ts-outline-math", "gpu: ts-vectorize-accesses"),
        ("ts-outline-matmul", "cpu: ts-outline-matmul"),
    ],
)
def test_what_was_an_internal_error_or_invalid_ir(name: str, kind: str) -> None:
    assert misfit(name, kinds()[kind]) is None
