"""Types that are names: classes, interfaces, enums, functions, and the type variables of schemas.

What a class holds (attributes, methods) belongs to its definition in the module, not to the type.
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def

from torchscript_dialect.types.core import TorchScriptType, check_qualified_name


def _as_string(name: str | StringAttr) -> StringAttr:
    return StringAttr(name) if isinstance(name, str) else name


class NamedType(ParametrizedAttribute, TorchScriptType):
    """A type known by its qualified name: `__torch__.M`. Texts of all kinds show it as it is, so it is a name."""

    qualified_name: StringAttr

    def verify(self) -> None:
        check_qualified_name(self.qualified_name.data)

    @property
    def repr_str(self) -> str:
        return self.qualified_name.data

    @property
    def base_name(self) -> str:
        """The last part of the qualified name."""
        return self.qualified_name.data.rsplit(".", 1)[-1]


FOREIGN = "__torch__.torch.classes."
"""What the names of classes begin with that PyTorch has in C++: packed weights, for one."""


@irdl_attr_definition
class ClassType(NamedType):
    """A script class or module."""

    name = "prim.class"
    KIND = "ClassType"

    qualified_name: StringAttr = param_def(converter=_as_string)


@irdl_attr_definition
class InterfaceType(NamedType):
    """The type of whatever has the methods of an interface."""

    name = "prim.interface"
    KIND = "InterfaceType"

    qualified_name: StringAttr = param_def(converter=_as_string)

    @property
    def repr_str(self) -> str:
        return f"InterfaceType<{self.base_name}>"

    @property
    def annotation_str(self) -> str:
        return self.qualified_name.data


@irdl_attr_definition
class EnumType(NamedType):
    """An enumeration, whose members hold values of one type."""

    name = "prim.enum"
    KIND = "EnumType"

    qualified_name: StringAttr = param_def(converter=_as_string)

    @property
    def repr_str(self) -> str:
        return f"Enum<{self.qualified_name.data}>"

    @property
    def annotation_str(self) -> str:
        return self.qualified_name.data


@irdl_attr_definition
class FunctionType(NamedType):
    """The type of a constant that is a function: a callee of `prim.CallFunction`."""

    name = "prim.function"
    KIND = "FunctionType"

    qualified_name: StringAttr = param_def(converter=_as_string)

    @property
    def repr_str(self) -> str:
        return "Function"

    @property
    def annotation_str(self) -> str:
        return "Function"


@irdl_attr_definition
class VarType(NamedType):
    """A type variable in a schema: the `t` of `append.t(t[](a!) self, t(c -> *) el)`."""

    name = "prim.var"
    KIND = "VarType"

    qualified_name: StringAttr = param_def(converter=_as_string)
