"""Text of LLVM IR that goes over elements which lie together: so many at a time, and those that are left one by one."""

from __future__ import annotations

LANES = 8
"""Elements at a time."""


def in_lanes(size: str) -> str:
    """Text that sets `%in_lanes`, which loops over `size` elements need: how many of them are done in lanes."""
    return f"  %in_lanes = and i64 {size}, -{LANES}\n"


def lane_loop(before: str, behind: str, size: str, many: str, one: str) -> str:
    """The blocks from `lanes` on, which the block `before` branches to, over `size` elements until `behind`: `many` does `LANES` of
    them from `%i` on, and `one` that at `%j`.
    """
    return f"""\
lanes:
  %i = phi i64 [ 0, %{before} ], [ %i_next, %many ]
  %has_many = icmp slt i64 %i, %in_lanes
  br i1 %has_many, label %many, label %rest
many:
{many}  %i_next = add i64 %i, {LANES}
  br label %lanes
rest:
  %j = phi i64 [ %i, %lanes ], [ %j_next, %single ]
  %has_one = icmp slt i64 %j, {size}
  br i1 %has_one, label %single, label %{behind}
single:
{one}  %j_next = add i64 %j, 1
  br label %rest
"""


def in_each_lane(name: str, value: str, kind: str, lanes: int) -> str:
    """Text that sets `%{name}` to a vector whose lanes are all one value."""
    type_ = f"<{lanes} x {kind}>"
    return (
        f"  %{name}_first = insertelement {type_} poison, {kind} {value}, i32 0\n"
        f"  %{name} = shufflevector {type_} %{name}_first, {type_} poison, <{lanes} x i32> zeroinitializer\n"
    )
