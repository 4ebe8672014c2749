"""LLVM IR of bags of rows of a table: `BAG_IR` is the module's text, which defines `FUNCTIONS`.

Rows are taken one after the other, in the order of the indices, so that sums are rounded as those of `numpy.ufunc.at`. The largest
element of a bag is its first one until one comes that is larger. An index or a bag that is out of range is passed over: another thread
may have written to the indices since somebody looked at them.
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
SUM, LARGEST = OPERATIONS = ("sum", "largest")
FUNCTIONS = tuple(f"{operation}_{dtype}" for operation, dtype in product(OPERATIONS, TYPES))

_PARAMETERS = (
    "ptr %table, i64 %rows, i64 %width, ptr %indices, ptr %owner, i64 %number, ptr %bags,"
    " ptr %places, i64 %count"
)


def _step(operation: str, kind: str, at: str, lanes: int = 0) -> str:
    """Text that adds what is at `%{at}` of a row to a bag, or keeps it there if it is larger: one element, or so many."""
    type_, truth, long = (f"<{lanes} x {one}>" if lanes else one for one in (kind, "i1", "i64"))
    first, index = ("%is_first_in_lanes", "%index_in_lanes") if lanes else ("%is_first", "%index")
    align = 4 if kind == "float" else 8
    old, new, made = (f"%{at}_{name}" for name in ("old", "new", "made"))
    text = f"""\
  %{at}_into = getelementptr {kind}, ptr %into, i64 %{at}
  %{at}_from = getelementptr {kind}, ptr %row, i64 %{at}
  {old} = load {type_}, ptr %{at}_into, align {align}
  {new} = load {type_}, ptr %{at}_from, align {align}
"""
    if operation == SUM:
        text += f"  {made} = fadd {type_} {old}, {new}\n"
    else:
        text += f"""\
  %{at}_is_larger = fcmp ogt {type_} {new}, {old}
  %{at}_wins = or {truth} %{at}_is_larger, {first}
  {made} = select {truth} %{at}_wins, {type_} {new}, {type_} {old}
  %{at}_where = getelementptr i64, ptr %where, i64 %{at}
  %{at}_before = load {long}, ptr %{at}_where, align 8
  %{at}_place = select {truth} %{at}_wins, {long} {index}, {long} %{at}_before
  store {long} %{at}_place, ptr %{at}_where, align 8
"""
    return f"{text}  store {type_} {made}, ptr %{at}_into, align {align}\n"


def _function(operation: str, dtype: str) -> str:
    """`table` has `rows` of `width` elements, `bags` and `places` have `count`; index `k` belongs to bag `owner[k]`."""
    kind = TYPES[dtype]
    splats = in_each_lane("is_first_in_lanes", "%is_first", "i1", LANES)
    splats += in_each_lane("index_in_lanes", "%index", "i64", LANES)
    return f"""
define void @{operation}_{dtype}({_PARAMETERS}) nounwind {{
entry:
{in_lanes("%width")}  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k_next, %next ]
  %last = phi i64 [ -1, %entry ], [ %bag, %next ]
  %all = icmp sge i64 %k, %number
  br i1 %all, label %out, label %one
one:
  %index_at = getelementptr i64, ptr %indices, i64 %k
  %index = load i64, ptr %index_at
  %bag_at = getelementptr i64, ptr %owner, i64 %k
  %bag = load i64, ptr %bag_at
  %is_row = icmp ult i64 %index, %rows
  %is_bag = icmp ult i64 %bag, %count
  %is_inside = and i1 %is_row, %is_bag
  br i1 %is_inside, label %begin, label %next
begin:
  %is_first = icmp ne i64 %bag, %last
  %row_offset = mul i64 %index, %width
  %row = getelementptr {kind}, ptr %table, i64 %row_offset
  %bag_offset = mul i64 %bag, %width
  %into = getelementptr {kind}, ptr %bags, i64 %bag_offset
  %where = getelementptr i64, ptr %places, i64 %bag_offset
{splats}  br label %lanes
{lane_loop("begin", "next", "%width", _step(operation, kind, "i", LANES), _step(operation, kind, "j"))}next:
  %k_next = add i64 %k, 1
  br label %head
out:
  ret void
}}
"""


BAG_IR = "".join(_function(operation, dtype) for operation, dtype in product(OPERATIONS, TYPES))
