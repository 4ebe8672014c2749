"""The drivers that apply rewrite patterns."""

from __future__ import annotations

from collections import Counter

import pytest
from xdsl.ir import Operation
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriterListener,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.exceptions import PassFailedException

import torchscript_dialect as ts
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.ir.pattern_driver import (
    FrozenPatternSet,
    Rewriter,
    RootedPattern,
    apply_conversion,
    apply_patterns,
)
from torchscript_dialect.types.core import INT
from torchscript_dialect.utils import jit_opt_limit
from torchscript_dialect.utils.jit_opt_limit import OptLimit


class DoubleTranspose(RewritePattern):
    """`t(t(x))` is `x`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.TOp, rewriter: PatternRewriter, /) -> None:
        if isinstance(inner := op.self.owner, aten.TOp):
            rewriter.replace(op, (), [inner.self])


class TanhToSigmoid(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.TanhOp, rewriter: PatternRewriter, /) -> None:
        rewriter.replace(
            op, aten.SigmoidOp.create(operands=op.operands, result_types=op.result_types)
        )


class SigmoidToRelu(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.SigmoidOp, rewriter: PatternRewriter, /) -> None:
        rewriter.replace(op, aten.ReluOp.create(operands=op.operands, result_types=op.result_types))


class SigmoidToTanh(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.SigmoidOp, rewriter: PatternRewriter, /) -> None:
        rewriter.replace(op, aten.TanhOp.create(operands=op.operands, result_types=op.result_types))


class DropUnusedTranspose(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.TOp, rewriter: PatternRewriter, /) -> None:
        if op.results[0].first_use is None:
            rewriter.erase(op)


CHAIN = """
graph(%x : Tensor):
  %a : Tensor = aten::t(%x)
  %b : Tensor = aten::t(%a)
  %c : Tensor = aten::t(%b)
  %d : Tensor = aten::t(%c)
  return (%d)
"""

NESTED = """
graph(%x : Tensor, %p : bool):
  %y : Tensor = prim::If(%p)
    block0():
      %a : Tensor = aten::tanh(%x)
      -> (%a)
    block1():
      -> (%x)
  %z : Tensor = aten::tanh(%y)
  return (%z)
