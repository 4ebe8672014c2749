"""LLVM IR of pooling: the largest elements of windows and their places, means of windows, and the gradients of both.

Each is a kernel of Note [Kernels] in backend.py, for a range of planes of up to three dimensions, which `NUMBERS` words of a buffer
describe; what a plane lacks of three dimensions has one element. Windows are `fixed`, by their size, stride, padding and dilation, or
`even`: so many of them that cover a dimension.
"""

from __future__ import annotations

from itertools import product

from torchscript_dialect.runtime.kernels.handwritten.loops import Carried, load_words, loop
from torchscript_dialect.runtime.kernels.handwritten.row_ir import load_buffers

TYPES = {"float32": "float", "float64": "double"}
FORMS = ("fixed", "even")
KINDS = ("largest", "places", "mean", "mean_back")
SIZES, PLACES_SIZES, PLACES_BACK = "pooled_sizes", "returned_sizes", "places_back"
FUNCTIONS = (
    *(f"{kind}_{form}_{dtype}" for kind, form, dtype in product(KINDS, FORMS, TYPES)),
    *(f"{PLACES_BACK}_{dtype}" for dtype in TYPES),
    SIZES,
    PLACES_SIZES,
)

_AXES = "dhw"
_OF_AXES = ("size", "count", "kernel", "stride", "padding", "dilation")
_WORDS = [f"{what}_{axis}" for what, axis in product(_OF_AXES, _AXES)]
DIVISOR, COUNTS_PADDING = range(len(_WORDS), len(_WORDS) + 2)
"""By what sums are divided, 0 for the number of elements; whether padding counts as such."""
NUMBERS = len(_WORDS) + 2
COUNTS = len(_AXES)
"""Words of `syms`: the numbers of windows; the sizes of the operand after them."""
INNER, OUTER, ALL = range(3)
"""Words of `syms` of gradients at places: the elements of a plane, those of a plane of windows, and those of all of these."""

_HELPERS = """
; The first element of a window that is inside.
define internal i64 @first_inside(i64 %start, i64 %step) alwaysinline nounwind {
entry:
  %is_inside = icmp sge i64 %start, 0
  br i1 %is_inside, label %found, label %move
move:
  %lack = sub i64 0, %start
  %less = sub i64 %step, 1
  %enough = add i64 %lack, %less
  %steps = udiv i64 %enough, %step
  %way = mul i64 %steps, %step
  %moved = add i64 %start, %way
  br label %found
found:
  %first = phi i64 [ %start, %entry ], [ %moved, %move ]
  ret i64 %first
}

define internal i64 @least(i64 %a, i64 %b) alwaysinline nounwind {
  %is_less = icmp slt i64 %a, %b
  %least = select i1 %is_less, i64 %a, i64 %b
  ret i64 %least
}

define internal i64 @most(i64 %a, i64 %b) alwaysinline nounwind {
  %is_less = icmp slt i64 %a, %b
  %most = select i1 %is_less, i64 %b, i64 %a
  ret i64 %most
}
"""


def _window(form: str, axis: str) -> str:
    """Text that sets what elements of a dimension belong to its window `%out_{axis}`, from `%first` to before `%end`, and how many
    count.
    """
    if form == "even":
        return f"""\
  %before_{axis} = mul i64 %out_{axis}, %size_{axis}
  %first_{axis} = udiv i64 %before_{axis}, %count_{axis}
  %last_{axis} = add i64 %before_{axis}, %size_{axis}
  %above_{axis} = add i64 %last_{axis}, %count_{axis}
  %wide_{axis} = sub i64 %above_{axis}, 1
  %end_{axis} = udiv i64 %wide_{axis}, %count_{axis}
  %length_{axis} = sub i64 %end_{axis}, %first_{axis}
"""
    return f"""\
  %along_{axis} = mul i64 %out_{axis}, %stride_{axis}
  %start_{axis} = sub i64 %along_{axis}, %padding_{axis}
  %first_{axis} = call i64 @first_inside(i64 %start_{axis}, i64 %dilation_{axis})
  %stop_{axis} = add i64 %start_{axis}, %reach_{axis}
  %end_{axis} = call i64 @least(i64 %stop_{axis}, i64 %size_{axis})
  %padded_{axis} = add i64 %size_{axis}, %padding_{axis}
  %padded_end_{axis} = call i64 @least(i64 %stop_{axis}, i64 %padded_{axis})
  %with_padding_{axis} = sub i64 %padded_end_{axis}, %start_{axis}
  %within_{axis} = sub i64 %end_{axis}, %first_{axis}
  %length_{axis} = select i1 %with_padding, i64 %with_padding_{axis}, i64 %within_{axis}
"""


