"""Module types: what a module object is made of. Objects of the same class with the same attributes share one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function

Property = tuple[Function, Function | None]
"""Getter and setter."""


class Declarer(Protocol):
    """Declares the methods of a module type when they are first needed."""

    def method(self, definition: ModuleDefinition, name: str) -> Function | None:
        """A new method; None where the Python class has none of that name."""
        ...

    def property(self, definition: ModuleDefinition, name: str) -> Property | None:
        """A new property; None where the Python class has none of that name that programs may use."""
        ...

    def overloads(self, definition: ModuleDefinition, name: str) -> list[Function]:
        """New methods, one for each signature that was declared for a method; none where it has its own only."""
        ...


@dataclass
class ModuleDefinition(ClassDefinition):
    """A module type: beside attributes, its Python class, submodules, and what is no value of the language."""

    unit: CompilationUnit = field(kw_only=True)
    declarer: Declarer = field(kw_only=True)
    submodules: dict[str, ModuleDefinition] = field(default_factory=dict[str, "ModuleDefinition"])
    python_values: dict[str, Any] = field(default_factory=dict[str, Any])
    overloads: dict[str, list[Function]] = field(default_factory=dict[str, list[Function]])
    """By method, what `torch.jit._overload_method` declared for it."""
    forward: Any = None
    """What was assigned to `forward` of the object: a method that its class has under another name."""
    python_hooks: tuple[Any, ...] = ()
    length: int = 0
    """What Python's `len` gives for a container: its class may say so otherwise."""
    edited: object | None = None
    """Something of its own where methods are no longer what its class says: no other type is the same then."""

    def mark_edited(self) -> None:
        """Make it, and the types of its submodules, the same as no other."""
        self.edited = object()
        for inner in self.submodules.values():
            inner.mark_edited()

    def find_method(self, name: str) -> Function | None:
        return self.methods.get(name) or self.declarer.method(self, name)

    def find_overloads(self, name: str) -> list[Function]:
        """The methods among which the arguments of a call choose, declared at their first use; none where it is one method."""
        if name not in self.overloads:
            self.overloads[name] = self.declarer.overloads(self, name)
        return self.overloads[name]

    def find_property(self, name: str) -> Property | None:
        """Getter and setter of a property, declared at their first use; None where it has no such property."""
        return self.properties.get(name) or self.declarer.property(self, name)

    @property
    def container(self) -> str:
        """`list`, `dict`, or empty for a module that is no container."""
        names = {
            class_.__name__
            for class_ in self.python_class.__mro__
            if class_.__module__.endswith(".nn.modules.container")  # not a user's of that name
        }
        if names & {"ModuleList", "Sequential", "ParameterList"}:
            return "list"
        return "dict" if names & {"ModuleDict", "ParameterDict"} else ""


def module_key(definition: ModuleDefinition) -> Any:
    """Module types with the same key are one."""
    constants = tuple(sorted((name, repr(value)) for name, value in definition.constants.items()))
    values = tuple((name, id(value)) for name, value in definition.python_values.items())
    attributes = tuple(definition.attributes.items())
    class_ = (definition.python_class, definition.forward, definition.length)
    return (definition.python_hooks, class_, attributes, constants, values, definition.edited)
