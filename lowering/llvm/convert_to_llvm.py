"""Converts loop-form functions to the llvm dialect; kernels get the native signature.

`void kernel(ptr buffers, ptr syms, i64 begin, i64 end)`: the buffer arguments of the loop form
are loaded from the table at the entry. Addresses are GEPs, bools are bytes in memory, loops test
at the bottom behind a guard. New functions are built beside the old ones, which are dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import builtin, llvm, memref, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i1,
    i8,
    i64,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from lowering.kernel import KERNEL, LoweringError
from lowering.llvm.arith_to_llvm import RULES, lower_scalar
from lowering.llvm.builder import (
    NO_SIGNED_WRAP,
    POINTER,
    LLVMBuilder,
    lowered_type,
    unsupported,
)
from lowering.llvm.vector_to_llvm import VECTOR_RULES
from lowering.shaped import element_type, i32_array, is_memref

EXTERNAL = llvm.LinkageAttr("external")
INTERNAL = llvm.LinkageAttr("internal")
PRIVATE = StringAttr("private")
PASSTHROUGH = ArrayAttr([StringAttr("nounwind"), StringAttr("no-builtins")])
"""No call of memcpy, memset or libm may appear: nothing resolves them in the loaded code."""
EMPTY_ASSEMBLY = {
    "asm_string": StringAttr(""),
    "constraints": StringAttr("=r,0"),
    "asm_dialect": IntegerAttr(0, i64),
}


@dataclass(frozen=True)
class ConvertToLLVMPass(ModulePass):
    """See the module's docstring."""

    name = "ts-convert-to-llvm"

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        block = op.body.block
        for func in list(block.ops):
            if not isinstance(func, FuncOp):
                continue
            converter = FunctionConverter(func)
            block.insert_op_before(converter.convert(), func)
            func.detach()
            func.drop_all_references()


