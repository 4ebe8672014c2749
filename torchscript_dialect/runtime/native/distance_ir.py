"""LLVM IR of distances between rows: `DISTANCE_IR` is the module's text, which defines `FUNCTIONS`.

Elements of the differences of two rows are added up, or their maximum is found, in `LANES` lanes, and the lanes at the end.
"""

from __future__ import annotations

from itertools import product

TYPES = {"float32": "float", "float64": "double"}
NORMS = ("0", "1", "2", "inf")
FUNCTIONS = tuple(f"distances_{norm}_{dtype}" for norm, dtype in product(NORMS, TYPES))
LANES = 8


def _term(norm: str, kind: str, width: int, gap: str, name: str) -> str:
    """Text that sets `name` to what `width` differences count."""
    suffix = ("" if width == 1 else f"v{width}") + ("f32" if kind == "float" else "f64")
    type_ = _type(kind, width)
    if norm == "2":
        return f"  {name} = fmul {type_} {gap}, {gap}\n"
    if norm == "0":
        bits = _type("i1", width)
        return (
            f"  {name}_differs = fcmp une {type_} {gap}, {'0.0' if width == 1 else 'zeroinitializer'}\n"
            f"  {name} = uitofp {bits} {name}_differs to {type_}\n"
        )
    return f"  {name} = call {type_} @llvm.fabs.{suffix}({type_} {gap})\n"


def _joined(norm: str, kind: str, width: int, first: str, second: str, name: str) -> str:
    """Text that sets `name` to sums, or to maxima, of which NaN is one."""
    type_, bits = _type(kind, width), _type("i1", width)
    if norm != "inf":
        return f"  {name} = fadd {type_} {first}, {second}\n"
    return (
        f"  {name}_above = fcmp ugt {type_} {second}, {first}\n"
        f"  {name}_number = fcmp ord {type_} {first}, {first}\n"
        f"  {name}_takes = and {bits} {name}_above, {name}_number\n"
        f"  {name} = select {bits} {name}_takes, {type_} {second}, {type_} {first}\n"
    )


def _type(kind: str, width: int) -> str:
    return kind if width == 1 else f"<{width} x {kind}>"


def _of_lanes(norm: str, kind: str) -> str:
    """Text that sets `%lane_1` to the lanes of `%lane_8` taken together, each half with the other."""
    lines: list[str] = []
    width = LANES
    while width > 1:
        half = width // 2
        for name, start in (("low", 0), ("high", half)):
            places = ", ".join(f"i32 {start + i}" for i in range(half))
            lines.append(
                f"  %{name}_{half} = shufflevector {_type(kind, width)} %lane_{width}, {_type(kind, width)} poison,"
                f" <{half} x i32> <{places}>\n"
                if half > 1
                else f"  %{name}_{half} = extractelement {_type(kind, width)} %lane_{width}, i32 {start}\n"
            )
        lines.append(_joined(norm, kind, half, f"%low_{half}", f"%high_{half}", f"%lane_{half}"))
        width = half
    return "".join(lines)


def _function(norm: str, dtype: str) -> str:
    """The distances between each of `%count` rows and each of `%others`, or each behind the row where `%behind` is 1."""
    kind = TYPES[dtype]
    lanes = _type(kind, LANES)
    size = 4 if kind == "float" else 8
    root = "f32" if kind == "float" else "f64"
    finish = (
        f"call {kind} @llvm.sqrt.{root}({kind} %sum)"
        if norm == "2"
        else f"bitcast {kind} %sum to {kind}"
    )
    return f"""
define void @distances_{norm}_{dtype}(ptr %rows, ptr %columns, ptr %into,
    i64 %count, i64 %others, i64 %width, i64 %behind) nounwind {{
entry:
  %whole = and i64 %width, -{LANES}
  br label %row_head
row_head:
  %row = phi i64 [ 0, %entry ], [ %row_next, %row_end ]
  %to_row = phi ptr [ %into, %entry ], [ %to, %row_end ]
  %has_row = icmp slt i64 %row, %count
  br i1 %has_row, label %row_begin, label %out
row_begin:
  %row_next = add i64 %row, 1
  %first = mul i64 %row_next, %behind
  %row_offset = mul i64 %row, %width
  %x = getelementptr {kind}, ptr %rows, i64 %row_offset
  br label %other_head
other_head:
  %other = phi i64 [ %first, %row_begin ], [ %other_next, %other_end ]
  %to = phi ptr [ %to_row, %row_begin ], [ %to_next, %other_end ]
  %has_other = icmp slt i64 %other, %others
  br i1 %has_other, label %other_begin, label %row_end
other_begin:
  %other_offset = mul i64 %other, %width
  %y = getelementptr {kind}, ptr %columns, i64 %other_offset
  br label %lanes_head
lanes_head:
  %i = phi i64 [ 0, %other_begin ], [ %i_next, %lanes_one ]
  %lane_{LANES} = phi {lanes} [ zeroinitializer, %other_begin ], [ %lanes_next, %lanes_one ]
  %has_lanes = icmp slt i64 %i, %whole
  br i1 %has_lanes, label %lanes_one, label %lanes_end
lanes_one:
  %xs_at = getelementptr {kind}, ptr %x, i64 %i
  %ys_at = getelementptr {kind}, ptr %y, i64 %i
  %xs = load {lanes}, ptr %xs_at, align {size}
  %ys = load {lanes}, ptr %ys_at, align {size}
  %gaps = fsub {lanes} %xs, %ys
{_term(norm, kind, LANES, "%gaps", "%terms")}{_joined(norm, kind, LANES, f"%lane_{LANES}", "%terms", "%lanes_next")}\
  %i_next = add i64 %i, {LANES}
  br label %lanes_head
lanes_end:
{_of_lanes(norm, kind)}  br label %rest_head
rest_head:
  %j = phi i64 [ %whole, %lanes_end ], [ %j_next, %rest_one ]
  %sum = phi {kind} [ %lane_1, %lanes_end ], [ %sum_next, %rest_one ]
  %has_rest = icmp slt i64 %j, %width
  br i1 %has_rest, label %rest_one, label %other_end
rest_one:
  %x_at = getelementptr {kind}, ptr %x, i64 %j
  %y_at = getelementptr {kind}, ptr %y, i64 %j
  %x_one = load {kind}, ptr %x_at
  %y_one = load {kind}, ptr %y_at
  %gap = fsub {kind} %x_one, %y_one
{_term(norm, kind, 1, "%gap", "%term")}{_joined(norm, kind, 1, "%sum", "%term", "%sum_next")}\
  %j_next = add i64 %j, 1
  br label %rest_head
other_end:
  %distance = {finish}
  store {kind} %distance, ptr %to
  %to_next = getelementptr {kind}, ptr %to, i64 1
  %other_next = add i64 %other, 1
  br label %other_head
row_end:
  br label %row_head
out:
  ret void
}}
"""


def _declarations() -> str:
    found: list[str] = []
    for kind, name in (("float", "f32"), ("double", "f64")):
        lanes = _type(kind, LANES)
        found += [
            f"declare {kind} @llvm.sqrt.{name}({kind})\n",
            f"declare {kind} @llvm.fabs.{name}({kind})\n",
            f"declare {lanes} @llvm.fabs.v{LANES}{name}({lanes})\n",
        ]
    return "".join(found)


DISTANCE_IR = _declarations() + "".join(
    _function(norm, dtype) for norm, dtype in product(NORMS, TYPES)
)
