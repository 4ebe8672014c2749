"""Operators from outside the package: `ts.register_operator`.

Point 7 of docs/testing.md.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.dialects import aten
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.ops import registry
from torchscript_dialect.runtime.values.type_tests import tensor_type

ROOT = Path(__file__).resolve().parents[3]

NAMESPACE = "tcustom::"


@pytest.fixture(scope="module", autouse=True)
def operators():
    """The operators of this module, gone when it ends."""
    register()
    yield
    for name in [name for name in registry.texts() if name.startswith(NAMESPACE)]:
        registry.unregister(name)


def register() -> None:
    ts.register_operator(
        "tcustom::fma(Tensor a, Tensor b, Tensor c) -> Tensor",
        scalar=lambda m, a, b, c: m.add(m.mul(a, b), c),
    )
    ts.register_operator(
        "tcustom::half(Tensor a) -> Tensor",
        scalar=lambda m, a: m.mul(a, 0.5),
        promotion="int_to_float",
    )
    ts.register_operator(
        "tcustom::flip(Tensor x) -> Tensor",
        lambda x: x.numpy()[::-1].copy(),
        shape=lambda facts: facts[0],
    )
    ts.register_operator(
        "tcustom::split_sign(Tensor x) -> (Tensor low, Tensor high)",
        decompose="""
def split_sign(x: Tensor) -> Tuple[Tensor, Tensor]:
    return torch.clamp(x, None, 0), torch.clamp(x, 0)
""",
    )
    ts.register_operator(
        "tcustom::scaled(Tensor x, float factor=2.0) -> Tensor",
        decompose="""
def scaled(x: Tensor, factor: float) -> Tensor:
    return torch.ops.tcustom.fma(x, x, x) * factor
""",
    )


X = np.linspace(-2, 2, 6, dtype=np.float32).reshape(2, 3)


def pointwise(x, y):
    return torch.ops.tcustom.fma(x, y, x) * 2


def decomposed(x):
    return torch.ops.tcustom.scaled(x, 3.0)


def by_default(x):
    return torch.ops.tcustom.scaled(x)


def several(x):
    low, high = torch.ops.tcustom.split_sign(x)
    return low * 2 + high


@needs_native_calls
def test_a_scalar_body_gives_a_fused_kernel() -> None:
    f = ts.script(pointwise)
    for _ in range(4):
        np.testing.assert_array_equal(f(X, X), (X * X + X) * 2)
    assert f.native_calls >= 1
    assert "tcustom::fma" in str(f.graph_for(X, X)).partition("with prim::TensorExprGroup")[2]


def test_a_scalar_body_broadcasts_and_promotes() -> None:
    row = np.arange(3, dtype=np.int64)
    result = torch.ops.tcustom.fma(X, row, X)
    np.testing.assert_allclose(result, X * row + X, rtol=1e-6)
    assert torch.ops.tcustom.half(row).dtype is torch.float32
    assert torch.ops.tcustom.fma(row, row, row).dtype is torch.int64


@needs_native_calls
def test_kernels_of_registered_operators_are_not_kept_on_disk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In another process the same name may be another operator."""
    monkeypatch.setenv("TORCHSCRIPT_DIALECT_CACHE", str(tmp_path))
    f = ts.CompilationUnit(
        "def f(x):\n    return torch.ops.tcustom.fma(x, x, x) - 1\n"
        "def g(x):\n    return torch.mul(x, x) - 1\n"
    )
    for _ in range(3):
        f.g(X)
    kept = sorted(tmp_path.rglob("*"))
    assert kept
    for _ in range(3):
        f.f(X)
    assert f["f"].native_calls == 1
    assert sorted(tmp_path.rglob("*")) == kept


def test_source_text_calls_it_and_prints_it_back() -> None:
    unit = ts.CompilationUnit("def f(x):\n    return torch.ops.tcustom.flip(x)\n")
    np.testing.assert_array_equal(unit.f(X), X[::-1])
    assert "ops.tcustom.flip(x)" in unit["f"].code
    again = ts.CompilationUnit(unit["f"].code)
    np.testing.assert_array_equal(again.f(X), X[::-1])


