"""Types, schemas and constants against PyTorch's: spelling, subtypes, unification over a grid."""

import itertools
import math
import os
import random
import re
import struct
import subprocess
import sys
from typing import Any

import pytest
import torch
from xdsl.dialects.func import FuncOp

from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.serialization.graph_printer import print_graph
from torchscript_dialect.types.containers import DictType, ListType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import (
    FunctionSchema,
    format_complex,
    format_float,
    quote,
)
from torchscript_dialect.types.subtyping import is_subtype, unify_all
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.types.text import parse_type

NAMES = (
    "Tensor|int|float|complex|bool|str|NoneType|Any|Scalar|Device|Generator|Stream|Tensor[]|int[]|float[]|int[][]|int?"
    "|Tensor?|int[]?|float?|Tensor?[]|(int, float)|(int, Tensor)|(int?, Tensor)|(Tensor, Tensor)|(int)|()|Dict(str, int)"
    "|Dict(str, Tensor)|Dict(int, int)|Union(float, int)|Union(int, str)|Union(float, int, str)|Union(int, NoneType, str)"
    "|Union(Tensor, int[])|Any[]|Any?|Scalar?|(int, int)[]|Float(2, 3)|Float(2, *)"
    "|Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)|Float(2, 3, strides=[3, 1], requires_grad=1, device=cpu)"
    "|Double(2, 3)|Float(*, *)|Float(2)|Float(2, 3)[]|Float(2, 3)?|Float()|Long(requires_grad=0, device=cpu)"
    "|(Float(2, 3), int)|(Any, Any)"
).split("|")


def torch_type(name: str) -> Any:
    graph = torch._C.parse_ir(f"graph(%x : {name}):\n  return (%x)\n")
    return next(graph.inputs()).type()


def spell(type_: Any) -> str:
    """A type of PyTorch as its graphs show it."""
    graph = torch._C.Graph()
    graph.addInput("x").setType(type_)
    shown = re.search(r"%x : (.*)\):\n", str(graph))
    assert shown is not None
    return shown[1]


TYPES = {name: (torch_type(name), parse_type(name)) for name in NAMES}
PAIRS = list(itertools.product(NAMES, repeat=2))


@pytest.mark.parametrize("name", NAMES)
def test_spelling(name: str) -> None:
    theirs, ours = TYPES[name]
    assert ours.repr_str == spell(theirs) == name
    assert ours.annotation_str == theirs.annotation_str
    assert theirs.kind() == ours.KIND


PRINT_ALL = """
import torch
for name in {names!r}:
    print(torch._C.parse_ir(f"graph(%x : {{name}}):\\n  return (%x)\\n"), end="")
"""


