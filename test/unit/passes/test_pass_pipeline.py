"""Pipelines built from Python: of what, on what, and what can be seen of a run."""

import io
from dataclasses import dataclass

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, test
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.utils.exceptions import PassFailedException

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.dialects import aten
from torchscript_dialect.ir import Graph
from torchscript_dialect.ir.module import functions_of
from torchscript_dialect.transforms.peephole import Peephole

TEXT = """graph(%x : Tensor):
  %y : Tensor = aten::tanh(%x)
  %z : Tensor = aten::tanh(%x)
  return (%y)
"""


class TanhToSin(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.TanhOp, rewriter: PatternRewriter, /) -> None:
        rewriter.replace(op, aten.SinOp.create(operands=op.operands, result_types=op.result_types))


class SinToCos(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.SinOp, rewriter: PatternRewriter, /) -> None:
        rewriter.replace(op, aten.CosOp.create(operands=op.operands, result_types=op.result_types))


@dataclass(frozen=True)
class Mark(ModulePass):
    name = "mark"

    text: str = "here"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            function.attributes["mark"] = StringAttr(self.text)


def drop_unused(graph: Graph) -> None:
    for node in reversed(list(graph.nodes())):
        if not node.hasUses():
            node.destroy()


def of_module(module: ModuleOp) -> None:
    assert isinstance(module, ModuleOp)


def of_function(function: FuncOp) -> bool:
    assert isinstance(function, FuncOp)
    return False


def kinds(graph: Graph) -> list[str]:
    return [node.kind() for node in graph.nodes()]


@pytest.mark.parametrize(
    ("passes", "expected"),
    [
        pytest.param("ts-dead-code-elimination", ["aten::tanh"], id="name"),
        pytest.param(
            ["ts-common-subexpression-elimination", drop_unused], ["aten::tanh"], id="function"
        ),
        pytest.param(TanhToSin, ["aten::sin"], id="pattern_class"),
        pytest.param(TanhToSin(), ["aten::sin"], id="pattern"),
        pytest.param([TanhToSin, SinToCos], ["aten::cos"], id="patterns"),
        pytest.param(
            ["ts-dead-code-elimination", [TanhToSin, SinToCos()]],
            ["aten::cos"],
            id="set_of_patterns",
        ),
        pytest.param(
            [Peephole, Mark, Mark("there"), of_module, of_function],
            ["aten::tanh", "aten::tanh"],
            id="passes",
        ),
        pytest.param(ts.PassPipeline([drop_unused]), ["aten::tanh"], id="pipeline"),
        pytest.param(
            "canonicalize,ts-peephole{disable-shape-peepholes=true},before-specialization",
            ["aten::tanh"],
            id="text",
        ),
        pytest.param((), ["aten::tanh", "aten::tanh"], id="nothing"),
    ],
)
def test_what_a_pipeline_is_made_of(passes: object, expected: list[str]) -> None:
    graph = ts.parse_ir(TEXT)
    pipeline = ts.PassPipeline(passes)
    pipeline.run(graph, verify_each=True)
    assert kinds(graph) == expected
    again = (
        ts.PassPipeline(str(pipeline))
        if pipeline.passes and "mark" not in str(pipeline)
        else pipeline
    )
    assert again.passes == pipeline.passes


def test_patterns_in_a_list_are_applied_together() -> None:
    assert [one.name for one in ts.PassPipeline([TanhToSin, SinToCos]).passes] == [
        "tanh-to-sin-sin-to-cos"
    ]
    assert len(ts.PassPipeline([TanhToSin, "ts-inline", SinToCos])) == 3


def test_names_tell_functions_apart() -> None:
    def make(kind: str):
        def change(graph: Graph) -> None:
            graph.insertNode(graph.create(kind, graph.inputs()))

        return change

    both = ts.PassPipeline([make("aten::sin"), make("aten::cos")])
    first, second = str(both).split(",")
    assert second == f"{first}-2"
    graph = ts.parse_ir(TEXT)
    ts.PassPipeline(second).run(graph)
    assert kinds(graph)[-1] == "aten::cos"


