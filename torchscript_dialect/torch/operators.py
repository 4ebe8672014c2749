"""`torch.ops`: operators by namespace and name, `torch.ops.aten.add`, and their overloads, `torch.ops.aten.add.Tensor` (PyTorch:
torch/_ops.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager.dispatch import NoOverloadError, caller, function, overload
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.tensor_type import TENSOR


class OpOverload:
    """One overload of an operator."""

    def __init__(self, packet: OpOverloadPacket, schema: FunctionSchema, called: str) -> None:
        self._schema = schema
        self._overloadname = called
        self.overloadpacket = packet
        self.namespace = packet.namespace
        self.__name__ = f"{packet.__name__}.{called}"
        self._tensors = {one.name for one in schema.arguments if one.type == TENSOR}
        self._run = caller(f"{packet.__torchscript_op__}.{called}")

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Numbers for tensors are tensors without dimensions. Raises RuntimeError where the overload does not take the arguments."""
        names = [argument.name for argument in self._schema.arguments]
        given = [self._taken(*pair) for pair in zip(names, args)]
        named = {name: self._taken(name, value) for name, value in kwargs.items()}
        return self._run(*given, *args[len(given) :], **named)

    def _taken(self, name: str, value: Any) -> Any:
        is_number = name in self._tensors and isinstance(value, (bool, int, float, complex))
        return as_tensor(value) if is_number else value

    def name(self) -> str:
        """The qualified name, `aten::add.Tensor`."""
        return self._schema.qualified_name

    def __deepcopy__(self, memo: dict[int, Any]) -> OpOverload:
        return self

    def __str__(self) -> str:
        return f"{self.overloadpacket}.{self._overloadname}"

    def __repr__(self) -> str:
        return f"<OpOverload(op='{self.overloadpacket}', overload='{self._overloadname}')>"


class OpOverloadPacket:
    """All overloads of an operator: a call takes the first one that the arguments fit."""

    def __init__(self, namespace: str, name: str) -> None:
        self.namespace = namespace
        self.__name__ = self.__qualname__ = name
        self._qualified_op_name = self.__torchscript_op__ = f"{namespace}::{name}"
        self._run = function(self.__torchscript_op__)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Raises RuntimeError where no overload takes the arguments, which is a TypeError of functions and methods, as in PyTorch."""
        try:
            return self._run(*args, **kwargs)
        except NoOverloadError as error:
            raise RuntimeError(str(error)) from None

    def overloads(self) -> list[str]:
        """Their names; `default` is the one without a name."""
        operators = registry.lookup(self.__torchscript_op__)
        return [one.schema.overload_name or "default" for one in operators]

    def __getattr__(self, name: str) -> OpOverload:
        operator = None if name.startswith("__") else overload(self.__torchscript_op__, name)
        if operator is None:
            raise AttributeError(f"The underlying op of '{self}' has no overload name '{name}'")
        found = OpOverload(self, operator.schema, name)
        setattr(self, name, found)
        return found

    def __deepcopy__(self, memo: dict[int, Any]) -> OpOverloadPacket:
        return self

    def __str__(self) -> str:
        return f"{self.namespace}.{self.__name__}"

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='{self}')>"


class Namespace:
    """The operators of one namespace."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.__torchscript_namespace__ = name

    def __getattr__(self, name: str) -> Any:
        qualified_name = f"{self._name}::{name}"
        if not registry.lookup(qualified_name):
            raise AttributeError(f"'_OpNamespace' '{self._name}' object has no attribute '{name}'")
        found = OpOverloadPacket(self._name, name)
        setattr(self, name, found)
        return found


class Operators:
    """All namespaces."""

    __torchscript_namespace__ = ""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = Namespace(name)
        setattr(self, name, found)
        return found


def submodule(name: str, names: dict[str, Any]) -> Callable[[str], Any]:
    """`__getattr__` of `torch.linalg` and its like, whose functions are operators `linalg_...`; `names` are its globals."""

    def find(attribute: str) -> Any:
        operator = f"{name}_{attribute}"
        if attribute.startswith("__") or not registry.lookup(f"aten::{operator}"):
            raise AttributeError(f"module 'torch.{name}' has no attribute '{attribute}'")
        found = names[attribute] = function(operator)
        return found

    return find
