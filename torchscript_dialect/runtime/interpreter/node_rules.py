"""What the interpreter's Python source has for each kind of node that is no operator."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Protocol

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.analysis.history import History
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.ir.locations import at
from torchscript_dialect.ops.values.dicts import new_key
from torchscript_dialect.runtime.interpreter import values
from torchscript_dialect.runtime.specialization.profiling import Profile, ProfileIValue
from torchscript_dialect.runtime.values.exchange import python_caller
from torchscript_dialect.runtime.values.named_tuples import named_tuple
from torchscript_dialect.runtime.values.objects import ScriptObject
from torchscript_dialect.tensor import tracked
from torchscript_dialect.tensor.autocast_region import Casts
from torchscript_dialect.types.containers import DictType, TupleType
from torchscript_dialect.types.core import COMPLEX, FLOAT
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.subtyping import unshaped
from torchscript_dialect.utils.errors import TorchScriptError

CallResolver = Callable[[str], Callable[..., Any]]
"""From a function's symbol to what runs it."""

FIELDS = "__torchscript_fields__"
"""The attribute of an object that holds its fields: Note [Fields] in objects.py."""


class Source(Protocol):
    """The source under construction; see `PythonSource`."""

    is_checked: bool
    history: History | None
    resolve: CallResolver

    @property
    def enters_here(self) -> bool:
        """Whether the function under construction enters `with` statements."""
        ...

    def name(self, value: Any) -> str:
        """A name for an object."""
        ...

    def is_recorded(self, node: Operation) -> bool:
        """Whether what the node does goes on the tape."""
        ...

    def callee(self, symbol: str, node: Operation) -> Callable[..., Any]:
        """What runs a function of the module."""
        ...

    def call(self, function: Callable[..., Any], inputs: Iterable[str]) -> str:
        """The text of a call."""
        ...


def _attribute(node: Operation, name: str) -> Any:
    return from_attribute(node.attributes[name])


def _tuple(inputs: list[str]) -> str:
    return f"({', '.join(inputs)}{',' if len(inputs) == 1 else ''})"


Rule = Callable[[Source, Any, list[str]], str]


def _list_unpack(source: Source, node: prim.ListUnpackOp, inputs: list[str]) -> str:
    return source.call(values.unpack_list, (inputs[0], source.name(len(node.results))))


def _tuple_construct(source: Source, node: prim.TupleConstructOp, inputs: list[str]) -> str:
    type_ = prim.type_of(node.results[0])
    if not isinstance(type_, TupleType) or not isinstance(type_.qualified_name, StringAttr):
        return _tuple(inputs)
    class_ = named_tuple(type_.qualified_name.data, type_.field_names)
    return source.call(partial(tuple[Any, ...].__new__, class_), (_tuple(inputs),))


def _tuple_slice(source: Source, node: prim.TupleSliceOp, inputs: list[str]) -> str:
    taken = slice(_attribute(node, "beg"), _attribute(node, "end"))
    return f"{inputs[0]}[{source.name(taken)}]"


def _dict_construct(source: Source, node: prim.DictConstructOp, inputs: list[str]) -> str:
    type_ = prim.type_of(node.results[0])
    keys = inputs[::2]
    if isinstance(type_, DictType) and type_.key in (FLOAT, COMPLEX):
        keys = [source.call(new_key, (key,)) for key in keys]
    pairs = zip(keys, inputs[1::2], strict=True)
    return f"{{{', '.join(f'{key}: {value}' for key, value in pairs)}}}"


def _get_attr(source: Source, node: prim.GetAttrOp, inputs: list[str]) -> str:
    field = f"{inputs[0]}.{FIELDS}[{source.name(_attribute(node, 'name'))}]"
    if source.is_checked:
        field = _checked(source, node, field)
    return without_history(source, field, node.results[0])


