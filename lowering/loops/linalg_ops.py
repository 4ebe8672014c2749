"""What passes ask of operations of linalg on buffers, and which of them belong together."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import f32, f64, i32, i64
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from lowering.extents import rank_of
from lowering.gpu.target import is_for_device
from lowering.kernel import LoweringError

LinalgOp = linalg.GenericOp | linalg.MatmulOp | linalg.FillOp
VIEWS = (memref.SubviewOp, memref.CastOp, memref.ReinterpretCastOp)


def root(value: SSAValue) -> SSAValue:
    """The buffer that a value is a view of."""
    while isinstance(owner := value.owner, VIEWS):
        value = owner.source
    return value


def units(ops: Iterable[Operation]) -> list[list[LinalgOp]]:
    """The operations of linalg among `ops`, in order; before each the fills of what it adds to, if nothing stands between."""
    found: list[list[LinalgOp]] = []
    fills: list[LinalgOp] = []
    for op in ops:
        if isinstance(op, linalg.FillOp):
            fills.append(op)
        elif isinstance(op, linalg.GenericOp | linalg.MatmulOp):
            own = [fill for fill in fills if _starts(fill, op)]
            found += [[fill] for fill in fills if fill not in own]
            found.append([*own, op])
            fills = []
    return [*found, *([fill] for fill in fills)]


def _starts(fill: LinalgOp, op: linalg.GenericOp | linalg.MatmulOp) -> bool:
    target = fill.outputs[0]
    if target not in op.outputs:
        return False
    return all(root(one) is not root(target) for one in op.inputs)


def maps_of(op: LinalgOp) -> list[AffineMap]:
    """How each operand is walked; of what a fill fills, all dimensions in order."""
    if isinstance(op, linalg.FillOp):
        rank = rank_of(op.outputs[0].type)
        return [AffineMap(rank, 0, ()), AffineMap.identity(rank)]
    return [attr.data for attr in op.indexing_maps.data]


def kinds_of(op: LinalgOp) -> list[IteratorType]:
    """What each loop is."""
    if isinstance(op, linalg.GenericOp):
        return [kind.data for kind in op.iterator_types.data]
    rank = rank_of(op.outputs[0].type)
    return [IteratorType.PARALLEL] * rank + [IteratorType.REDUCTION]


def reduces(op: LinalgOp) -> bool:
    """Whether an operation that is no matrix product has loops that reduce."""
    if not isinstance(op, linalg.GenericOp) or is_product(op):
        return False
    return any(kind.data is IteratorType.REDUCTION for kind in op.iterator_types.data)


def is_product(op: Operation) -> bool:
    """Whether `op` is a matrix product with any of its operands transposed."""
    if not isinstance(op, linalg.GenericOp):
        return isinstance(op, linalg.MatmulOp)
    return _multiplies(op, 0)


def is_batch_product(op: Operation) -> bool:
    """Whether `op` is a matrix product for each number of a batch, with any dimensions of a matrix transposed."""
    return isinstance(op, linalg.GenericOp) and _multiplies(op, 1)


def is_convolution(op: Operation) -> bool:
    """Whether `op` multiplies one factor, and windows of another that sums of loops walk, and adds up the products."""
    if not isinstance(op, linalg.GenericOp) or len(op.inputs) != 2 or len(op.outputs) != 1:
        return False
    maps = maps_of(op)
    sums = [any(not isinstance(e, AffineDimExpr) for e in map_.results) for map_ in maps]
    if sorted(sums[:2]) != [False, True] or sums[2] or not _adds_products(op):
        return False
    left, right, result = ({loop for e in one.results for loop in e.used_dims()} for one in maps)
    loops = set(range(maps[0].num_dims))
    return left | right == loops and loops - result <= left & right


def window_loops(op: LinalgOp) -> set[int]:
    """The loops that walk the windows of a convolution."""
    windows = next(
        map_ for map_ in maps_of(op) if any(not isinstance(e, AffineDimExpr) for e in map_.results)
    )
    return {loop for expr in windows.results for loop in expr.used_dims()}


def is_any_product(op: Operation) -> bool:
    """Whether `op` multiplies matrices, of which windows may be one."""
    return is_product(op) or is_batch_product(op) or is_convolution(op)


def _multiplies(op: linalg.GenericOp, batch: int) -> bool:
    """Whether an operation multiplies matrices, with so many loops over batches outermost."""
    kinds = [it.data for it in op.iterator_types.data]
    maps = op.indexing_maps.data
    if kinds.count(IteratorType.REDUCTION) != 1 or len(kinds) != batch + 3 or len(maps) != 3:
        return False
    if any(len(attr.data.results) != batch + 2 for attr in maps) or len(op.inputs) != 2:
        return False
    if not all(isinstance(e, AffineDimExpr) for attr in maps for e in attr.data.results):
        return False
    places = [[dim_position(expr) for expr in attr.data.results] for attr in maps]
    if any(place[:batch] != list(range(batch)) for place in places):
        return False
    used = [set(place[batch:]) for place in places]
    reduced = kinds.index(IteratorType.REDUCTION)
    if reduced not in used[0] & used[1] or reduced in used[2] or used[0] == used[1]:
        return False
    if places[2][batch] not in used[0]:
        return False
    return _adds_products(op)


def _adds_products(op: linalg.GenericOp) -> bool:
    """Whether the body adds to the result what its two elements give, multiplied."""
    ops = list(op.body.block.ops)
    if len(ops) < 3:
        return False
    left, right, running = op.body.block.args
    *wide, multiplied, added, _ = ops
    if isinstance(multiplied, arith.MuliOp) and isinstance(added, arith.AddiOp):
        if not is_for_device(op):
            return False
    elif not isinstance(multiplied, arith.MulfOp) or not isinstance(added, arith.AddfOp):
        return False
    if not all(isinstance(one, arith.ExtFOp) for one in wide):
        return False
    factors = {one.operands[0] for one in wide} or {multiplied.lhs, multiplied.rhs}
    used = {multiplied.lhs, multiplied.rhs} - {one.results[0] for one in wide}
    return (
        multiplied.result.type in (f32, f64, i32, i64)
        and factors == {left, right}
        and (not wide or not used)
        and {added.lhs, added.rhs} == {running, multiplied.result}
    )


def dim_position(expr: object) -> int:
    """The loop that an indexing map result stands for."""
    if not isinstance(expr, AffineDimExpr):
        raise LoweringError("a matrix product's indexing maps must be permutations of loops")
    return expr.position
