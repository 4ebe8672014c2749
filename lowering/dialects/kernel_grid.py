"""`kernel.grid_entry`: what the runtime has to know of a kernel that a grid of threads runs."""

from __future__ import annotations

from xdsl.dialects import gpu, llvm
from xdsl.dialects.builtin import FlatSymbolRefAttrConstr, IntegerAttr, ModuleOp, SymbolRefAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, eq, irdl_op_definition, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from lowering.shaped import integer_attribute

Word = IntegerAttr.constr(eq(i64))


@irdl_op_definition
class GridEntryOp(IRDLOperation):
    """How a kernel of a GPU is entered.

    `kernel.grid_entry @f words 5 range 0 threads 256 work 3 cost 284 scratch 4 sizes @sizes`: `@f`, which stands here or in a
    `gpu.module`, takes the addresses of its buffers, where there is scratch memory that of it, and then its 5 words. It wants as many
    threads as word 0 holds, in blocks of 256. The rest is as for `kernel.entry`.
    """

    name = "kernel.grid_entry"

    function = prop_def(FlatSymbolRefAttrConstr)
    words = prop_def(Word)
    range = prop_def(Word)
    threads = prop_def(Word)
    work = prop_def(Word)
    cost = prop_def(Word)
    scratch = opt_prop_def(Word)
    sizes = opt_prop_def(FlatSymbolRefAttrConstr)

    assembly_format = (
        "$function `words` $words `range` $range `threads` $threads `work` $work `cost` $cost"
        " (`scratch` $scratch^)? (`sizes` $sizes^)? attr-dict"
    )

    @classmethod
    def of(cls, function: str, numbers: dict[str, int], sizes: SymbolRefAttr | None) -> GridEntryOp:
        """The entry of a function; `numbers` are those of the properties."""
        properties: dict[str, Attribute] = {
            name: integer_attribute(number, i64) for name, number in numbers.items()
        }
        properties["function"] = SymbolRefAttr(function)
        if sizes is not None:
            properties["sizes"] = sizes
        return cls.create(properties=properties)

    def number(self, name: str) -> int:
        """The number that the property called `name` holds."""
        value = self.properties[name]
        assert isinstance(value, IntegerAttr)
        return value.value.data

    @property
    def callee(self) -> str:
        """The name of the kernel."""
        return self.function.root_reference.data

    def verify_(self) -> None:
        """The kernel is there, and words that are named exist."""
        words = self.number("words")
        for name in ("range", "work", "scratch"):
            if name in self.properties and not 0 <= self.number(name) < words:
                raise VerifyException(f"{name} {self.number(name)} is none of {words} words")
        if not 1 <= self.number("threads") <= 1024:
            raise VerifyException("a block has 1 to 1024 threads")
        if self.parent is not None and self.kernel() is None:
            raise VerifyException(f"there is no kernel @{self.callee}")

    def kernel(self) -> Operation | None:
        """The function that it enters."""
        module = self.parent_op()
        assert isinstance(module, ModuleOp)
        for op in module.body.block.ops:
            inner = op.body.block.ops if isinstance(op, gpu.ModuleOp) else (op,)
            for function in inner:
                if isinstance(function, gpu.FuncOp | FuncOp | llvm.FuncOp):
                    name = function.sym_name
                    if getattr(name, "data", None) == self.callee:
                        return function
        return None
