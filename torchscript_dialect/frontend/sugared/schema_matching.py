"""Which overload a call means, and the operands that it gets (PyTorch: torch/csrc/jit/frontend/schema_matching.cpp).

Overloads are tried in their order, first with the arguments as they are, then with implicit conversions. What a failed trial
has put into the graph is taken out again.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from xdsl.ir import SSAValue

from torchscript_dialect.dialects.construction import Constant, constant_for
from torchscript_dialect.frontend.sugared.arguments import NamedValue, describe
from torchscript_dialect.frontend.sugared.conversions import (
    convertible_to_list,
    try_convert_to_type,
    unwrap_optional,
)
from torchscript_dialect.frontend.sugared.function_builder import FunctionBuilder
from torchscript_dialect.frontend.sugared.node_calls import MatchedSchema
from torchscript_dialect.ir.edit import erase, type_of
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.core import (
    FLOAT,
    INT,
    TorchScriptType,
)
from torchscript_dialect.types.function_schema import NO_DEFAULT, Argument, FunctionSchema
from torchscript_dialect.types.named import VarType
from torchscript_dialect.types.subtyping import (
    TypeEnv,
    evaluate_type_variables,
    has_type_variables,
    is_subtype,
    match_type_variables,
)
from torchscript_dialect.types.tensor_type import INFERRED_TENSOR, TensorType
from torchscript_dialect.utils.errors import FrontendError, suggestion
from torchscript_dialect.utils.memo import Memo
from torchscript_dialect.utils.source_range import SourceRange

_BLOCKED = {"aten::view.dtype", "aten::max.unary_out", "aten::min.unary_out"}
"""Overloads that are never chosen: they cannot be told from others by the types of TorchScript."""


class _NoMatch(Exception):
    """Why a schema does not fit."""


def _default(argument: Argument) -> Constant | None:
    """The constant that an argument defaults to; None where it is made as if it had been given."""
    value = argument.default
    is_list = isinstance(unwrap_optional(argument.type), ListType)
    if is_list and not (value is None or isinstance(value, (list, tuple)) or argument.spelling):
        return None
    return constant_for(argument, value)


class _Trial:
    """One schema against one call."""

    def __init__(self, graph: FunctionBuilder, range: SourceRange, allow_conversions: bool) -> None:
        self.graph = graph
        self.range = range
        self.allow_conversions = allow_conversions
        self.env: TypeEnv = {}

    def match(
        self,
        schema: FunctionSchema,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        self_value: NamedValue | None,
    ) -> MatchedSchema:
        inputs: list[SSAValue] = []
        used_args = 0
        used_kwargs: set[int] = set()
        arguments = schema.arguments
        for index, argument in enumerate(arguments):
            if self_value is not None and argument.name == "self":
                actual, self_value = self_value, None
            elif not argument.kwarg_only and used_args < len(args):
                if self.allow_conversions and _takes_the_rest(arguments, index):
                    rest = self.list_of_rest(argument.type, args[used_args:])
                    if rest is not None:
                        inputs.append(rest)
                        used_args = len(args)
                        continue
                actual = args[used_args]
                used_args += 1
            elif (found := _find(kwargs, argument.name)) is not None or (
                argument.name == "self"
                and schema.name.startswith("aten::")
                and (found := _find(kwargs, "input")) is not None
            ):
                actual = found
                used_kwargs.add(id(found))
            elif argument.default is not NO_DEFAULT:
                inputs.append(self.default(argument))
                continue
            else:
                raise _NoMatch(f"Argument {argument.name} not provided.\n")
            inputs.append(self.argument(argument, actual))
        if self_value is not None:
            raise _NoMatch("Provided self argument not used in schema.\n")
        if schema.is_vararg:
            inputs.extend(arg.emit(self.graph) for arg in args[used_args:])
            used_args = len(args)
        if used_args < len(args):
            raise _NoMatch(
                f"Expected at most {used_args} arguments but found {len(args)} positional"
                " arguments.\n"
            )
        for kwarg in kwargs:
            if id(kwarg) not in used_kwargs:
                is_known = schema.argument_index(kwarg.name) is not None
                why = "specified twice" if is_known else "unknown"
                raise _NoMatch(f"Keyword argument {kwarg.name} {why}.\n")
        return self.results(schema, inputs)

    def list_of_rest(self, formal: TorchScriptType, rest: Sequence[NamedValue]) -> SSAValue | None:
        """The list that the last positional arguments are, as in `x.view(2, 3)`; None where the first is the list."""
        assert isinstance(formal, ListType)
        first = rest[0].type
        if isinstance(first, ListType) or convertible_to_list(first, formal):
            return None
        element = Argument("<varargs>", formal.element)
        return self.graph.list_of(formal.element, [self.argument(element, arg) for arg in rest])

    def results(self, schema: FunctionSchema, inputs: list[SSAValue]) -> MatchedSchema:
        types: list[TorchScriptType] = []
        for result in schema.returns:
            type_ = result.type
            if self.env:
                evaluated = evaluate_type_variables(type_, self.env)
                assert evaluated is not None, (
                    f"{schema} gives a type that its arguments do not tell"
                )
                type_ = evaluated
            types.append(type_)
        names = tuple(result.name for result in schema.returns)
        return MatchedSchema(inputs, types, names if names and all(names) else None)

    def default(self, argument: Argument) -> SSAValue:
        if isinstance(argument.default, dict):
            raise FrontendError(
                f"the default of '{argument.name}' is a dict, of which there are no constants here:"
                " give a dict",
                self.range,
            )
        constant = _default(argument)
        if constant is None:
            return self.argument(argument, NamedValue(constant=argument.default))
        return self.graph.constant(constant.value, None, constant.type)

    def argument(self, argument: Argument, actual: NamedValue) -> SSAValue:
        value = actual.emit(self.graph)
        formal = argument.type
        type_ = type_of(value)
        if type_ is formal:
            return value
        if argument.list_size is not None and type_ in (INT, FLOAT):
            list_type = unwrap_optional(formal)
            if isinstance(list_type, ListType) and list_type.element == type_:
                value = self.graph.list_of(type_, [value] * argument.list_size)
        concrete: TorchScriptType | None = formal
        if has_type_variables(formal):
            shown = describe(type_of(value))
            why_not = match_type_variables(formal, type_of(value), self.env)
            if why_not is not None:
                plain = f" to {type_of(value).annotation_str}"
                if why_not.endswith(plain):
                    why_not = f"{why_not.removesuffix(plain)} to {shown}"
                raise _NoMatch(
                    f"Could not match type {shown} to {formal.annotation_str} in argument"
                    f" '{argument.name}': {why_not}.\n"
                )
            concrete = evaluate_type_variables(formal, self.env)
            if concrete is None:
                raise _NoMatch(
                    f"Type variables in type {formal.annotation_str} could not be inferred from"
                    f" actual type {shown}"
                )
        value = try_convert_to_type(self.graph, concrete, value, self.range, self.allow_conversions)
        if not is_subtype(type_of(value), concrete):
            raise _NoMatch(_mismatch(argument, formal, type_of(value)))
        return value


def _mismatch(argument: Argument, expected: TorchScriptType, actual: TorchScriptType) -> str:
    text = (
        f"Expected a value of type '{describe(expected)}' for argument '{argument.name}' but"
        f" instead found type '{describe(actual)}'.\n"
    )
    if expected is INFERRED_TENSOR:
        text += (
            f"Inferred '{argument.name}' to be of type 'Tensor' because it was not annotated with"
            " an explicit type.\n"
        )
    if actual is INFERRED_TENSOR:
        text += (
            f"Inferred the value for argument '{argument.name}' to be of type 'Tensor' because it"
            " was not annotated with an explicit type.\n"
        )
    if isinstance(actual, ListType) and isinstance(actual.element, TensorType):
        text += (
            "Empty lists default to List[Tensor]. Add a variable annotation to the assignment to"
            " create an empty list of another type (torch.jit.annotate(List[T, []]) where T is the"
            " type of elements in the list for Python 2)\n"
        )
    return text


def _takes_the_rest(arguments: Sequence[Argument], index: int) -> bool:
    """Whether the remaining positional arguments may be this argument's list: `zeros(1, 2)`."""
    if index + 1 < len(arguments) and not arguments[index + 1].kwarg_only:
        return False
    formal = arguments[index].type
    if not isinstance(formal, ListType) or arguments[index].list_size is not None:
        return False
    return not isinstance(formal.element, VarType)


