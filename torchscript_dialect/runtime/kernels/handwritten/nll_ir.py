"""LLVM IR of negative log likelihoods of few rows: minus the element of each row that a target of int64 names, times the weight of that
class where there are weights; their sum, and their mean.

Each is a kernel of Note [Kernels] in backend.py, of elements, targets and weights. The sizes function reads the targets, too: it
refuses calls with one that is no class, so that the operator's own kernel says what is wrong. Sums are made in the order in which NumPy
makes them, by halves.
"""

from __future__ import annotations

from itertools import product

from torchscript_dialect.runtime.kernels.handwritten.row_ir import load_buffers

TYPES = {"float32": "float", "float64": "double"}
REDUCTIONS = ("none", "mean", "sum")
"""By PyTorch's number."""
SIZES = "nll_sizes"
KINDS = ("plain", "weighted")
FUNCTIONS = (
    SIZES,
    *(f"{kind}_{how}_{dtype}" for kind, how, dtype in product(KINDS, REDUCTIONS, TYPES)),
)
ROWS, CLASSES = range(2)
"""Words of `syms`."""
MOST_ROWS = 1 << 14

_LANES = 8
_BLOCK = 128
"""So many are added up in eight lanes; of more, the halves are added."""

_SIZES = f"""
define zeroext i1 @{SIZES}(ptr %syms, ptr %buffers) nounwind {{
entry:
  %rows = load i64, ptr %syms
  %classes_at = getelementptr i64, ptr %syms, i64 {CLASSES}
  %classes = load i64, ptr %classes_at
  %targets_at = getelementptr ptr, ptr %buffers, i64 1
  %targets = load ptr, ptr %targets_at
  %less = sub i64 %rows, 1
  %is_few = icmp ult i64 %less, {MOST_ROWS}
  br i1 %is_few, label %head, label %refuse
head:
  %row = phi i64 [ 0, %entry ], [ %row_next, %one ]
  %has_row = icmp slt i64 %row, %rows
  br i1 %has_row, label %one, label %fine
one:
  %target_at = getelementptr i64, ptr %targets, i64 %row
  %target = load i64, ptr %target_at
  %is_class = icmp ult i64 %target, %classes
  %row_next = add i64 %row, 1
  br i1 %is_class, label %head, label %refuse
fine:
  ret i1 true
refuse:
  ret i1 false
}}
"""


_ROW = "ptr %x, ptr %targets, ptr %weights, i64 %classes"


def _elements(t: str) -> str:
    """What a row counts: `plain`, `weighted`, and the `weight` itself; that of the first class if another thread has written to targets
    meanwhile.
    """
    target = """\
  %target_at = getelementptr i64, ptr %targets, i64 %row
  %given = load i64, ptr %target_at
  %is_class = icmp ult i64 %given, %classes
  %target = select i1 %is_class, i64 %given, i64 0
"""
    return f"""
define internal {t} @plain_{t}({_ROW}, i64 %row) alwaysinline nounwind {{
{target}  %before = mul i64 %row, %classes
  %place = add i64 %before, %target
  %at = getelementptr {t}, ptr %x, i64 %place
  %picked = load {t}, ptr %at
  %element = fneg {t} %picked
  ret {t} %element
}}

define internal {t} @weight_{t}({_ROW}, i64 %row) alwaysinline nounwind {{
{target}  %at = getelementptr {t}, ptr %weights, i64 %target
  %weight = load {t}, ptr %at
  ret {t} %weight
}}

define internal {t} @weighted_{t}({_ROW}, i64 %row) alwaysinline nounwind {{
  %element = call {t} @plain_{t}({_ROW}, i64 %row)
  %weight = call {t} @weight_{t}({_ROW}, i64 %row)
  %product = fmul {t} %element, %weight
  ret {t} %product
}}
"""


