"""LLVM IR of distances between rows, and of their gradients: `distance_ir` gives the module's text, which defines `FUNCTIONS`.

Each is a kernel of Note [Kernels] in backend.py. Elements of the differences of two rows are added up, or their maximum is found, in
`LANES` lanes, and the lanes at the end.
"""

from __future__ import annotations

from itertools import product

from torchscript_dialect.runtime.kernels.handwritten.lane_loop import in_each_lane
from torchscript_dialect.runtime.kernels.handwritten.loops import Carried, load_words, loop
from torchscript_dialect.runtime.kernels.handwritten.row_ir import load_buffers

TYPES = {"float32": "float", "float64": "double"}
NORMS = ("0", "1", "2", "inf")
BACK_NORMS = ("1", "2", "inf")
"""Those whose gradients there are functions for."""
INF_OF_NUMBERS = "inf_of_numbers"
"""The norm that passes over NaN, as PyTorch's `cdist` does; its `pdist` does not."""
BETWEEN, PAIRS = "between", "pairs"
"""Distances of each row of a matrix and each of another, and of each two rows of one."""
PAIRS_SIZES, BACK_SIZES = "pairs_sizes", "pairs_back_sizes"
FUNCTIONS = (
    *(f"{what}_{norm}_{dtype}" for what, norm, dtype in product((BETWEEN, PAIRS), NORMS, TYPES)),
    *(
        f"{what}_back_{norm}_{dtype}"
        for what, norm, dtype in product((BETWEEN, PAIRS), BACK_NORMS, TYPES)
    ),
    PAIRS_SIZES,
    BACK_SIZES,
)
ROWS, OTHERS, WIDTH, FIRST_SIZE = range(4)
"""Words of `syms`: rows, rows of the other matrix or all pairs, elements of each; and sizes before them."""
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
            f"  {name}_counts = uitofp {bits} {name}_differs to {type_}\n"
            f"  {name}_is_nan = fcmp uno {type_} {gap}, {gap}\n"
            f"  {name} = select {bits} {name}_is_nan, {type_} {gap}, {type_} {name}_counts\n"
        )
    return f"  {name} = call {type_} @llvm.fabs.{suffix}({type_} {gap})\n"


def _joined(norm: str, kind: str, width: int, first: str, second: str, name: str) -> str:
    """Text that sets `name` to sums, or to maxima, of which NaN is one."""
    type_, bits = _type(kind, width), _type("i1", width)
    if norm not in ("inf", INF_OF_NUMBERS):
        return f"  {name} = fadd {type_} {first}, {second}\n"
    if norm == INF_OF_NUMBERS:
        return (
            f"  {name}_above = fcmp ogt {type_} {second}, {first}\n"
            f"  {name} = select {bits} {name}_above, {type_} {second}, {type_} {first}\n"
        )
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


def _distance(norm: str, dtype: str) -> str:
    """The function of the distance between two rows."""
    kind = TYPES[dtype]
    lanes, size = _type(kind, LANES), 4 if kind == "float" else 8
    many = f"""\
  %xs_at = getelementptr {kind}, ptr %x, i64 %i
  %ys_at = getelementptr {kind}, ptr %y, i64 %i
  %xs = load {lanes}, ptr %xs_at, align {size}
  %ys = load {lanes}, ptr %ys_at, align {size}
  %gaps = fsub {lanes} %xs, %ys
{_term(norm, kind, LANES, "%gaps", "%terms")}{_joined(norm, kind, LANES, f"%lane_{LANES}", "%terms", "%lanes_next")}"""
    one = f"""\
  %x_at = getelementptr {kind}, ptr %x, i64 %j
  %y_at = getelementptr {kind}, ptr %y, i64 %j
  %x_one = load {kind}, ptr %x_at
  %y_one = load {kind}, ptr %y_at
  %gap = fsub {kind} %x_one, %y_one
{_term(norm, kind, 1, "%gap", "%term")}{_joined(norm, kind, 1, "%sum", "%term", "%sum_next")}"""
    in_lanes = [Carried(lanes, f"lane_{LANES}", "zeroinitializer", "%lanes_next")]
    alone = [Carried(kind, "sum", "%lane_1", "%sum_next")]
    root = f"  %distance = call {kind} @llvm.sqrt.{_suffix(kind)}({kind} %sum)\n"
    return f"""
define internal {kind} @distance_{norm}_{dtype}(ptr %x, ptr %y, i64 %width) nounwind {{
entry:
  %whole = and i64 %width, -{LANES}
{loop("i", "0", "%whole", many, in_lanes, str(LANES))}{_of_lanes(norm, kind)}\
{loop("j", "%whole", "%width", one, alone)}{root if norm == "2" else ""}\
  ret {kind} {"%distance" if norm == "2" else "%sum"}
}}
"""


def _suffix(kind: str) -> str:
    return "f32" if kind == "float" else "f64"


