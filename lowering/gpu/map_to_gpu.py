"""Maps a kernel to a grid: each thread does one of its range, or a block of threads does, where there are loops in a row that threads
can share (`ts-distribute-rows`).

Before: Note [Kernel loop form], in which threads may share the work already (`ts-tile-products`): such a block does one of the range,
too. After: a `gpu.module` with a kernel `gpu.func @name(%in0: memref<?xf32>, ..., %out0: memref<?xf32>,
..., [%scratch: memref<?xi8>,] %w0: i64, ...)`, which takes the words of syms as they are, and a `kernel.grid_entry`. A loop from begin
to end runs once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i32, i64
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from lowering.create import create
from lowering.dialects.kernel import EntryOp
from lowering.dialects.kernel_grid import GridEntryOp
from lowering.dialects.nvvm import MOST_REGISTERS
from lowering.gpu.block_size import THREADS, known_block_size
from lowering.gpu.distribute_rows import can_distribute, shares_work
from lowering.gpu.row_threads import MOST_THREADS, threads_word
from lowering.kernel import LoweringError
from lowering.kernel_functions import loop_functions
from lowering.loops.index_builder import INDEX, index_constant, index_op
from lowering.loops.outline_kernel import constant_of, drop_unused
from torchscript_dialect.utils.errors import PassError

MODULE = "kernels"
"""The name of the `gpu.module`."""
ROW_THREADS = 128
"""Threads of a block that does a row of which nothing tells how long it is."""
REGISTERS, MOST_OF_THREAD = 1 << 16, 255
"""Registers of a processor, and of a thread at most: where the threads of a block may need more, they get fewer."""
MOST_WORDS = 400
"""Of 4 KiB that a kernel's parameters may take, buffers need some."""
X = gpu.DimensionAttr(gpu.DimensionEnum.X)


class MapToGPUPass(ModulePass):
    """See the module's docstring."""

    name = "ts-map-to-gpu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = {one.sym_name.data: one for one in loop_functions(op, self.name)}
        if any(isinstance(one, gpu.ModuleOp) for one in op.ops):
            raise PassError(f"{self.name}: the kernels are in a gpu.module already")
        for function in functions.values():
            if call := next((one for one in function.walk() if isinstance(one, CallOp)), None):
                raise PassError(f"{self.name}: @{function.sym_name.data} calls {call.callee}")
        entries = [one for one in op.body.block.ops if isinstance(one, EntryOp)]
        mapped = [_mapped(op, functions[entry.callee], entry) for entry in entries]
        for entry in entries:
            op.body.block.erase_op(entry)
        properties = {"sym_name": StringAttr(MODULE)}
        kernels = Region(Block(one for one, _ in mapped))
        op.body.block.add_op(gpu.ModuleOp.create(properties=properties, regions=[kernels]))
        op.body.block.add_ops(entry for _, entry in mapped)


