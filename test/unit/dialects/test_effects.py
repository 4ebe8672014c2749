"""What xDSL's passes do to every op by its effects, and what ours do: theirs remove and merge nothing that ours would keep."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.arith import ConstantOp as IndexConstantOp
from xdsl.dialects.builtin import IndexType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import MemoryEffectKind, get_effects, is_side_effect_free, is_speculatable
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import cse
from xdsl.transforms.dead_code_elimination import dce
from xdsl.transforms.loop_invariant_code_motion import LoopInvariantCodeMotionPass

from support.amounts import IS_LONG
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import has_side_effects, is_nondeterministic
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.interfaces import READS_OUTSIDE
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.transforms.common_subexpression_elimination import (
    CommonSubexpressionElimination,
)
from torchscript_dialect.transforms.dead_code_elimination import eliminate_dead_code
from torchscript_dialect.types.containers import FutureType, ListType, OptionalType, TupleType
from torchscript_dialect.types.core import BOOL, FLOAT, INT, NONE, STR, TorchScriptType
from torchscript_dialect.types.named import ClassType, FunctionType, VarType
from torchscript_dialect.types.tensor_type import TENSOR

READ, WRITE, ALLOC = MemoryEffectKind.READ, MemoryEffectKind.WRITE, MemoryEffectKind.ALLOC

Make = Callable[[Sequence[SSAValue]], Operation]
Case = tuple[Sequence[TorchScriptType], Make]
"""The types of the operands, and what makes the op of them."""


def concrete(type_: TorchScriptType, variable: TorchScriptType) -> TorchScriptType:
    if isinstance(type_, VarType):
        return variable
    inner = tuple(concrete(one, variable) for one in type_.contained)
    return type_.with_contained(inner) if inner else type_


def operator_case(operator: Operator, variable: TorchScriptType) -> Case | None:
    schema = operator.schema
    types = [concrete(argument.type, variable) for argument in schema.arguments]
    results = schema.result_types(types)
    if results is None:
        return None
    if schema.is_vararg:
        types.append(TENSOR)
    if schema.is_varret:
        results = [TENSOR]
    class_ = operator_class(operator.qualified_name)
    return types, lambda operands: class_.create(operands=operands, result_types=results)


def operator_cases() -> Iterator[tuple[str, Case]]:
    for name in registry.names():
        for operator in registry.lookup(name):
            cases = [operator_case(operator, variable) for variable in (TENSOR, INT)]
            found = [case for case in cases if case is not None]
            assert found, f"no operands fit {operator.schema}"
            for case in found[: 2 if " t" in operator.text or "t(" in operator.text else 1]:
                yield operator.qualified_name, case


OBJECT = ClassType(StringAttr("C"))


def region(arguments: Sequence[TorchScriptType], yields: Sequence[int] | None) -> Region:
    """A block that yields these of its arguments, or a constant."""
    block = Block(arg_types=arguments)
    values: list[SSAValue] = [] if yields is None else [block.args[i] for i in yields]
    block.add_op(prim.YieldOp.create(operands=values))
    return Region(block)


def in_group(class_: type[Operation]) -> Case:
    return [TENSOR], lambda operands: class_.create(
        operands=operands, result_types=[TENSOR], regions=[region([TENSOR], [0])]
    )


def simple(
    class_: type[Operation],
    operands: Sequence[TorchScriptType],
    results: Sequence[TorchScriptType],
    regions: int = 0,
    **attributes: str,
) -> Case:
    return operands, lambda values: class_.create(
        operands=values,
        result_types=results,
        regions=[region([], None) for _ in range(regions)],
        attributes={name: StringAttr(value) for name, value in attributes.items()},
    )


def make_if(values: Sequence[SSAValue]) -> Operation:
    def branch() -> Region:
        block = Block()
        block.add_op(prim.YieldOp.create(operands=[values[1]]))
        return Region(block)

    return prim.IfOp.create(
        operands=values[:1], result_types=[TENSOR], regions=[branch(), branch()]
    )


def make_loop(values: Sequence[SSAValue]) -> Operation:
    block = Block(arg_types=[INT, TENSOR])
    block.add_op(prim.YieldOp.create(operands=[values[1], block.args[1]]))
    return prim.LoopOp.create(operands=values, result_types=[TENSOR], regions=[Region(block)])


PAIR = TupleType.get([TENSOR, INT])
STRUCTURAL: dict[type[Operation], Case] = {
    prim.ConstantOp: ([], lambda _: prim.ConstantOp.of([1], ListType(INT))),
    prim.ListConstructOp: simple(prim.ListConstructOp, [INT], [ListType(INT)]),
    prim.ListUnpackOp: simple(prim.ListUnpackOp, [ListType(TENSOR)], [TENSOR, TENSOR]),
    prim.TupleConstructOp: simple(prim.TupleConstructOp, [TENSOR, INT], [PAIR]),
    prim.TupleUnpackOp: simple(prim.TupleUnpackOp, [PAIR], [TENSOR, INT]),
    prim.TupleIndexOp: simple(prim.TupleIndexOp, [PAIR, INT], [TENSOR]),
    prim.TupleSliceOp: simple(prim.TupleSliceOp, [PAIR], [PAIR], beg="0", end="2"),
    prim.DictConstructOp: simple(prim.DictConstructOp, [INT, TENSOR], [ListType(TENSOR)]),
    prim.IfOp: ([BOOL, TENSOR], make_if),
    prim.LoopOp: ([INT, BOOL, TENSOR], make_loop),
    prim.WithOp: simple(prim.WithOp, [], [], regions=2),
    prim.EnterOp: simple(prim.EnterOp, [OBJECT], [TENSOR]),
    prim.ExitOp: simple(prim.ExitOp, [OBJECT], [TENSOR]),
    prim.LoadOp: simple(prim.LoadOp, [], [TENSOR], name="x"),
    prim.StoreOp: simple(prim.StoreOp, [TENSOR], [], name="x"),
    prim.BreakStmtOp: simple(prim.BreakStmtOp, [], []),
    prim.ContinueStmtOp: simple(prim.ContinueStmtOp, [], []),
    prim.ComprehensionScopeOp: simple(prim.ComprehensionScopeOp, [], [], regions=1),
    prim.LoopContinuationOp: simple(prim.LoopContinuationOp, [], []),
    prim.ReturnStmtOp: simple(prim.ReturnStmtOp, [], []),
    prim.UninitializedOp: simple(prim.UninitializedOp, [], [INT]),
    prim.RaiseExceptionOp: simple(prim.RaiseExceptionOp, [STR], []),
    prim.ConstantChunkOp: simple(prim.ConstantChunkOp, [TENSOR], [TENSOR, TENSOR]),
    prim.ProfileOp: simple(prim.ProfileOp, [TENSOR], [TENSOR]),
    prim.ProfileIValueOp: simple(prim.ProfileIValueOp, [OptionalType(INT)], [OptionalType(INT)]),
    prim.TypeCheckOp: simple(prim.TypeCheckOp, [TENSOR], [TENSOR, BOOL]),
    prim.RequiresGradCheckOp: simple(prim.RequiresGradCheckOp, [TENSOR], [TENSOR, BOOL]),
    prim.GuardOp: simple(prim.GuardOp, [TENSOR], [TENSOR]),
    prim.BailOutOp: simple(prim.BailOutOp, [INT, TENSOR], [TENSOR]),
    prim.BailOutPointOp: simple(prim.BailOutPointOp, [TENSOR], []),
    prim.BailoutTemplateOp: simple(prim.BailoutTemplateOp, [], [INT], regions=1),
    prim.TensorExprGroupOp: in_group(prim.TensorExprGroupOp),
    prim.UpdateOp: simple(prim.UpdateOp, [TENSOR, TENSOR], []),
    prim.ScalarGroupOp: in_group(prim.ScalarGroupOp),
    prim.FusionGroupOp: in_group(prim.FusionGroupOp),
    prim.DifferentiableGraphOp: in_group(prim.DifferentiableGraphOp),
    prim.GradOfOp: (
        [TENSOR],
        lambda values: prim.GradOfOp.create(
            operands=values,
            result_types=[TENSOR],
            regions=[Region(Block([prim.YieldOp.create(operands=values)]))],
            attributes={"name": StringAttr("aten::neg")},
        ),
    ),
    prim.FallbackGraphOp: in_group(prim.FallbackGraphOp),
    prim.GetAttrOp: simple(prim.GetAttrOp, [OBJECT], [TENSOR], name="x"),
    prim.SetAttrOp: simple(prim.SetAttrOp, [OBJECT, TENSOR], [], name="x"),
    prim.HasAttrOp: simple(prim.HasAttrOp, [OBJECT], [BOOL], name="x"),
    prim.CreateObjectOp: simple(prim.CreateObjectOp, [], [OBJECT]),
    prim.CallFunctionOp: simple(prim.CallFunctionOp, [FunctionType("g"), TENSOR], [TENSOR]),
    prim.CallMethodOp: simple(prim.CallMethodOp, [OBJECT], [TENSOR], name="m"),
    prim.ClosureOp: simple(prim.ClosureOp, [], [FunctionType("c")], regions=1),
    prim.ForkOp: (
        [TENSOR],
        lambda values: prim.ForkOp.create(
            operands=values, result_types=[FutureType(TENSOR)], regions=[region([TENSOR], [0])]
        ),
    ),
    prim.PrintOp: simple(prim.PrintOp, [STR], []),
    prim.PythonOp: simple(prim.PythonOp, [TENSOR], [TENSOR], name="p"),
    prim.IsInstanceOp: simple(prim.IsInstanceOp, [OptionalType(INT)], [BOOL]),
    prim.UncheckedCastOp: simple(prim.UncheckedCastOp, [OptionalType(TENSOR)], [TENSOR]),
}

CASES = [*operator_cases(), *((class_.name, case) for class_, case in STRUCTURAL.items())]
SOME = CASES if IS_LONG else [*[*operator_cases()][::3], *CASES[-len(STRUCTURAL) :]]
"""Every third operator; TORCHSCRIPT_DIALECT_LONG_TESTS=1 takes all."""


def module_of(case: Case, *, used: bool) -> tuple[ModuleOp, FuncOp]:
    """A function with the op twice on its arguments, which returns the results if they are used."""
    types, make = case
    block = Block(arg_types=types)
    ops = [make(block.args), make(block.args)]
    values = [result for op in ops for result in op.results] if used else []
    block.add_ops([*ops, ReturnOp(*values)])
    function = FuncOp("f", (types, [value.type for value in values]), Region(block))
    return ModuleOp([function]), function


def count(function: FuncOp) -> int:
    return len(function.body.block.ops) - 1


def canonicalize(module: ModuleOp) -> None:
    CanonicalizePass().apply(Context(), module)


def merged(function: FuncOp) -> bool:
    """Whether the results of both ops are now those of one."""
    last = function.body.block.last_op
    assert last is not None
    half = len(last.operands) // 2
    return list(last.operands[:half]) == list(last.operands[half:])


OF_MODULES = {prim.ClassTypeOp, prim.EnumTypeOp, prim.InterfaceTypeOp, prim.ModuleOp, prim.WeightOp}
"""They stand in no graph."""


def test_every_structural_op_is_here() -> None:
    assert set(STRUCTURAL) | {prim.YieldOp} | OF_MODULES == set(prim.STRUCTURAL_OPS)


def test_xdsl_removes_what_is_dead_and_nothing_else() -> None:
    for name, case in SOME:
        _, function = module_of(case, used=False)
        op = function.body.block.first_op
        assert op is not None
        effects = get_effects(op)
        is_known = effects is not None and all(effect.kind is not WRITE for effect in effects)
        eliminate_dead_code(function, Analyses())
        for clean in (dce, cse, canonicalize):
            module, theirs = module_of(case, used=False)
            clean(module)
            assert count(theirs) >= count(function), f"{clean.__name__} removes {name}"
            if is_known and has_results(op):
                assert count(theirs) == count(function) == 0, f"{clean.__name__} keeps {name}"


def has_results(op: Operation) -> bool:
    return bool(op.results)


def test_xdsl_merges_only_what_ours_merges() -> None:
    for name, case in SOME:
        _, function = module_of(case, used=True)
        if not function.body.block.last_op.operands:  # pyright: ignore[reportOptionalMemberAccess]
            continue
        CommonSubexpressionElimination().run(function, Analyses())
        for clean in (cse, canonicalize, dce):
            module, theirs = module_of(case, used=True)
            clean(module)
            assert not merged(theirs) or merged(function) or chooses(case) or observes(case), (
                f"{clean.__name__} merges {name}"
            )


def chooses(case: Case) -> bool:
    """Whether the op is a node with blocks that does nothing but hand values on; ours leaves those alone."""
    op = case[1](Block(arg_types=case[0]).args)
    return bool(op.regions) and is_side_effect_free(op)


def observes(case: Case) -> bool:
    """Whether the op only looks at a mode: xDSL's merge two looks with no write between, ours leave them alone."""
    op = case[1](Block(arg_types=case[0]).args)
    effects = get_effects(op) or set()
    return READS_OUTSIDE in effects and all(
        effect.kind is MemoryEffectKind.READ for effect in effects
    )