def _slope(norm: str, kind: str, width: int, name: str) -> str:
    """Text that sets `%{name}_slope` to what the differences `%{name}_gap` get of the gradient of a distance."""
    type_, bits = _type(kind, width), _type("i1", width)
    grad, distance = ("%grad", "%distance") if width == 1 else ("%grads", "%distances")
    if norm == "2":
        return (
            f"  %{name}_share = fmul {type_} {grad}, %{name}_gap\n"
            f"  %{name}_slope = fdiv {type_} %{name}_share, {distance}\n"
        )
    one, less, zero = (_constant(kind, width, number) for number in ("1.0", "-1.0", "0.0"))
    gap = f"{type_} %{name}_gap"  # zero or NaN where it is neither above nor below
    text = (
        f"  %{name}_is_above = fcmp ogt {type_} %{name}_gap, {zero}\n"
        f"  %{name}_is_below = fcmp olt {type_} %{name}_gap, {zero}\n"
        f"  %{name}_fall = select {bits} %{name}_is_below, {type_} {less}, {gap}\n"
        f"  %{name}_sign = select {bits} %{name}_is_above, {type_} {one}, {type_} %{name}_fall\n"
        f"  %{name}_{'signed' if norm == 'inf' else 'slope'} = fmul {type_} {grad}, %{name}_sign\n"
    )
    if norm == "inf":
        intrinsic = ("" if width == 1 else f"v{width}") + _suffix(kind)
        text += (
            f"  %{name}_size = call {type_} @llvm.fabs.{intrinsic}({type_} %{name}_gap)\n"
            f"  %{name}_less = fsub {type_} %{name}_size, {distance}\n"
            f"  %{name}_is_smaller = fcmp one {type_} %{name}_less, {zero}\n"
            f"  %{name}_largest = fadd {type_} %{name}_signed, %{name}_less\n"
            f"  %{name}_slope = select {bits} %{name}_is_smaller, {type_} {zero}, {type_} %{name}_largest\n"
        )
    return text


def _constant(kind: str, width: int, number: str) -> str:
    return number if width == 1 else f"<{', '.join([f'{kind} {number}'] * width)}>"


def _gradient(norm: str, dtype: str) -> str:
    """The function that adds to `%into` the gradient of a row `%x` by that of its distance from `%y`."""
    kind = TYPES[dtype]
    size = 4 if kind == "float" else 8

    def step(name: str, index: str, width: int) -> str:
        type_ = _type(kind, width)
        return f"""\
  %{name}_x_at = getelementptr {kind}, ptr %x, i64 %{index}
  %{name}_y_at = getelementptr {kind}, ptr %y, i64 %{index}
  %{name}_to = getelementptr {kind}, ptr %into, i64 %{index}
  %{name}_x = load {type_}, ptr %{name}_x_at, align {size}
  %{name}_y = load {type_}, ptr %{name}_y_at, align {size}
  %{name}_old = load {type_}, ptr %{name}_to, align {size}
  %{name}_gap = fsub {type_} %{name}_x, %{name}_y
{_slope(norm, kind, width, name)}  %{name}_new = fadd {type_} %{name}_old, %{name}_slope
  store {type_} %{name}_new, ptr %{name}_to, align {size}
"""

    spread = in_each_lane("grads", "%grad", kind, LANES)
    spread += in_each_lane("distances", "%distance", kind, LANES)
    return f"""
define internal void @gradient_{norm}_{dtype}(ptr %x, ptr %y, ptr %into, i64 %width, {kind} %grad, {kind} %distance) nounwind {{
entry:
  %is_none = {"or i1 false, false" if norm == "inf" else f"fcmp oeq {kind} %distance, 0.0"}
  br i1 %is_none, label %out, label %some
some:
{spread}  %whole = and i64 %width, -{LANES}
{loop("i", "0", "%whole", step("many", "i", LANES), step=str(LANES))}\
{loop("j", "%whole", "%width", step("one", "j", 1))}  br label %out
out:
  ret void
}}
"""


_OF_SYMS = load_words({"count": ROWS, "others": OTHERS, "width": WIDTH})


def _row(kind: str, name: str, matrix: str, number: str) -> str:
    """Text that sets `%{name}` to a row of a matrix."""
    return (
        f"  %{name}_offset = mul i64 {number}, %width\n"
        f"  %{name} = getelementptr {kind}, ptr %{matrix}, i64 %{name}_offset\n"
    )