def _find(kwargs: Sequence[NamedValue], name: str) -> NamedValue | None:
    for kwarg in kwargs:
        if kwarg.name == name:
            return kwarg
    return None


def _try_match(
    schema: FunctionSchema,
    range: SourceRange,
    graph: FunctionBuilder,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
    self_value: NamedValue | None,
    allow_conversions: bool,
) -> MatchedSchema | str:
    """The match, or why there is none; then the graph is as it was."""
    before = graph.point.prev_op
    try:
        return _Trial(graph, range, allow_conversions).match(schema, args, kwargs, self_value)
    except _NoMatch as why_not:
        while (last := graph.point.prev_op) is not before:
            assert last is not None
            erase(last)
        return f"\n{schema}:\n{why_not}"


def match_schema(
    schema: FunctionSchema,
    range: SourceRange,
    graph: FunctionBuilder,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
    self_value: NamedValue | None = None,
) -> MatchedSchema:
    """The operands for a call of the only schema there is.

    Raises:
        FrontendError: the arguments do not fit.
    """
    matched = _try_match(schema, range, graph, args, kwargs, self_value, True)
    if isinstance(matched, str):
        raise FrontendError(matched + _keyword_hint((schema,), kwargs), range)
    return matched


def _keyword_hint(schemas: Sequence[FunctionSchema], kwargs: Sequence[NamedValue]) -> str:
    """What the keywords that no schema has may mean, a line for each."""
    known = {argument.name for schema in schemas for argument in schema.arguments}
    hints = (
        f"Keyword argument {kwarg.name} unknown{suggestion(kwarg.name, sorted(known))}\n"
        for kwarg in kwargs
        if kwarg.name not in known
    )
    return "".join(hint for hint in hints if "?" in hint)


