"""Sugared values for Python's builtins, exceptions, iterables and constructors (PyTorch: frontend/sugared_value.cpp)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.ir import SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.frontend.sugared.arguments import Arguments, NamedValue, describe
from torchscript_dialect.frontend.sugared.builtin_calls import emit_builtin_call
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.schema_matching import match_schema
from torchscript_dialect.frontend.sugared.sugared_value import (
    BuiltinFunction,
    FunctionValue,
    MethodValue,
    SimpleValue,
    SpecialFormValue,
    SugaredTupleValue,
    SugaredValue,
)
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, EnumDefinition
from torchscript_dialect.ir.edit import type_of
from torchscript_dialect.types.containers import DictType, ListType, TupleType
from torchscript_dialect.types.core import BOOL, INT, STR, TorchScriptType
from torchscript_dialect.types.function_schema import NO_DEFAULT, Argument, FunctionSchema
from torchscript_dialect.types.named import ClassType, EnumType
from torchscript_dialect.types.subtyping import is_subtype
from torchscript_dialect.utils.errors import FrontendError, suggestion
from torchscript_dialect.utils.source_range import SourceRange


class CastValue(BuiltinFunction):
    """`int(x)` and the like: nothing to do for a value that has the type."""

    def __init__(self, type_: TorchScriptType, name: str) -> None:
        super().__init__(name)
        self.type = type_

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        if len(args) == 1 and not kwargs:
            value = args[0].emit(m.graph)
            if is_subtype(type_of(value), self.type):
                return SimpleValue(value)
            if self.type == BOOL and _has_length(type_of(value)):
                length = emit_builtin_call(m, range, "aten::len", [NamedValue(value)], [])
                both = [NamedValue(length), NamedValue(constant=0)]
                return SimpleValue(emit_builtin_call(m, range, "aten::gt", both, []))
        return super().call(range, m, args, kwargs, n_binders)


def _has_length(type_: TorchScriptType) -> bool:
    return type_ == STR or isinstance(type_, (ListType, DictType))


class MagicMethod(SugaredValue):
    """A builtin that objects define by a method: `len(x)` is `x.__len__()` where `x` is an object."""

    def __init__(self, name: str, base: SugaredValue) -> None:
        self.name = name
        self.base = base

    def kind(self) -> str:
        return self.name

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        if args:
            value = args[0].emit(m.graph)
            if type(type_of(value)) is ClassType:
                method = SimpleValue(value).attr(range, m, self.name)
                return method.call(range, m, args[1:], kwargs, n_binders)
        return self.base.call(range, m, args, kwargs, n_binders)


class InfinityValue(SugaredValue):
    """`inf`, which programs know by its name alone."""

    def kind(self) -> str:
        return "float"

    def as_value(self, range: SourceRange, m: Context) -> SSAValue:
        return m.graph.constant(math.inf, range)


class PrintValue(SugaredValue):
    def kind(self) -> str:
        return "print"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        if kwargs:
            raise FrontendError("print doesn't accept any keyword arguments", range)
        values = [arg.emit(m.graph) for arg in args]
        m.graph.node(prim.PrintOp, values, (), range)
        return NoneValue()


class NoneValue(SugaredValue):
    """What a statement-like call gives."""

    def kind(self) -> str:
        return "None"


class TorchCheckValue(SugaredValue):
    """`torch._check`: `aten::_assert`, whose message need not be given."""

    NAME = "aten::_check"

    def kind(self) -> str:
        return "builtin"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        if not 1 <= (count := len(args) + len(kwargs)) <= 2:
            raise FrontendError(f"torch._check() expects 1 or 2 arguments, got {count}", range)
        places = ("cond", "message")
        for value in kwargs:
            if value.name not in places:
                raise FrontendError(
                    f"torch._check() got unexpected keyword argument '{value.name}'", range
                )
            if value.name in places[: len(args)]:
                raise FrontendError(
                    f"torch._check() got multiple values for argument '{value.name}'", range
                )
        if not args and all(value.name != "cond" for value in kwargs):
            raise FrontendError("torch._check() missing required argument 'cond'", range)
        renamed = [
            NamedValue(value.value, value.range, "condition", value.constant)
            if value.name == "cond"
            else value
            for value in kwargs
        ]
        if count == 1:
            renamed.append(NamedValue(m.graph.constant("", range), range, "message"))
        emit_builtin_call(m, range, "aten::_assert", args, renamed)
        return NoneValue()


class ExceptionMessageValue(SugaredValue):
    """An exception made of a message; `class_name` is None where the class is not kept."""

    def __init__(self, message: SSAValue, class_name: SSAValue | None = None) -> None:
        self.message = message
        self.class_name = class_name

    def kind(self) -> str:
        return "exception message"


class ExceptionValue(SugaredValue):
    """An exception class of which only the name goes into the message."""

    def __init__(self, name: str) -> None:
        self.name = name

    def kind(self) -> str:
        return "exception"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        message = m.graph.constant(f"{self.name}: ", range)
        for arg in args:
            text = arg.emit(m.graph)
            if type_of(text) != STR:
                text = emit_builtin_call(m, range, "aten::str", [NamedValue(text)], [])
            both = [NamedValue(message), NamedValue(text)]
            message = emit_builtin_call(m, range, "aten::add", both, [])
        return ExceptionMessageValue(message)


class PythonExceptionValue(ExceptionValue):
    """An exception class of Python's; its qualified name is kept."""

    def __init__(self, exception: type[BaseException]) -> None:
        super().__init__(f"{exception.__module__}.{exception.__qualname__}")

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        values = [arg.emit(m.graph) for arg in args]
        if not values:
            message = m.graph.constant("", range)
        else:
            message = values[0] if len(values) == 1 else m.graph.tuple_of(values)
        return ExceptionMessageValue(message, m.graph.constant(self.name, range))


