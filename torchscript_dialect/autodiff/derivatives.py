"""Derivatives of operators: formulas of the operator table, compiled when they are first needed, for the tape and for graphs.

Note [Derivatives]
The slot `grad` of an operator holds a line for each of its inputs, as tools/autograd/derivatives.yaml of PyTorch does:

    self: grad * other
    other: grad * self

An expression is TorchScript over the operator's arguments, its results (`result`, or their names in the schema, or `result0`,
`result1`), and their gradients (`grad` of the first, `grad_` and the name of any; `grads` where the result is a list). It may call the
functions of `ops/derivatives/helpers/`. `self, other: f(...)` gives several at once; `needs` is then a list that tells which of them
are wanted. A gradient may be None, for zeros, and may have the shape and dtype of the result: the engine adds up what was broadcast
and casts. What stands in an expression is saved, and nothing else. Two more words: `self: not_differentiable` is for inputs, and
`result: not_differentiable` for results, that no gradient goes through.

Where the slot holds a function (`def parts(...)`), the operator runs as that while it is recorded, and goes backwards through its
parts. Before `def checked_parts(...)` the operator's kernel runs as well, as it refuses what the parts take.

A variant in place or with `out` has the formulas of the operator that it is a variant of. An operator that has a decomposition and no
formulas goes backwards through its parts.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.dialects import aten
from torchscript_dialect.frontend.compile import compile_source
from torchscript_dialect.ir.edit import insert_constant, nested_ops, replace_uses
from torchscript_dialect.ir.module import find_function, module_around
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.derivatives.helpers import HELPERS
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.transforms.constant_propagation import ConstantPropagation
from torchscript_dialect.transforms.dead_code_elimination import DeadCodeElimination
from torchscript_dialect.transforms.decompose_ops import clean
from torchscript_dialect.transforms.inline import Inline
from torchscript_dialect.types.containers import ListType, OptionalType
from torchscript_dialect.types.core import BOOL, TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.properties import cached_property

NOT_DIFFERENTIABLE = "not_differentiable"
OURS = "<torchscript>"
"""The name of files whose source is the package's, as audit hooks see it."""


def is_tensor(type_: TorchScriptType) -> bool:
    """Whether values of a type are tensors, or nothing."""
    element = type_.element if isinstance(type_, OptionalType) else type_
    return isinstance(element, TensorType)


def is_tensor_list(type_: TorchScriptType) -> bool:
    """Whether values of a type are lists of tensors."""
    inner = type_.element if isinstance(type_, OptionalType) else type_
    return isinstance(inner, ListType) and is_tensor(inner.element)


class Formula:
    """The gradients of some of an operator's inputs."""

    def __init__(self, operator: Operator, inputs: tuple[str, ...], expression: str) -> None:
        self.operator = operator
        self.inputs = inputs
        self.expression = expression
        tree = ast.parse(expression, OURS, mode="eval")
        self.words = frozenset(n.id for n in ast.walk(tree) if isinstance(n, ast.Name))

    @cached_property
    def parameters(self) -> dict[str, str]:
        """What the expression is over, with the types in source."""
        known = variables(self.operator.schema)
        return {name: type_ for name, type_ in known.items() if name in self.words}

    @cached_property
    def read(self) -> frozenset[str]:
        """The parameters whose elements, or places in memory, the expression reads; of others it asks sizes and dtype."""
        tree = ast.parse(self.expression, OURS, mode="eval")
        return frozenset(name for name in self.parameters if _reads(tree, name))

    @cached_property
    def text(self) -> str:
        """The function of the formula, and those that it calls, as source."""
        parameters = ", ".join(f"{name}: {type_}" for name, type_ in self.parameters.items())
        body = f"def gradient({parameters}):\n    return {self.expression}\n"
        return "\n".join([*helpers(self.words), body])

    @cached_property
    def function(self) -> FuncOp:
        """The formula as a function of `parameters`."""
        return _compiled(self.operator, self.text, "gradient")

    @cached_property
    def inlined_function(self) -> FuncOp:
        """The same with what it calls inlined."""
        found, analyses = _inlined(self.function)
        _fold(found, analyses)
        return found

    @cached_property
    def real_function(self) -> FuncOp:
        """The same for tensors that are real, with what it calls inlined: what is put into graphs."""
        return _for_real_tensors(self.function)


