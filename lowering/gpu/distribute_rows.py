"""Lets the threads of a block do the loops inside a row together.

Before: a kernel of which a block does one of its range (`kernel.grid_entry ... each 1`), every thread all of it. After: a parallel loop
goes over the threads, each of which does every n-th iteration; a reduction does so with an accumulator for each thread, which
`gpu.all_reduce` combines. Of a reduction by two loops both are shared where the inner one is short. What stands between loops is done
by all threads alike, but for stores, which the first one does. Barriers keep what is written apart from what was read before and is
read after.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from lowering.create import create
from lowering.dialects.kernel_grid import GridEntryOp
from lowering.gpu.collapse_loops import stands_outside
from lowering.gpu.shuffles import WARP
from lowering.loops.code import Code
from lowering.loops.index_builder import index_constant, index_op
from lowering.loops.outline_kernel import constant_of
from lowering.shaped import is_integer

X = gpu.DimensionAttr(gpu.DimensionEnum.X)
SHORT = 128
"""Iterations of an inner loop up to which a warp does it."""
_FLOATS: dict[type[Operation], float] = {
    arith.AddfOp: -0.0,
    arith.MulfOp: 1.0,
    arith.MaximumfOp: float("-inf"),
    arith.MinimumfOp: float("inf"),
}
_INTEGERS: dict[type[Operation], int] = {
    arith.AddiOp: 0,
    arith.MuliOp: 1,
    arith.OrIOp: 0,
    arith.AndIOp: -1,
    arith.MaxUIOp: 0,
    arith.MinUIOp: -1,
}
"""What changes nothing, for operations that may be done in any order."""


class DistributeRowsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-distribute-rows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for entry in [one for one in op.body.block.ops if isinstance(one, GridEntryOp)]:
            kernel = entry.kernel()
            if entry.each is None or not isinstance(kernel, gpu.FuncOp):
                continue
            if not shares_work(kernel.body.block):
                _Distribution(kernel).run()


def shares_work(block: Block) -> bool:
    """Whether what a block holds is shared among threads already."""
    return any(isinstance(inner, gpu.ThreadIdOp) for op in block.ops for inner in op.walk())


def can_distribute(block: Block) -> bool:
    """Whether the threads of a block can do what a block holds together, and gain by it."""
    return all(map(_is_uniform, block.ops)) and any(
        map(_is_shared, (op for one in block.ops for op in one.walk()))
    )


def _is_shared(op: Operation) -> bool:
    """Whether iterations of a loop are divided among threads."""
    return isinstance(op, scf.ParallelOp) or reduction(op) is not None


def _is_uniform(op: Operation) -> bool:
    """Whether all threads may do an operation, sharing the loops in it."""
    if isinstance(op, scf.ParallelOp):
        return len(op.operands) == 3 and constant_of(op.operands[2]) == 1
    if isinstance(op, scf.ForOp):
        if reduction(op) is not None:
            return True
        return all(map(_is_uniform, op.body.block.ops)) and (
            not op.iter_args or any(map(_is_shared, op.body.walk()))
        )
    return not op.regions or not any(_has_effects(inner) for inner in op.walk())


def _has_effects(op: Operation) -> bool:
    return isinstance(op, (scf.ForOp, scf.ParallelOp, memref.StoreOp))


def combination(op: Operation) -> list[Operation] | None:
    """For each accumulator of a loop that reduces what combines it with an iteration's value; None for another loop."""
    if not isinstance(op, scf.ForOp) or not op.iter_args or constant_of(op.step) != 1:
        return None
    block = op.body.block
    last = block.last_op
    if last is None or any(_has_effects(inner) or inner.regions for inner in block.ops):
        return None
    found: list[Operation] = []
    for argument, value in zip(block.args[1:], last.operands, strict=True):
        owner = value.owner
        if not isinstance(owner, Operation) or neutral(owner) is None:
            return None
        uses = [use.operation for use in argument.uses]
        if uses != [owner] or argument not in owner.operands or len([*value.uses]) != 1:
            return None
        found.append(owner)
    return found


def reduction(op: Operation) -> list[Operation] | None:
    """`combination` of a loop, or of the only one in it, to which it gives its accumulators and from which it takes them."""
    found = combination(op)
    inner = inner_loop(op)
    return reduction(inner) if found is None and inner is not None else found


def inner_loop(op: Operation) -> scf.ForOp | None:
    """The loop that does all that another one does."""
    if not isinstance(op, scf.ForOp) or not op.iter_args or constant_of(op.step) != 1:
        return None
    *ops, last = op.body.block.ops
    loops = [one for one in ops if isinstance(one, scf.ForOp)]
    if len(loops) != 1 or any(one.regions or _has_effects(one) for one in ops if one not in loops):
        return None
    (inner,) = loops
    passes = list(inner.iter_args) == list(op.body.block.args[1:])
    return inner if passes and list(last.operands) == list(inner.results) else None


def neutral(op: Operation) -> FloatAttr[AnyFloat] | IntegerAttr[IntegerType] | None:
    """The constant that changes nothing; None for an operation that may not be done in any order."""
    type_ = op.results[0].type if len(op.results) == 1 else None
    if type_ is None:
        return None
    if type(op) in _FLOATS and isinstance(type_, AnyFloat):
        return FloatAttr(_FLOATS[type(op)], type_)
    if not is_integer(type_):
        return None
    if type(op) in _INTEGERS:
        return IntegerAttr(_INTEGERS[type(op)], type_)
    limit = 1 << (type_.width.data - 1)
    extremes: dict[type[Operation], int] = {arith.MaxSIOp: -limit, arith.MinSIOp: limit - 1}
    return IntegerAttr(extremes[type(op)], type_) if type(op) in extremes else None