class SliceValue(SugaredValue):
    """`slice(start, end, step)`: something to index with."""

    def __init__(self, start: SSAValue | None, end: SSAValue | None, step: SSAValue | None) -> None:
        self.start = start
        self.end = end
        self.step = step

    def kind(self) -> str:
        return "Python slice value"


class RangeValue(SugaredValue):
    """`range(...)`: never a list, only something to loop over."""

    def __init__(
        self,
        range: SourceRange,
        m: Context,
        inputs: Sequence[SSAValue],
        static_length: int | None = None,
    ) -> None:
        for index, value in enumerate(inputs):
            if type_of(value) != INT:
                raise FrontendError(
                    f"all inputs of range must be ints, found {describe(type_of(value))} in"
                    f" argument {index}",
                    range,
                )
        if not inputs:
            raise FrontendError("range expected at least 1 arguments, got 0", range)
        if len(inputs) > 3:
            raise FrontendError(f"range expected at most 3 arguments, got {len(inputs)}", range)
        self.has_only_end = len(inputs) == 1
        self._static_length = static_length
        if self.has_only_end:
            self.end = inputs[0]
            self.start = m.graph.constant(0, range)
        else:
            self.start, self.end = inputs[0], inputs[1]
        self.step = inputs[2] if len(inputs) == 3 else m.graph.constant(1, range)

    def kind(self) -> str:
        return "range"

    def iter(self, range: SourceRange, m: Context) -> SugaredValue:
        return self

    def static_length(self) -> int | None:
        return self._static_length

    def length(self, range: SourceRange, m: Context) -> SSAValue:
        if self.has_only_end:
            return self.end
        args = [NamedValue(self.start), NamedValue(self.end), NamedValue(self.step)]
        return emit_builtin_call(m, range, "aten::__range_length", args, [])

    def getitem(
        self,
        range: SourceRange,
        m: Context,
        index: SSAValue,
        type_hint: TorchScriptType | None = None,
    ) -> SugaredValue:
        if self.has_only_end:
            return SimpleValue(index)
        args = [NamedValue(index), NamedValue(self.start), NamedValue(self.step)]
        return SimpleValue(emit_builtin_call(m, range, "aten::__derive_index", args, []))


class IterableTree(SugaredValue):
    """`zip` and `enumerate`: several iterables gone through together."""

    def __init__(self) -> None:
        self.children: list[SugaredValue] = []
        self.unroll_length: int | None = None

    def kind(self) -> str:
        return "iterabletree"

    def add(self, range: SourceRange, child: SugaredValue) -> None:
        length = child.static_length()
        if not self.children:
            self.unroll_length = length
        elif (length is None) != (self.unroll_length is None):
            raise FrontendError(
                "Can not iterate over a module list or tuple with a value that does not have a"
                " statically determinable length\n",
                range,
            )
        elif length is not None and self.unroll_length is not None:
            self.unroll_length = min(length, self.unroll_length)
        self.children.append(child)

    def iter(self, range: SourceRange, m: Context) -> SugaredValue:
        return self

    def static_length(self) -> int | None:
        return self.unroll_length

    def leaves(self) -> list[SugaredValue]:
        found: list[SugaredValue] = []
        for child in self.children:
            found += child.leaves() if isinstance(child, IterableTree) else [child]
        return found

    def length(self, range: SourceRange, m: Context) -> SSAValue:
        lengths = m.graph.list_of(INT, [leaf.length(range, m) for leaf in self.leaves()])
        return emit_builtin_call(m, range, "prim::min", [NamedValue(lengths)], [])

    def getitem(
        self,
        range: SourceRange,
        m: Context,
        index: SSAValue,
        type_hint: TorchScriptType | None = None,
    ) -> SugaredValue:
        return SugaredTupleValue([child.getitem(range, m, index) for child in self.children])


