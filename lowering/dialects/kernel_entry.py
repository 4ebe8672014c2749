"""What `kernel.entry` and `kernel.grid_entry` have in common: the words that an entry names."""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import FlatSymbolRefAttrConstr, IntegerAttr, SymbolRefAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, eq, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from lowering.shaped import integer_attribute

Word = IntegerAttr.constr(eq(i64))
"""The number of a word of the array `syms`, which a kernel is given."""


class EntryOpBase(IRDLOperation, ABC):
    """How the runtime enters a function: the words that hold its range, its work, its scratch memory and its stage, of so many
    (Note [Stages of launches]).
    """

    function = prop_def(FlatSymbolRefAttrConstr)
    words = prop_def(Word)
    range = prop_def(Word)
    work = prop_def(Word)
    cost = prop_def(Word)
    scratch = opt_prop_def(Word)
    stage = opt_prop_def(Word)
    stages = opt_prop_def(Word)
    sizes = opt_prop_def(FlatSymbolRefAttrConstr)

    def __init__(
        self, function: str, *, sizes: SymbolRefAttr | None, **numbers: int | None
    ) -> None:
        """The entry of `function`; `numbers` are those of the other properties, None of one that it has not."""
        properties: dict[str, Attribute] = {
            name: integer_attribute(number, i64)
            for name, number in numbers.items()
            if number is not None
        }
        properties["function"] = SymbolRefAttr(function)
        if sizes is not None:
            properties["sizes"] = sizes
        super().__init__(properties=properties)

    def number(self, name: str) -> int:
        """The number that the property called `name` holds."""
        value = self.properties[name]
        assert isinstance(value, IntegerAttr)
        return value.value.data

    def optional(self, name: str) -> int | None:
        """The number that the property called `name` holds; None where it is not there."""
        return self.number(name) if name in self.properties else None

    @property
    def callee(self) -> str:
        """The name of the function."""
        return self.function.root_reference.data

    def verify_(self) -> None:
        """Words that are named exist."""
        words = self.number("words")
        for name in ("range", "work", "scratch", "stage"):
            if name in self.properties and not 0 <= self.number(name) < words:
                raise VerifyException(f"{name} {self.number(name)} is none of {words} words")
        if self.number("cost") < 0:
            raise VerifyException("a cost is not negative")
