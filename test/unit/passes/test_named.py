"""The product's pipelines by name, and passes that users put into them: they reach functions, called or not."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.backend import get_backend
from torchscript_dialect.dialects import aten
from torchscript_dialect.ir import Graph
from torchscript_dialect.passes.lists import current
from torchscript_dialect.passes.table import find_pass

x = np.linspace(0, 1, 6, dtype=np.float32).reshape(2, 3)


class TanhToSin(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.TanhOp, rewriter: PatternRewriter, /) -> None:
        rewriter.replace(op, aten.SinOp.create(operands=op.operands, result_types=op.result_types))


@pytest.fixture(autouse=True)
def product() -> Iterator[None]:
    yield
    ts.pipelines.reset()
    assert not current().changed


@pytest.fixture(params=["memory", "disk"])
def cache(request: pytest.FixtureRequest, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without and with a cache on disk that knows the function as the product compiles it."""
    monkeypatch.setenv(
        "TORCHSCRIPT_DIALECT_CACHE", str(tmp_path) if request.param == "disk" else ""
    )
    called(f())


def f() -> ts.ScriptFunction:
    def f(x):
        return torch.tanh(x) * x

    return ts.script(f)


def called(function: ts.ScriptFunction) -> np.ndarray:
    """What calls give, the last of them native."""
    before = function.native_calls
    results = [np.asarray(function(x)) for _ in range(4)]
    assert function.native_calls > before
    for one in results[2:]:
        np.testing.assert_array_equal(one, results[1])
    return results[-1]


SIN, TANH = np.sin(x) * x, np.tanh(x) * x


@needs_native_calls
def test_a_pass_reaches_functions_and_is_gone_when_removed(cache: None) -> None:
    old = f()
    np.testing.assert_allclose(called(old), TANH, rtol=1e-5)
    added = ts.add_pass(TanhToSin, before="ts-fuse-tensorexprs")
    for function in (old, f()):
        np.testing.assert_allclose(called(function), SIN, rtol=1e-5)
        assert "aten::sin" in str(function.graph_for(x)) and "aten::tanh" in str(function.graph)
    added.remove()
    added.remove()
    for function in (old, f()):
        np.testing.assert_allclose(called(function), TANH, rtol=1e-5)


@needs_native_calls
@pytest.mark.parametrize(
    "where",
    [
        {"after": "ts-canonicalize-ops"},
        {"after": "ts-propagate-shapes", "pipeline": "specialization"},
        {"pipeline": "simplification"},
        {"before": "ts-inline"},
        {"before": "ts-dead-code-elimination", "pipeline": "before-specialization"},
        {"pipeline": "before-specialization"},
    ],
    ids=str,
)
def test_places(where: dict[str, str], cache: None) -> None:
    with ts.add_pass(TanhToSin, **where):
        np.testing.assert_allclose(called(f()), SIN, rtol=1e-5)
    np.testing.assert_allclose(called(f()), TANH, rtol=1e-5)


def test_a_pass_after_the_frontend_changes_the_graph() -> None:
    with ts.add_pass(TanhToSin, pipeline="after-frontend"):
        function = f()
    assert "aten::sin" in str(function.graph)


def test_order_of_passes_that_are_added() -> None:
    def names() -> list[str]:
        return [one.name for one in ts.pipelines["runtime-optimizations"].passes]

    product = names()
    place = product.index("ts-fuse-tensorexprs")
    first = ts.add_pass(TanhToSin, before="ts-fuse-tensorexprs")
    ts.add_pass("ts-peephole", before="tanh-to-sin")
    ts.add_pass(["ts-constant-pooling", "ts-canonicalize-ops"])
    assert names() == [
        *product[:place],
        "ts-peephole",
        "tanh-to-sin",
        *product[place:],
        "ts-constant-pooling",
        "ts-canonicalize-ops",
    ]
    first.remove()
    assert "tanh-to-sin" not in names() and "ts-peephole" in names()
    assert "ts-peephole" in str(ts.pipelines["after-observation"])
    ts.pipelines.reset()
    assert names() == product


