"""The expression that stands for a node (python_print.cpp: `printRHS`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute, SSAValue

from torchscript_dialect.dialects.attributes import PackedAttr, TensorAttr, from_attribute
from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.operators import OperatorOp, resolve_operator
from torchscript_dialect.dialects.prim import ConstantOp, type_of
from torchscript_dialect.serialization.python_printer_tables import (
    Annotations,
    Constants,
    Dependencies,
    as_identifier,
    can_be_inferred,
    is_identifier,
)
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    OptionalType,
    optional_of,
)
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.function_schema import (
    NO_DEFAULT,
    Argument,
    FunctionSchema,
    name_text,
    quote,
)
from torchscript_dialect.types.named import ClassType, FunctionType, InterfaceType
from torchscript_dialect.utils.errors import TorchScriptError

_CALLS = {
    "aten::Int": "int",
    "aten::Float": "float",
    "aten::Bool": "bool",
    "aten::str": "str",
    "aten::sorted": "sorted",
    "prim::Print": "print",
}
_NAMES = {"aten::backward": "torch.autograd.backward", "aten::grad": "torch.autograd.grad"}


class Expressions:
    """Writes nodes as expressions. `text_of` gives the text of an operand."""

    def __init__(
        self,
        text_of: Callable[[SSAValue], str],
        annotations: Annotations,
        constants: Constants,
        dependencies: Dependencies,
    ) -> None:
        self.text_of = text_of
        self.annotations = annotations
        self.constants = constants
        self.dependencies = dependencies

    def of(self, op: TorchScriptOp) -> str:
        """The expression of a node without blocks."""
        if op.KIND in _CALLS:
            return f"{called_name(op.KIND)}({self.join(op.operands)})"
        write = _WRITERS.get(op.KIND)
        return self._call(op) if write is None else write(self, op)

    def join(self, values: Any) -> str:
        return ", ".join(map(self.text_of, values))

    def result_annotation(self, op: TorchScriptOp) -> str:
        return self.annotations.of(type_of(op.results[0]))

    def annotate(self, type_: TorchScriptType, text: str) -> str:
        return f"annotate({self.annotations.of(type_)}, {text})"

    # Operators with a schema

    def _call(self, op: TorchScriptOp) -> str:
        schema = _schema_of(op)
        if schema is None:
            return f"{operator_name(op.KIND)}({self.join(op.operands)})"
        return f"{operator_name(op.KIND)}({', '.join(self._arguments(op, schema))})"

    def _arguments(self, op: TorchScriptOp, schema: FunctionSchema) -> list[str]:
        """The arguments up to the last that differs from its default, and then the outputs, by name."""
        formals = schema.arguments
        if not formals:
            return []  # `...`: PyTorch prints none of them
        outputs = 0
        while outputs < len(formals) and _is_out(formals[-1 - outputs]):
            outputs += 1
        necessary = _necessary(op, formals, len(formals) - outputs)
        texts: list[str] = []
        for index, operand in enumerate(op.operands[:necessary]):
            named = index < len(formals) and formals[index].kwarg_only
            prefix = f"{formals[index].name}=" if named else ""
            texts.append(prefix + self.text_of(operand))
        for index in range(len(formals) - outputs, len(formals)):
            place = len(op.operands) - len(formals) + index
            if 0 <= place < len(op.operands):
                texts.append(f"{formals[index].name}={self.text_of(op.operands[place])}")
        return texts


Writer = Callable[[Expressions, TorchScriptOp], str]
_WRITERS: dict[str, Writer] = {}


def _writes(*kinds: str) -> Callable[[Writer], Writer]:
    """Make a function the writer of nodes of these kinds, which have a syntax of their own."""

    def enter(writer: Writer) -> Writer:
        _WRITERS.update(dict.fromkeys(kinds, writer))
        return writer

    return enter


@_writes("prim::Constant")
def _constant(e: Expressions, op: TorchScriptOp) -> str:
    assert isinstance(op, ConstantOp)
    type_ = type_of(op.results[0])
    if isinstance(type_, FunctionType):
        e.dependencies.add(type_)
        return e.annotations.of(type_)
    return e.constants.literal(op.attributes.get("value"), type_)


@_writes("prim::Uninitialized")
def _uninitialized(e: Expressions, op: TorchScriptOp) -> str:
    return f"uninitialized({e.result_annotation(op)})"


@_writes("aten::ScalarImplicit", "aten::FloatImplicit", "aten::IntImplicit")
def _implicit(e: Expressions, op: TorchScriptOp) -> str:
    return e.annotate(type_of(op.results[0]), e.text_of(op.operands[0]))


@_writes("prim::unchecked_cast", "prim::unchecked_unwrap_optional")
def _unchecked_cast(e: Expressions, op: TorchScriptOp) -> str:
    return f"unchecked_cast({e.result_annotation(op)}, {e.text_of(op.operands[0])})"


@_writes("aten::__getitem__")
def _getitem(e: Expressions, op: TorchScriptOp) -> str:
    container = e.text_of(op.operands[0])
    if not is_identifier(container):
        container = f"({container})"
    return f"{container}[{e.text_of(op.operands[1])}]"


@_writes("prim::TupleConstruct")
def _tuple(e: Expressions, op: TorchScriptOp) -> str:
    name = e.annotations.constructor(type_of(op.results[0]))
    comma = "," if len(op.operands) == 1 else ""
    return f"{name}({e.join(op.operands)}{comma})"


@_writes("prim::TupleIndex")
def _tuple_index(e: Expressions, op: TorchScriptOp) -> str:
    return f"({e.text_of(op.operands[0])})[{e.text_of(op.operands[1])}]"


@_writes("prim::TupleSlice")
def _tuple_slice(e: Expressions, op: TorchScriptOp) -> str:
    begin, end = (_integer(op, name) for name in ("beg", "end"))
    return f"({e.text_of(op.operands[0])})[{begin}:{end}]"


@_writes("prim::ListConstruct")
def _list_construct(e: Expressions, op: TorchScriptOp) -> str:
    type_ = _result_of(op, ListType)
    text = f"[{e.join(op.operands)}]"
    if op.operands and can_be_inferred(type_.element):
        return text
    return e.annotate(type_, text)


@_writes("prim::DictConstruct")
def _dict_construct(e: Expressions, op: TorchScriptOp) -> str:
    type_ = _result_of(op, DictType)
    texts = [e.text_of(operand) for operand in op.operands]
    pairs = zip(texts[::2], texts[1::2], strict=True)
    text = f"{{{', '.join(f'{key}: {value}' for key, value in pairs)}}}"
    if op.operands and can_be_inferred(type_.key) and can_be_inferred(type_.value):
        return text
    return e.annotate(type_, text)


@_writes("prim::CreateObject")
def _create_object(e: Expressions, op: TorchScriptOp) -> str:
    name = e.result_annotation(op)
    return f"{name}.__new__({name})"


@_writes("prim::GetAttr")
def _get_attribute(e: Expressions, op: TorchScriptOp) -> str:
    owner, name = e.text_of(op.operands[0]), attribute_name(op)
    return f"{owner}.{name}" if is_identifier(name) else f"getattr({owner}, {quote(name)})"


@_writes("prim::CallFunction")
def _call_function(e: Expressions, op: TorchScriptOp) -> str:
    return f"{e.text_of(op.operands[0])}({_call_arguments(e, op)})"


@_writes("prim::PythonOp")
def _call_python(e: Expressions, op: TorchScriptOp) -> str:
    arguments = ", ".join(e.text_of(operand) for operand in op.operands)
    return f"^{name_text(attribute_name(op))}()({arguments})"


@_writes("prim::CallMethod")
def _call_method(e: Expressions, op: TorchScriptOp) -> str:
    owner = op.operands[0]
    if isinstance(type_ := type_of(owner), (ClassType, InterfaceType)):
        e.dependencies.add(type_)
    name = as_identifier(attribute_name(op))
    return f"({e.text_of(owner)}).{name}({_call_arguments(e, op)})"


def _call_arguments(e: Expressions, op: TorchScriptOp) -> str:
    return "".join(f"{e.text_of(operand)}, " for operand in op.operands[1:])


@_writes("aten::_unwrap_optional")
def _unwrap_optional(e: Expressions, op: TorchScriptOp) -> str:
    operand = op.operands[0]
    text = e.text_of(operand)
    if type_of(operand) == NONE or _is_none(operand):
        text = e.annotate(optional_of(type_of(op.results[0])), text)
    return f"{operator_name(op.KIND)}({text})"


@_writes("prim::isinstance")
def _is_instance(e: Expressions, op: TorchScriptOp) -> str:
    types = op.attributes.get("types")
    if not isinstance(types, ArrayAttr):
        raise TorchScriptError("prim::isinstance needs the attribute 'types'")
    texts = [
        e.annotations.of(type_)
        for type_ in cast("ArrayAttr[Attribute]", types)
        if isinstance(type_, TorchScriptType)
    ]
    shown = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
    return f"isinstance({e.text_of(op.operands[0])}, {shown})"


@_writes("prim::tolist")
def _to_list(e: Expressions, op: TorchScriptOp) -> str:
    return e.annotate(type_of(op.results[0]), f"{e.text_of(op.operands[0])}.tolist()")


@_writes("prim::EnumValue")
def _enum_value(e: Expressions, op: TorchScriptOp) -> str:
    return f"({e.text_of(op.operands[0])}).value"


@_writes("prim::EnumName")
def _enum_name(e: Expressions, op: TorchScriptOp) -> str:
    return f"({e.text_of(op.operands[0])}).name"


def called_name(kind: str) -> str:
    """An operator as calls write it: as `operator_name`, and `int` for `aten::Int`."""
    return _CALLS.get(kind) or operator_name(kind)


def operator_name(kind: str) -> str:
    """`torch.add` for `aten::add`, `ops.prim.data` for `prim::data`."""
    if (name := _NAMES.get(kind)) is not None:
        return name
    namespace, _, rest = kind.partition("::")
    return f"torch.{rest}" if namespace == "aten" else f"ops.{namespace}.{rest}"


def attribute_name(op: TorchScriptOp) -> str:
    """The `name` that a node carries.

    Raises:
        TorchScriptError: it carries none.
    """
    name = op.attributes.get("name")
    if not isinstance(name, StringAttr):
        raise TorchScriptError(f"{op.KIND} needs the attribute 'name'")
    return name.data


def constant_of(value: SSAValue) -> ConstantOp | None:
    """The node of a constant that is no function, None for any other value."""
    owner = value.owner
    if isinstance(owner, ConstantOp) and owner.function_name is None:
        return owner
    return None


def _schema_of(op: TorchScriptOp) -> FunctionSchema | None:
    if isinstance(op, OperatorOp):
        return op.schema
    operator = resolve_operator(op.KIND, [type_of(operand) for operand in op.operands])
    return None if operator is None else operator.schema


def _is_out(formal: Argument) -> bool:
    return formal.kwarg_only and formal.alias is not None and formal.alias.is_write


def _necessary(op: TorchScriptOp, formals: tuple[Argument, ...], count: int) -> int:
    """How many arguments must be given: those behind have the value that is their default anyway."""
    if len(formals) < len(op.operands):
        return len(op.operands)
    count = min(count, len(op.operands))
    while count and _is_default(op.operands[count - 1], formals[count - 1]):
        count -= 1
    return count


def _is_default(operand: SSAValue, formal: Argument) -> bool:
    default = formal.default
    if default is NO_DEFAULT or (constant := constant_of(operand)) is None:
        return False
    attribute = constant.attributes.get("value")
    if attribute is None:
        return default is None
    if isinstance(attribute, (TorchScriptType, TensorAttr, PackedAttr)):
        return False
    type_ = formal.type.element if isinstance(formal.type, OptionalType) else formal.type
    if isinstance(type_, ListType) and isinstance(default, (bool, int, float)):
        default = [default] * (formal.list_size or 1)
    return _same(from_attribute(attribute), default)


def _same(actual: Any, default: Any) -> bool:
    """Equal and of one type: 1, 1.0 and True are three values."""
    if type(actual) is not type(default):
        return False
    if isinstance(actual, list):
        ours, theirs = cast("list[Any]", actual), cast("list[Any]", default)
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    return bool(actual == default)


def _is_none(value: SSAValue) -> bool:
    constant = constant_of(value)
    return constant is not None and "value" not in constant.attributes


def _integer(op: TorchScriptOp, name: str) -> int:
    value = op.attributes.get(name)
    if not isinstance(value, IntegerAttr):
        raise TorchScriptError(f"{op.KIND} needs the integer attribute '{name}'")
    return value.value.data


def _result_of(op: TorchScriptOp, class_: type[Any]) -> Any:
    type_ = type_of(op.results[0])
    if not isinstance(type_, class_):
        raise TorchScriptError(f"{op.KIND} does not make a {type_.repr_str}")
    return type_
