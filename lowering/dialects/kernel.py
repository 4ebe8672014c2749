"""The `kernel` dialect: what the runtime has to know of a function that it calls on a pool of threads."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FlatSymbolRefAttrConstr,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    SymbolRefAttr,
    i8,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Dialect, Operation
from xdsl.irdl import IRDLOperation, eq, irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.traits import SymbolTable, SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException

Word = IntegerAttr.constr(eq(i64))
"""The number of a word of the array `syms`, which a kernel is given."""

POINTER = llvm.LLVMPointerType()
NATIVE = (POINTER, POINTER, i64, i64)
"""The arguments of a kernel in the llvm dialect: a table of buffers, syms, begin and end."""


class _EntryUses(SymbolUserOpInterface):
    def verify(self, op: Operation) -> None:
        assert isinstance(op, EntryOp)
        op.verify_symbols()


@irdl_op_definition
class EntryOp(IRDLOperation):
    """How a function is entered.

    `kernel.entry @f words 5 range 0 grain 8 work 2 cost 284 scratch 4 sizes @sizes`: `@f` takes its buffers, where there is
    scratch memory that, 5 words of sizes, and the part of its parallel range that it is to do. Word 0 holds the length of the
    range, and parts begin at multiples of 8. Word 2 holds what there is to do in all, in units of 284 picoseconds; from that
    follows how many threads are worth waking. Word 4 holds the bytes of scratch memory. `@sizes` computes the words that follow
    from others, and says whether they suit the kernel.
    """

    name = "kernel.entry"

    function = prop_def(FlatSymbolRefAttrConstr)
    words = prop_def(Word)
    range = prop_def(Word)
    grain = prop_def(Word)
    work = prop_def(Word)
    cost = prop_def(Word)
    scratch = opt_prop_def(Word)
    sizes = opt_prop_def(FlatSymbolRefAttrConstr)

    traits = traits_def(_EntryUses())

    assembly_format = (
        "$function `words` $words `range` $range `grain` $grain `work` $work `cost` $cost"
        " (`scratch` $scratch^)? (`sizes` $sizes^)? attr-dict"
    )

    def __init__(
        self,
        function: str,
        *,
        words: int,
        range: int,
        grain: int,
        work: int,
        cost: int,
        scratch: int | None,
        sizes: str | None,
    ) -> None:
        numbers = {"words": words, "range": range, "grain": grain, "work": work, "cost": cost}
        properties: dict[str, Attribute | None] = {
            name: IntegerAttr(number, i64) for name, number in numbers.items()
        }
        properties["function"] = SymbolRefAttr(function)
        properties["scratch"] = None if scratch is None else IntegerAttr(scratch, i64)
        properties["sizes"] = None if sizes is None else SymbolRefAttr(sizes)
        super().__init__(properties=properties)

    def number(self, name: str) -> int:
        """The number that the property called `name` holds."""
        value = self.properties[name]
        assert isinstance(value, IntegerAttr)
        return value.value.data

    @property
    def callee(self) -> str:
        """The name of the function."""
        return self.function.root_reference.data

    def verify_(self) -> None:
        """Words that are named exist."""
        words = self.words.value.data
        for name in ("range", "work", "scratch"):
            word = self.properties.get(name)
            if word is not None and not 0 <= self.number(name) < words:
                raise VerifyException(f"{name} {self.number(name)} is none of {words} words")
        if self.grain.value.data < 1 or self.cost.value.data < 0:
            raise VerifyException("a grain is positive, and a cost is not negative")

    def verify_symbols(self) -> None:
        """Functions that are named exist, and take what the runtime gives them."""
        function = SymbolTable.lookup_symbol(self, self.function)
        if isinstance(function, FuncOp):
            self._verify_arguments(function.function_type)
        elif not isinstance(function, llvm.FuncOp) or function.function_type.inputs.data != NATIVE:
            raise VerifyException(
                f"@{self.callee} is no function that takes buffers, words and a range"
            )
        if self.sizes is not None and SymbolTable.lookup_symbol(self, self.sizes) is None:
            raise VerifyException(f"there is no function {self.sizes}")

    def _verify_arguments(self, type_: FunctionType) -> None:
        tail: list[Attribute] = [MemRefType(i64, [DYNAMIC_INDEX]), IndexType(), IndexType()]
        if self.scratch is not None:
            tail.insert(0, MemRefType(i8, [DYNAMIC_INDEX]))
        inputs = list(type_.inputs)
        if inputs[-len(tail) :] != tail or not all(
            isinstance(one, MemRefType) for one in inputs[: -len(tail)]
        ):
            expected = ", ".join(map(str, tail))
            raise VerifyException(f"@{self.callee} must take its buffers, and then {expected}")


def entry_of(function: FuncOp) -> EntryOp | None:
    """How the runtime enters `function`; None of one that it does not call."""
    block = function.parent
    assert block is not None
    for op in block.ops:
        if isinstance(op, EntryOp) and op.callee == function.sym_name.data:
            return op
    return None


Kernel = Dialect("kernel", [EntryOp])