def _in_windows(form: str, of_element: str, carried: list[Carried]) -> str:
    """Text that does something for each element of a window, at `%place` of its plane."""
    inner = [
        one._replace(name=f"{one.name}_{axis}", first=first, last=last)
        for one in carried
        for axis, first, last in (
            ("d", one.first, f"%{one.name}_h"),
            ("h", f"%{one.name}_d", f"%{one.name}_w"),
            ("w", f"%{one.name}_h", one.last),
        )
    ]
    d, h, w = ([one for one in inner if one.name.endswith(f"_{axis}")] for axis in _AXES)
    steps = {axis: f"%dilation_{axis}" if form == "fixed" else "1" for axis in _AXES}
    element = f"  %place = add i64 %row, %in_w\n{of_element}"
    row = "  %line = add i64 %block, %in_h\n  %row = mul i64 %line, %size_w\n"
    of_row = row + loop("in_w", "%first_w", "%end_w", element, w, steps["w"])
    block = "  %block = mul i64 %in_d, %size_h\n"
    of_block = block + loop("in_h", "%first_h", "%end_h", of_row, h, steps["h"])
    return loop("in_d", "%first_d", "%end_d", of_block, d, steps["d"])


def _kernel(name: str, form: str, kind: str, buffers: dict[str, int], parts: dict[str, str]) -> str:
    """A kernel that goes over the windows of planes; `window` is done for each, which is `%out`, counted through all planes."""
    words = {word: place for place, word in enumerate(_WORDS)}
    words |= {"divisor": DIVISOR, "counting": COUNTS_PADDING}
    reaches = "".join(
        f"  %less_{axis} = sub i64 %kernel_{axis}, 1\n"
        f"  %wide_reach_{axis} = mul i64 %less_{axis}, %dilation_{axis}\n"
        f"  %reach_{axis} = add i64 %wide_reach_{axis}, 1\n"
        for axis in _AXES
    )
    out = """\
  %out_row = add i64 %out_rows, %out_w
  %out = add i64 %out_before, %out_row
"""
    of_w = _window(form, "w") + out + parts["window"]
    of_h = (
        _window(form, "h")
        + "  %out_line = add i64 %out_block, %out_h\n  %out_rows = mul i64 %out_line, %count_w\n"
        + loop("out_w", "0", "%count_w", of_w)
    )
    of_d = (
        _window(form, "d")
        + "  %out_block = mul i64 %out_d, %count_h\n"
        + loop("out_h", "0", "%count_h", of_h)
    )
    of_plane = f"""\
  %in_before = mul i64 %plane, %inner
  %own = getelementptr {kind}, ptr %{parts["planes"]}, i64 %in_before
  %out_before = mul i64 %plane, %outer
{parts.get("plane", "")}{loop("out_d", "0", "%count_d", of_d)}"""
    return f"""
define void @{name}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
entry:
{load_buffers(buffers)}{load_words(words, "numbers")}{reaches}\
  %with_padding = icmp ne i64 %counting, 0
  %size_hw = mul i64 %size_h, %size_w
  %inner = mul i64 %size_d, %size_hw
  %count_hw = mul i64 %count_h, %count_w
  %outer = mul i64 %count_d, %count_hw
{loop("plane", "%begin", "%end", of_plane)}  ret void
}}
"""