def _compiled(operator: Operator, text: str, name: str) -> FuncOp:
    unit = compile_source(text, f"<derivative of {operator.qualified_name}>", of_operators=True)
    function = unit.functions[name].op
    clean(function)
    return function


def _inlined(function: FuncOp) -> tuple[FuncOp, Analyses]:
    """A copy of a function that calls nothing."""
    module = module_around(function)
    copy = module.clone()
    found = find_function(copy, function.sym_name.data)
    analyses = Analyses()
    Inline().run_deep(found, analyses)
    return found, analyses


def _fold(function: FuncOp, analyses: Analyses) -> None:
    """Simplify what inlining brought together."""
    for one in (ConstantPropagation(immutable_types=True), DeadCodeElimination()):
        one.run_deep(function, analyses)


def _for_real_tensors(function: FuncOp) -> FuncOp:
    found, analyses = _inlined(function)
    for op in nested_ops(found.body.block):
        if isinstance(op, aten.IsComplexOp):
            replace_uses(op.results[0], insert_constant(op, False, BOOL))
        elif isinstance(op, aten.ConjOp | aten.RealOp):
            replace_uses(op.results[0], op.operands[0])
    _fold(found, analyses)
    return found


_FACTS = frozenset("size dim numel is_complex is_floating_point dtype".split())
"""What may be asked of a tensor without looking at its elements."""


def _reads(tree: ast.AST, name: str) -> bool:
    """Whether code looks at more of a tensor than `_FACTS`, or of those in a list, itself or by a helper that it calls."""
    harmless: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _FACTS:
            harmless.add(id(node.value))
        if isinstance(node, ast.For):
            each = node.target
            if isinstance(each, ast.Name) and not any(_reads(s, each.id) for s in node.body):
                harmless.add(id(node.iter))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            for place, argument in enumerate(node.args):
                if isinstance(argument, ast.Name) and not _helper_reads(node.func.id, place):
                    harmless.add(id(argument))
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name)
    return any(id(node) not in harmless and isinstance(node.ctx, ast.Load) for node in names)


@lru_cache(maxsize=1 << 10)
def _helper_reads(name: str, place: int) -> bool:
    source = HELPERS.get(name)
    if source is None:
        return True
    (function,) = ast.parse(source, OURS).body
    assert isinstance(function, ast.FunctionDef)
    return any(_reads(line, function.args.args[place].arg) for line in function.body)


def helpers(words: frozenset[str]) -> list[str]:
    """The sources of the helper functions of these names, and of those that they call, callees first."""
    found: dict[str, str] = {}

    def visit(names: frozenset[str]) -> None:
        for name in sorted(names & HELPERS.keys() - found.keys()):
            source = HELPERS[name]
            inner = frozenset(
                node.id for node in ast.walk(ast.parse(source, OURS)) if isinstance(node, ast.Name)
            )
            visit(inner - {name})
            found[name] = source

    visit(words)
    return list(found.values())


def variables(schema: FunctionSchema) -> dict[str, str]:
    """The names that a formula may use, with their types."""
    known = {argument.name: argument.type.annotation_str for argument in schema.arguments}
    returns = schema.returns
    for number, result in enumerate(returns):
        type_ = result.type.annotation_str
        name = result_name(schema, number)
        known[name] = known[f"result{number}"] = type_
        known[f"grad_{name}"] = known[f"grad{number}"] = type_
    if returns:
        known["result"] = known["grad"] = known["grads"] = returns[0].type.annotation_str
    known["needs"] = "List[bool]"
    return known


def result_name(schema: FunctionSchema, number: int) -> str:
    """What formulas call a result."""
    return schema.returns[number].name or f"result{number}"