def test_a_graph_calls_it() -> None:
    graph = ts.parse_ir("graph(%x : Tensor):\n  %y : Tensor = tcustom::flip(%x)\n  return (%y)\n")
    np.testing.assert_array_equal(ts.run_graph(graph, X), X[::-1])


@needs_native_calls
def test_a_decomposition_is_fused_with_what_is_around() -> None:
    f, g = ts.script(decomposed), ts.script(by_default)
    for _ in range(4):
        np.testing.assert_allclose(f(X), (X * X + X) * 3)
        np.testing.assert_allclose(g(X), (X * X + X) * 2)
    assert f.native_calls >= 1
    assert "= tcustom::scaled" in str(f.graph)
    assert "= tcustom::scaled" not in str(f.graph_for(X))


def test_a_decomposition_with_several_results() -> None:
    f = ts.script(several)
    for _ in range(4):
        np.testing.assert_array_equal(f(X), np.minimum(X, 0) * 2 + np.maximum(X, 0))
    low, high = torch.ops.tcustom.split_sign(X)
    np.testing.assert_array_equal(low, np.minimum(X, 0))
    np.testing.assert_array_equal(high, np.maximum(X, 0))


def test_the_shape_rule_of_a_decomposition_goes_through_it() -> None:
    operator = registry.find("tcustom::split_sign")
    assert operator is not None and operator.shape is not None
    known = torch.tensor([[1.0, 2.0]])
    low, high = operator.shape([tensor_type(known).data])
    assert (low.dtype, low.sizes) == ("Float", (1, 2)) == (high.dtype, high.sizes)


def test_it_leaves_for_other_compilers() -> None:
    text = str(ts.to_linalg(ts.script(pointwise), (X, X)))
    assert "arith.mulf" in text and "tcustom" not in text


def test_a_parsed_op_gets_the_schema_when_it_is_registered_later() -> None:
    before = operator_class("tcustom::later")
    assert before.OPERATOR is None
    kept = aten.TanhOp
    ts.register_operator("tcustom::later(Tensor x) -> Tensor", lambda x: x)
    assert operator_class("tcustom::later").OPERATOR is not None
    assert aten.TanhOp is kept
    assert torch.ops.tcustom.later(X).tolist() == X.tolist()


def test_an_operator_can_be_registered_anew() -> None:
    ts.register_operator("tcustom::again(Tensor x) -> Tensor", scalar=lambda m, x: m.add(x, 1.0))
    source = "def f(x):\n    return torch.ops.tcustom.again(x) * 2\n"
    first = ts.CompilationUnit(source)
    for _ in range(3):
        np.testing.assert_array_equal(first.f(X), (X + 1) * 2)
    registry.unregister("tcustom::again")
    with pytest.raises(ts.TorchScriptError, match="again"):
        ts.CompilationUnit(source)
    ts.register_operator("tcustom::again(Tensor x) -> Tensor", scalar=lambda m, x: m.sub(x, 1.0))
    second = ts.CompilationUnit(source)
    for _ in range(3):
        np.testing.assert_array_equal(second.f(X), (X - 1) * 2)
    with pytest.raises(ValueError, match="was not registered"):
        registry.unregister("aten::tanh")


def test_an_effect_is_kept_and_runs_in_order() -> None:
    seen: list[float] = []
    ts.register_operator(
        "tcustom::note(Tensor x) -> ()",
        lambda x: seen.append(float(np.asarray(x).sum())),
        effects="acts",
    )
    unit = ts.CompilationUnit(
        "def f(x):\n    torch.ops.tcustom.note(x)\n    x.add_(1)\n    torch.ops.tcustom.note(x)\n"
        "    return x * 2 + 1\n"
    )
    for _ in range(4):
        seen.clear()
        unit.f(np.zeros(2, np.float32))
        assert seen == [0.0, 2.0]