@dataclass(frozen=True)
class _Choice:
    """Which overload the types of arguments led to, and whether with conversions.

    `inputs` tells of each operand which positional argument it is, or what constant; it is None where anything else was done
    to make the operands.
    """

    index: int
    allow_conversions: bool
    inputs: tuple[int | Constant, ...] | None
    return_types: Sequence[TorchScriptType]
    return_names: tuple[str, ...] | None

    def replay(self, graph: FunctionBuilder, args: Sequence[NamedValue]) -> MatchedSchema:
        """The match for other arguments of the same types."""
        assert self.inputs is not None
        inputs = [
            graph.constant(operand.value, None, operand.type)
            if isinstance(operand, Constant)
            else args[operand].emit(graph)
            for operand in self.inputs
        ]
        return MatchedSchema(inputs, self.return_types, self.return_names)


def _straight_inputs(
    schema: FunctionSchema, inputs: Sequence[SSAValue], args: Sequence[NamedValue]
) -> tuple[int | Constant, ...] | None:
    """What `_Choice.inputs` says of a call with positional arguments only."""
    taken, arguments = len(args), schema.arguments
    if schema.is_vararg or len(inputs) != len(arguments):
        return None
    if any(given.value is not value for given, value in zip(args, inputs, strict=False)):
        return None
    if any(has_type_variables(argument.type) for argument in arguments):
        return None
    defaults = [_default(argument) for argument in arguments[taken:]]
    constants = [constant for constant in defaults if constant is not None]
    return (*range(taken), *constants) if len(constants) == len(defaults) else None


def _trials(count: int) -> Iterator[tuple[bool, int]]:
    """Whether conversions are allowed, and which of so many schemas is tried."""
    return product((False, True), range(count))


_chosen: Memo[Any, _Choice] = Memo(1 << 14)
"""By operator, number of overloads and types of arguments."""


def match_schemas(
    schemas: Sequence[FunctionSchema],
    range: SourceRange,
    graph: FunctionBuilder,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
    self_value: NamedValue | None = None,
    key: str = "",
) -> tuple[int, MatchedSchema]:
    """The index of the schema that is called, and its operands.

    `key` names the set of schemas if it is the same at every call; then the choice is remembered.

    Raises:
        FrontendError: no schema fits; the message has all of them, each with what is wrong.
    """
    count = len(schemas)
    if count == 1:
        return 0, match_schema(schemas[0], range, graph, args, kwargs, self_value)
    types = (
        key,
        count,
        None if self_value is None else self_value.type,
        *[arg.type for arg in args],
        *[(kwarg.name, kwarg.type) for kwarg in kwargs],
    )
    if key and graph.empty_lists and _has_empty_list(graph, args, kwargs, self_value):
        key = ""
    known = _chosen.get(types) if key else None
    if known is not None:
        schema = schemas[known.index]
        if known.inputs is not None:
            return known.index, known.replay(graph, args)
        matched = _try_match(
            schema, range, graph, args, kwargs, self_value, known.allow_conversions
        )
        if not isinstance(matched, str):
            return known.index, matched
    failures: dict[int, str] = {}
    for allow_conversions, index in _trials(count):
        schema = schemas[index]  # asked for when it is tried: a builtin function is compiled then
        if schema.qualified_name in _BLOCKED:
            continue
        matched = _try_match(schema, range, graph, args, kwargs, self_value, allow_conversions)
        if isinstance(matched, str):
            failures[index] = matched
            continue
        if key:
            positional = not kwargs and self_value is None
            inputs = _straight_inputs(schema, matched.inputs, args) if positional else None
            _chosen[types] = _Choice(
                index, allow_conversions, inputs, matched.return_types, matched.return_names
            )
        return index, matched
    variants = textwrap.indent("".join(failures.values()), "  ", lambda line: True)
    raise FrontendError(
        "Arguments for call are not valid.\nThe following variants are available:\n"
        f"{variants}{_keyword_hint(schemas, kwargs)}\nThe original call is",
        range,
    )


def _has_empty_list(
    graph: FunctionBuilder,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
    self_value: NamedValue | None,
) -> bool:
    """Whether an argument is a literal `[]` without annotation, whose type does not tell what it may become."""
    given = (*args, *kwargs) if self_value is None else (self_value, *args, *kwargs)
    return any(value.value in graph.empty_lists for value in given)