class FunctionConverter:
    """Converts one function."""

    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.region = Region()
        self.values: dict[SSAValue, SSAValue] = {}
        self.builder = LLVMBuilder(Block())

    def convert(self) -> llvm.FuncOp:
        """The llvm function."""
        func = self.func
        kernel = KERNEL in func.attributes
        types = [POINTER, POINTER, i64, i64]
        if not kernel:
            types = [lowered_type(argument.type) for argument in func.args]
        entry = Block(arg_types=types)
        self.region.add_block(entry)
        self.builder.block = entry
        if kernel:
            self._kernel_entry(entry)
        else:
            self.values.update(zip(func.args, entry.args, strict=True))
        self._block(func.body.block)
        outputs = func.function_type.outputs.data
        result = lowered_type(outputs[0]) if outputs else llvm.LLVMVoidType()
        properties: dict[str, Any] = {
            "arg_attrs": ArrayAttr(pointer_attributes(t == POINTER, kernel) for t in types),
            "passthrough": PASSTHROUGH,
        }
        if result == i1:
            properties["res_attrs"] = ArrayAttr([DictionaryAttr({"llvm.zeroext": UnitAttr()})])
        return llvm.FuncOp(
            func.sym_name,
            llvm.LLVMFunctionType(types, result),
            INTERNAL if func.sym_visibility == PRIVATE else EXTERNAL,
            body=self.region,
            other_props=properties,
            extra_attrs=func.attributes,
        )

    def _kernel_entry(self, entry: Block) -> None:
        *buffers, syms, begin, end = self.func.args
        table, words, first, last = entry.args
        for hint, argument in zip(("buffers", "syms", "begin", "end"), entry.args, strict=True):
            argument.name_hint = hint
        for position, buffer in enumerate(buffers):
            if buffer.uses:
                index = self.builder.integer(position, i64)
                address = self.builder.address(table, index, POINTER)
                value = self.builder.load(address, POINTER)
                value.name_hint = buffer.name_hint
                self.values[buffer] = value
        self.values.update(zip((syms, begin, end), (words, first, last), strict=True))

    def _block(self, block: Block) -> None:
        for op in block.ops:
            self._op(op)

    def _args(self, op: Operation) -> list[SSAValue]:
        values = self.values
        return [values[operand] for operand in op.operands]

    def _op(self, op: Operation) -> None:
        if type(op) in RULES:
            self.values[op.results[0]] = lower_scalar(self.builder, op, self._args(op))
        elif (rule := VECTOR_RULES.get(type(op))) is not None:
            value = rule(self.builder, op, self._args(op))
            if op.results:
                self.values[op.results[0]] = value
        elif (handler := HANDLERS.get(type(op))) is not None:
            handler(self, op)
        else:
            raise unsupported(op)

    def _load(self, op: Operation) -> None:
        base, *indices = self._args(op)
        type_ = op.results[0].type
        address = self.builder.address(base, single(op, indices), type_)
        self.values[op.results[0]] = self.builder.load(address, type_)

    def _store(self, op: Operation) -> None:
        value, base, *indices = self._args(op)
        address = self.builder.address(base, single(op, indices), op.operands[0].type)
        self.builder.store(value, address)

    def _view(self, op: Operation) -> None:
        base, shift, *_ = self._args(op)
        self.values[op.results[0]] = self.builder.address(base, shift, i8)

    def _shift(self, op: Operation) -> None:
        assert isinstance(op, memref.ReinterpretCastOp) and is_memref(op.source.type)
        if len(op.offsets) != 1 or op.static_strides.get_values() != (1,):
            raise LoweringError(f"{op.name}: only the start of a flat buffer can be moved here")
        base, start = self.values[op.source], self.values[op.offsets[0]]
        address = self.builder.address(base, start, element_type(op.source.type))
        self.values[op.results[0]] = address

    def _pointer(self, op: Operation) -> None:
        self.values[op.results[0]] = self.builder.emit(llvm.PtrToIntOp, self._args(op), i64)

    def _call(self, op: Operation) -> None:
        assert isinstance(op, CallOp)
        if op.results:
            raise LoweringError("functions that kernels call have no results")
        self.builder.block.add_op(llvm.CallOp(op.callee, *self._args(op)))

    def _return(self, op: Operation) -> None:
        self.builder.block.add_op(llvm.ReturnOp.create(operands=self._args(op)))

    def _for(self, op: Operation) -> None:
        assert isinstance(op, scf.ForOp)
        lower, upper, step, *initial = self._args(op)
        source = op.body.block
        terminator = source.last_op
        assert isinstance(terminator, scf.YieldOp)
        types = [value.type for value in initial]
        body = Block(arg_types=[i64, *types])
        after = Block(arg_types=types)
        self._branch(
            self.builder.icmp("slt", lower, upper), body, [lower, *initial], after, initial
        )
        self._open(body)
        variable = self._opaque(body.args[0])
        self.values.update(zip(source.args, (variable, *body.args[1:]), strict=True))
        for inner in source.ops:
            if inner is not terminator:
                self._op(inner)
        yielded = self._args(terminator)
        following = self.builder.emit(llvm.AddOp, [variable, step], i64, NO_SIGNED_WRAP)
        more = self.builder.icmp("slt", following, upper)
        self._branch(more, body, [following, *yielded], after, yielded)
        self._open(after)
        self.values.update(zip(op.results, after.args, strict=True))

    def _opaque(self, value: SSAValue) -> SSAValue:
        """`value`, of which the code generator is not to know how it changes in a loop.

        Its strength reduction takes half of the time to compile a loop over many operands, and
        gains nothing: addresses here are a pointer and an index as it is.
        """
        op = llvm.InlineAsmOp.create(
            operands=[value], result_types=[value.type], properties=EMPTY_ASSEMBLY
        )
        self.builder.block.add_op(op)
        return op.results[0]

    def _if(self, op: Operation) -> None:
        assert isinstance(op, scf.IfOp)
        after = Block(arg_types=[lowered_type(result.type) for result in op.results])
        then = Block()
        otherwise = Block() if op.false_region.blocks else after
        self._branch(self.values[op.cond], then, [], otherwise, [])
        for target, region in ((then, op.true_region), (otherwise, op.false_region)):
            if not region.blocks:
                continue
            self._open(target)
            source = region.block
            for inner in source.ops:
                if isinstance(inner, scf.YieldOp):
                    branch = llvm.BrOp.create(operands=self._args(inner), successors=[after])
                    self.builder.block.add_op(branch)
                else:
                    self._op(inner)
        self._open(after)
        self.values.update(zip(op.results, after.args, strict=True))

    def _open(self, block: Block) -> None:
        self.region.add_block(block)
        self.builder.block = block

    def _branch(
        self,
        cond: SSAValue,
        then: Block,
        then_values: list[SSAValue],
        otherwise: Block,
        otherwise_values: list[SSAValue],
    ) -> None:
        sizes = (1, len(then_values), len(otherwise_values))
        op = llvm.CondBrOp.create(
            operands=[cond, *then_values, *otherwise_values],
            successors=[then, otherwise],
            properties={"operandSegmentSizes": i32_array(sizes)},
        )
        self.builder.block.add_op(op)


HANDLERS: dict[type[Any], Callable[[FunctionConverter, Operation], None]] = {
    memref.LoadOp: FunctionConverter._load,  # pyright: ignore[reportPrivateUsage]
    memref.StoreOp: FunctionConverter._store,  # pyright: ignore[reportPrivateUsage]
    memref.ExtractAlignedPointerAsIndexOp: FunctionConverter._pointer,  # pyright: ignore[reportPrivateUsage]
    memref.ReinterpretCastOp: FunctionConverter._shift,  # pyright: ignore[reportPrivateUsage]
    memref.ViewOp: FunctionConverter._view,  # pyright: ignore[reportPrivateUsage]
    scf.ForOp: FunctionConverter._for,  # pyright: ignore[reportPrivateUsage]
    scf.IfOp: FunctionConverter._if,  # pyright: ignore[reportPrivateUsage]
    CallOp: FunctionConverter._call,  # pyright: ignore[reportPrivateUsage]
    ReturnOp: FunctionConverter._return,  # pyright: ignore[reportPrivateUsage]
}


def single(op: Operation, indices: list[SSAValue]) -> SSAValue:
    """The one index of an access to a flat buffer."""
    if len(indices) != 1:
        raise LoweringError(f"{op.name}: buffers must be flat here, one index each")
    return indices[0]


def pointer_attributes(pointer: bool, kernel: bool) -> DictionaryAttr:
    """`noalias` on the pointers; a kernel only reads its buffer table and syms."""
    names = ("llvm.noalias", "llvm.readonly") if kernel else ("llvm.noalias",)
    return DictionaryAttr({name: UnitAttr() for name in names} if pointer else {})
