"""LLVM IR text from the llvm dialect: one walk, one line per operation.

Covers what `ts-convert-to-llvm` makes, vectors, intrinsics and fast-math flags among it, which
xDSL's own translation does not. Constants become literals where they are used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from lowering.dialects import llvm_ext, nvvm
from lowering.kernel import LoweringError
from lowering.llvm.spelling import number, suffix, type_name, word
from lowering.llvm.translate_nvvm import WRITERS as NVVM_WRITERS
from lowering.llvm.translate_nvvm import kernel_attributes
from lowering.loops.flat import byte_size
from lowering.shaped import integer_of, is_vector

BINARY: dict[type[Operation], str] = {
    llvm.AddOp: "add",
    llvm.SubOp: "sub",
    llvm.MulOp: "mul",
    llvm.SDivOp: "sdiv",
    llvm.UDivOp: "udiv",
    llvm.SRemOp: "srem",
    llvm.URemOp: "urem",
    llvm.AndOp: "and",
    llvm.OrOp: "or",
    llvm.XOrOp: "xor",
    llvm.ShlOp: "shl",
    llvm.LShrOp: "lshr",
    llvm.AShrOp: "ashr",
    llvm.FAddOp: "fadd",
    llvm.FSubOp: "fsub",
    llvm.FMulOp: "fmul",
    llvm.FDivOp: "fdiv",
    llvm.FRemOp: "frem",
}

CASTS: dict[type[Operation], str] = {
    llvm.TruncOp: "trunc",
    llvm.ZExtOp: "zext",
    llvm.SExtOp: "sext",
    llvm.FPExtOp: "fpext",
    llvm.FPTruncOp: "fptrunc",
    llvm.SIToFPOp: "sitofp",
    llvm_ext.UIToFPOp: "uitofp",
    llvm_ext.FPToSIOp: "fptosi",
    llvm_ext.FPToUIOp: "fptoui",
    llvm.BitcastOp: "bitcast",
    llvm.PtrToIntOp: "ptrtoint",
    llvm_ext.AddrSpaceCastOp: "addrspacecast",
}

ICMP = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FCMP = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip

AMONG_THREADS = 'syncscope("device") monotonic'
"""Atomic among the threads of a device; it orders nothing else."""
ALIGNED = 16
"""Bytes that shared memory begins at multiples of."""


def translate(module: ModuleOp) -> str:
    """The LLVM IR text of the functions of `module`, and of the memory that they share.

    Raises:
        LoweringError: an operation has no such form, or a name is none.
    """
    ops = list(module.body.block.ops)
    shared = [_global(op) for op in ops if isinstance(op, llvm.GlobalOp)]
    functions = [op for op in ops if isinstance(op, llvm.FuncOp)]
    return "\n".join([*shared, *(Function(op).text() for op in functions), ""])


def _global(op: llvm.GlobalOp) -> str:
    array = op.global_type
    assert isinstance(array, llvm.LLVMArrayType)
    type_ = f"[{array.size.data} x {type_name(array.type)}]"
    space = f"addrspace({op.addr_space.value.data})"
    return f"@{word(op.sym_name.data)} = internal {space} global {type_} undef, align {ALIGNED}\n"


class Function:
    """Writes one function."""

    def __init__(self, op: llvm.FuncOp) -> None:
        self.op = op
        self.names: dict[SSAValue, str] = {}
        self.blocks: dict[Block, str] = {}
        self.lines: list[str] = []
        self.current = ""
        self.incoming: dict[Block, list[tuple[str, list[SSAValue]]]] = {}

    def text(self) -> str:
        """`define ... { ... }`, or `declare ...`."""
        op = self.op
        blocks = list(op.body.blocks)
        if not blocks:
            types = ", ".join(map(type_name, op.function_type.inputs))
            return f"declare {self._result()} @{word(op.sym_name.data)}({types})\n"
        for position, block in enumerate(blocks):
            self.blocks[block] = f"b{position}"
        for block in blocks:
            terminator = block.last_op
            assert terminator is not None
            self._collect(block, terminator)
        bodies: list[str] = []
        for block in blocks:
            self.lines = []
            for inner in block.ops:
                writer = WRITERS.get(type(inner))
                if writer is None:
                    raise LoweringError(f"no LLVM IR is written for '{inner.name}'")
                writer(self, inner)
            bodies.append("\n".join([f"{self.blocks[block]}:", *self._phis(block), *self.lines]))
        # xDSL reads it from text as an attribute, and has it as a property otherwise.
        passthrough = op.passthrough or op.attributes.get("passthrough")
        items = (
            cast("ArrayAttr[Attribute]", passthrough) if isinstance(passthrough, ArrayAttr) else ()
        )
        attributes = [function_attribute(item) for item in items] + kernel_attributes(op)
        return (
            f"define {self._linkage()}{self._convention()}{self._result()} @{word(op.sym_name.data)}({self._parameters(blocks[0])})"
            f" {''.join(f'{item} ' for item in attributes)}{{\n" + "\n".join(bodies) + "\n}\n"
        )

    def _linkage(self) -> str:
        linkage = self.op.linkage.linkage.data
        return "" if linkage == "external" else f"{word(linkage)} "

    def _convention(self) -> str:
        return "ptx_kernel " if nvvm.KERNEL in self.op.attributes else ""

    def _result(self) -> str:
        names = list(self.op.res_attrs.data[0].data) if self.op.res_attrs else []
        words = [word(name.removeprefix("llvm.")) for name in names]
        return " ".join([*words, type_name(self.op.function_type.output)])

    def _parameters(self, entry: Block) -> str:
        attributes = self.op.arg_attrs.data if self.op.arg_attrs else ()
        texts: list[str] = []
        for position, argument in enumerate(entry.args):
            words = (
                [word(name.removeprefix("llvm.")) for name in attributes[position].data]
                if attributes
                else []
            )
            texts.append(" ".join([type_name(argument.type), *words, self.name(argument)]))
        return ", ".join(texts)

    def _collect(self, block: Block, terminator: Operation) -> None:
        if isinstance(terminator, llvm.BrOp):
            edges = [(terminator.successor, list(terminator.operands))]
        elif isinstance(terminator, llvm.CondBrOp):
            edges = [
                (terminator.then_block, list(terminator.then_arguments)),
                (terminator.else_block, list(terminator.else_arguments)),
            ]
        else:
            return
        for target, values in edges:
            self.incoming.setdefault(target, []).append((self.blocks[block], values))

    def _phis(self, block: Block) -> list[str]:
        lines: list[str] = []
        edges = self.incoming.get(block, [])
        if not edges:
            return lines
        for position, argument in enumerate(block.args):
            sources = ", ".join(
                f"[ {self.name(values[position])}, %{label} ]" for label, values in edges
            )
            lines.append(f"  {self.name(argument)} = phi {type_name(argument.type)} {sources}")
        return lines

    def name(self, value: SSAValue) -> str:
        """The name or literal of `value`; made up when it is first seen."""
        found = self.names.get(value)
        if found is None:
            owner = value.owner
            if isinstance(owner, llvm.ConstantOp):
                found = literal(owner.value, owner.result.type)
            elif isinstance(owner, llvm.UndefOp):
                found = "poison"
            else:
                found = f"%v{len(self.names)}"
            self.names[value] = found
        return found

    def typed(self, value: SSAValue) -> str:
        """`type name`."""
        return f"{type_name(value.type)} {self.name(value)}"

    def define(self, op: Operation, text: str) -> None:
        """Adds the line of an operation with a result."""
        self.lines.append(f"  {self.name(op.results[0])} = {text}")


def function_attribute(item: Attribute) -> str:
    """A name, or a name and a value."""
    if isinstance(item, StringAttr):
        return f'"{word(item.data)}"' if "-" in item.data else word(item.data)
    assert isinstance(item, ArrayAttr)
    parts = cast("ArrayAttr[Attribute]", item)
    return "=".join(f'"{_quoted(part.data)}"' for part in parts if isinstance(part, StringAttr))


def _quoted(text: str) -> str:
    """What may stand between quotes."""
    if '"' in text or "\\" in text or not text.isprintable():
        raise LoweringError(f"{text[:80]!r} is no attribute of a function in LLVM IR")
    return text


def literal(value: Attribute, type_: Attribute) -> str:
    """A constant as an operand, without its type."""
    if isinstance(value, IntegerAttr):
        return number(value.value.data, type_)
    if isinstance(value, FloatAttr):
        return number(value.value.data, type_)
    assert isinstance(value, DenseIntOrFPElementsAttr) and is_vector(type_)
    element = type_.element_type
    name = type_name(element)
    values = value.get_values()
    if value.is_splat():
        return f"splat ({name} {number(values[0], element)})"
    return "<" + ", ".join(f"{name} {number(item, element)}" for item in values) + ">"


def fast_math(op: Operation) -> str:
    """The flags of a float operation, each followed by a space."""
    flags = op.properties.get("fastmathFlags")
    if not isinstance(flags, llvm.FastMathAttr) or not flags.data:
        return ""
    names = sorted(str(flag.value) for flag in flags.data)
    return " ".join(names) + " "


def _skip(f: Function, op: Operation) -> None:
    """Constants are written where they are used."""


def _binary(f: Function, op: Operation) -> None:
    left, right = op.operands
    flags = fast_math(op)
    overflow = op.properties.get("overflowFlags")
    if (bits := integer_of(overflow)) is not None:
        flags = ("", "nsw ", "nuw ", "nuw nsw ")[bits]
    f.define(op, f"{BINARY[type(op)]} {flags}{f.typed(left)}, {f.name(right)}")


def _cast(f: Function, op: Operation) -> None:
    f.define(op, f"{CASTS[type(op)]} {f.typed(op.operands[0])} to {type_name(op.results[0].type)}")


def _negate(f: Function, op: Operation) -> None:
    f.define(op, f"fneg {fast_math(op)}{f.typed(op.operands[0])}")


def _icmp(f: Function, op: Operation) -> None:
    predicate = op.properties["predicate"]
    assert isinstance(predicate, IntegerAttr)
    left, right = op.operands
    f.define(op, f"icmp {ICMP[predicate.value.data]} {f.typed(left)}, {f.name(right)}")


def _fcmp(f: Function, op: Operation) -> None:
    predicate = op.properties["predicate"]
    assert isinstance(predicate, IntegerAttr)
    left, right = op.operands
    f.define(op, f"fcmp {FCMP[predicate.value.data]} {f.typed(left)}, {f.name(right)}")


def _select(f: Function, op: Operation) -> None:
    f.define(op, "select " + ", ".join(f.typed(operand) for operand in op.operands))


def _gep(f: Function, op: Operation) -> None:
    assert isinstance(op, llvm.GEPOp)
    flags = "inbounds " if op.inbounds else ""
    dynamic = iter(op.ssa_indices)
    indices = ", ".join(
        f.typed(next(dynamic)) if index == llvm.GEP_USE_SSA_VAL else f"i32 {index}"
        for index in op.rawConstantIndices.get_values()
    )
    f.define(op, f"getelementptr {flags}{type_name(op.elem_type)}, {f.typed(op.ptr)}, {indices}")


def _alignment(op: Operation) -> str:
    alignment = op.properties.get("alignment")
    return f", align {alignment.value.data}" if isinstance(alignment, IntegerAttr) else ""


def _load(f: Function, op: Operation) -> None:
    pointer = f.typed(op.operands[0])
    f.define(op, f"load {type_name(op.results[0].type)}, {pointer}{_alignment(op)}")


def _store(f: Function, op: Operation) -> None:
    value, pointer = op.operands
    hint = ", !nontemporal !{i32 1}" if "nontemporal" in op.properties else ""
    is_atomic = bool(integer_of(op.properties.get("ordering")))
    what = f"{f.typed(value)}, {f.typed(pointer)}"
    if is_atomic:
        f.lines.append(f"  store atomic {what} {AMONG_THREADS}{_alignment(op)}")
    else:
        f.lines.append(f"  store {what}{_alignment(op)}{hint}")


def _atomic(f: Function, op: Operation) -> None:
    assert isinstance(op, llvm_ext.AtomicRMWOp)
    way = f"atomicrmw {word(op.bin_op.data)} {f.typed(op.ptr)}, {f.typed(op.val)}"
    f.define(op, f"{way} {AMONG_THREADS}")


def _compare_and_exchange(f: Function, op: Operation) -> None:
    assert isinstance(op, llvm_ext.CmpXchgOp)
    both = f"{f.name(op.res)}.both"
    operands = ", ".join(map(f.typed, op.operands))
    f.lines.append(f"  {both} = cmpxchg {operands} {AMONG_THREADS} monotonic")
    f.define(op, f"extractvalue {{ {type_name(op.res.type)}, i1 }} {both}, 0")


def _alloca(f: Function, op: Operation) -> None:
    assert isinstance(op, llvm.AllocaOp)
    f.define(op, f"alloca {type_name(op.elem_type)}, {f.typed(op.size)}{_alignment(op)}")


def _insert_element(f: Function, op: Operation) -> None:
    f.define(op, "insertelement " + ", ".join(f.typed(operand) for operand in op.operands))


def _shuffle(f: Function, op: Operation) -> None:
    assert isinstance(op, llvm.ShuffleVectorOp)
    mask = op.mask.get_values()
    lanes = "zeroinitializer" if not any(mask) else f"<{', '.join(f'i32 {i}' for i in mask)}>"
    operands = ", ".join(f.typed(operand) for operand in op.operands)
    f.define(op, f"shufflevector {operands}, <{len(mask)} x i32> {lanes}")


def _intrinsic(f: Function, op: Operation) -> None:
    assert isinstance(op, llvm.CallIntrinsicOp)
    name = word(op.intrin.data)
    operands = [f.typed(operand) for operand in op.operands]
    result = op.results[0].type if op.results else None
    if name == "llvm.masked.load":
        assert is_vector(result)
        address = f"ptr align {byte_size(result.element_type)} {f.name(op.operands[0])}"
        operands[0] = address
        full = f"{name}.{suffix(result)}.p0"
    elif name == "llvm.masked.store":
        type_ = op.operands[0].type
        assert is_vector(type_)
        operands[1] = f"ptr align {byte_size(type_.element_type)} {f.name(op.operands[1])}"
        full = f"{name}.{suffix(type_)}.p0"
    elif name == "llvm.prefetch":
        full = f"{name}.p0"
    elif name.startswith("llvm.vector.reduce."):
        full = f"{name}.{suffix(op.operands[-1].type)}"
    else:
        full = name if result is None else f"{name}.{suffix(result)}"
    type_text = "void" if result is None else type_name(result)
    call = f"call {fast_math(op)}{type_text} @{full}({', '.join(operands)})"
    if result is None:
        f.lines.append(f"  {call}")
    else:
        f.define(op, call)


def _call(f: Function, op: Operation) -> None:
    assert isinstance(op, llvm.CallOp) and op.callee is not None
    type_text = type_name(op.results[0].type) if op.results else "void"
    operands = ", ".join(f.typed(operand) for operand in op.args)
    call = f"call {type_text} @{word(op.callee.string_value())}({operands})"
    if op.results:
        f.define(op, call)
    else:
        f.lines.append(f"  {call}")


def _address_of(f: Function, op: Operation) -> None:
    assert isinstance(op, llvm.AddressOfOp)
    name = op.global_name.string_value()
    f.define(op, f"addrspacecast ptr addrspace(3) @{word(name)} to ptr")


def _extract_value(f: Function, op: Operation) -> None:
    assert isinstance(op, llvm.ExtractValueOp)
    places = ", ".join(map(str, op.position.get_values()))
    f.define(op, f"extractvalue {f.typed(op.container)}, {places}")


def _assembly(f: Function, op: Operation) -> None:
    """A value that LLVM knows nothing of. Assembly that does anything could read files: it is not written."""
    assert isinstance(op, llvm.InlineAsmOp)
    if op.asm_string.data or op.constraints.data != "=r,0":
        raise LoweringError("the assembly of 'llvm.inline_asm' is not translated")
    operand, result = f.typed(op.operands[0]), type_name(op.results[0].type)
    f.define(op, f'call {result} asm "", "=r,0"({operand})')


def _return(f: Function, op: Operation) -> None:
    f.lines.append(f"  ret {f.typed(op.operands[0])}" if op.operands else "  ret void")


def _br(f: Function, op: Operation) -> None:
    f.lines.append(f"  br label %{f.blocks[op.successors[0]]}")


def _cond_br(f: Function, op: Operation) -> None:
    then, otherwise = (f.blocks[block] for block in op.successors)
    f.lines.append(f"  br i1 {f.name(op.operands[0])}, label %{then}, label %{otherwise}")


WRITERS: dict[type[Any], Callable[[Function, Operation], None]] = {
    **dict.fromkeys(BINARY, _binary),
    **dict.fromkeys(CASTS, _cast),
    llvm.ConstantOp: _skip,
    llvm.UndefOp: _skip,
    llvm.FNegOp: _negate,
    llvm.ICmpOp: _icmp,
    llvm.FCmpOp: _fcmp,
    llvm_ext.FCmpOp: _fcmp,
    llvm.SelectOp: _select,
    llvm_ext.SelectOp: _select,
    llvm.GEPOp: _gep,
    llvm.LoadOp: _load,
    llvm.StoreOp: _store,
    llvm_ext.AtomicRMWOp: _atomic,
    llvm_ext.CmpXchgOp: _compare_and_exchange,
    llvm.AllocaOp: _alloca,
    llvm.InsertElementOp: _insert_element,
    llvm.ShuffleVectorOp: _shuffle,
    llvm.CallIntrinsicOp: _intrinsic,
    llvm.AddressOfOp: _address_of,
    llvm.ExtractValueOp: _extract_value,
    llvm.CallOp: _call,
    llvm.InlineAsmOp: _assembly,
    **NVVM_WRITERS,
    llvm.ReturnOp: _return,
    llvm.BrOp: _br,
    llvm.CondBrOp: _cond_br,
}
