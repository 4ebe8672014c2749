"""Creates operations of the llvm dialect, and what all patterns of the conversion to it share."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    UnitAttr,
    i1,
    i8,
    i32,
    i64,
)

from lowering.create import create
from lowering.dialects import llvm_ext
from lowering.kernel import LoweringError
from lowering.loops.flat import byte_size
from lowering.shaped import (
    dense_of,
    float_of,
    i32_array,
    integer_attribute,
    is_integer,
    is_memref,
    is_vector,
    text_attribute,
    vector_of,
)
from torchscript_dialect.ir.pattern_driver import RootedPattern

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from xdsl.ir import Attribute, Operation, SSAValue
    from xdsl.pattern_rewriter import PatternRewriter

POINTER = llvm.LLVMPointerType()
FAST_MATH = llvm.FastMathAttr(None)
NO_FLAGS: dict[str, Attribute] = {"fastmathFlags": FAST_MATH}
WRAP: dict[str, Attribute] = {"overflowFlags": IntegerAttr(0, 32)}
NO_SIGNED_WRAP: dict[str, Attribute] = {"overflowFlags": IntegerAttr(1, 32)}

ICMP = {
    name: IntegerAttr(i, i64)
    for i, name in enumerate(("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"))
}
FCMP = {
    name: IntegerAttr(i, i64)
    for i, name in enumerate(
        (
            "false",
            "oeq",
            "ogt",
            "oge",
            "olt",
            "ole",
            "one",
            "ord",
            "ueq",
            "ugt",
            "uge",
            "ult",
            "ule",
            "une",
            "uno",
            "true",
        )
    )
}

INBOUNDS = UnitAttr()
GEP_INDEX = DenseArrayBase.from_list(i32, [llvm.GEP_USE_SSA_VAL])
NO_BUNDLES = DenseArrayBase.from_list(i32, ())


def lowered_type(type_: Attribute) -> Attribute:
    """The llvm dialect's type for a scalar, vector or buffer type."""
    if isinstance(type_, IndexType):
        return i64
    if is_memref(type_):
        return POINTER
    return type_


def memory_type(type_: Attribute) -> Attribute:
    """What stands in memory for a value of `type_`: bools take a byte each."""
    if is_vector(type_):
        return vector_of(i8, type_.get_shape()[0]) if type_.element_type == i1 else type_
    return i8 if type_ == i1 else type_


def like(type_: Attribute, element: Attribute) -> Attribute:
    """`element`, as a vector where `type_` is one."""
    return vector_of(element, type_.get_shape()[0]) if is_vector(type_) else element


def scalar_of(type_: Attribute) -> Attribute:
    """The element type of a vector type; any other type itself."""
    return type_.element_type if is_vector(type_) else type_


