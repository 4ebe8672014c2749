"""Every rewrite pattern of the lowering has a lit case in which it fires."""

from __future__ import annotations

import inspect
import pkgutil
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects import arith, func, math
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Block, Operation, Region
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
)

import lowering
import torchscript_dialect as ts
from lowering.linalg.operator_lowering import STRUCTURAL, OperatorLowering, load, lowering_of
from lowering.llvm.convert_to_llvm import PATTERNS
from lowering.math.expand_math import EXPAND_MATH
from torchscript_dialect.cli.ts_opt import main
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet, Match, Matcher
from torchscript_dialect.ops import registry

ROOT = Path(__file__).resolve().parents[3]
CASES = sorted((ROOT / "test" / "lowering").rglob("*.mlir")) + sorted(
    (ROOT / "test" / "lowering").rglob("*.ts")
)
COMMAND = re.compile(r"RUN: (?:not )?ts-opt (.*?)(?: 2>&1)?(?: \||$)", re.MULTILINE)


def modules() -> Iterator[object]:
    for found in pkgutil.walk_packages(lowering.__path__, "lowering."):
        yield import_module(found.name)


def name(class_: type[RewritePattern]) -> str:
    return f"{class_.__module__}.{class_.__name__}"


def rule(pattern: RewritePattern) -> str:
    """A pattern, and of a family of them the op that this one is for."""
    roots = getattr(pattern, "roots", ())
    return f"{name(type(pattern))} of {[root.name for root in roots]}"


def known_rules() -> set[str]:
    """The patterns in the tables of the lowering."""
    tables = [
        value
        for module in modules()
        for value in vars(module).values()
        if isinstance(value, tuple | FrozenPatternSet)
    ]
    patterns = [
        p
        for table in tables
        for p in (table.patterns if isinstance(table, FrozenPatternSet) else table)
    ]
    return {rule(p) for p in patterns if isinstance(p, RewritePattern)}


def pattern_classes() -> set[type[RewritePattern]]:
    return {
        value
        for module in modules()
        for value in vars(module).values()
        if inspect.isclass(value)
        and issubclass(value, RewritePattern)
        and value.__module__.startswith("lowering.")
        and not inspect.isabstract(value)
    }


@pytest.fixture(scope="module")
def fired() -> set[str]:
    """The rules that fire when the commands of the lit cases run."""
    seen: set[str] = set()
    matchers = FrozenPatternSet.matchers

    def watched(self: FrozenPatternSet, class_: type[Operation]) -> tuple[Matcher, ...]:
        return tuple((p, watch(match)) for p, match in matchers(self, class_))

    def watch(match: Match) -> Match:
        def call(pattern: RewritePattern, op: Operation, rewriter: PatternRewriter) -> None:
            match(pattern, op, rewriter)
            if rewriter.has_done_action:
                seen.add(rule(pattern))

        return call

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FrozenPatternSet, "matchers", watched)
        for case in CASES:
            for command in COMMAND.findall(case.read_text()):
                words = command.replace("%s", str(case)).replace("%S", str(case.parent))
                main(shlex.split(words))
        counted = ts.CompilationUnit("def f(x):\n    return torch.arange(x.size(0)) * x\n").f
        ts.to_linalg(counted, np.ones(2, np.float32), dynamic=True)  # no lit case has dynamic sizes
    return seen


def test_every_pattern_fires_in_a_lit_case(fired: set[str]) -> None:
    classes = {text.split(" of ")[0] for text in fired}
    firing = {name(c) for c in pattern_classes() if not getattr(c, "vanishes", False)}
    missing = known_rules() - fired | firing - classes
    assert not missing, "\n".join(sorted(missing))


def test_every_pattern_says_what_it_does() -> None:
    assert not [c for c in pattern_classes() if not c.__doc__ or "`" not in c.__doc__]


def test_every_lowering_is_the_slot_of_an_operator() -> None:
    operators = [registry.find(qualified_name) for qualified_name, _ in registry.attached()]
    places = {operator.lower for operator in operators if operator is not None}
    found = {lowering_of(operator_class(o.qualified_name)) for o in operators if o and o.lower}
    assert places <= {*map(place, found), None}
    known = {c for c in pattern_classes() if issubclass(c, OperatorLowering)}
    found |= {load(one.wider) for one in found if one is not None and one.wider is not None}
    assert known == {*found, *map(lowering_of, STRUCTURAL)}


def place(lowering: type | None) -> str:
    assert lowering is not None
    return f"{lowering.__module__}:{lowering.__name__}"


def test_xdsls_walker_takes_the_patterns() -> None:
    """A user's pass may apply them by xDSL's own driver."""
    x, y = Block(arg_types=[f32, f32]).args
    tanh = math.TanhOp(x)
    product = arith.MulfOp(tanh.result, y)
    choice = arith.MaximumfOp(product.result, x)
    assert isinstance(x.owner, Block)
    x.owner.add_ops([tanh, product, choice, func.ReturnOp(choice.result)])
    module = ModuleOp([func.FuncOp("f", ([f32, f32], [f32]), Region(x.owner))])
    for patterns in (EXPAND_MATH, PATTERNS):
        applier = GreedyRewritePatternApplier(list(patterns.patterns))
        PatternRewriteWalker(applier).rewrite_module(module)
        module.verify()
    dialects = {op.dialect_name() for op in module.walk() if op is not module}
    assert dialects == {"llvm"}
