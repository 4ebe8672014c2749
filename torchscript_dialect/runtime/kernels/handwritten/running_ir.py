"""LLVM IR of extremes that run along a dimension with others behind it: `RUNNING_IR` is the module's text, which defines `FUNCTIONS`.

Arrays are (outer, length, inner). To each element belong the extreme of those up to it, and where that stands: of equal ones the last,
NaN before all others.
"""

from __future__ import annotations

from itertools import product

from torchscript_dialect.runtime.kernels.handwritten.lane_loop import (
    LANES,
    in_each_lane,
    in_lanes,
    lane_loop,
)

TYPES = {"float32": "float", "float64": "double", "int32": "i32", "int64": "i64"}
KINDS = ("max", "min")
FUNCTIONS = tuple(f"{kind}_{dtype}" for kind, dtype in product(KINDS, TYPES))


def _step(kind: str, type_: str, at: str, lanes: int = 0) -> str:
    """Text that compares the elements at `%{at}` of a row with the extremes before them: one, or so many."""
    values, places, truth = (f"<{lanes} x {one}>" if lanes else one for one in (type_, "i64", "i1"))
    is_float = type_ in ("float", "double")
    align = 8 if type_ in ("double", "i64") else 4
    relation = f"{'fcmp o' if is_float else 'icmp s'}{'ge' if kind == 'max' else 'le'}"
    text = f"""\
  %{at}_from = getelementptr {type_}, ptr %row, i64 %{at}
  %{at}_into = getelementptr {type_}, ptr %row_values, i64 %{at}
  %{at}_before = getelementptr {type_}, ptr %last_values, i64 %{at}
  %{at}_place = getelementptr i64, ptr %row_places, i64 %{at}
  %{at}_place_before = getelementptr i64, ptr %last_places, i64 %{at}
  %{at}_new = load {values}, ptr %{at}_from, align {align}
  %{at}_old = load {values}, ptr %{at}_before, align {align}
  %{at}_was = load {places}, ptr %{at}_place_before, align 8
  %{at}_wins = {relation} {values} %{at}_new, %{at}_old
"""
    wins = f"%{at}_wins"
    if is_float:
        text += (
            f"  %{at}_is_nan = fcmp uno {values} %{at}_new, %{at}_new\n"
            f"  %{at}_takes = or {truth} {wins}, %{at}_is_nan\n"
        )
        wins = f"%{at}_takes"
    here = "%step"
    if lanes:
        text += in_each_lane(f"{at}_here", "%step", "i64", lanes)
        here = f"%{at}_here"
    return (
        text
        + f"""\
  %{at}_value = select {truth} {wins}, {values} %{at}_new, {values} %{at}_old
  %{at}_found = select {truth} {wins}, {places} {here}, {places} %{at}_was
  store {values} %{at}_value, ptr %{at}_into, align {align}
  store {places} %{at}_found, ptr %{at}_place, align 8
"""
    )


def _function(kind: str, dtype: str) -> str:
    """The first row of each block is given: its values, and zeros for places."""
    type_ = TYPES[dtype]
    return f"""
define void @{kind}_{dtype}(ptr %x, ptr %values, ptr %places, i64 %outer, i64 %length, i64 %inner) nounwind {{
entry:
{in_lanes("%inner")}  br label %block_head
block_head:
  %block = phi i64 [ 0, %entry ], [ %block_next, %block_end ]
  %has_block = icmp slt i64 %block, %outer
  br i1 %has_block, label %block_begin, label %out
block_begin:
  %first = mul i64 %block, %length
  br label %row_head
row_head:
  %step = phi i64 [ 1, %block_begin ], [ %step_next, %row_end ]
  %has_row = icmp slt i64 %step, %length
  br i1 %has_row, label %row_begin, label %block_end
row_begin:
  %number = add i64 %first, %step
  %offset = mul i64 %number, %inner
  %offset_before = sub i64 %offset, %inner
  %row = getelementptr {type_}, ptr %x, i64 %offset
  %row_values = getelementptr {type_}, ptr %values, i64 %offset
  %row_places = getelementptr i64, ptr %places, i64 %offset
  %last_values = getelementptr {type_}, ptr %values, i64 %offset_before
  %last_places = getelementptr i64, ptr %places, i64 %offset_before
  br label %lanes
{lane_loop("row_begin", "row_end", "%inner", _step(kind, type_, "i", LANES), _step(kind, type_, "j"))}row_end:
  %step_next = add i64 %step, 1
  br label %row_head
block_end:
  %block_next = add i64 %block, 1
  br label %block_head
out:
  ret void
}}
"""


RUNNING_IR = "".join(_function(kind, dtype) for kind, dtype in product(KINDS, TYPES))
