"""Objects, members of enums and futures, converted between programs and Python.

An instance of a script class is copied to a `ScriptObject` when it comes in, and one that goes out becomes a new instance, as in
PyTorch (torch/csrc/jit/python/pybind_utils.h). Tensors never change.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial
from importlib import import_module
from typing import Any, TypeVar, cast

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.frontend.python.class_types import enum_type
from torchscript_dialect.frontend.python.functions import python_names
from torchscript_dialect.frontend.python.module_types import module_definition
from torchscript_dialect.frontend.python.resolver import script_class
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, EnumDefinition
from torchscript_dialect.runtime.values.arguments import Lent, take_argument, to_runtime_value
from torchscript_dialect.runtime.values.for_pytorch import tensor_for_pytorch, to_pytorch
from torchscript_dialect.runtime.values.objects import (
    MethodResolver,
    ScriptObject,
    object_of,
    view_of,
)
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.float_errors import float_errors_of_caller
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import is_in_use
from torchscript_dialect.types.containers import FutureType
from torchscript_dialect.types.core import (
    ANY,
    ANY_CLASS,
    ANY_ENUM,
    ANY_LIST,
    ANY_TUPLE,
    STR,
    TorchScriptType,
)
from torchscript_dialect.types.named import ClassType, EnumType, InterfaceType
from torchscript_dialect.utils.byte_strings import require_whole
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.python_functions import registered
from torchscript_dialect.utils.tasks import Future

_T = TypeVar("_T")


class Exchange:
    """Takes values of named types into the programs of a unit, and gives them out again."""

    def __init__(self, unit: CompilationUnit, resolve: MethodResolver) -> None:
        self.unit = unit
        self.resolve = resolve

    def concerns(self, value: Any, type_: TorchScriptType) -> bool:
        """Whether a value that is to have the type is for `take`."""
        if isinstance(type_, (ClassType, InterfaceType, EnumType, FutureType)):
            return True
        if type_ not in _OPEN:
            return False
        known = id(cast(type[Any], type(value))) in self.unit.python_objects
        is_member = isinstance(value, Enum) and not isinstance(value, (int, float, str))
        is_other = is_member or isinstance(value, GivenFuture)
        return known or is_other or hasattr(value, "__torchscript_object__")

    def is_of(self, value: Any, type_: TorchScriptType) -> bool:
        """Whether the very class of a value is the type."""
        return self._type_of(value) == type_

    def _type_of(self, value: Any) -> Any:
        known = self.unit.python_objects.get(id(cast(type[Any], type(value))))
        return None if known is None else known[1]

    def take(self, value: Any, type_: TorchScriptType, lent: Lent) -> Any:
        """A Python value as a runtime value of a named type. `lent` is what other values of the call have brought.

        Raises:
            TypeError: the value does not have the type.
        """
        if value.__class__ is ScriptObject and _is_class(
            type_, value.__torchscript_qualified_name__
        ):
            return value
        if isinstance(value, GivenFuture):
            return value.future
        if isinstance(type_, EnumType) or isinstance(value, Enum):
            return self._take_enum(value, type_)
        if isinstance(type_, FutureType):
            if hasattr(value, "wait"):
                return value
            raise TypeError(f"{value!r} is no future")
        value = object_of(value)
        qualified = getattr(value, "__torchscript_qualified_name__", None)
        if qualified is not None and (_is_class(type_, qualified) or type_ in _OPEN):
            return value
        if isinstance(type_, InterfaceType) and qualified is not None:
            return self._take_implementation(value, type_)
        return self._take_object(value, type_, lent)

    def _take_implementation(self, value: ScriptObject, type_: InterfaceType) -> ScriptObject:
        """An object of a program as one of this program, over the same fields: its methods are found by the name of its class."""
        qualified = value.__torchscript_qualified_name__
        if not hasattr(value.view, "__torchscript_definition__"):
            known = self.unit.classes.get(qualified)
            if known is not None:
                self._require_methods(known, type_)
            return value
        definition = module_definition(value.view, self.unit)
        self._require_methods(definition, type_)
        for name in self.unit.interfaces[type_.annotation_str].methods:
            definition.methods[name].ensure_defined()
        name = definition.type.qualified_name.data
        if name == qualified:
            return value
        made = ScriptObject(name, self.resolve, value.view, value.declared)
        made.__torchscript_fields__ = value.__torchscript_fields__
        return made

    def _require_methods(self, class_: ClassDefinition, interface: InterfaceType) -> None:
        if not self.unit.implements(class_.type, interface):
            names = f"{class_.type.annotation_str} is not compatible with interface"
            raise TypeError(f"Object of type {names} {interface.annotation_str}")

    def _take_object(self, value: Any, type_: TorchScriptType, lent: Lent) -> ScriptObject:
        class_ = cast(type[Any], type(value))
        found = self._type_of(value)
        if found is None and isinstance(type_, InterfaceType):
            definition = script_class(class_, self.unit)
            self._require_methods(definition, type_)
            found = definition.type
        if isinstance(type_, ClassType) and found != type_:
            found = type_ if self._inherits(class_, type_) else None
        if not isinstance(found, ClassType):
            raise TypeError(f"{class_} is not {type_.annotation_str}")
        made = ScriptObject(found.qualified_name.data, self.resolve)
        for name, attribute in self.unit.class_of(found).attributes.items():
            if not hasattr(value, name):
                raise TypeError(f"the object has no attribute '{name}'")
            taken = to_runtime_value(getattr(value, name), attribute, self, lent)
            made.__torchscript_fields__[name] = taken
        return made

    def _inherits(self, class_: type[Any], type_: ClassType) -> bool:
        """Whether objects of a Python class stand for those of a base class, whose methods the program calls."""
        base = self.unit.class_of(type_)
        known = base.python_class
        return not base.is_module and known is not object and issubclass(class_, known)

    def _take_enum(self, value: Any, type_: TorchScriptType) -> EnumMember:
        if not isinstance(type_, EnumType):
            type_ = self._type_of(value) or enum_type(cast("type[Enum]", type(value)), self.unit)
        name = type_.annotation_str
        if isinstance(value, EnumMember) and value.qualified_name == name:
            return value
        definition = self.unit.enums.get(name)
        if definition is None or not _is_member(value, definition):
            raise TypeError(f"{value!r} is no member of {name}")
        return definition.member(value.name)

    def give(self, value: Any) -> Any:
        """A runtime value as Python gets it."""
        match value:
            case ScriptObject():
                return self._give_object(value)
            case str():
                return require_whole(value)
            case EnumMember():
                return python_enum(self.unit.enums[value.qualified_name])[value.name]
            case Future():
                return GivenFuture(cast("Future[Any]", value), self)
            case list():
                return [self.give(item) for item in cast(list[Any], value)]
            case dict():
                items = cast(Mapping[Any, Any], value).items()
                return {self.give(key): self.give(item) for key, item in items}
            case tuple():
                parts = tuple(map(self.give, cast(tuple[Any, ...], value)))
                make: Any = getattr(cast(Any, value), "_make", tuple)
                return make(parts)
            case _:
                return value

    def _give_object(self, obj: ScriptObject) -> Any:
        definition = self.unit.classes.get(obj.__torchscript_qualified_name__)
        class_ = None if definition is None else definition.python_class
        if obj.view is not None or class_ is None or class_ is object:
            return view_of(obj)
        made = object.__new__(class_)
        for name, value in obj.__torchscript_fields__.items():
            object.__setattr__(made, name, self.give(value))
        return made

    def giver(self, type_: TorchScriptType) -> Callable[[Any], Any] | None:
        """What turns results of a type into what Python gets; None where nothing changes."""
        return self.give if _changes(type_) else None


class GivenFuture:
    """A future of a program in Python's hands."""

    def __init__(self, future: Future[Any], exchange: Exchange) -> None:
        self.future = future
        self._exchange = exchange

    def wait(self) -> Any:
        """The result, once it is there; raises what the forked call raised."""
        return self._exchange.give(self.future.wait())

    value = wait

    def done(self) -> bool:
        """Whether the result is there."""
        return self.future.done()

    def then(self, callback: Callable[[GivenFuture], _T]) -> Future[_T]:
        """The future of a call with this future, which is made once this one is done."""
        return self.future.then(lambda _: callback(self))

    def add_done_callback(self, callback: Callable[[GivenFuture], object]) -> None:
        """Call a function with this future once it is done; what the function raises is printed."""
        self.future.add_done_callback(lambda _: callback(self))