@pytest.mark.parametrize(
    ("schema", "kwargs", "message"),
    [
        ("tcustom::none(Tensor x) -> Tensor", {}, "nothing says what the operator does"),
        (
            "tcustom::both(Tensor x) -> Tensor",
            {"kernel": lambda x: x, "scalar": lambda m, x: x},
            "kernel and scalar says",
        ),
        ("tcustom::fma(Tensor a) -> Tensor", {"kernel": lambda a: a}, "there is an operator"),
        ("bare(Tensor x) -> Tensor", {"kernel": lambda x: x}, "has a namespace"),
        (
            "tcustom::odd(Tensor x) -> Tensor",
            {"scalar": lambda m, x: x, "promotion": "none"},
            "there is no promotion 'none'; there are default,",
        ),
        (
            "tcustom::odd(Tensor x) -> Tensor",
            {"kernel": lambda x: x, "effects": "random, magic"},
            "there is no effect 'magic'; there are acts, observes, random",
        ),
        (
            "tcustom::odd(Tensor x) -> Tensor",
            {"kernel": lambda x: x, "touches": "moon"},
            "'moon' cannot be touched",
        ),
    ],
)
def test_what_does_not_say_one_thing_is_refused(schema: str, kwargs: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ts.register_operator(schema, **kwargs)
    name = schema.partition("(")[0]
    assert name == "tcustom::fma" or registry.find(name) is None


@pytest.mark.parametrize(
    "schema", ["tcustom::f", "tcustom::1f() -> int", "a::b::f() -> int", "a::f.b.c() -> int", "a b::f() -> int"]
)  # fmt: skip
def test_names_that_no_program_could_say_are_refused(schema: str) -> None:
    """Half a schema raised `substring not found`."""
    with pytest.raises(ValueError, match=r"a schema has arguments|is no name of an operator"):
        ts.register_operator(schema, lambda: 1)


def test_a_schema_that_does_not_parse_registers_nothing() -> None:
    with pytest.raises(ValueError, match="unknown type specifier 'Tensr'"):
        ts.register_operator("tcustom::bad(Tensr x) -> Tensor", lambda x: x)
    assert registry.find("tcustom::bad") is None


def test_a_kernel_that_gives_no_tensor_is_named() -> None:
    ts.register_operator("tcustom::wrong(Tensor x) -> Tensor", lambda x: None)
    with pytest.raises(RuntimeError, match=r"the kernel of tcustom::wrong.* returned a NoneType"):
        torch.ops.tcustom.wrong(X)
    ts.register_operator("tcustom::wrong2(Tensor x) -> (Tensor, Tensor)", lambda x: x)
    with pytest.raises(RuntimeError, match=r"returned a Tensor, and not \(Tensor, Tensor\)"):
        torch.ops.tcustom.wrong2(X)


def test_a_decomposition_of_another_form_is_named() -> None:
    ts.register_operator(
        "tcustom::form(Tensor x, int n) -> Tensor",
        decompose="def form(x: Tensor) -> Tensor:\n    return x\n",
    )
    with pytest.raises(ts.TorchScriptError, match=r"does not have the form of tcustom::form\("):
        torch.ops.tcustom.form(X, 1)


def test_an_operator_that_is_not_there_is_named_with_its_line() -> None:
    with pytest.raises(ts.TorchScriptError, match=r"(?s)nothere.*line 2"):
        ts.CompilationUnit("def f(x):\n    return torch.ops.tcustom.nothere(x)\n")
    with pytest.raises(AttributeError, match="nothere"):
        _ = torch.ops.tcustom.nothere


@needs_native_calls
def test_the_example_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "examples.custom_operator"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "native calls: 1" in done.stdout
    assert "ops.my.flip_rows(ops.my.fma(x, x, x))" in done.stdout


ODD: dict[str, Any] = {
    "None": None,
    "an object": object(),
    "numbers": [1, 2],
    "a pair": (1, 2),
    "elements of Python": np.array([object()]),
    "texts": np.array(["a"]),
    "strides": np.arange(3.0)[::-1],
    "bytes in another order": np.arange(3, dtype=">f4"),
    "long floats": np.zeros(3, np.longdouble),
    "a large number": 10**30,
    "bytes": b"x",
    "a dictionary": {1: 2},
    "half a character": "\ud800",
}
TAKEN = {
    "Tensor?": {"None"},
    "Any": {"None", "numbers", "a pair", "a dictionary"},
    "int[]": {"numbers", "a pair"},
    "float[]": {"numbers", "a pair"},
    "()": ODD.keys(),
}
RESULTS = (
    "Tensor int float bool str int[] Tensor[] Tensor? Scalar complex Device float[] () Any".split()
)


@pytest.mark.parametrize("promised", [*RESULTS, "(Tensor, int)", "Dict(str, int)"])
def test_a_kernel_gives_what_its_schema_promises(promised: str) -> None:
    """A result of another type went on through the program, into code compiled for the type that the schema names."""
    returned: list[Any] = [None]
    ts.register_operator(f"tcustom::odd(Tensor x) -> {promised}", lambda x: returned[0])
    try:
        f = ts.CompilationUnit("def f(x):\n    return torch.ops.tcustom.odd(x)\n").f
        for what, returned[0] in ODD.items():
            if what in TAKEN.get(promised, ()):
                f(X)
                continue
            with pytest.raises(
                RuntimeError, match=r"the kernel of tcustom::odd.* returned "
            ) as error:
                f(X)
            assert "internal error" not in str(error.value), what
    finally:
        registry.unregister("tcustom::odd")


def test_results_become_values_of_the_program() -> None:
    ts.register_operator(
        "tcustom::values(Tensor x) -> (Tensor, int, float, bool, complex, Tensor[], Any)",
        lambda x: (
            np.ones(2),
            np.int32(3),
            4,
            np.bool_(True),
            5,
            (np.zeros(1),),
            [np.float32(0.5)],
        ),
    )
    source = "def f(x):\n    return torch.ops.tcustom.values(x)\n"
    found = ts.CompilationUnit(source).f(X)
    assert [type(one) for one in found] == [ts.Tensor, int, float, bool, complex, list, list]
    assert isinstance(found[5][0], ts.Tensor) and found[1:5] == (3, 4.0, True, 5 + 0j)
    assert found[6] == [0.5]


def test_a_list_that_holds_itself_is_no_result() -> None:
    items: list[Any] = []
    items.append(items)
    ts.register_operator("tcustom::endless(Tensor x) -> Any", lambda x: items)
    with pytest.raises(RuntimeError, match="nested too deeply, or holds itself"):
        torch.ops.tcustom.endless(X)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("tcustom::d(Tensor a=3) -> Tensor", "the default of a is a int, and not Tensor"),
        ("tcustom::d(int a=99999999999999999999) -> int", "an int of more than 64 bits"),
        ("tcustom::d(int a=1.5) -> int", "the default of a is a float, and not int"),
        ("tcustom::d(str a=3) -> str", "the default of a is a int, and not str"),
        ("tcustom::d(int[] a=3) -> int", "the default of a is a int"),
        ("tcustom::d(int[2] a=[1, 2.5]) -> int", "the default of a is a float"),
        ("tcustom::d(int a=1, int b) -> int", "b has no default, and a has"),
    ],
)
def test_defaults_are_values_of_their_arguments(schema: str, message: str) -> None:
    """As PyTorch says of most of them. They went into programs as they were."""
    with pytest.raises(ValueError, match=message):
        ts.register_operator(schema, lambda a: a)
    assert registry.find("tcustom::d") is None


def test_a_schema_is_text() -> None:
    with pytest.raises(TypeError, match="a schema is text, and no bytes"):
        ts.register_operator(cast(Any, b"tcustom::d(int a) -> int"), lambda a: a)