"""


def kinds(graph: ts.Graph) -> list[str]:
    names = [op.name for op in graph.module_op.walk()]
    return [name for name in names if name.startswith(("aten.", "prim."))]


def test_greedy_rewrites_until_no_pattern_fires() -> None:
    graph = ts.parse_ir(CHAIN)
    counts = Counter[str]()
    assert apply_patterns(
        graph.module_op, [DoubleTranspose(), DropUnusedTranspose()], rewrites=counts
    )
    assert kinds(graph) == []
    graph.module_op.verify()
    assert counts == {"DoubleTranspose": 2, "DropUnusedTranspose": 2}
    assert not apply_patterns(graph.module_op, [DoubleTranspose()])


def test_ops_in_blocks_and_ops_that_a_rewrite_made_are_visited() -> None:
    graph = ts.parse_ir(NESTED)
    assert apply_patterns(graph.module_op, [TanhToSigmoid(), SigmoidToRelu()])
    assert kinds(graph) == ["prim.If", "aten.relu", "prim.yield", "prim.yield", "aten.relu"]
    graph.module_op.verify()


def test_blocks_that_are_not_entered_stay() -> None:
    graph = ts.parse_ir(NESTED)
    top = graph.function
    apply_patterns(
        top, [TanhToSigmoid()], blocks_of=lambda op: [op.regions[0].block] if op is top else ()
    )
    assert kinds(graph) == ["prim.If", "aten.tanh", "prim.yield", "prim.yield", "aten.sigmoid"]


def test_patterns_are_only_called_with_ops_that_they_match() -> None:
    called: list[str] = []

    class Everything(RewritePattern):
        def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
            called.append(op.name)

    graph = ts.parse_ir(NESTED)
    patterns = FrozenPatternSet([TanhToSigmoid(), Everything()])
    assert [p for p, _ in patterns.matchers(aten.TanhOp)] == list(patterns.patterns)
    assert [p for p, _ in patterns.matchers(prim.IfOp)] == [patterns.patterns[1]]
    apply_patterns(graph.module_op, patterns)
    assert sorted(set(called)) == [
        "aten.sigmoid",
        "func.func",
        "func.return",
        "prim.If",
        "prim.yield",
    ]


def test_a_pattern_that_only_changes_in_place_says_so() -> None:
    class SwapOnce(RewritePattern):
        @op_type_rewrite_pattern
        def match_and_rewrite(self, op: aten.MulTensorOp, rewriter: PatternRewriter, /) -> None:
            if op.self.name_hint == "a":
                op.operands = [op.other, op.self]
                rewriter.notify_op_modified(op)

    graph = ts.parse_ir(
        "graph(%a : Tensor, %b : Tensor):\n  %c : Tensor = aten::mul(%a, %b)\n  return (%c)\n"
    )
    assert apply_patterns(graph.module_op, [SwapOnce()])
    assert "aten::mul(%b, %a)" in str(graph)


def test_patterns_that_undo_each_other_are_an_error() -> None:
    graph = ts.parse_ir(NESTED)
    with pytest.raises(PassFailedException, match=r"do not come to an end.*Tanh"):
        apply_patterns(graph.module_op, [TanhToSigmoid(), SigmoidToTanh()])


@pytest.mark.filterwarnings("ignore:.*which means nothing here")
def test_the_limit_counts_rewrites_and_stops_them(monkeypatch: pytest.MonkeyPatch) -> None:
    jit_opt_limit.counters.cache_clear()
    monkeypatch.setenv(jit_opt_limit.VARIABLE, "some_pass=1")
    graph = ts.parse_ir(NESTED)
    limit = OptLimit("x.some_pass")
    assert apply_patterns(graph.module_op, [TanhToSigmoid()], limit=limit)
    assert kinds(graph).count("aten.sigmoid") == 1
    assert not apply_patterns(graph.module_op, [TanhToSigmoid()], limit=limit)


def test_names_move_to_new_values_and_not_to_values_that_were_there() -> None:
    graph = ts.parse_ir(NESTED)
    apply_patterns(graph.module_op, [TanhToSigmoid()])
    assert "%z : Tensor = aten::sigmoid(%y)" in str(graph)
    graph = ts.parse_ir(
        "graph(%x : Tensor):\n  %0 : Tensor = aten::relu(%x)\n  %b : Tensor = aten::t(%0)\n"
        "  %c : Tensor = aten::t(%b)\n  return (%c)\n"
    )
    apply_patterns(graph.module_op, [DoubleTranspose(), DropUnusedTranspose()])
    assert str(graph).splitlines()[1:] == ["  %0 : Tensor = aten::relu(%x)", "  return (%0)"]


def test_a_constant_does_not_take_the_name_of_what_it_replaces() -> None:
    class ToZero(RewritePattern):
        @op_type_rewrite_pattern
        def match_and_rewrite(self, op: aten.AddIntOp, rewriter: PatternRewriter, /) -> None:
            rewriter.replace(op, prim.ConstantOp.of(0, INT))

    graph = ts.parse_ir("graph(%i : int):\n  %j : int = aten::add(%i, %i)\n  return (%j)\n")
    apply_patterns(graph.module_op, [ToZero()])
    assert "%j" not in str(graph)


def test_an_operation_with_a_wrong_number_of_replacements_is_named() -> None:
    class Wrong(RewritePattern):
        @op_type_rewrite_pattern
        def match_and_rewrite(self, op: aten.TanhOp, rewriter: PatternRewriter, /) -> None:
            rewriter.replace(op, (), [])

    with pytest.raises(ValueError, match=r"aten\.tanh has 1 results, which 0 values replace"):
        apply_patterns(ts.parse_ir(NESTED).module_op, [Wrong()])


def test_listeners_of_xdsl_hear_of_edits() -> None:
    heard: list[str] = []
    graph = ts.parse_ir(NESTED)
    tanh = next(op for op in graph.module_op.walk() if isinstance(op, aten.TanhOp))
    rewriter = Rewriter(tanh)
    rewriter.extend_from_listener(
        PatternRewriterListener(
            operation_insertion_handler=[lambda op: heard.append(f"+{op.name}")],
            operation_removal_handler=[lambda op: heard.append(f"-{op.name}")],
        )
    )
    TanhToSigmoid().match_and_rewrite(tanh, rewriter)
    assert heard == ["+aten.sigmoid", "-aten.tanh"]


def test_the_result_is_that_of_xdsls_walker() -> None:
    for text, patterns in (
        (CHAIN, [DoubleTranspose(), DropUnusedTranspose()]),
        (NESTED, [TanhToSigmoid(), SigmoidToRelu()]),
    ):
        ours, theirs = ts.parse_ir(text), ts.parse_ir(text)
        apply_patterns(ours.module_op, patterns)

        class All(RewritePattern):
            def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
                for pattern in patterns:  # noqa: B023
                    pattern.match_and_rewrite(op, rewriter)
                    if rewriter.has_done_action:
                        return

        PatternRewriteWalker(All()).rewrite_module(theirs.module_op)
        assert ours.module_op.is_structurally_equivalent(theirs.module_op)


def test_conversion_visits_each_op_once_and_not_what_it_inserted() -> None:
    graph = ts.parse_ir(NESTED)
    assert apply_conversion(graph.module_op, [TanhToSigmoid(), SigmoidToTanh()])
    assert kinds(graph) == ["prim.If", "aten.sigmoid", "prim.yield", "prim.yield", "aten.sigmoid"]


def test_conversion_names_what_no_pattern_took() -> None:
    def illegal(op: Operation) -> Exception | None:
        return ValueError(f"{op.name} is left") if op.name == "aten.tanh" else None

    with pytest.raises(ValueError, match=r"aten\.tanh is left"):
        apply_conversion(ts.parse_ir(NESTED).module_op, [SigmoidToRelu()], illegal=illegal)
    apply_conversion(ts.parse_ir(NESTED).module_op, [TanhToSigmoid()], illegal=illegal)


class Renamed(RootedPattern):
    """One class of patterns for several rules: the op that an instance matches becomes an op of another class."""

    def __init__(self, root: type[Operation], target: type[Operation]) -> None:
        self.roots = (root,)
        self.target = target

    def rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        rewriter.replace(op, self.target.create(operands=op.operands, result_types=op.result_types))


def test_a_family_of_rules_is_instances_of_one_class() -> None:
    rules = [Renamed(aten.TanhOp, aten.SigmoidOp), Renamed(aten.SigmoidOp, aten.ReluOp)]
    graph = ts.parse_ir(NESTED)
    assert apply_conversion(graph.module_op, rules)
    assert kinds(graph) == ["prim.If", "aten.sigmoid", "prim.yield", "prim.yield", "aten.sigmoid"]
    assert apply_patterns(graph.module_op, rules)
    assert kinds(graph) == ["prim.If", "aten.relu", "prim.yield", "prim.yield", "aten.relu"]


def test_xdsls_walker_takes_a_family_of_rules() -> None:
    graph = ts.parse_ir(NESTED)
    PatternRewriteWalker(Renamed(aten.TanhOp, aten.SigmoidOp)).rewrite_module(graph.module_op)
    assert kinds(graph) == ["prim.If", "aten.sigmoid", "prim.yield", "prim.yield", "aten.sigmoid"]


class InlineThen(RewritePattern):
    """An `if` becomes what stands in its first block."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.IfOp, rewriter: PatternRewriter, /) -> None:
        *inner, last = op.regions[0].block.ops
        for moved in inner:
            moved.detach()
            rewriter.insert(moved)
        rewriter.replace(op, (), last.operands)


def test_conversion_visits_what_a_rewrite_moved_out_of_an_op() -> None:
    graph = ts.parse_ir(NESTED)
    assert apply_conversion(graph.module_op, [InlineThen(), TanhToSigmoid()])
    assert kinds(graph) == ["aten.sigmoid", "aten.sigmoid"]