@pytest.mark.parametrize(
    ("passes", "message"),
    [
        ("ts-peephol", "there is no pass 'ts-peephol'; did you mean 'ts-peephole'"),
        ("runtime-optimization", "did you mean 'runtime-optimizations'"),
        ("ts-peephole{nope=1}", "nope"),
        ("runtime-optimizations{x=1}", "takes no options"),
        ("ts-peephole{", "Expected"),
    ],
)
def test_wrong_text_is_told(passes: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ts.PassPipeline(passes)


@pytest.mark.parametrize("item", [3, None, [3]])
def test_what_is_no_pass_is_refused(item: object) -> None:
    with pytest.raises(TypeError, match="is no pass"):
        ts.PassPipeline(item)


def test_what_is_no_target_is_refused() -> None:
    with pytest.raises(TypeError, match="not on a str"):
        ts.PassPipeline("ts-inline").run("graph")


class M(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(2, 2)

    def forward(self, x):
        return torch.tanh(self.inner(x))

    @torch.jit.export
    def other(self, x):
        return torch.tanh(x)


def f(x):
    return torch.tanh(x)


def test_targets() -> None:
    function, module = ts.script(f), ts.script(M())
    graph = ts.parse_ir(TEXT)
    for target in (function, module, module.forward, graph, graph.module_op, graph.function):
        ts.PassPipeline(TanhToSin).run(target)
    for changed in (function.graph, module.graph, module.other.graph, graph):
        assert "aten::sin" in kinds(changed)
        assert "aten::tanh" not in kinds(changed)


def test_a_pass_over_modules_sees_one_function_alone() -> None:
    unit = ts.CompilationUnit("def f(x):\n    return x.tanh()\ndef g(x):\n    return x.tanh()\n")
    symbols = [op.sym_name.data for op in functions_of(unit.f.module_op)]
    seen = []
    ts.PassPipeline(lambda graph: None).run(unit.f)

    def look(module: ModuleOp) -> None:
        seen.append(len(list(module.ops)))

    ts.PassPipeline([look, TanhToSin]).run(unit.f)
    assert seen == [1]
    assert [op.sym_name.data for op in functions_of(unit.f.module_op)] == symbols
    assert "aten::tanh" in kinds(unit.g.graph)


def test_a_pass_that_replaces_a_function_is_told() -> None:
    def replace(module: ModuleOp) -> None:
        for op in list(module.ops):
            module.body.block.insert_op_before(op.clone(), op)
            module.body.block.erase_op(op)

    graph = ts.parse_ir(TEXT)
    with pytest.raises(PassFailedException, match="replaces functions"):
        ts.PassPipeline(replace).run(graph)


def break_it(graph: Graph) -> None:
    node = next(iter(graph.nodes()))
    node.op.operands = ()


def test_invalid_ir_is_told_with_the_pass() -> None:
    with pytest.raises(PassFailedException, match="break-it left invalid IR behind"):
        ts.PassPipeline(["ts-peephole", break_it]).run(ts.parse_ir(TEXT), verify_each=True)


def test_callbacks() -> None:
    seen: list[tuple[str, str, int]] = []

    def note(when: str):
        return lambda one, module: seen.append((when, one.name, len(list(module.walk()))))

    pipeline = ts.PassPipeline(["ts-inline", drop_unused], before=note("before"))
    pipeline.run(ts.parse_ir(TEXT), after=note("after"))
    assert seen == [
        ("before", "ts-inline", 5),
        ("after", "ts-inline", 5),
        ("before", "drop-unused", 5),
        ("after", "drop-unused", 4),
    ]


def test_print_after(capsys: pytest.CaptureFixture[str]) -> None:
    pipeline = ts.PassPipeline(["ts-inline", drop_unused])
    pipeline.run(ts.parse_ir(TEXT), print_after="drop-unused")
    after = TEXT.replace("  %z : Tensor = aten::tanh(%x)\n", "")
    assert capsys.readouterr().out == f"IR after drop-unused:\n{after}\n"
    stream = io.StringIO()
    pipeline.run(ts.parse_ir(TEXT), print_after=stream)
    assert stream.getvalue() == f"IR after ts-inline:\n{TEXT}\nIR after drop-unused:\n{after}\n"
    pipeline.run(ts.parse_ir(TEXT).module_op, print_after=["ts-inline"])
    assert "builtin.module" in capsys.readouterr().out
    pipeline.run(ts.parse_ir(TEXT), print_after=False)
    assert capsys.readouterr().out == ""


def test_timings_tell_what_passes_did() -> None:
    pipeline = ts.PassPipeline(["ts-dead-code-elimination", TanhToSin])
    assert pipeline.run(ts.parse_ir(TEXT))
    dce, pattern = pipeline.timings
    assert (pattern.runs, pattern.changes, pattern.rewrites) == (1, 1, {"TanhToSin": 1})
    assert (dce.ops_before, dce.ops_after) == (3, 2)
    assert 0 < pattern.seconds < pipeline.timings.seconds
    head, _, second, *_ = str(pipeline.timings).splitlines()
    assert head.split() == ["pass", "runs", "ms", "%", "changes", "ops", "rewrites"]
    assert second.startswith("tanh-to-sin") and second.endswith("TanhToSin 1")
    pipeline.timings.clear()
    assert dce.runs == 1 and pipeline.timings[0].runs == 0


def test_rewrites_of_our_own_patterns_are_counted() -> None:
    graph = ts.parse_ir(
        "graph(%x : int):\n  %0 : int = prim::Constant[value=0]()\n  %y : int = aten::add(%x, %0)\n  return (%y)\n"
    )
    pipeline = ts.PassPipeline("ts-peephole")
    pipeline.run(graph)
    assert sum(pipeline.timings[0].rewrites.values()) == 1


def test_unchanged_is_told() -> None:
    graph = ts.parse_ir(TEXT)
    assert not ts.PassPipeline(["ts-inline", "ts-peephole", of_function]).run(graph)


def test_passes_of_xdsl_find_the_dialects_that_they_make_constants_of() -> None:
    """`canonicalize` said that arith is not registered, where it had sums of constants to fold."""
    index = IndexType()
    one = arith.ConstantOp(IntegerAttr(1, index))
    two = arith.AddiOp(one, one, index)
    module = ModuleOp([one, two, test.TestOp([two])])
    ts.PassPipeline("canonicalize").run(module)
    user = module.body.block.last_op
    assert user is not None
    folded = user.operands[0].owner
    assert isinstance(folded, arith.ConstantOp)
    assert folded.value == IntegerAttr(2, index)