def test_xdsl_hoists_only_what_cannot_be_told() -> None:
    """Out of a loop that may not run, and in which each run gives an object of its own."""
    hoisted: set[str] = set()
    for name, (types, make) in CASES:
        function_block = Block(arg_types=types)
        bounds = [IndexConstantOp.from_int_and_width(i, IndexType()) for i in (0, 1)]
        op = make(function_block.args)
        body = Block([op, scf.YieldOp()], arg_types=[IndexType()])
        zero, one = (bound.result for bound in bounds)
        loop = scf.ForOp(zero, one, one, [], body)
        function_block.add_ops([*bounds, loop, ReturnOp()])
        module = ModuleOp([FuncOp("f", (types, []), Region(function_block))])
        LoopInvariantCodeMotionPass().apply(Context(), module)
        if op.parent is not body:
            hoisted.add(name)
            assert not has_side_effects(op) and not is_nondeterministic(op)
            assert is_side_effect_free(op) and is_speculatable(op)
    assert {"aten::add.int", "aten::lt.int", "prim.TupleUnpack"} <= hoisted
    assert not {"aten::floordiv.int", "aten::remainder.int", "prim.TupleIndex"} & hoisted


def kinds(name: str, types: Sequence[TorchScriptType], results: Sequence[Any] = (TENSOR,)) -> Any:
    operands = Block(arg_types=types).args
    found = get_effects(operator_class(name).create(operands=operands, result_types=results))
    return None if found is None else {effect.kind for effect in found}