class _Distribution:
    """The distribution of one kernel, in place."""

    def __init__(self, kernel: gpu.FuncOp) -> None:
        self.kernel = kernel
        block = kernel.body.block
        first = block.first_op
        assert first is not None
        thread, size = gpu.ThreadIdOp(X), gpu.BlockDimOp(X)
        zero = index_constant(0)
        is_first = arith.CmpiOp(thread.results[0], zero.results[0], "eq")
        block.insert_ops_before([thread, size, zero, is_first], first)
        self.thread, self.size, self.is_first = thread.results[0], size.results[0], is_first.result

    def run(self) -> None:
        """Share the loops of the kernel."""
        for branch in [op for op in self.kernel.body.block.ops if isinstance(op, scf.IfOp)]:
            self._share(branch.true_region.block)

    def _share(self, block: Block) -> None:
        for op in list(block.ops):
            found = reduction(op)
            if isinstance(op, scf.ParallelOp):
                self._share_parallel(op)
            elif found is not None:
                assert isinstance(op, scf.ForOp)
                self._share_reduction(op, found)
            elif isinstance(op, scf.ForOp):
                self._share(op.body.block)
                _wait_before(op.body.block.last_op)
            elif isinstance(op, memref.StoreOp):
                self._store_once(op)
            elif isinstance(op, scf.IfOp):  # all threads go the same way where it has effects
                self._share(op.true_region.block)

    def _store_once(self, op: memref.StoreOp) -> None:
        _wait_before(op)
        block, following = op.parent, op.next_op
        assert block is not None and following is not None
        op.detach()
        branch = scf.IfOp(self.is_first, [], Region(Block([op, scf.YieldOp.create()])))
        block.insert_ops_before([branch, gpu.BarrierOp()], following)

    def _from_thread(self, lower: SSAValue, before: Operation) -> SSAValue:
        start = index_op(arith.AddiOp, lower, self.thread)
        _insert(start, before)
        return start.results[0]

    def _share_parallel(self, loop: scf.ParallelOp) -> None:
        lower, upper, _ = loop.operands
        body = loop.body.block
        last = body.last_op
        writes = any(isinstance(op, memref.StoreOp) for op in body.walk())
        if isinstance(last, scf.ReduceOp):
            body.erase_op(last)
        body.add_op(scf.YieldOp.create())
        if writes:
            _wait_before(loop)
        start = self._from_thread(lower, loop)
        shared = scf.ForOp(start, upper, self.size, [], loop.detach_region(0))
        _insert(shared, loop)
        if writes:
            _insert(gpu.BarrierOp(), loop)
        _erase(loop)

    def _share_reduction(self, loop: scf.ForOp, combining: list[Operation]) -> None:
        initial = list(loop.iter_args)
        neutrals: list[SSAValue] = []
        for op in combining:
            value = neutral(op)
            assert value is not None
            constant = arith.ConstantOp(value)
            _insert(constant, loop)
            neutrals.append(constant.result)
        block = loop.parent
        following = loop.next_op
        assert block is not None and following is not None
        self._share_nest(loop)
        loop.operands = [loop.lb, loop.ub, loop.step, *neutrals]
        for result, op, own in zip(loop.results, combining, initial, strict=True):
            total = gpu.AllReduceOp.from_body(Region(_combined(op)), result)
            last = create(
                type(op), (own, total.result), (result.type,), {**op.properties, **op.attributes}
            )
            result.replace_all_uses_with(last.results[0])
            total.operands[0] = result
            block.insert_ops_before([total, last], following)

    def _share_nest(self, loop: scf.ForOp) -> None:
        """Let threads do every n-th iteration of the innermost loop; a warp, where that is short, and warps share the one around."""
        around, innermost = None, loop
        while (inner := inner_loop(innermost)) is not None:
            around, innermost = innermost, inner
        thread, size = self.thread, self.size
        if around is not None and stands_outside(innermost.ub, around):
            block = loop.parent
            assert block is not None
            code = Code(block, loop)
            warp = code.constant(WARP)
            is_short = code.at_least(code.constant(SHORT), innermost.ub)
            number, lane = code.divided(thread, warp)
            down = code.select(is_short, number, code.constant(0))
            warps = code.select(is_short, code.divided(size, warp)[0], code.constant(1))
            thread = code.select(is_short, lane, thread)
            size = code.select(is_short, warp, size)
            block = around.parent
            assert block is not None
            start = Code(block, around).plus(around.lb, down)
            around.operands = [start, around.ub, warps, *around.iter_args]
        block = innermost.parent
        assert block is not None
        start = Code(block, innermost).plus(innermost.lb, thread)
        innermost.operands = [start, innermost.ub, size, *innermost.iter_args]


def _combined(op: Operation) -> Block:
    """The body of a `gpu.all_reduce` that combines as an operation does."""
    type_ = op.results[0].type
    body = Block(arg_types=[type_, type_])
    made = create(type(op), body.args, (type_,), {**op.properties})
    body.add_ops([made, gpu.YieldOp([made.results[0]])])
    return body


def _wait_before(op: Operation | None) -> None:
    """Let all threads come here before any goes on, unless they just did."""
    if op is not None and not isinstance(op.prev_op, gpu.BarrierOp):
        _insert(gpu.BarrierOp(), op)


def _insert(op: Operation, before: Operation) -> None:
    block = before.parent
    assert block is not None
    block.insert_op_before(op, before)


def _erase(op: Operation) -> None:
    block = op.parent
    assert block is not None
    block.erase_op(op)