def _largest(form: str, dtype: str, *, with_places: bool) -> str:
    """The largest elements of windows, the first of equals or the last NaN; and their places in the plane."""
    kind = TYPES[dtype]
    element = f"""\
  %at = getelementptr {kind}, ptr %own, i64 %place
  %element = load {kind}, ptr %at
  %wins = fcmp ogt {kind} %element, %best_w
  %best_next = select i1 %wins, {kind} %element, {kind} %best_w
  %is_nan = fcmp uno {kind} %element, %element
  %nan_next = select i1 %is_nan, i64 %place, i64 %nan_w
"""
    carried = [
        Carried(kind, "best", "0xFFF0000000000000", "%best_next"),
        Carried("i64", "nan", "-1", "%nan_next"),
    ]
    buffers = {"x": 0, "numbers": 1, "values": 2}
    first = ""
    stored = f"""\
  %has_nan = icmp sge i64 %nan_d, 0
  %nan_place = select i1 %has_nan, i64 %nan_d, i64 0
  %nan_at = getelementptr {kind}, ptr %own, i64 %nan_place
  %number_or_nan = load {kind}, ptr %nan_at
  %value = select i1 %has_nan, {kind} %number_or_nan, {kind} %best_d
  %value_to = getelementptr {kind}, ptr %values, i64 %out
  store {kind} %value, ptr %value_to
"""
    if with_places:
        buffers["places"] = 3
        first = """\
  %first_block = mul i64 %first_d, %size_h
  %first_line = add i64 %first_block, %first_h
  %first_row = mul i64 %first_line, %size_w
  %first_place = add i64 %first_row, %first_w
"""
        element += "  %found_next = select i1 %wins, i64 %place, i64 %found_w\n"
        carried.append(Carried("i64", "found", "%first_place", "%found_next"))
        stored += """\
  %where = select i1 %has_nan, i64 %nan_d, i64 %found_d
  %place_to = getelementptr i64, ptr %places, i64 %out
  store i64 %where, ptr %place_to
"""
    window = first + _in_windows(form, element, carried) + stored
    name = f"{'places' if with_places else 'largest'}_{form}_{dtype}"
    return _kernel(name, form, kind, buffers, {"planes": "x", "window": window})


def _divided(form: str, kind: str, total: str) -> str:
    """Text that sets `%mean` to a sum, divided by the elements that count in its window."""
    lengths = "".join(f"  %number_{axis} = sitofp i64 %length_{axis} to {kind}\n" for axis in _AXES)
    if form == "even":
        return f"""\
{lengths}  %mean_w = fdiv {kind} {total}, %number_d
  %mean_h = fdiv {kind} %mean_w, %number_h
  %mean = fdiv {kind} %mean_h, %number_w
"""
    return f"""\
  %lines = mul i64 %length_d, %length_h
  %elements = mul i64 %lines, %length_w
  %counts = icmp eq i64 %divisor, 0
  %by = select i1 %counts, i64 %elements, i64 %divisor
  %number = sitofp i64 %by to {kind}
  %mean = fdiv {kind} {total}, %number
"""


def _mean(form: str, dtype: str) -> str:
    """The means of windows."""
    kind = TYPES[dtype]
    element = f"""\
  %at = getelementptr {kind}, ptr %own, i64 %place
  %element = load {kind}, ptr %at
  %sum_next = fadd {kind} %sum_w, %element
"""
    window = f"""\
{_in_windows(form, element, [Carried(kind, "sum", "0.0", "%sum_next")])}{_divided(form, kind, "%sum_d")}\
  %mean_to = getelementptr {kind}, ptr %means, i64 %out
  store {kind} %mean, ptr %mean_to
"""
    buffers = {"x": 0, "numbers": 1, "means": 2}
    return _kernel(f"mean_{form}_{dtype}", form, kind, buffers, {"planes": "x", "window": window})


def _zeroed(kind: str) -> str:
    """Text that sets a plane of `%inner` elements to zeros."""
    return f"""\
  %bytes = mul i64 %inner, {4 if kind == "float" else 8}
  %cleared = call ptr @memset(ptr %own, i32 0, i64 %bytes)
"""