_CHANGING = (ClassType, InterfaceType, EnumType, FutureType)
_OPEN = (ANY, ANY_CLASS, ANY_ENUM)
_CONTAINERS = (ANY_LIST, ANY_TUPLE)


def _changes(type_: TorchScriptType) -> bool:
    """Whether values of the type may be others to Python than to programs."""
    if isinstance(type_, _CHANGING) or type_ in (STR, *_OPEN, *_CONTAINERS):
        return True
    return any(map(_changes, type_.contained))


def _is_class(type_: TorchScriptType, qualified: str) -> bool:
    return isinstance(type_, ClassType) and type_.qualified_name.data == qualified


def _is_member(value: Any, definition: EnumDefinition) -> bool:
    """Whether a value is a member of an enum; of one that came as text, any class of its name and members is the Python class."""
    if isinstance(value, python_enum(definition)):
        return True
    if not isinstance(value, Enum) or not definition.is_text:
        return False
    is_named_so = type(value).__name__ == definition.type.base_name
    return is_named_so and definition.members.get(value.name) == value.value


def python_enum(definition: EnumDefinition) -> type[Enum]:
    """The Python class of an enum; made where the program comes from text."""
    class_ = definition.python_class
    if class_ is None:
        made: Any = Enum(definition.type.base_name, definition.members)
        class_ = definition.python_class = cast(type[Enum], made)
    return class_