class LLVMBuilder:
    """Inserts llvm operations where a rewriter stands, which is before the op that a pattern matched."""

    def __init__(self, rewriter: PatternRewriter) -> None:
        self.rewriter = rewriter

    def emit(
        self,
        op_class: type[Operation],
        operands: Sequence[SSAValue],
        type_: Attribute,
        properties: Mapping[str, Attribute] = {},
    ) -> SSAValue:
        """Inserts an operation with one result."""
        op = create(op_class, operands, (type_,), properties)
        self.rewriter.insert(op)
        return op.results[0]

    def integer(self, value: int, type_: Attribute) -> SSAValue:
        """An integer constant; every lane of a vector type has it."""
        element = scalar_of(type_)
        assert is_integer(element)
        single = integer_attribute(value, element)
        attribute = dense_of(type_, [value]) if is_vector(type_) else single
        return self.emit(llvm.ConstantOp, [], type_, {"value": attribute})

    def real(self, value: float, type_: Attribute) -> SSAValue:
        """A float constant; every lane of a vector type has it."""
        vector = is_vector(type_)
        attribute = dense_of(type_, [value]) if vector else float_of(value, type_)
        return self.emit(llvm.ConstantOp, [], type_, {"value": attribute})

    def icmp(self, predicate: str, left: SSAValue, right: SSAValue) -> SSAValue:
        """An integer comparison."""
        properties = {"predicate": ICMP[predicate]}
        return self.emit(llvm.ICmpOp, [left, right], like(left.type, i1), properties)

    def select(self, cond: SSAValue, left: SSAValue, right: SSAValue) -> SSAValue:
        """`left` where `cond`, else `right`."""
        op_class = llvm_ext.SelectOp if is_vector(cond.type) else llvm.SelectOp
        return self.emit(op_class, [cond, left, right], left.type)

    def intrinsic(
        self,
        name: str,
        operands: Sequence[SSAValue],
        type_: Attribute | None,
        flags: llvm.FastMathAttr = FAST_MATH,
    ) -> SSAValue:
        """Calls the LLVM intrinsic `name`, written without its type suffix."""
        properties = {
            "intrin": text_attribute(name),
            "fastmathFlags": flags,
            "op_bundle_sizes": NO_BUNDLES,
            "operandSegmentSizes": i32_array((len(operands), 0)),
        }
        result_types = () if type_ is None else (type_,)
        op = create(llvm.CallIntrinsicOp, operands, result_types, properties)
        self.rewriter.insert(op)
        return op.results[0] if op.results else operands[0]

    def address(self, base: SSAValue, index: SSAValue, element: Attribute) -> SSAValue:
        """The address of element `index` of the buffer at `base`."""
        properties = {
            "rawConstantIndices": GEP_INDEX,
            "elem_type": memory_type(element),
            "noWrapFlags": integer_attribute(0, 32),
            "inbounds": INBOUNDS,
        }
        return self.emit(llvm.GEPOp, [base, index], POINTER, properties)

    def load(self, address: SSAValue, type_: Attribute, alignment: int | None = None) -> SSAValue:
        """Reads a scalar or vector, aligned as its elements are, if nothing else is said."""
        raw = memory_type(type_)
        if alignment is None:
            alignment = 8 if raw == POINTER else byte_size(scalar_of(type_))
        properties = {
            "alignment": integer_attribute(alignment, i64),
            "ordering": integer_attribute(0, i64),
        }
        value = self.emit(llvm.LoadOp, [address], raw, properties)
        return self.from_memory(value, type_)

    def from_memory(self, value: SSAValue, type_: Attribute) -> SSAValue:
        """A value as it is computed with, from what stood in memory."""
        if value.type == type_:
            return value
        return self.icmp("ne", value, self.integer(0, value.type))

    def to_memory(self, value: SSAValue) -> SSAValue:
        """A value as it stands in memory."""
        raw = memory_type(value.type)
        return value if raw == value.type else self.emit(llvm.ZExtOp, [value], raw)

    def store(
        self,
        value: SSAValue,
        address: SSAValue,
        past_caches: bool = False,
        alignment: int | None = None,
        ordering: int = 0,
    ) -> None:
        """Writes a scalar or vector, aligned as its elements are, if nothing else is said.

        With `past_caches`, a vector that is aligned as a whole, which no cache need keep. The `ordering` is LLVM's.
        """
        if alignment is None:
            alignment = byte_size(scalar_of(value.type))
        if past_caches:
            assert is_vector(value.type)
            alignment *= value.type.get_shape()[0]
        properties: dict[str, Attribute] = {
            "alignment": integer_attribute(alignment, i64),
            "ordering": integer_attribute(ordering, i64),
        }
        if past_caches:
            properties["nontemporal"] = UnitAttr()
        op = create(llvm.StoreOp, [self.to_memory(value), address], (), properties)
        self.rewriter.insert(op)

    def splat(self, value: SSAValue, type_: Attribute) -> SSAValue:
        """`value` in every lane of the vector type `type_`."""
        assert is_vector(type_)
        empty = self.emit(llvm.UndefOp, [], type_)
        zero = self.integer(0, i64)
        first = self.emit(llvm.InsertElementOp, [empty, value, zero], type_)
        return self.shuffle(first, empty, [0] * type_.get_shape()[0])

    def shuffle(self, left: SSAValue, right: SSAValue, lanes: Sequence[int]) -> SSAValue:
        """Lanes of two vectors, by number."""
        mask = i32_array(tuple(lanes))
        type_ = vector_of(scalar_of(left.type), len(lanes))
        return self.emit(llvm.ShuffleVectorOp, [left, right], type_, {"mask": mask})


class ConvertToLLVM(RootedPattern):
    """Replaces an op, whose operands have types of LLVM by now, by llvm operations that compute the same value."""

    @abstractmethod
    def value(self, b: LLVMBuilder, op: Any, type_: Attribute) -> SSAValue:
        """The value, of the type `type_`, that stands for the result of `op`."""

    def rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        value = self.value(LLVMBuilder(rewriter), op, lowered_type(op.results[0].type))
        rewriter.replace(op, (), (value,))


def single(op: Operation, indices: Sequence[SSAValue]) -> SSAValue:
    """The one index of an access to a flat buffer."""
    if len(indices) != 1:
        raise LoweringError(f"{op.name}: buffers must be flat here, one index each")
    return indices[0]


def unsupported(op: Operation) -> LoweringError:
    """The error for an operation that has no machine code."""
    hint = "; run ts-expand-math first" if op.name.startswith("math.") else ""
    return LoweringError(f"{op.name} cannot be lowered to LLVM{hint}")