def test_effects_follow_the_schema() -> None:
    assert kinds("aten::tanh", [TENSOR]) == {READ, ALLOC}
    assert kinds("aten::t", [TENSOR]) == {READ, ALLOC}, "a view is an object of its own"
    assert kinds("aten::mul_.Tensor", [TENSOR, TENSOR]) == {READ, WRITE}
    assert kinds("aten::dim", [TENSOR], [INT]) == {READ}
    assert kinds("aten::add.int", [INT, INT], [INT]) == set()
    assert kinds("aten::__getitem__.t", [ListType(TENSOR), INT]) == {READ}
    assert kinds("aten::is_grad_enabled", [], [BOOL]) == {READ}
    assert kinds("my::op", [TENSOR]) is None


@pytest.mark.parametrize(
    "name",
    "aten::warn aten::set_grad_enabled aten::manual_seed aten::seed aten::save aten::wait"
    " prim::TimePoint prim::Print prim::RaiseException prim::AddStatValue prim::rpc_async".split(),
)
def test_what_acts_has_side_effects(name: str) -> None:
    for operator in registry.lookup(name):
        assert has_side_effects(operator_class(operator.qualified_name).create())


def nondeterministic_operators() -> set[str]:
    found: set[str] = set()
    for name in registry.names():
        for operator in registry.lookup(name):
            class_ = operator_class(operator.qualified_name)
            operands = Block(arg_types=[TENSOR] * len(operator.schema.arguments)).args
            if is_nondeterministic(class_.create(operands=operands)):
                found.add(operator.qualified_name)
    return found