def _mean_back(form: str, dtype: str) -> str:
    """To each element the gradients of the windows that hold it, divided as these were."""
    kind = TYPES[dtype]
    element = f"""\
  %at = getelementptr {kind}, ptr %own, i64 %place
  %old = load {kind}, ptr %at
  %new = fadd {kind} %old, %mean
  store {kind} %new, ptr %at
"""
    window = f"""\
  %grad_at = getelementptr {kind}, ptr %grads, i64 %out
  %grad = load {kind}, ptr %grad_at
{_divided(form, kind, "%grad")}{_in_windows(form, element, [])}"""
    buffers = {"grads": 0, "numbers": 2, "into": 3}
    parts = {"planes": "into", "plane": _zeroed(kind), "window": window}
    return _kernel(f"mean_back_{form}_{dtype}", form, kind, buffers, parts)


def _places_back(dtype: str) -> str:
    """The gradients of planes of windows at the places of the elements that they belong to, those of one element added."""
    kind = TYPES[dtype]
    one = f"""\
  %out = add i64 %out_before, %window
  %place_at = getelementptr i64, ptr %places, i64 %out
  %given = load i64, ptr %place_at
  %is_inside = icmp ult i64 %given, %inner
  %place = select i1 %is_inside, i64 %given, i64 0
  %grad_at = getelementptr {kind}, ptr %grads, i64 %out
  %grad = load {kind}, ptr %grad_at
  %at = getelementptr {kind}, ptr %own, i64 %place
  %old = load {kind}, ptr %at
  %new = fadd {kind} %old, %grad
  store {kind} %new, ptr %at
"""
    of_plane = f"""\
  %in_before = mul i64 %plane, %inner
  %own = getelementptr {kind}, ptr %into, i64 %in_before
  %out_before = mul i64 %plane, %outer
{_zeroed(kind)}{loop("window", "0", "%outer", one)}"""
    buffers = {"grads": 0, "places": 2, "into": 3}
    return f"""
define void @{PLACES_BACK}_{dtype}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
entry:
{load_buffers(buffers)}{load_words({"inner": INNER, "outer": OUTER})}\
{loop("plane", "%begin", "%end", of_plane)}  ret void
}}
"""


def _sizes() -> str:
    """Takes the numbers of windows from the numbers that describe them."""
    words = {f"count_{axis}": _WORDS.index(f"count_{axis}") for axis in _AXES}
    stores = "".join(
        f"  %to_{axis} = getelementptr i64, ptr %syms, i64 {place}\n"
        f"  store i64 %count_{axis}, ptr %to_{axis}\n"
        for place, axis in enumerate(_AXES)
    )
    return f"""
define zeroext i1 @{SIZES}(ptr %syms, ptr %buffers) nounwind {{
entry:
{load_buffers({"numbers": 1})}{load_words(words, "numbers")}{stores}  ret i1 true
}}
"""


def _returned_sizes() -> str:
    """Refuses places outside of planes of `%inner` elements."""
    one = """\
  %place_at = getelementptr i64, ptr %places, i64 %window
  %place = load i64, ptr %place_at
  %below = sub i64 %last, %place
  %sign = or i64 %place, %below
  %signs_next = or i64 %signs, %sign
"""
    carried = [Carried("i64", "signs", "0", "%signs_next")]
    words = {"inner": INNER, "all": ALL}
    return f"""
define zeroext i1 @{PLACES_SIZES}(ptr %syms, ptr %buffers) nounwind {{
entry:
{load_buffers({"places": 2})}{load_words(words)}\
  %last = sub i64 %inner, 1
{loop("window", "0", "%all", one, carried)}\
  %is_right = icmp sge i64 %signs, 0
  ret i1 %is_right
}}
"""


def window_ir() -> str:
    """The module's text; it defines `FUNCTIONS`."""
    made = (
        text
        for form, dtype in product(FORMS, TYPES)
        for text in (
            _largest(form, dtype, with_places=False),
            _largest(form, dtype, with_places=True),
            _mean(form, dtype),
            _mean_back(form, dtype),
        )
    )
    declared = "declare ptr @memset(ptr, i32, i64) nonlazybind\n"
    rest = (*map(_places_back, TYPES), _sizes(), _returned_sizes())
    return "".join((declared, _HELPERS, *made, *rest))
