"""Structured control flow becomes blocks and branches. Loops test at the bottom, behind a guard."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import llvm, scf
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from lowering.create import create
from lowering.dialects.nvvm import KERNEL
from lowering.kernel import LoweringError
from lowering.llvm.builder import NO_SIGNED_WRAP, LLVMBuilder, lowered_type
from lowering.shaped import i32_array
from torchscript_dialect.ir.edit import append_operand, set_type, terminator
from torchscript_dialect.ir.pattern_driver import RootedPattern

EMPTY_ASSEMBLY: dict[str, Attribute] = {
    "asm_string": StringAttr(""),
    "constraints": StringAttr("=r,0"),
    "asm_dialect": IntegerAttr(0, i64),
}


class Loop(RootedPattern):
    """`scf.for %i = %a to %b step %s iter_args(%x = %y)` becomes two blocks behind `llvm.cond_br`.

      %enter = llvm.icmp "slt" %a, %b
      llvm.cond_br %enter, ^body(%a, %y), ^after(%y)
    ^body(%i, %x):
      ...
      %next = llvm.add %i, %s
      %more = llvm.icmp "slt" %next, %b
      llvm.cond_br %more, ^body(%next, %yielded), ^after(%yielded)
    ^after(%result):

    An `scf.parallel` of one dimension is run from front to back, too.
    """

    roots = (scf.ForOp, scf.ParallelOp)

    def rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, scf.ForOp | scf.ParallelOp)
        if isinstance(op, scf.ParallelOp) and len(op.operands) != 3:
            raise LoweringError(
                "scf.parallel of several dimensions, or with a reduction, cannot be lowered to LLVM"
            )
        b = LLVMBuilder(rewriter)
        lower, upper, step, *initial = op.operands
        body = op.body.block
        enter = b.icmp("slt", lower, upper)
        after = _split_after(op)
        _branch(b, enter, (body, [lower, *initial]), (after, initial))
        _open(op.body, before=after)
        for argument in body.args:
            set_type(argument, lowered_type(argument.type))
        last = terminator(body)
        rewriter.insertion_point = InsertPoint.at_start(body)
        variable = body.args[0] if _is_on_device(op) else _opaque(b, body.args[0])
        rewriter.insertion_point = InsertPoint.before(last)
        following = b.emit(llvm.AddOp, [variable, step], i64, NO_SIGNED_WRAP)
        more = b.icmp("slt", following, upper)
        _branch(b, more, (body, [following, *last.operands]), (after, last.operands))
        rewriter.erase(last)
        rewriter.replace(op, (), after.args)


def _is_on_device(op: Operation) -> bool:
    """Whether an op stands in a function that a GPU runs: its registers have other names, and its code generator other costs."""
    outer = op.parent_op()
    while outer is not None and KERNEL not in outer.attributes:
        outer = outer.parent_op()
    return outer is not None


def _opaque(b: LLVMBuilder, value: SSAValue) -> SSAValue:
    """`value`, of which the code generator is not to know how it changes in a loop; all that used it use this.

    Its strength reduction takes half of the time to compile a loop over many operands, and
    gains nothing: addresses here are a pointer and an index as it is.
    """
    hidden = create(llvm.InlineAsmOp, (), (value.type,), EMPTY_ASSEMBLY)
    b.rewriter.replace_all_uses_with(value, hidden.results[0])
    append_operand(hidden, value)
    b.rewriter.insert(hidden)
    return hidden.results[0]


class If(RewritePattern):
    """`%r = scf.if %c { yield %x } else { yield %y }` becomes `llvm.cond_br %c, ^then, ^else`, which both end with `llvm.br ^after`.

    Without an else-part, where the condition is false the branch goes to `^after`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.IfOp, rewriter: PatternRewriter, /) -> None:
        b = LLVMBuilder(rewriter)
        after = _split_after(op)
        then, otherwise = op.true_region.block, after
        if op.false_region.blocks:
            otherwise = op.false_region.block
        _branch(b, op.operands[0], (then, ()), (otherwise, ()))
        for region in op.regions:
            if not region.blocks:
                continue
            last = terminator(region.block)
            jump = llvm.BrOp.create(operands=last.operands, successors=[after])
            rewriter.replace(last, jump, ())
            _open(region, before=after)
        rewriter.replace(op, (), after.args)


class While(RewritePattern):
    """`scf.while (%x = %a) { ... condition(%c) %y } do { ... yield %z }` becomes two blocks.

      llvm.br ^before(%a)
    ^before(%x):
      ...
      llvm.cond_br %c, ^body(%y), ^after(%y)
    ^body(%y):
      ...
      llvm.br ^before(%z)
    ^after(%result):
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter, /) -> None:
        b = LLVMBuilder(rewriter)
        before, body = op.before_region.block, op.after_region.block
        after = _split_after(op)
        rewriter.insert(llvm.BrOp.create(operands=op.operands, successors=[before]))
        condition = terminator(before)
        _open(op.before_region, before=after)
        _open(op.after_region, before=after)
        for argument in (*before.args, *body.args):
            set_type(argument, lowered_type(argument.type))
        goes_on, *values = condition.operands
        rewriter.insertion_point = InsertPoint.before(condition)
        _branch(b, goes_on, (body, values), (after, values))
        rewriter.erase(condition)
        last = terminator(body)
        rewriter.replace(last, llvm.BrOp.create(operands=last.operands, successors=[before]), ())
        rewriter.replace(op, (), after.args)


def _split_after(op: Operation) -> Block:
    """The block that what follows `op` moves to; its arguments are to stand for the results of `op`."""
    block, following = op.parent, op.next_op
    assert block is not None and following is not None
    types = [lowered_type(result.type) for result in op.results]
    return block.split_before(following, arg_types=types)


def _open(region: Region, *, before: Block) -> None:
    """Move the block of a region of an op into the region around the op."""
    region.move_blocks_before(before)


def _branch(
    b: LLVMBuilder,
    condition: SSAValue,
    then: tuple[Block, Sequence[SSAValue]],
    otherwise: tuple[Block, Sequence[SSAValue]],
) -> None:
    """`llvm.cond_br` to one of two blocks with their arguments."""
    sizes = (1, len(then[1]), len(otherwise[1]))
    branch = llvm.CondBrOp.create(
        operands=[condition, *then[1], *otherwise[1]],
        successors=[then[0], otherwise[0]],
        properties={"operandSegmentSizes": i32_array(sizes)},
    )
    b.rewriter.insert(branch)


SCF_TO_LLVM: tuple[RewritePattern, ...] = (Loop(), While(), If())
