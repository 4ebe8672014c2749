"""The types of modules that were compiled: modules of one type share it, and all that was made of it.

Note [Concrete types]
As in PyTorch (`ConcreteTypeStore` in torch/jit/_recursive.py), a module object that looks like one that was compiled before gets the
type of that, with its methods, the plans that its calls have made, and their kernels: neither source is read again nor anything
compiled. What it looks like is its class with all members, the types of its attributes, the values of its constants, and the same of
the modules in it (`concrete_type` in frontend/python/concrete_type.py). What its methods find outside the class is what it was when the
type was compiled. A type lives as long as modules have it, and is shared no more once somebody has edited a graph of it, got at its
ops, or defined methods. What is compiled with passes of a user's, or while passes are logged or limited, is compiled by itself.
"""

from __future__ import annotations

from collections.abc import Hashable
from weakref import WeakValueDictionary

from torchscript_dialect.api.module_class import Program
from torchscript_dialect.frontend.python.module_definition import ModuleDefinition
from torchscript_dialect.ir import changes
from torchscript_dialect.passes.lists import current
from torchscript_dialect.utils import jit_log, jit_opt_limit


class ConcreteType:
    """A module type with the program that it is in, which keeps it."""

    def __init__(self, program: Program, definition: ModuleDefinition) -> None:
        self.program = program
        self.definition = definition
        self.is_as_compiled = True
        """Whether nobody has changed it."""
        changes.listen(program.unit.module_op, self)
        program.concrete_type = self

    def function_edited(self) -> None:
        """Share it no more."""
        self.is_as_compiled = False
        self.definition.mark_edited()

    def ops_handed_out(self) -> None:
        """Share it no more."""
        self.function_edited()


class ConcreteTypeStore:
    """The types that live, by what modules of them look like."""

    def __init__(self) -> None:
        self._types: WeakValueDictionary[Hashable, ConcreteType] = WeakValueDictionary()

    def find(self, key: Hashable) -> ConcreteType | None:
        """The type of modules that look so."""
        found = self._types.get(key)
        return found if found is not None and found.is_as_compiled else None

    def add(self, key: Hashable, made: ConcreteType) -> None:
        """Let modules that look so have that type."""
        self._types[key] = made

    def clear(self) -> None:
        """Forget all types: modules to come are compiled by themselves."""
        self._types.clear()


concrete_type_store = ConcreteTypeStore()
"""See Note [Concrete types]."""


def may_share() -> bool:
    """Whether what is compiled now may be shared: by the product's own passes, which nobody watches or limits."""
    return not (current().changed or jit_log.is_set() or jit_opt_limit.is_set())
