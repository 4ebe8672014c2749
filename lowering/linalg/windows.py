"""What ops that accumulate over windows of their operands are made of: indexing maps with sums of loops."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from lowering.linalg.element import ONE, Place, Window
from lowering.shaped import i32_array

_KINDS = {"p": IteratorTypeAttr.parallel(), "r": IteratorTypeAttr.reduction()}


def properties_of(
    inputs: Sequence[Window], kinds: str, results: Sequence[int]
) -> dict[str, Attribute]:
    """Those of a `linalg.generic` with one result; see `LinalgBuilder.accumulate`."""
    maps = [_map(len(kinds), one.places) for one in inputs]
    maps.append(_map(len(kinds), tuple(((loop, 1),) for loop in results)))
    return {
        "indexing_maps": ArrayAttr(maps),
        "iterator_types": ArrayAttr([_KINDS[kind] for kind in kinds]),
        "operandSegmentSizes": i32_array((len(inputs), 1)),
    }


@lru_cache(maxsize=256)
def _map(loops: int, places: tuple[Place, ...]) -> AffineMapAttr:
    return AffineMapAttr(AffineMap(loops, 0, tuple(map(_sum, places))))


def _sum(place: Place) -> AffineExpr:
    total: AffineExpr | None = None
    for loop, factor in place:
        term: AffineExpr = AffineConstantExpr(factor) if loop == ONE else AffineDimExpr(loop)
        if factor != 1 and loop != ONE:
            term = term * factor
        total = term if total is None else total + term
    return AffineConstantExpr(0) if total is None else total
