"""LLVM IR of what combines rows of elements with those at places: `COMBINE_IR` is the module's text, which defines `FUNCTIONS`.

Rows are combined one after the other, in the order of the places, so that sums are rounded as those of `numpy.ufunc.at`. A place
that is out of range is passed over: another thread may have written to the places since somebody looked at them.
"""

from __future__ import annotations

from itertools import product

from torchscript_dialect.runtime.kernels.handwritten.lane_loop import LANES, in_lanes, lane_loop

TYPES = {"float32": "float", "float64": "double", "int64": "i64"}
OPERATIONS = ("add", "multiply", "maximum", "minimum")
"""By the names of NumPy's functions. NaN is the maximum, and the minimum, of whatever it is compared with."""

FUNCTIONS = tuple(f"{operation}_{dtype}" for operation, dtype in product(OPERATIONS, TYPES))


def _step(operation: str, kind: str, at: str, lanes: int = 0) -> str:
    """Text that combines what is at `%{at}` of a row: one element, or so many."""
    type_, truth = (f"<{lanes} x {kind}>", f"<{lanes} x i1>") if lanes else (kind, "i1")
    is_float, align = kind != "i64", 4 if kind == "float" else 8
    old, new, made = (f"%{at}_{name}" for name in ("old", "new", "made"))
    if operation in ("add", "multiply"):
        instruction = ("f" if is_float else "") + ("add" if operation == "add" else "mul")
        combined = f"  {made} = {instruction} {type_} {old}, {new}\n"
    else:
        above = "ge" if operation == "maximum" else "le"
        relation = f"fcmp o{above}" if is_float else f"icmp s{above}"
        keeps = f"%{at}_wins"
        combined = f"  {keeps} = {relation} {type_} {old}, {new}\n"
        if is_float:
            combined += (
                f"  %{at}_is_nan = fcmp uno {type_} {old}, {old}\n"
                f"  %{at}_keeps = or {truth} {keeps}, %{at}_is_nan\n"
            )
            keeps = f"%{at}_keeps"
        combined += f"  {made} = select {truth} {keeps}, {type_} {old}, {type_} {new}\n"
    return f"""\
  %{at}_into = getelementptr {kind}, ptr %row, i64 %{at}
  %{at}_from = getelementptr {kind}, ptr %given, i64 %{at}
  {old} = load {type_}, ptr %{at}_into, align {align}
  {new} = load {type_}, ptr %{at}_from, align {align}
{combined}  store {type_} {made}, ptr %{at}_into, align {align}
"""


def _function(operation: str, dtype: str) -> str:
    """`source` has `places` rows of `width` elements, `rows` has `count`."""
    kind = TYPES[dtype]
    return f"""
define void @{operation}_{dtype}(ptr %rows, i64 %count, ptr %at, ptr %source, i64 %places, i64 %width) nounwind {{
entry:
{in_lanes("%width")}  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k_next, %next ]
  %all = icmp sge i64 %k, %places
  br i1 %all, label %out, label %place
place:
  %place_at = getelementptr i64, ptr %at, i64 %k
  %place_here = load i64, ptr %place_at
  %is_inside = icmp ult i64 %place_here, %count
  br i1 %is_inside, label %begin, label %next
begin:
  %row_offset = mul i64 %place_here, %width
  %row = getelementptr {kind}, ptr %rows, i64 %row_offset
  %given_offset = mul i64 %k, %width
  %given = getelementptr {kind}, ptr %source, i64 %given_offset
  br label %lanes
{lane_loop("begin", "next", "%width", _step(operation, kind, "i", LANES), _step(operation, kind, "j"))}next:
  %k_next = add i64 %k, 1
  br label %head
out:
  ret void
}}
"""


COMBINE_IR = "".join(_function(operation, dtype) for operation, dtype in product(OPERATIONS, TYPES))