def test_all_overloads_of_random_operators_are_random() -> None:
    found = nondeterministic_operators()
    names = "rand randn randint randperm rand_like randn_like randint_like normal bernoulli multinomial poisson"
    names += " uniform_ normal_ bernoulli_ random_ exponential_ geometric_ log_normal_ cauchy_ rrelu dropout"
    names += " feature_dropout alpha_dropout native_dropout empty empty_like empty_strided new_empty binomial"
    for name in names.split():
        overloads = [operator.qualified_name for operator in registry.lookup(f"aten::{name}")]
        assert overloads
        assert set(overloads) <= found
    assert len(found) >= 123
    assert not {"aten::mul.Tensor", "aten::zeros", "aten::manual_seed", "aten::warn"} & found


@pytest.mark.parametrize(("train", "random"), [(True, True), (False, False), (None, True)])
def test_dropout_draws_in_training_only(train: bool | None, random: bool) -> None:
    x = Block(arg_types=[TENSOR]).args[0]
    type_ = NONE if train is None else BOOL
    p, flag = prim.ConstantOp.of(0.5, FLOAT), prim.ConstantOp.of(train, type_)
    for name in ("aten::native_dropout",) if train is None else ("aten::dropout", "aten::dropout_"):
        op = operator_class(name).create(
            operands=[x, p.results[0], flag.results[0]], result_types=[TENSOR]
        )
        assert is_nondeterministic(op) == random
