"""Words of syms: what reads them, and the function that computes those which follow from others."""

from __future__ import annotations

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IndexType,
    IntAttr,
    IntegerAttr,
    ModuleOp,
    f64,
    i1,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from lowering.create import create
from lowering.dialects.kernel import LayoutAttr, SignatureOp
from lowering.kernel import SIZES, LoweringError
from lowering.loops.flat import flat
from lowering.loops.index_builder import INDEX, index_constant
from lowering.shaped import is_integer, is_memref


class Loader:
    """Appends what reads words to `block`."""

    def __init__(self, block: Block, syms: SSAValue) -> None:
        self.block = block
        self.syms = syms

    def add(self, op: Operation) -> SSAValue:
        """Appends `op`; gives its first result."""
        self.block.add_op(op)
        return op.results[0]

    def scalar(self, word: int, type_: Attribute) -> SSAValue:
        """The number in a word, as a value of a type: a float is there as a double, a bool as what is not 0."""
        place = self.add(index_constant(word))
        value = self.add(create(memref.LoadOp, (self.syms, place), (i64,)))
        if type_ == i64:
            return value
        if isinstance(type_, IndexType):
            return self.add(create(arith.IndexCastOp, (value,), (INDEX,)))
        if type_ == i1:
            properties: dict[str, Attribute] = {"value": IntegerAttr(0, i64)}
            zero = arith.ConstantOp.create(result_types=[i64], properties=properties)
            return self.add(arith.CmpiOp(value, self.add(zero), "ne"))
        if isinstance(type_, Float64Type | Float32Type):
            double = self.add(arith.BitcastOp.create(operands=[value], result_types=[f64]))
            if isinstance(type_, Float64Type):
                return double
            return self.add(arith.TruncFOp.create(operands=[double], result_types=[type_]))
        if is_integer(type_):
            return self.add(arith.TruncIOp.create(operands=[value], result_types=[type_]))
        raise LoweringError(f"a scalar argument of type {type_} cannot be lowered")


def sizes_function(module: ModuleOp) -> FuncOp | None:
    """`@sizes` of a module, where it has one."""
    functions = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    return next((one for one in functions if one.sym_name.data == SIZES), None)


class SizesFunction:
    """`@sizes`, to which words are added; the module gets one where a word has to be computed."""

    def __init__(self, module: ModuleOp, func: FuncOp, signature: SignatureOp) -> None:
        self.module = module
        self.func = func
        self.words = signature.number_of_words
        places = zip(func.body.block.args, signature.arguments, strict=False)
        self.places: dict[SSAValue, LayoutAttr | IntAttr] = dict(places)
        self.function = sizes_function(module)
        self.terminator: Operation | None = None
        self._words: dict[SSAValue, int] = {}
        self._copies: dict[SSAValue, SSAValue] = {}
        self._loader: Loader | None = None

    @property
    def are_computed(self) -> bool:
        """Whether the module has `@sizes`."""
        return self.function is not None

    def word_of(self, value: SSAValue) -> int:
        """The word that holds an index which the kernel computes from words."""
        place = self.places.get(value)
        if place is not None and not isinstance(place, LayoutAttr):
            return place.data
        if value not in self._words:
            self._words[value] = self._store(self._copy(value))
        return self._words[value]

    def _store(self, value: SSAValue) -> int:
        loader = self._open()
        word = loader.add(create(arith.IndexCastOp, (value,), (i64,)))
        place = loader.add(index_constant(self.words))
        loader.block.add_op(create(memref.StoreOp, (word, loader.syms, place), ()))
        self.words += 1
        return self.words - 1

    def _copy(self, value: SSAValue) -> SSAValue:
        """What computes `value`, once more."""
        found = self._copies.get(value)
        if found is not None:
            return found
        loader = self._open()
        if isinstance(value, BlockArgument):
            place = self.places.get(value)
            if place is None or isinstance(place, LayoutAttr) or is_memref(value.type):
                raise LoweringError("sizes of kernels follow from words")
            found = loader.scalar(place.data, value.type)
        else:
            owner = value.owner
            assert isinstance(owner, Operation)
            for operand in owner.operands:
                self._copy(operand)
            found = loader.add(self._clone(owner))
        self._copies[value] = found
        return found

    def _clone(self, op: Operation) -> Operation:
        operands = [self._copies[operand] for operand in op.operands]
        return create(type(op), operands, op.result_types, op.properties)

    def _open(self) -> Loader:
        if self._loader is None:
            if self.function is None:
                self.function = self._make()
            block = self.function.body.block
            self.terminator = block.last_op
            assert self.terminator is not None
            self.terminator.detach()
            self._loader = Loader(block, block.args[0])
        return self._loader

    def _make(self) -> FuncOp:
        function = FuncOp(SIZES, ([flat(i64)], [i1]))
        true = arith.ConstantOp.create(result_types=[i1], properties={"value": IntegerAttr(-1, i1)})
        function.body.block.add_ops([true, ReturnOp.create(operands=[true.result])])
        self.module.body.block.insert_op_after(function, self.func)
        return function

    def close(self) -> None:
        """Ends the function, to which nothing is added any more."""
        if self._loader is not None and self.terminator is not None:
            self._loader.block.add_op(self.terminator)
