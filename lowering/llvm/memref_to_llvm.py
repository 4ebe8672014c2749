"""What each operation on flat buffers becomes in the llvm dialect: a buffer is a pointer, a bool is a byte in memory."""

from __future__ import annotations

from xdsl.dialects import arith, llvm, memref
from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i8, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from lowering.dialects import llvm_ext
from lowering.dialects.memref_ext import PointerOp, PrefetchOp
from lowering.kernel import LoweringError
from lowering.llvm.builder import ConvertToLLVM, LLVMBuilder, memory_type, single
from lowering.shaped import element_type, integer_of

CLOSEST, DATA = 3, 1
"""The operands of `llvm.prefetch` that ask for the first-level cache of data."""


RELAXED = "relaxed"
MONOTONIC = 2
"""LLVM's ordering of what is atomic, and orders nothing else."""
COMBINATIONS = {0: "fadd", 1: "add", 3: "fmaximum", 4: "max", 6: "fminimum", 7: "min"}
"""How LLVM names the kinds of `memref.atomic_rmw`."""


class Load(ConvertToLLVM):
    """`memref.load %a[%i] : memref<?xf32>` becomes `%p = llvm.getelementptr inbounds %a[%i]` and `llvm.load %p`.

    An attribute `alignment` says where it is more than that of an element.
    """

    roots = (memref.LoadOp,)

    def value(self, b: LLVMBuilder, op: memref.LoadOp, type_: Attribute) -> SSAValue:
        base, *indices = op.operands
        address = b.address(base, single(op, indices), type_)
        return b.load(address, type_, integer_of(op.attributes.get("alignment")))


class Store(RewritePattern):
    """`memref.store %x, %a[%i] : memref<?xf32>` becomes `%p = llvm.getelementptr inbounds %a[%i]` and `llvm.store %x, %p`.

    An attribute `relaxed` says that threads of a device may write there at the same time: one of their values stays.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.StoreOp, rewriter: PatternRewriter, /) -> None:
        b = LLVMBuilder(rewriter)
        value, base, *indices = op.operands
        address = b.address(base, single(op, indices), value.type)
        alignment = integer_of(op.attributes.get("alignment"))
        ordering = MONOTONIC if RELAXED in op.attributes else 0
        b.store(value, address, alignment=alignment, ordering=ordering)
        rewriter.erase(op)


class Atomic(ConvertToLLVM):
    """`memref.atomic_rmw addf %x, %a[%i] : memref<?xf32>` becomes `%p = llvm.getelementptr inbounds %a[%i]` and an atomic operation."""

    roots = (memref.AtomicRMWOp,)

    def value(self, b: LLVMBuilder, op: memref.AtomicRMWOp, type_: Attribute) -> SSAValue:
        name = COMBINATIONS.get(op.kind.value.data)
        if name is None:
            raise LoweringError(f"{op.name} of kind {op.kind.value.data} is not lowered")
        value, base, *indices = op.operands
        address = b.address(base, single(op, indices), type_)
        return b.emit(llvm_ext.AtomicRMWOp, [address, value], type_, {"bin_op": StringAttr(name)})


class View(ConvertToLLVM):
    """`memref.view %a[%bytes][%n] : memref<?xi8> to memref<?xf32>` becomes `llvm.getelementptr inbounds %a[%bytes]`, in bytes."""

    roots = (memref.ViewOp,)

    def value(self, b: LLVMBuilder, op: memref.ViewOp, type_: Attribute) -> SSAValue:
        base, shift, *_ = op.operands
        return b.address(base, shift, i8)


class MovedStart(ConvertToLLVM):
    """`memref.reinterpret_cast %a to offset: [%i], ...` becomes `llvm.getelementptr inbounds %a[%i]`."""

    roots = (memref.ReinterpretCastOp,)

    def value(self, b: LLVMBuilder, op: memref.ReinterpretCastOp, type_: Attribute) -> SSAValue:
        if len(op.offsets) != 1 or op.static_strides.get_values() != (1,):
            raise LoweringError(f"{op.name}: only the start of a flat buffer can be moved here")
        return b.address(op.source, op.offsets[0], element_type(op.result.type))


class Pointer(ConvertToLLVM):
    """`memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index` becomes `llvm.ptrtoint %a : !llvm.ptr to i64`."""

    roots = (memref.ExtractAlignedPointerAsIndexOp,)

    def value(
        self, b: LLVMBuilder, op: memref.ExtractAlignedPointerAsIndexOp, type_: Attribute
    ) -> SSAValue:
        return b.emit(llvm.PtrToIntOp, op.operands, type_)


class ElementPointer(ConvertToLLVM):
    """`memref_ext.pointer %a[%i]` becomes `llvm.getelementptr inbounds %a[%i]`, cast to the space."""

    roots = (PointerOp,)

    def value(self, b: LLVMBuilder, op: PointerOp, type_: Attribute) -> SSAValue:
        base, index = op.operands
        address = b.address(base, index, op.elem_type)
        return b.emit(llvm_ext.AddrSpaceCastOp, [address], type_)


class Stack(ConvertToLLVM):
    """`memref.alloca(%n) : memref<?xf32>` becomes `llvm.alloca %n x f32`."""

    roots = (memref.AllocaOp,)

    def value(self, b: LLVMBuilder, op: memref.AllocaOp, type_: Attribute) -> SSAValue:
        properties = {"elem_type": element_type(op.memref.type)}
        if op.alignment is not None:
            properties["alignment"] = op.alignment
        return b.emit(llvm.AllocaOp, op.dynamic_sizes, type_, properties)


class Prefetch(RewritePattern):
    """`memref_ext.prefetch %a[%c0], write, locality<3>, data` becomes a call of the intrinsic `llvm.prefetch`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PrefetchOp, rewriter: PatternRewriter, /) -> None:
        if not isinstance(op.index.owner, Operation) or constant_integer(op.index.owner) != 0:
            raise LoweringError(f"{op.name}: only the start of a buffer can be fetched here")
        b = LLVMBuilder(rewriter)
        numbers = (int(op.isWrite.value.data != 0), CLOSEST, DATA)
        hints = [b.integer(number, i32) for number in numbers]
        b.intrinsic("llvm.prefetch", [op.memref, *hints], None)
        rewriter.erase(op)