def _sees(fn: Any, module: Any) -> bool:
    """Whether the code that a callable runs has a module among the names outside itself."""
    fn = getattr(fn, "func", fn)  # of a partial
    if not inspect.isroutine(fn):
        fn = type(fn).__call__
    owner = getattr(fn, "__self__", None)
    if inspect.isclass(owner):  # `apply` of an autograd function runs what the class defines
        return module in vars(sys.modules.get(owner.__module__, module)).values()
    names = python_names(fn) if hasattr(inspect.unwrap(fn), "__code__") else {}
    return any(value is module for value in names.values())


def python_caller(node: prim.PythonOp, resolve: MethodResolver) -> Callable[..., Any]:
    """`prim::PythonOp`: calls the Python function with the values as Python has them, and takes its result.

    A function that sees the real `torch`, in its globals or its closure, gets and gives tensors of PyTorch, with gradients where
    these are in use.
    """
    number = node.attributes.get("callee")
    known = None if number is None else registered(from_attribute(number))
    type_ = prim.type_of(node.results[0])
    if known is None:
        name = from_attribute(node.attributes["name"])
        raise TorchScriptError(f"the Python function {name} belongs to another process")
    fn, unit = known
    exchange = Exchange(unit, resolve)
    torch = pytorch_state.loaded()
    is_foreign = torch is not None and _sees(fn, torch)
    expected = f"expected value of type {type_.annotation_str} for return value"

    def call(*args: Any) -> Any:
        with float_errors_of_caller():
            result = fn(*map(exchange.give, args))
        return take_argument(expected, result, type_, exchange)

    def call_foreign(*args: Any) -> Any:
        assert torch is not None
        loan: Any = None
        give: Callable[[Tensor], Any] = partial(tensor_for_pytorch, torch=torch)
        if is_in_use():
            loan = import_module("torchscript_dialect.autograd.lent_to_pytorch").Loan(torch)
            give = loan.give
        given = [to_pytorch(exchange.give(arg), torch, give) for arg in args]
        with float_errors_of_caller():
            result = fn(*given)
        result = result if loan is None else loan.take(result)
        return take_argument(expected, result, type_, exchange)

    return call_foreign if is_foreign else call
