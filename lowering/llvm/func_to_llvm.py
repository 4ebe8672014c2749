"""Functions become functions of the llvm dialect; kernels get the native signature.

`void kernel(ptr buffers, ptr syms, i64 begin, i64 end)`: the buffer arguments of the loop form are loaded from the table at
the entry.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, UnitAttr, i1, i64
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from lowering.create import create
from lowering.dialects import nvvm
from lowering.dialects.kernel import entry_of
from lowering.llvm.builder import POINTER, LLVMBuilder, lowered_type
from lowering.shaped import i32_array
from torchscript_dialect.ir.edit import set_type

EXTERNAL = llvm.LinkageAttr("external")
INTERNAL = llvm.LinkageAttr("internal")
PRIVATE = StringAttr("private")
PASSTHROUGH = (StringAttr("nounwind"), StringAttr("no-builtins"))
"""What is asked of LLVM for every function; `passthrough` of a `func.func` asks for more.

No call of memcpy, memset or libm may appear: nothing resolves them in the loaded code."""


class Function(RewritePattern):
    """`func.func @f(%a: memref<?xf32>, %n: index) -> i1` becomes `llvm.func @f(%a: !llvm.ptr, %n: i64) -> i1`.

    A kernel takes the address of a table of its buffers instead of these:
    `llvm.func @kernel(%buffers: !llvm.ptr, %syms: !llvm.ptr, %begin: i64, %end: i64)`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FuncOp, rewriter: PatternRewriter, /) -> None:
        if not op.body.blocks:
            rewriter.replace(op, _declaration(op), ())
            return
        entry = op.body.block
        is_kernel = entry_of(op) is not None
        if is_kernel:
            _take_table(entry, rewriter)
        for argument in entry.args:
            set_type(argument, lowered_type(argument.type))
        waits = nvvm.KERNEL in op.attributes and any(
            isinstance(inner, nvvm.BarrierOp) for inner in op.body.walk()
        )
        types = [argument.type for argument in entry.args]
        outputs = op.function_type.outputs.data
        result = lowered_type(outputs[0]) if outputs else llvm.LLVMVoidType()
        own = cast("ArrayAttr[Attribute]", op.attributes.pop("passthrough", ArrayAttr(())))
        properties: dict[str, Any] = {
            "arg_attrs": ArrayAttr(_pointer_attributes(type_, is_kernel, waits) for type_ in types),
            "passthrough": ArrayAttr((*PASSTHROUGH, *own)),
        }
        if result == i1:
            properties["res_attrs"] = ArrayAttr([DictionaryAttr({"llvm.zeroext": UnitAttr()})])
        function = llvm.FuncOp(
            op.sym_name,
            llvm.LLVMFunctionType(types, result),
            INTERNAL if op.sym_visibility == PRIVATE else EXTERNAL,
            body=rewriter.move_region_contents_to_new_regions(op.body),
            other_props=properties,
            extra_attrs=op.attributes,
        )
        rewriter.replace(op, function, ())


def _declaration(op: FuncOp) -> llvm.FuncOp:
    """The declaration of a function that stands elsewhere."""
    types = [lowered_type(type_) for type_ in op.function_type.inputs]
    outputs = [lowered_type(type_) for type_ in op.function_type.outputs]
    type_ = llvm.LLVMFunctionType(types, outputs[0] if outputs else llvm.LLVMVoidType())
    return llvm.FuncOp(op.sym_name, type_, EXTERNAL)


def _take_table(entry: Block, rewriter: PatternRewriter) -> None:
    """Replace the arguments of a kernel, `buffers..., syms, begin, end`, by `table, syms, begin, end`."""
    *buffers, syms, begin, end = entry.args
    table = entry.insert_arg(POINTER, 0)
    for hint, argument in zip(
        ("buffers", "syms", "begin", "end"), (table, syms, begin, end), strict=True
    ):
        argument.name_hint = hint
    rewriter.insertion_point = InsertPoint.at_start(entry)
    b = LLVMBuilder(rewriter)
    for position, buffer in enumerate(buffers):
        if buffer.first_use is not None:
            address = b.address(table, b.integer(position, i64), POINTER)
            value = b.load(address, POINTER)
            value.name_hint = buffer.name_hint
            rewriter.replace_all_uses_with(buffer, value)
        entry.erase_arg(buffer)


def _pointer_attributes(type_: Attribute, is_kernel: bool, waits: bool) -> DictionaryAttr:
    """`noalias` on pointers; a kernel only reads its buffer table and syms. Where threads wait for each other they read
    what others wrote, which LLVM must not take for impossible.
    """
    if type_ != POINTER or waits:
        return DictionaryAttr({})
    names = ("llvm.noalias", "llvm.readonly") if is_kernel else ("llvm.noalias",)
    return DictionaryAttr({name: UnitAttr() for name in names})


class Call(RewritePattern):
    """`func.call @f(%a) : (memref<?xf32>) -> ()` becomes `llvm.call @f(%a) : (!llvm.ptr) -> ()`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CallOp, rewriter: PatternRewriter, /) -> None:
        types = [lowered_type(result.type) for result in op.results]
        properties = {
            "callee": op.callee,
            "operandSegmentSizes": i32_array((len(op.operands), 0)),
        }
        rewriter.replace(op, create(llvm.CallOp, op.operands, types, properties))


class Return(RewritePattern):
    """`func.return %x : i1` becomes `llvm.return %x : i1`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReturnOp, rewriter: PatternRewriter, /) -> None:
        rewriter.replace(op, llvm.ReturnOp.create(operands=op.operands))


FUNC_TO_LLVM: tuple[RewritePattern, ...] = (Function(), Call(), Return())
