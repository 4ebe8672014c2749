"""The passes give the graphs that PyTorch's passes give."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import torch

from support.canonical import canonical
from support.graphs import CASES, GraphCase
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ir import Graph
from torchscript_dialect.passes.pass_pipeline import PassPipeline

OURS: dict[str, str] = {
    "dce": "ts-dead-code-elimination",
    "cse": "ts-common-subexpression-elimination",
    "pooling": "ts-constant-pooling",
    "constants": "ts-constant-propagation",
    "immutable_constants": "ts-constant-propagation{immutable-types=true}",
    "canonicalize": "ts-canonicalize-outputs",
    "simple_tuples": "ts-lower-simple-tuples",
    "all_tuples": "ts-lower-all-tuples",
    "canonicalize_ops": "ts-canonicalize-ops",
    "peephole": "ts-peephole",
    "unroll": "ts-loop-unrolling",
    "erase_shapes": "ts-erase-shape-information",
}
_C: Any = torch._C  # pyright: ignore[reportPrivateUsage]
THEIRS: dict[str, Callable[[Any], Any]] = {
    "dce": _C._jit_pass_dce_graph,
    "cse": _C._jit_pass_cse,
    "pooling": _C._jit_pass_constant_pooling,
    "constants": _C._jit_pass_constant_propagation,
    "immutable_constants": _C._jit_pass_constant_propagation_immutable_types,
    "all_tuples": _C._jit_pass_lower_all_tuples,
    "canonicalize_ops": _C._jit_pass_canonicalize_graph_fuser_ops,
    "peephole": _C._jit_pass_peephole,
    "unroll": _C._jit_pass_loop_unrolling,
    "erase_shapes": _C._jit_pass_erase_shape_information,
}
"""PyTorch binds no `LowerSimpleTuples` and no `CanonicalizeOutputs`: its frontend runs them, see test_programs.py."""


def ours(case: GraphCase, name: str) -> str:
    module = parse_ir_text(case.text)
    PassPipeline([OURS[name]]).run(module)
    module.verify()
    (function,) = module.ops
    return canonical(str(Graph(function)))  # pyright: ignore[reportArgumentType]


def theirs(case: GraphCase, name: str) -> str:
    text = re.sub(r"^(\s+) = (?=prim::)", r"\1", case.text, flags=re.MULTILINE)
    graph = _C.parse_ir(text)
    THEIRS[name](graph)
    text = str(graph)
    return canonical(re.sub(r"^\s*# .*\n", "", text, flags=re.MULTILINE))


PAIRS = [(case, name) for case in CASES for name in case.passes if name in THEIRS]


@pytest.mark.parametrize(("case", "name"), PAIRS, ids=[f"{c.name}-{name}" for c, name in PAIRS])
def test_pass_gives_the_graph_of_pytorch(case: GraphCase, name: str) -> None:
    assert ours(case, name) == theirs(case, name)