def without_history(source: Source, text: str, value: SSAValue) -> str:
    """The text for a value from outside, as nodes take it."""
    history = source.history
    if history is None or value not in history.outside or value in history.kept_of:
        return text
    return source.call(tracked.without_history, (text,))


def _set_attr(source: Source, node: prim.SetAttrOp, inputs: list[str]) -> str:
    name = source.name(_attribute(node, "name"))
    if source.is_checked:
        return source.call(values.set_declared, (inputs[0], name, inputs[1]))
    return f"{inputs[0]}.{FIELDS}[{name}] = {inputs[1]}"


def _has_attr(source: Source, node: prim.HasAttrOp, inputs: list[str]) -> str:
    return source.call(values.has_attribute, (inputs[0], source.name(_attribute(node, "name"))))


def _checked(source: Source, node: Operation, value: str) -> str:
    """The value, if it has the type that the graph claims for the result of a node; sizes, which runs observed, are the kernels' to
    check.
    """
    return source.call(values.checked(unshaped(prim.type_of(node.results[0]))), (value,))


def _unchecked_cast(source: Source, node: prim.UncheckedCastOp, inputs: list[str]) -> str:
    return _checked(source, node, inputs[0]) if source.is_checked else inputs[0]


def _call_function(source: Source, node: prim.CallFunctionOp, inputs: list[str]) -> str:
    function = node.operands[0].owner
    if not isinstance(function, prim.ConstantOp) or function.function_symbol is None:
        raise TorchScriptError(f"prim::CallFunction calls what is no constant function{at(node)}")
    return f"{inputs[0]}({', '.join(inputs[1:])})"


def _call_method(source: Source, node: prim.CallMethodOp, inputs: list[str]) -> str:
    name: str = _attribute(node, "name")
    type_ = prim.type_of(node.operands[0])
    if isinstance(type_, ClassType):
        method = source.callee(f"{type_.qualified_name.data}.{name}", node)
        return source.call(method, inputs)
    resolve = getattr(source.resolve, "of_interface", source.resolve)
    called = source.call(partial(_call_method_of, name, resolve), inputs)
    return _checked(source, node, called) if source.is_checked else called


def _call_method_of(name: str, resolve: CallResolver, self: Any, *args: Any) -> Any:
    """Call a method of an object whose class only the object tells: an interface stands for it."""
    return resolve(f"{self.__torchscript_qualified_name__}.{name}")(self, *args)


def _create_object(source: Source, node: prim.CreateObjectOp, inputs: list[str]) -> str:
    type_ = prim.type_of(node.results[0])
    assert isinstance(type_, ClassType)
    return source.call(partial(ScriptObject, type_.qualified_name.data, source.resolve), ())


def _enter(source: Source, node: prim.EnterOp, inputs: list[str]) -> str:
    type_ = prim.type_of(node.operands[0])
    assert isinstance(type_, ClassType)
    class_ = type_.qualified_name.data
    methods = (source.callee(f"{class_}.{name}", node) for name in ("__enter__", "__exit__"))
    entered = inputs[0]
    if class_.endswith(".autocast_mode.autocast"):
        made = node.operands[0].owner
        place = at(made) if isinstance(made, Operation) else ""
        entered = source.call(partial(_without_autocast, place), (entered,))
    return f"entered.enter({entered}, {', '.join(map(source.name, methods))})"


def _without_autocast(place: str, region: ScriptObject) -> ScriptObject:
    """A region of `torch.autocast`, unless tensors here would have other dtypes in it."""
    fields = region.__torchscript_fields__
    if fields["_enabled"] and fields["device"] in Casts._fields:
        raise TorchScriptError(f"torch.autocast is not supported{place}")
    return region


def _exit(source: Source, node: prim.ExitOp, inputs: list[str]) -> str:
    if not source.enters_here:
        raise TorchScriptError(f"prim::Exit leaves what its block does not enter{at(node)}")
    return "entered.leave()"