@pytest.mark.parametrize(
    ("where", "error", "message"),
    [
        ({"before": "ts-fuse-tensorexpr"}, ValueError, "did you mean 'ts-fuse-tensorexprs'"),
        (
            {"before": "ts-dead-code-elimination"},
            ValueError,
            "before-specialization, simplification, runtime-optimizations",
        ),
        ({"before": "ts-inline", "pipeline": "guards"}, ValueError, "guards has no pass ts-inline"),
        ({"before": "ts-inline", "after": "ts-inline"}, ValueError, "not both"),
        ({"pipeline": "fusion"}, KeyError, "there is no pipeline 'fusion'"),
    ],
)
def test_a_wrong_place_is_told(where: dict[str, str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ts.add_pass(TanhToSin, **where)


@needs_native_calls
def test_one_function_with_passes_of_its_own() -> None:
    def g(x):
        return torch.tanh(x) * x

    extended = ts.pipelines.extended(TanhToSin, before="ts-fuse-tensorexprs")
    for pipeline in (extended, [TanhToSin, "ts-propagate-shapes,ts-fuse-tensorexprs"], TanhToSin):
        own = ts.script(g, pipeline=pipeline)
        results = [np.asarray(own(x)) for _ in range(4)]
        np.testing.assert_allclose(results[-1], SIN, rtol=1e-5)
    np.testing.assert_allclose(called(ts.script(g)), TANH, rtol=1e-5)
    assert ts.pipelines["runtime-optimizations"].passes != extended["runtime-optimizations"].passes
    with pytest.raises(ValueError, match="when it is compiled"):
        ts.script(own, pipeline=extended)


def test_a_module_with_passes_of_its_own() -> None:
    class M(torch.nn.Module):
        def forward(self, x):
            return torch.tanh(x) * x

    module = ts.script(M(), pipeline=ts.pipelines.extended(TanhToSin, before="ts-fuse-tensorexprs"))
    results = [np.asarray(module(x)) for _ in range(3)]
    np.testing.assert_allclose(results[-1], SIN, rtol=1e-5)


@dataclass(frozen=True)
class NegateKernels(ModulePass):
    """In the code generator's pipeline: what every kernel computes of `math.tanh` becomes its negative."""

    name = "negate-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for found in [one for one in op.walk() if isinstance(one, math.TanhOp)]:
            negative = arith.NegfOp(found.operand)
            Rewriter.insert_op(negative, InsertPoint.before(found))
            found.operands[0] = negative.result


@needs_native_calls
def test_passes_of_the_code_generator(cache: None) -> None:
    with ts.add_pass(NegateKernels, before="ts-linalg-to-loops"):
        np.testing.assert_allclose(called(f()), np.tanh(-x) * x, rtol=1e-5)
    np.testing.assert_allclose(called(f()), TANH, rtol=1e-5)


def test_a_pass_that_all_backends_share_is_one_place() -> None:
    with ts.add_pass(NegateKernels, before="ts-linalg-to-loops"):
        for name in ("linalg-to-llvm", "linalg-to-ptx"):
            names = [one.name for one in ts.pipelines[name].passes]
            assert names.index(NegateKernels.name) == names.index("ts-linalg-to-loops") - 1
    with (
        pytest.raises(ValueError, match=r"ts-peephole is in the pipelines .*: name one of them"),
        ts.add_pass(NegateKernels, before="ts-peephole"),
    ):
        pass


@needs_native_calls
def test_kernels_with_passes_of_the_product_are_kept(
    tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHSCRIPT_DIALECT_CACHE", str(tmp_path))
    with ts.add_pass("ts-peephole", before="ts-fuse-tensorexprs"):
        called(f())
        monkeypatch.setattr(get_backend("llvm"), "compile_all", None)
        np.testing.assert_allclose(called(f()), TANH, rtol=1e-5)
    monkeypatch.undo()


def spoil(graph: Graph) -> None:
    next(iter(graph.nodes())).op.operands = ()


@needs_native_calls
def test_a_pass_that_breaks_the_graph_of_a_call_is_told() -> None:
    function = f()
    with (
        ts.add_pass(spoil),
        pytest.raises(PassFailedException, match="spoil left invalid IR"),
    ):
        for _ in range(3):
            function(x)
    np.testing.assert_allclose(called(function), TANH, rtol=1e-5)


def test_pipelines_can_be_listed_and_printed() -> None:
    assert list(ts.pipelines) == [
        "after-frontend",
        "after-tracing",
        "before-inlining",
        "required",
        "inlining",
        "after-freezing",
        "frozen-numerics",
        "generalization",
        "autocasting",
        "decomposition",
        "decomposition-with-gradients",
        "before-specialization",
        "simplification",
        "specialization",
        "runtime-optimizations",
        "export",
        "settling",
        "before-differentiation",
        "differentiation",
        "observation",
        "after-observation",
        "after-observation-with-gradients",
        "guards",
        "bailouts",
        "linalg-to-llvm",
        "linalg-to-ptx",
        "loops-to-llvm",
        "scalars-to-llvm",
    ]
    lines = str(ts.pipelines).splitlines()
    assert lines[4] == "inlining: ts-inline" and len(lines) == len(ts.pipelines)
    for pipeline in ts.pipelines.values():
        assert ts.PassPipeline(str(pipeline)).passes == pipeline.passes
    assert "fusion" not in ts.pipelines


@needs_native_calls
def test_calls_fill_the_table_of_the_pipeline() -> None:
    with ts.add_pass(TanhToSin, before="ts-fuse-tensorexprs"):
        called(f())
        rows = {row.name: row for row in ts.pipelines["runtime-optimizations"].timings}
    assert rows["tanh-to-sin"].rewrites == {"TanhToSin": 1}
    assert rows["ts-fuse-tensorexprs"].runs == 1


def test_every_pass_is_found_by_its_name() -> None:
    for name in ("ts-inline", "ts-convert-to-ssa", "ts-linalg-to-loops", "canonicalize"):
        assert find_pass(name).name == name