def _mapped(module: ModuleOp, function: FuncOp, entry: EntryOp) -> tuple[gpu.FuncOp, GridEntryOp]:
    """The kernel of a function, which is consumed, and how it is entered."""
    words = entry.number("words")
    if words > MOST_WORDS:
        raise LoweringError(
            f"@{entry.callee} takes {words} words, and a kernel of a GPU {MOST_WORDS}"
        )
    block = function.body.block
    *_, syms, begin, end = block.args
    arguments = [block.insert_arg(i64, len(block.args)) for _ in range(words)]
    for number, argument in enumerate(arguments):
        argument.name_hint = f"w{number}"
    _take_words(syms, arguments)
    body = Block()
    for op in list(block.ops):
        op.detach()
        if not isinstance(op, ReturnOp):
            body.add_op(op)
    body.add_op(scf.YieldOp.create())
    drop_unused(body)
    known = known_block_size(function)
    is_whole = not (begin.uses or end.uses) and can_distribute(body)
    is_by_block = known is not None or shares_work(body) or is_whole or _is_by_rows(body)
    threads, chosen = known or THREADS, None
    if is_by_block and known is None and not shares_work(body):
        threads = MOST_THREADS if is_whole else ROW_THREADS
        of_words: dict[SSAValue, int] = {
            argument: number for number, argument in enumerate(arguments)
        }
        if not is_whole and threads_word(module, body, of_words, words):
            threads, chosen = MOST_THREADS, words
            block.insert_arg(i64, len(block.args)).name_hint = f"w{words}"
            words += 1
    top, index = _thread(block, arguments[entry.number("range")], by_block=is_by_block)
    after = index_op(arith.AddiOp, index, top.one)
    block.add_op(after)
    begin.replace_all_uses_with(index)
    end.replace_all_uses_with(after.results[0])
    _run_once(body, index, after.results[0])
    block.add_op(scf.IfOp(top.is_inside, [], Region(body)))
    block.add_op(gpu.ReturnOp([]))
    for argument in (syms, begin, end):
        block.erase_arg(argument)
    kernel = gpu.FuncOp(
        entry.callee,
        ([argument.type for argument in block.args], []),
        function.detach_region(0),
        kernel=True,
        known_block_size=None if chosen is not None else [threads, 1, 1],
    )
    if REGISTERS // threads < MOST_OF_THREAD:
        kernel.attributes[MOST_REGISTERS] = IntegerAttr(REGISTERS // threads, i32)
    parent = function.parent
    assert parent is not None
    parent.erase_op(function)
    grid = GridEntryOp(
        entry.callee,
        words=words,
        range=entry.number("range"),
        each=1 if is_by_block else None,
        threads=threads,
        chosen=chosen,
        work=entry.number("work"),
        cost=entry.number("cost"),
        scratch=entry.optional("scratch"),
        stage=entry.optional("stage"),
        stages=entry.optional("stages"),
        sizes=entry.sizes,
    )
    return kernel, grid


def _take_words(syms: SSAValue, arguments: Sequence[SSAValue]) -> None:
    """Let loads of words be arguments."""
    for use in list(syms.uses):
        load = use.operation
        word = constant_of(load.operands[1]) if isinstance(load, memref.LoadOp) else None
        if word is None:
            raise LoweringError(f"{load.name} of a word that is not known")
        load.results[0].replace_all_uses_with(arguments[word])
        load.detach()
        load.erase()


@dataclass(frozen=True)
class _Top:
    """What a kernel begins with."""

    one: SSAValue
    is_inside: SSAValue


def _thread(block: Block, range_: SSAValue, *, by_block: bool) -> tuple[_Top, SSAValue]:
    """Append what tells which one of the range a thread does, or its block, and whether there is such a one."""

    def add(op: Operation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    if by_block:
        index = add(gpu.BlockIdOp(X))
    else:
        kinds = (gpu.ThreadIdOp, gpu.BlockIdOp, gpu.BlockDimOp)
        thread, which, size = (add(kind(X)) for kind in kinds)
        start = add(index_op(arith.MuliOp, which, size))
        index = add(index_op(arith.AddiOp, start, thread))
    limit = add(create(arith.IndexCastOp, (range_,), (INDEX,)))
    one = add(index_constant(1))
    return _Top(one, add(arith.CmpiOp(index, limit, "slt"))), index


def _is_by_rows(body: Block) -> bool:
    """Whether a block of threads does each part: it goes through rows, in which there are loops that threads can share."""
    loops = [op for op in body.ops if isinstance(op, scf.ForOp | scf.ParallelOp)]
    return bool(loops) and all(
        not one.results and can_distribute(one.regions[0].block) for one in loops
    )


def _run_once(body: Block, begin: SSAValue, end: SSAValue) -> None:
    """Put the bodies of loops over a thread's part in the place of these."""
    for loop in [op for op in body.walk() if isinstance(op, scf.ForOp | scf.ParallelOp)]:
        lower, upper, step, *initial = loop.operands
        is_mine = lower is begin and upper is end and constant_of(step) == 1
        if not is_mine or len(loop.regions[0].block.args) != 1 + len(initial):
            continue
        inner, place = loop.regions[0].block, loop.parent
        assert place is not None
        for argument, value in zip(inner.args, (begin, *initial), strict=True):
            argument.replace_all_uses_with(value)
        last = inner.last_op
        assert last is not None
        results = list(last.operands) if isinstance(last, scf.YieldOp) else []
        for op in list(inner.ops):
            op.detach()
            if op is not last:
                place.insert_op_before(op, loop)
        for result, value in zip(loop.results, results, strict=True):
            result.replace_all_uses_with(value)
        last.erase()
        place.erase_op(loop)