def _chunk(source: Source, node: prim.ConstantChunkOp, inputs: list[str]) -> str:
    numbers = (source.name(_attribute(node, name)) for name in ("chunks", "dim"))
    chunk = values.recorded_chunk if source.is_recorded(node) else values.constant_chunk
    return source.call(chunk, (inputs[0], *numbers))


def _uninitialized(source: Source, node: prim.UninitializedOp, inputs: list[str]) -> str:
    return source.name(values.UNINITIALIZED)


def _call_python(source: Source, node: prim.PythonOp, inputs: list[str]) -> str:
    return source.call(python_caller(node, source.resolve), inputs)


def _isinstance(source: Source, node: prim.IsInstanceOp, inputs: list[str]) -> str:
    raw = node.attributes["types"]
    types = tuple(getattr(raw, "data", ()))
    return source.call(values.instance_check(types), inputs)


def _profile(source: Source, node: prim.ProfileOp, inputs: list[str]) -> str:
    return source.call(Profile(node), inputs)


def _profile_ivalue(source: Source, node: prim.ProfileIValueOp, inputs: list[str]) -> str:
    return source.call(ProfileIValue(node), inputs)


def _guard(source: Source, node: prim.GuardOp, inputs: list[str]) -> str:
    raise TorchScriptError(f"prim::Guard needs ts-insert-bailouts before it can be run{at(node)}")


def _bailout_point(source: Source, node: prim.BailOutPointOp, inputs: list[str]) -> str:
    raise TorchScriptError(
        f"prim::BailOutPoint has a meaning in a prim::BailoutTemplate alone{at(node)}"
    )


def _requires_grad_check(source: Source, node: prim.RequiresGradCheckOp, inputs: list[str]) -> str:
    types = tuple(prim.type_of(result) for result in node.results[:-1])
    return source.call(values.requires_grad_check(types), inputs)


def _type_check(source: Source, node: prim.TypeCheckOp, inputs: list[str]) -> str:
    types = tuple(prim.type_of(result) for result in node.results[:-1])
    return source.call(values.type_check(types), inputs)


RULES: dict[type[Operation], Rule] = {
    prim.ListConstructOp: lambda source, node, inputs: f"[{', '.join(inputs)}]",
    prim.ListUnpackOp: _list_unpack,
    prim.TupleConstructOp: _tuple_construct,
    prim.TupleUnpackOp: lambda source, node, inputs: inputs[0],
    prim.TupleIndexOp: lambda source, node, inputs: f"{inputs[0]}[{inputs[1]}]",
    prim.TupleSliceOp: _tuple_slice,
    prim.DictConstructOp: _dict_construct,
    prim.GetAttrOp: _get_attr,
    prim.SetAttrOp: _set_attr,
    prim.HasAttrOp: _has_attr,
    prim.CallFunctionOp: _call_function,
    prim.CallMethodOp: _call_method,
    prim.RaiseExceptionOp: lambda s, node, inputs: s.call(values.raise_exception, inputs),
    prim.UninitializedOp: _uninitialized,
    prim.UncheckedCastOp: _unchecked_cast,
    prim.ConstantChunkOp: _chunk,
    prim.UpdateOp: lambda source, node, inputs: source.call(values.update, inputs),
    prim.PrintOp: lambda source, node, inputs: source.call(values.print_values, inputs),
    prim.PythonOp: _call_python,
    prim.IsInstanceOp: _isinstance,
    prim.ProfileOp: _profile,
    prim.ProfileIValueOp: _profile_ivalue,
    prim.TypeCheckOp: _type_check,
    prim.RequiresGradCheckOp: _requires_grad_check,
    prim.GuardOp: _guard,
    prim.BailoutTemplateOp: lambda source, node, inputs: "0",
    prim.BailOutPointOp: _bailout_point,
    prim.CreateObjectOp: _create_object,
    prim.EnterOp: _enter,
    prim.ExitOp: _exit,
}
