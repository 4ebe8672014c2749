"""LLVM IR of what resizes one dimension: `RESIZE_IR` is the module's text, which defines `FUNCTIONS`.

`wide` is an array (outer, count, inner), `narrow` one of (outer, size, inner). Element c of the first dimension belongs, with weight
`weights[c, k]`, to element `places[c, k]` of the second: `resize` adds up for each element of `wide` what belongs to it, `gather` the
way back, tap after tap. A place that is out of range is passed over.
"""

from __future__ import annotations

from itertools import product

from torchscript_dialect.runtime.kernels.handwritten.lane_loop import (
    LANES,
    in_each_lane,
    in_lanes,
    lane_loop,
)

TYPES = {"float32": "float", "float64": "double"}
DIRECTIONS = ("resize", "gather")
FUNCTIONS = tuple(f"{direction}_{dtype}" for direction, dtype in product(DIRECTIONS, TYPES))


def _step(direction: str, kind: str, at: str, lanes: int = 0) -> str:
    """Text that adds what belongs to the element at `%{at}`: to one, or to so many."""
    type_ = f"<{lanes} x {kind}>" if lanes else kind
    align = 4 if kind == "float" else 8
    target, source = ("wide", "narrow") if direction == "resize" else ("narrow", "wide")
    weight = f"%weights_of_{at}" if lanes else "%weight"
    made = in_each_lane(f"weights_of_{at}", "%weight", kind, lanes) if lanes else ""
    old = f"%{at}_old"
    if direction == "resize":
        nothing = f"splat ({kind} -0.0)" if lanes else "-0.0"
        made += f"  %{at}_there = load {type_}, ptr %{at}_into, align {align}\n"
        made += f"  {old} = select i1 %is_first, {type_} {nothing}, {type_} %{at}_there\n"
    else:
        made += f"  {old} = load {type_}, ptr %{at}_into, align {align}\n"
    return f"""\
  %{at}_into = getelementptr {kind}, ptr %{target}_row, i64 %{at}
  %{at}_from = getelementptr {kind}, ptr %{source}_row, i64 %{at}
  %{at}_given = load {type_}, ptr %{at}_from, align {align}
{made}  %{at}_part = fmul {type_} %{at}_given, {weight}
  %{at}_sum = fadd {type_} {old}, %{at}_part
  store {type_} %{at}_sum, ptr %{at}_into, align {align}
"""


def _function(direction: str, dtype: str) -> str:
    kind = TYPES[dtype]
    return f"""
define void @{direction}_{dtype}(ptr %wide, ptr %narrow, ptr %places, ptr %weights,
    i64 %outer, i64 %count, i64 %size, i64 %taps, i64 %inner) nounwind {{
entry:
{in_lanes("%inner")}  %wide_block = mul i64 %count, %inner
  %narrow_block = mul i64 %size, %inner
  br label %block_head
block_head:
  %block = phi i64 [ 0, %entry ], [ %block_next, %block_end ]
  %has_block = icmp slt i64 %block, %outer
  br i1 %has_block, label %block_begin, label %out
block_begin:
  %wide_offset = mul i64 %block, %wide_block
  %wide_begin = getelementptr {kind}, ptr %wide, i64 %wide_offset
  %narrow_offset = mul i64 %block, %narrow_block
  %narrow_begin = getelementptr {kind}, ptr %narrow, i64 %narrow_offset
  br label %tap_head
tap_head:
  %tap = phi i64 [ 0, %block_begin ], [ %tap_next, %tap_end ]
  %is_first = icmp eq i64 %tap, 0
  %has_tap = icmp slt i64 %tap, %taps
  br i1 %has_tap, label %row_head, label %block_end
row_head:
  %row = phi i64 [ 0, %tap_head ], [ %row_next, %row_end ]
  %has_row = icmp slt i64 %row, %count
  br i1 %has_row, label %row_begin, label %tap_end
row_begin:
  %first_tap = mul i64 %row, %taps
  %tap_here = add i64 %first_tap, %tap
  %place_at = getelementptr i64, ptr %places, i64 %tap_here
  %place = load i64, ptr %place_at
  %is_inside = icmp ult i64 %place, %size
  br i1 %is_inside, label %begin, label %row_end
begin:
  %weight_at = getelementptr {kind}, ptr %weights, i64 %tap_here
  %weight = load {kind}, ptr %weight_at
  %wide_row_offset = mul i64 %row, %inner
  %wide_row = getelementptr {kind}, ptr %wide_begin, i64 %wide_row_offset
  %narrow_row_offset = mul i64 %place, %inner
  %narrow_row = getelementptr {kind}, ptr %narrow_begin, i64 %narrow_row_offset
  br label %lanes
{lane_loop("begin", "row_end", "%inner", _step(direction, kind, "i", LANES), _step(direction, kind, "j"))}row_end:
  %row_next = add i64 %row, 1
  br label %row_head
tap_end:
  %tap_next = add i64 %tap, 1
  br label %tap_head
block_end:
  %block_next = add i64 %block, 1
  br label %block_head
out:
  ret void
}}
"""


RESIZE_IR = "".join(_function(direction, dtype) for direction, dtype in product(DIRECTIONS, TYPES))