class Derivative:
    """The formulas of one operator."""

    def __init__(self, operator: Operator, text: str) -> None:
        self.operator = operator
        self.formulas: list[Formula] = []
        self.ignored: set[str] = set()
        """Inputs and results that are not differentiable."""
        self.parts = text if text.startswith("def ") else None
        """What the operator is made of, where it goes backwards through that."""
        self.is_checked = text.startswith("def checked_parts(")
        """Whether the kernel refuses what the parts take."""
        for line in () if self.parts else _lines(text):
            names, _, expression = line.partition(":")
            inputs = tuple(name.strip() for name in names.split(","))
            if expression.strip() == NOT_DIFFERENTIABLE:
                self.ignored.update(inputs)
            else:
                self.formulas.append(Formula(operator, inputs, expression.strip()))
        self.inputs = {name: formula for formula in self.formulas for name in formula.inputs}

    @cached_property
    def parts_function(self) -> FuncOp:
        """What the operator is made of, as a function of its arguments."""
        assert self.parts is not None
        tree = ast.parse(self.parts, OURS)
        words = frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
        name = "checked_parts" if self.is_checked else "parts"
        return _compiled(self.operator, "\n".join([*helpers(words), self.parts]), name)

    @cached_property
    def words(self) -> frozenset[str]:
        """Everything that the formulas are over."""
        return frozenset(name for formula in self.formulas for name in formula.parameters)

    @cached_property
    def read(self) -> frozenset[str]:
        """The parameters of the formulas whose elements, or places in memory, one of them reads."""
        return frozenset(name for formula in self.formulas for name in formula.read)

    def names_of_result(self, number: int) -> set[str]:
        """What formulas may call a result."""
        names = {f"result{number}", result_name(self.operator.schema, number)}
        return names if number else {"result", *names}

    def gives_gradient(self, number: int) -> bool:
        """Whether gradients go through a result."""
        return not self.names_of_result(number) & self.ignored


def _lines(text: str) -> list[str]:
    """One line for each formula: what is indented, or begins without a colon, goes on with the line before."""
    lines: list[str] = []
    for line in text.strip().splitlines():
        stripped = line.strip()
        head = stripped.partition(":")[0]
        starts = ":" in stripped and all(part.strip().isidentifier() for part in head.split(","))
        if starts or not lines:
            lines.append(stripped)
        else:
            lines[-1] += f" {stripped}"
    return lines


@lru_cache(maxsize=1 << 12)
def derivative(operator: Operator) -> Derivative | None:
    """The derivative of an operator, or of what it is a variant of; None where the table has none."""
    registry.load_derivatives()
    for known in (operator, base_of_variant(operator), _view_of_copy(operator)):
        if known is not None and known.rules.grad is not None:
            return Derivative(known, known.rules.grad)
    return None


registry.when_registered(derivative.cache_clear)


def base_of_variant(operator: Operator) -> Operator | None:
    """The operator without effects that an operator in place does."""
    rules = operator.rules
    if rules.variant_of is not None:
        return registry.find(rules.variant_of)
    if not operator.schema.is_mutable:
        return None
    overload = f".{operator.overload}" if operator.overload else ""
    name = operator.name.removesuffix("_")
    if operator.name.startswith("aten::__i"):
        name = f"aten::__{operator.name.removeprefix('aten::__i')}"
    named_so = registry.find(f"{name}{overload}")
    types = [argument.type for argument in operator.schema.arguments]
    # `pow_.Scalar` does what `pow.Tensor_Scalar` does
    for known in (named_so, *registry.lookup(name)):
        if known is not None and [argument.type for argument in known.schema.arguments] == types:
            return known
    return named_so


def _view_of_copy(operator: Operator) -> Operator | None:
    """The view that `aten::expand_copy` copies."""
    if not operator.name.endswith("_copy"):
        return None
    overload = f".{operator.overload}" if operator.overload else ""
    return registry.find(f"{operator.name.removesuffix('_copy')}{overload}")