@pytest.mark.parametrize("verbosity", ["0", "1", "2", "3"])
def test_verbosity(verbosity: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyTorch reads the variable once a process."""
    environment = {**os.environ, "PYTORCH_JIT_TYPE_VERBOSITY": verbosity}
    command = [sys.executable, "-W", "ignore", "-c", PRINT_ALL.format(names=NAMES)]
    theirs = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    monkeypatch.setenv("PYTORCH_JIT_TYPE_VERBOSITY", verbosity)
    ours = ""
    for name in NAMES:
        function = parse_ir_text(f"graph(%x : {name}):\n  return (%x)\n").body.block.first_op
        assert isinstance(function, FuncOp)
        ours += print_graph(function)
    assert ours == theirs.stdout


def is_refinement_inside(sub: TorchScriptType, sup: TorchScriptType) -> bool:
    """Where we differ on purpose: containers of refined tensors stand in for containers of tensors."""
    containers = (ListType, DictType)
    return (
        isinstance(sub, containers)
        and isinstance(sup, containers)
        and isinstance(sub.contained[-1], TensorType)
    )


def test_subtypes() -> None:
    wrong: list[str] = []
    for a, b in PAIRS:
        theirs = TYPES[a][0].isSubtypeOf(TYPES[b][0])
        ours = is_subtype(TYPES[a][1], TYPES[b][1])
        if theirs != ours and not is_refinement_inside(TYPES[a][1], TYPES[b][1]):
            wrong.append(f"{a} <: {b} is {theirs}")
    assert wrong == []


def their_union(a: str, b: str) -> str | None:
    try:
        return spell(torch._C.unify_type_list([TYPES[a][0], TYPES[b][0]]))
    except RuntimeError:
        return None


def test_unification() -> None:
    wrong: list[str] = []
    for a, b in PAIRS:
        theirs = their_union(a, b)
        unified = unify_all([TYPES[a][1], TYPES[b][1]])
        ours = None if unified is None else unified.repr_str
        if theirs != ours:
            wrong.append(f"{a} and {b} give {theirs}, not {ours}")
    assert wrong == []


SCHEMAS = [
    'f(str s="a\\"b\\n", float x=1e10, float y=0.1, int[] z=[1, 2], bool b=True, int? n=None) -> ()',
    "f(Tensor? a=None, *, Tensor(a!) out) -> Tensor(a!)",
    "f(Tensor(a -> *) x) -> Tensor[]",
    "f(t[](a!) self, t(c -> *) el) -> t[](a!)",
    "f(int[2] x=1) -> (Tensor a, Tensor b)",
    "f(...) -> ...",
    "f(int a, ...) -> int",
    "f(float x=-1.5, int y=-3, complex c=1j) -> Dict(str, int)",
    "f((int, float) x) -> ((int, str))",
    "f(Scalar a=1, Scalar b=1.5) -> Tensor",
    "f(int[]? x=None, float[]? y=None, Tensor?[] i) -> ()",
    "f(MemoryFormat? m=contiguous_format, ScalarType d=long, int r=Mean) -> (Tensor(a!)[])",
    "f(Future(t) x) -> t",
    "f(bool[3] m=[True, False, True]) -> (Tensor)",
    "f(str s='a') -> ()",
    "f(float[] x=[1e17, 1e20, -0.0, 0.5]) -> ()",
]


@pytest.mark.parametrize("text", SCHEMAS)
def test_schemas(text: str) -> None:
    assert str(FunctionSchema.parse(text)) == str(torch._C.parse_schema(text))


def constant(value: Any) -> str:
    graph: Any = torch._C.Graph()
    graph.insertConstant(value)
    shown = re.search(r"value=(.*)\]\(\)", str(graph), re.DOTALL)
    assert shown is not None
    return shown[1]


def floats() -> list[float]:
    """Every kind of float: special ones, powers of ten and two, whole numbers of any size, and random bits."""
    chosen = random.Random(0)
    found = [
        0.0,
        -0.0,
        math.inf,
        -math.inf,
        5e-324,
        1.7976931348623157e308,
        2.0**53,
        2.0**63,
        9999999999.0,
    ]
    found += [sign * 10.0**e for e in range(-20, 25) for sign in (1, -1)]
    found += [float(chosen.randrange(-(10**e), 10**e)) for e in range(1, 20) for _ in range(20)]
    bits = (struct.pack("<Q", chosen.getrandbits(64)) for _ in range(1000))
    found += [struct.unpack("<d", each)[0] for each in bits]
    return [value for value in found if not math.isnan(value)]


def test_floats() -> None:
    assert [value for value in floats() if format_float(value) != constant(value)] == []


def test_complex_numbers() -> None:
    chosen = floats()
    pairs = [complex(a, b) for a, b in zip(chosen, reversed(chosen), strict=True)]
    assert [value for value in pairs if format_complex(value) != constant(value)] == []


@pytest.mark.parametrize(
    "text", ["", "a", "\"'\\", "\n\t\r\f\v\a\b", "\0", "\x01\x7f\x1b[0m", "a\x0012", "??="]
)
def test_strings(text: str) -> None:
    assert quote(text) == constant(text)