def _between(norm: str, dtype: str, *, back: bool) -> str:
    """A kernel for rows, counted through all matrices, and those of the other matrix each belongs to."""
    kind = TYPES[dtype]
    element = f"""\
  %pair = add i64 %pairs_before, %other
  %number = add i64 %others_before, %other
{_row(kind, "y", "columns", "%number")}"""
    if back:
        buffers = {"grads": 0, "rows": 1, "columns": 2, "lengths": 3, "into": 4}
        element += f"""\
  %grad_at = getelementptr {kind}, ptr %grads, i64 %pair
  %grad = load {kind}, ptr %grad_at
  %distance_at = getelementptr {kind}, ptr %lengths, i64 %pair
  %distance = load {kind}, ptr %distance_at
  call void @gradient_{norm}_{dtype}(ptr %x, ptr %y, ptr %own, i64 %width, {kind} %grad, {kind} %distance)
"""
        begin = _row(kind, "own", "into", "%row") + (
            f"  %bytes = mul i64 %width, {4 if kind == 'float' else 8}\n"
            "  %cleared = call ptr @memset(ptr %own, i32 0, i64 %bytes)\n"
        )
    else:
        buffers = {"rows": 0, "columns": 1, "into": 2}
        begin = ""
        element += f"""\
  %distance = call {kind} @distance_{INF_OF_NUMBERS if norm == "inf" else norm}_{dtype}(ptr %x, ptr %y, i64 %width)
  %to = getelementptr {kind}, ptr %into, i64 %pair
  store {kind} %distance, ptr %to
"""
    row = f"""\
{_row(kind, "x", "rows", "%row")}{begin}  %matrix = udiv i64 %row, %count
  %others_before = mul i64 %matrix, %others
  %pairs_before = mul i64 %row, %others
{loop("other", "0", "%others", element)}"""
    return f"""
define void @{BETWEEN}_{"back_" if back else ""}{norm}_{dtype}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
entry:
{load_buffers(buffers)}{_OF_SYMS}{loop("row", "%begin", "%end", row)}  ret void
}}
"""


def _pairs(norm: str, dtype: str, *, back: bool) -> str:
    """A kernel for all pairs of rows."""
    kind = TYPES[dtype]
    element = f"""\
  %behind = sub i64 %other, %first
  %pair = add i64 %pairs, %behind
{_row(kind, "y", "rows", "%other")}"""
    begin = ""
    if back:
        buffers = {"grads": 0, "rows": 1, "lengths": 2, "into": 3}
        element += f"""\
  %grad_at = getelementptr {kind}, ptr %grads, i64 %pair
  %grad = load {kind}, ptr %grad_at
  %distance_at = getelementptr {kind}, ptr %lengths, i64 %pair
  %distance = load {kind}, ptr %distance_at
{_row(kind, "its", "into", "%other")}\
  call void @gradient_{norm}_{dtype}(ptr %x, ptr %y, ptr %own, i64 %width, {kind} %grad, {kind} %distance)
  call void @gradient_{norm}_{dtype}(ptr %y, ptr %x, ptr %its, i64 %width, {kind} %grad, {kind} %distance)
"""
        begin = f"""\
  %elements = mul i64 %count, %width
  %bytes = mul i64 %elements, {4 if kind == "float" else 8}
  %cleared = call ptr @memset(ptr %into, i32 0, i64 %bytes)
"""
    else:
        buffers = {"rows": 0, "into": 1}
        element += f"""\
  %distance = call {kind} @distance_{norm}_{dtype}(ptr %x, ptr %y, i64 %width)
  %to = getelementptr {kind}, ptr %into, i64 %pair
  store {kind} %distance, ptr %to
"""
    own = _row(kind, "own", "into", "%row") if back else ""
    row = f"""\
{_row(kind, "x", "rows", "%row")}{own}  %first = add i64 %row, 1
  %left = sub i64 %count, %first
  %pairs_next = add i64 %pairs, %left
{loop("other", "%first", "%count", element)}"""
    carried = [Carried("i64", "pairs", "0", "%pairs_next")]
    return f"""
define void @{PAIRS}_{"back_" if back else ""}{norm}_{dtype}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
entry:
{load_buffers(buffers)}{_OF_SYMS}{begin}{loop("row", "0", "%count", row, carried)}  ret void
}}
"""


_SIZES = f"""
define internal i64 @all_pairs(ptr %syms) alwaysinline nounwind {{
{load_words({"count": ROWS})}  %before = sub i64 %count, 1
  %twice = mul i64 %count, %before
  %pairs = ashr i64 %twice, 1
  ret i64 %pairs
}}

define zeroext i1 @{PAIRS_SIZES}(ptr %syms, ptr %buffers) nounwind {{
  %pairs = call i64 @all_pairs(ptr %syms)
  %to = getelementptr i64, ptr %syms, i64 {OTHERS}
  store i64 %pairs, ptr %to
  ret i1 true
}}

; Refuses gradients of another number of pairs.
define zeroext i1 @{BACK_SIZES}(ptr %syms, ptr %buffers) nounwind {{
{load_words({"given": OTHERS})}  %pairs = call i64 @all_pairs(ptr %syms)
  %is_right = icmp eq i64 %given, %pairs
  ret i1 %is_right
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
    return "declare ptr @memset(ptr, i32, i64) nonlazybind\n" + "".join(found)


def distance_ir() -> str:
    """The module's text."""
    made = [_declarations(), _SIZES, *(_distance(INF_OF_NUMBERS, dtype) for dtype in TYPES)]
    for norm, dtype in product(NORMS, TYPES):
        made += [
            _distance(norm, dtype),
            *(kernel(norm, dtype, back=False) for kernel in (_between, _pairs)),
        ]
    for norm, dtype in product(BACK_NORMS, TYPES):
        made += [
            _gradient(norm, dtype),
            *(kernel(norm, dtype, back=True) for kernel in (_between, _pairs)),
        ]
    return "".join(made)