def _sum(what: str, t: str) -> str:
    """The sum over `%count` rows from `%begin` on."""
    firsts = "".join(
        f"  %place_{i} = add i64 %begin, {i}\n"
        f"  %first_{i} = call {t} @{what}_{t}({_ROW}, i64 %place_{i})\n"
        for i in range(_LANES)
    )
    phis = "".join(
        f"  %lane_{i} = phi {t} [ %first_{i}, %lanes ], [ %next_{i}, %add ]\n"
        for i in range(_LANES)
    )
    adds = "".join(
        f"  %here_{i} = add i64 %done, {i}\n  %row_{i} = add i64 %begin, %here_{i}\n"
        f"  %new_{i} = call {t} @{what}_{t}({_ROW}, i64 %row_{i})\n"
        f"  %next_{i} = fadd {t} %lane_{i}, %new_{i}\n"
        for i in range(_LANES)
    )
    return f"""
define internal {t} @sum_{what}_{t}({_ROW}, i64 %begin, i64 %count) nounwind {{
entry:
  %is_short = icmp slt i64 %count, {_LANES}
  br i1 %is_short, label %rest_head, label %long
long:
  %is_block = icmp sle i64 %count, {_BLOCK}
  br i1 %is_block, label %lanes, label %halve
halve:
  %half = lshr i64 %count, 1
  %first_count = and i64 %half, -{_LANES}
  %second_begin = add i64 %begin, %first_count
  %second_count = sub i64 %count, %first_count
  %first_sum = call {t} @sum_{what}_{t}({_ROW}, i64 %begin, i64 %first_count)
  %second_sum = call {t} @sum_{what}_{t}({_ROW}, i64 %second_begin, i64 %second_count)
  %both = fadd {t} %first_sum, %second_sum
  ret {t} %both
lanes:
  %whole = and i64 %count, -{_LANES}
{firsts}  br label %lanes_head
lanes_head:
  %done = phi i64 [ {_LANES}, %lanes ], [ %done_next, %add ]
{phis}  %has_lanes = icmp slt i64 %done, %whole
  br i1 %has_lanes, label %add, label %lanes_end
add:
{adds}  %done_next = add i64 %done, {_LANES}
  br label %lanes_head
lanes_end:
  %sum_01 = fadd {t} %lane_0, %lane_1
  %sum_23 = fadd {t} %lane_2, %lane_3
  %sum_45 = fadd {t} %lane_4, %lane_5
  %sum_67 = fadd {t} %lane_6, %lane_7
  %sum_03 = fadd {t} %sum_01, %sum_23
  %sum_47 = fadd {t} %sum_45, %sum_67
  %sum_07 = fadd {t} %sum_03, %sum_47
  br label %rest_head
rest_head:
  %i = phi i64 [ 0, %entry ], [ %whole, %lanes_end ], [ %i_next, %rest_one ]
  %sum = phi {t} [ -0.0, %entry ], [ %sum_07, %lanes_end ], [ %sum_next, %rest_one ]
  %has_rest = icmp slt i64 %i, %count
  br i1 %has_rest, label %rest_one, label %out
rest_one:
  %row = add i64 %begin, %i
  %x_one = call {t} @{what}_{t}({_ROW}, i64 %row)
  %sum_next = fadd {t} %sum, %x_one
  %i_next = add i64 %i, 1
  br label %rest_head
out:
  ret {t} %sum
}}
"""


def _kernel(kind: str, how: str, dtype: str) -> str:
    """`%begin` and `%end` count rows where they are not reduced. NumPy's sums begin with 0."""
    t = TYPES[dtype]
    has_weights = int(kind == "weighted")
    buffers = {"x": 0, "targets": 1, "weights": 1 + has_weights, "into": 2 + has_weights}
    begin = f"""
define void @{kind}_{how}_{dtype}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
entry:
  %rows = load i64, ptr %syms
  %classes_at = getelementptr i64, ptr %syms, i64 {CLASSES}
  %classes = load i64, ptr %classes_at
{load_buffers(buffers)}"""
    if how == "none":
        return begin + _each(kind, t)
    count = f"  %count = uitofp i64 %rows to {t}\n"
    if kind == "weighted":
        count = f"  %count = call {t} @sum_weight_{t}({_ROW}, i64 0, i64 %rows)\n"
    mean = f"{count}  %loss = fdiv {t} %sum, %count\n"
    return f"""{begin}\
  %added = call {t} @sum_{kind}_{t}({_ROW}, i64 0, i64 %rows)
  %sum = fadd {t} %added, 0.0
{mean if how == "mean" else ""}  store {t} {"%loss" if how == "mean" else "%sum"}, ptr %into
  ret void
}}
"""


def _each(kind: str, t: str) -> str:
    """The rest of a kernel that gives what each row counts."""
    return f"""\
  br label %head
head:
  %row = phi i64 [ %begin, %entry ], [ %row_next, %one ]
  %has_row = icmp slt i64 %row, %end
  br i1 %has_row, label %one, label %out
one:
  %loss = call {t} @{kind}_{t}({_ROW}, i64 %row)
  %to = getelementptr {t}, ptr %into, i64 %row
  store {t} %loss, ptr %to
  %row_next = add i64 %row, 1
  br label %head
out:
  ret void
}}
"""


def nll_ir() -> str:
    """The module's text; it defines `FUNCTIONS`."""
    sums = (_sum(what, t) for what, t in product((*KINDS, "weight"), TYPES.values()))
    kernels = (_kernel(*form) for form in product(KINDS, REDUCTIONS, TYPES))
    return "".join((_SIZES, *map(_elements, TYPES.values()), *sums, *kernels))
