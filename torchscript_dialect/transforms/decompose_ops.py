"""Puts the decompositions of composite operators in their place (PyTorch: passes/decompose_ops.cpp).

An operator that has both a decomposition and a kernel or a lowering of its own stays, unless `all` is set or the kernel is not for such
calls, and so does one that refuses the dtype of its operands. Where gradients are wanted, one that has formulas of its own
(Note [Derivatives] in autodiff/derivatives.py) stays until they have been used, as they round like PyTorch's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp, is_off
from torchscript_dialect.frontend.compile import compile_source
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.pattern_driver import apply_patterns
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.refused_dtypes import refusals_of
from torchscript_dialect.ops.registry import Operator, ShapeRule, computing_form
from torchscript_dialect.ops.shapes import Unknown, is_known
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.transforms.constant_pooling import ConstantPooling
from torchscript_dialect.transforms.constant_propagation import ConstantPropagation
from torchscript_dialect.transforms.lower_simple_tuples import LowerSimpleTuples
from torchscript_dialect.transforms.peephole import Peephole
from torchscript_dialect.transforms.propagate_shapes import PropagateShapes
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.function_schema import Argument, FunctionSchema
from torchscript_dialect.types.tensor_type import TensorProperties, TensorType
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


@dataclass(frozen=True)
class DecomposeOps(FunctionPass):
    name = "ts-decompose-ops"

    all: bool = False
    """Decompose operators that have a kernel or a lowering of their own, too."""
    differentiable: bool = True
    """Decompose operators that have formulas of their gradients, too: Note [Derivatives] in autodiff/derivatives.py."""

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        if not any(
            may_be_decomposed(class_, self.all) for class_ in edit.op_classes(function.body.block)
        ):
            return False
        pattern = DecomposeComposite(self.all, self.differentiable)
        changed = apply_patterns(function, [pattern], limit=LIMIT)
        dump(LOG, "After DecomposeOps: ", function)
        return changed


def may_be_decomposed(class_: type[Operation], even_with_kernel: bool = False) -> bool:
    """Whether nodes of a class have a decomposition that the pass puts in their place."""
    if not issubclass(class_, OperatorOp) or class_.OPERATOR is None:
        return False
    rules = class_.OPERATOR.rules
    is_whole = (rules.kernel is not None and not rules.kernel_if_off) or rules.lower is not None
    return rules.decompose is not None and (even_with_kernel or not is_whole)


def _has_formulas(operator: Operator) -> bool:
    registry.load_derivatives()
    text = operator.rules.grad
    return text is not None and not text.startswith("def ")


@dataclass(frozen=True)
class DecomposeComposite(RewritePattern):
    """`aten::layer_norm(%x, ...)` becomes the means, differences and products that its declaration makes it of.

    All of these stand where the operator stood in the user's source.
    """

    even_with_kernel: bool = False
    even_with_formulas: bool = True

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: OperatorOp, rewriter: PatternRewriter, /) -> None:
        if not may_be_decomposed(type(op), self.even_with_kernel):
            return
        assert op.OPERATOR is not None
        if op.OPERATOR.rules.kernel_if_off and is_off(op) and not self.even_with_kernel:
            return
        if not self.even_with_formulas and _has_formulas(op.OPERATOR):
            return
        refusals = refusals_of(computing_form(op.OPERATOR))
        if refusals is not None and refusals.refuses([_fact(value) for value in op.operands]):
            return
        body = decomposition(op.OPERATOR).body.block
        values: dict[SSAValue, SSAValue] = dict(zip(body.args, op.operands, strict=True))
        last = edit.terminator(body)
        for inner in edit.body_ops(body):
            made = rewriter.insert(edit.clone(inner, values))
            place_at(made, op)
        results: Sequence[SSAValue] = [values.get(value, value) for value in last.operands]
        if len(op.results) > 1:
            unpacked = prim.TupleUnpackOp.create(operands=results, result_types=op.result_types)
            results = rewriter.insert(unpacked).results
        rewriter.replace(op, (), results)


def place_at(made: Operation, op: Operation) -> None:
    """Give an op, and those in its blocks, the place of another in the source."""
    made.location = op.location
    for region in made.regions:
        for inner in edit.nested_ops(region.block):
            inner.location = op.location


def decomposition(operator: Operator) -> FuncOp:
    """The function that a composite operator is, ready to be interpreted or copied."""
    assert operator.rules.decompose is not None
    return function_for(operator, operator.rules.decompose)


@lru_cache(maxsize=256)
def function_for(operator: Operator, text: str) -> FuncOp:
    """The function that a text makes of an operator, ready to be interpreted or copied.

    Raises:
        TorchScriptError: the text does not compile, or is not of one function with the schema's arguments and results.
    """
    schema = operator.schema
    unit = compile_source(text, f"<decomposition of {operator.qualified_name}>", of_operators=True)
    functions = list(unit.functions.values())
    if len(functions) != 1 or functions[0].func_op is None:
        raise TorchScriptError(
            f"the decomposition of {operator.qualified_name} is one function, not {len(functions)}"
        )
    (function,) = functions
    clean(function.op)
    found = function.schema
    if _signature(found.arguments) != _signature(schema.arguments) or (
        found.returns[0].type != _result_type(schema)
    ):
        raise TorchScriptError(f"the decomposition {found} does not have the form of {schema}")
    return function.op


def clean(function: FuncOp) -> None:
    """Make a function that the frontend gives what the interpreter and copies of it run fastest."""
    _run(_CLEANING, function)


def _signature(arguments: Sequence[Argument]) -> list[tuple[str, TorchScriptType]]:
    return [(argument.name, argument.type) for argument in arguments]


def _result_type(schema: FunctionSchema) -> TorchScriptType:
    """What a function gives that is an operator with this schema: one value."""
    types = [result.type for result in schema.returns]
    return types[0] if len(types) == 1 else TupleType.get(types)


def _run(passes: Sequence[FunctionPass], function: FuncOp) -> None:
    analyses = Analyses()
    for pass_ in passes:
        pass_.run_deep(function, analyses)


_CLEANING = (LowerSimpleTuples(), ConstantPropagation(immutable_types=True), ConstantPooling())
_PROPAGATION = (
    PropagateShapes(),
    Peephole(),
    ConstantPropagation(),
    LowerSimpleTuples(),
    PropagateShapes(),
)


def shape_rule(operator: Operator) -> ShapeRule:
    """The shape rule of a composite operator: what is known of its operands goes through the decomposition."""

    def rule(facts: Sequence[Any]) -> Any:
        source = decomposition(operator)
        function = source.clone()
        module = ModuleOp([function])
        block = function.body.block
        first = block.first_op
        assert first is not None
        for argument, fact in zip(block.args, facts, strict=True):
            declared = prim.type_of(argument)
            if isinstance(fact, TensorProperties):
                edit.set_type(argument, TensorType(fact))
            elif is_known(fact):
                constant = prim.ConstantOp.of(fact, NONE if fact is None else declared)
                edit.insert_before(first, constant)
                edit.replace_uses(argument, constant.results[0])
        _run(_PROPAGATION, function)
        results = [_fact(value) for value in edit.terminator(block).operands]
        edit.release(module)
        return results[0] if len(results) == 1 else tuple(results)

    return rule


def _fact(value: SSAValue) -> Any:
    type_ = prim.type_of(value)
    if isinstance(type_, TupleType):
        return tuple(
            element.data if isinstance(element, TensorType) else Unknown(element)
            for element in type_.elements
        )
    return type_.data if isinstance(type_, TensorType) else Unknown(type_)