def constant_integer(op: Operation) -> int | None:
    """The value of an integer constant of the arith or the llvm dialect."""
    value = op.value if isinstance(op, arith.ConstantOp | llvm.ConstantOp) else None
    return integer_of(value)


class SharedMemory(RewritePattern):
    """`memref.global "private" @m : memref<32xf32, 3>` becomes `llvm.mlir.global internal @m() {addr_space = 3}`, an array."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.GlobalOp, rewriter: PatternRewriter, /) -> None:
        type_, space = op.type, op.type.memory_space
        if not isinstance(space, IntegerAttr) or not isinstance(op.initial_value, UnitAttr):
            raise LoweringError(f"{op.name}: only memory that a block shares is lowered")
        size = type_.get_shape()[0]
        array = llvm.LLVMArrayType(size, memory_type(type_.element_type))
        rewriter.replace(
            op,
            llvm.GlobalOp(array, op.sym_name, "internal", space.value.data, alignment=16),
            (),
        )


class AddressOfShared(ConvertToLLVM):
    """`memref.get_global @m` becomes `llvm.mlir.addressof @m`, an address in the space of all."""

    roots = (memref.GetGlobalOp,)

    def value(self, b: LLVMBuilder, op: memref.GetGlobalOp, type_: Attribute) -> SSAValue:
        return b.emit(llvm.AddressOfOp, (), type_, {"global_name": op.name_})


MEMREF_TO_LLVM: tuple[RewritePattern, ...] = (
    Load(),
    Store(),
    Atomic(),
    View(),
    MovedStart(),
    Pointer(),
    ElementPointer(),
    Stack(),
    Prefetch(),
    SharedMemory(),
    AddressOfShared(),
)