class NamedTupleConstructor(SugaredValue):
    def __init__(self, type_: TupleType, defaults: Sequence[object] = ()) -> None:
        self.type = type_
        required = len(type_.elements) - len(defaults)
        arguments = tuple(
            Argument(name, element, defaults[i - required] if i >= required else NO_DEFAULT)
            for i, (name, element) in enumerate(zip(type_.field_names, type_.elements, strict=True))
        )
        base_name = type_.annotation_str.rpartition(".")[2]
        self.schema = FunctionSchema(base_name, "", arguments, ())
        self._misfits = [argument for argument in arguments if _is_misfit(argument)]
        """The fields whose defaults are of other types. Such a default is refused where it is used, as if it had been given."""

    def kind(self) -> str:
        return "namedtuple constructor"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        given = {argument.name for argument in self.schema.arguments[: len(args)]}
        given.update(argument.name for argument in kwargs)
        misfits = [
            NamedValue(name=field.name, constant=field.default, range=range)
            for field in self._misfits
            if field.name not in given
        ]
        matched = match_schema(self.schema, range, m.graph, args, [*kwargs, *misfits])
        made = m.graph.value(prim.TupleConstructOp, matched.inputs, self.type, range)
        return SimpleValue(made)


def _is_misfit(argument: Argument) -> bool:
    """Whether the default of an argument is a value of another type."""
    if argument.default is NO_DEFAULT or argument.default == []:
        return False
    try:
        return not is_subtype(type_of_constant(argument.default), argument.type)
    except TypeError:
        return False


class ClassValue(SugaredValue):
    """A script class: calling it makes an object, its attributes are static methods."""

    def __init__(self, definition: ClassDefinition) -> None:
        self.definition = definition

    def kind(self) -> str:
        return self.definition.type.annotation_str

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        made = m.graph.value(prim.CreateObjectOp, (), self.definition.type, range)
        if "__init__" not in self.definition.methods:
            raise FrontendError(
                f"Class {self.definition.type.base_name} does not have an __init__ function defined",
                range,
            )
        MethodValue(made, "__init__").call(range, m, args, kwargs)
        return SimpleValue(made)

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        if name in self.definition.static_methods:
            return FunctionValue(self.definition.static_methods[name])
        if name in self.definition.constants:
            return SimpleValue(m.graph.constant(self.definition.constants[name], range))
        if name == "__new__":
            return SpecialFormValue("prim::CreateObject")
        if name in self.definition.methods:
            return FunctionValue(self.definition.methods[name])
        known = (*self.definition.static_methods, *self.definition.constants)
        raise FrontendError(
            f"Tried to lookup unknown attribute on class {self.kind()}: it has no '{name}'"
            + suggestion(name, known),
            range,
        )

    def has_attr(self, range: SourceRange, m: Context, name: str) -> bool:
        return hasattr(self.definition.python_class, name)

    def as_value(self, range: SourceRange, m: Context) -> SSAValue:
        raise FrontendError("Python type cannot be used as a value", range)


class LegacyConstructorValue(SugaredValue):
    """`torch.FloatTensor` and its relatives: sizes as single numbers make an uninitialized tensor, anything else is what it holds.

    A `device` may be given, and says nothing, as in PyTorch.
    """

    def __init__(self, dtype: int) -> None:
        self.dtype = dtype

    def kind(self) -> str:
        return "legacy tensor constructor"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        values = [arg.emit(m.graph) for arg in args]
        are_sizes = bool(values) and all(type_of(value) == INT for value in values)
        objection = _objection(kwargs, can_be_many=are_sizes or len(values) < 2)
        if objection is not None:
            raise FrontendError(
                "Legacy Tensor Constructor only supports two schemas in TorchScript: \n"
                "'new(IntArrayRef size, *, Device? device=None)',\n"
                f"'new(PyObject* data, *, Device? device=None)\n'{objection}",
                range,
            )
        if are_sizes or not values:
            values = [m.graph.list_of(INT, values)]
        maker = "aten::empty" if are_sizes else "aten::tensor"
        dtype = NamedValue(None, None, "dtype", self.dtype)
        made = emit_builtin_call(m, range, maker, [NamedValue(values[0])], [dtype], located=False)
        return SimpleValue(made)


def _objection(kwargs: Arguments, *, can_be_many: bool) -> str | None:
    if len(kwargs) > 1:
        return "Got multiple kwargs\n"
    if kwargs and kwargs[0].name != "device":
        return f"Got kwarg {kwargs[0].name}"
    return None if can_be_many else "Got multiple positional arguments that were not all integers"


class EnumClassValue(SugaredValue):
    """An enum class: its attributes are constants, a loop over it goes through the list of them."""

    def __init__(self, type_: EnumType, definition: EnumDefinition) -> None:
        self.type = type_
        self.definition = definition

    def kind(self) -> str:
        return "EnumClass"

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        if name not in self.definition.members:
            raise FrontendError(
                f"{self.type.repr_str}' has no attribute '{name}'"
                + suggestion(name, self.definition.members),
                range,
            )
        return SimpleValue(m.enum_constant(self.type, name, range))

    def iter(self, range: SourceRange, m: Context) -> SugaredValue:
        members = self.definition.all()
        return SimpleValue(m.graph.constant(members, range, ListType(self.type)))
