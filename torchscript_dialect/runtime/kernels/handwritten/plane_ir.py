"""LLVM IR of padding with elements of a tensor and of patches as columns, and of the sums that go the other way.

Each is a kernel of Note [Kernels] in backend.py, for a range of planes, which a buffer of words describes. Padded planes have up to
three dimensions, of which what is lacking has one element; behind the sizes (`PADDED`) stands, for each dimension, from where each
element of the result comes. Patches are windows of planes of two dimensions (`PATCHES`), elements outside of which are 0.
"""

from __future__ import annotations

from itertools import product

from torchscript_dialect.runtime.kernels.handwritten.loops import load_words, loop
from torchscript_dialect.runtime.kernels.handwritten.row_ir import load_buffers

TYPES = {"float32": "float", "float64": "double"}
PAD, PAD_BACK, COLUMNS, COLUMNS_BACK = "pad", "pad_back", "columns", "columns_back"
KINDS = (PAD, PAD_BACK, COLUMNS, COLUMNS_BACK)
SIZES = "result_sizes"
FUNCTIONS = (*(f"{kind}_{dtype}" for kind, dtype in product(KINDS, TYPES)), SIZES)

RESULTS = 3
"""The words of the buffer that are the last sizes of the result, which become the first words of `syms`."""
_AXES = "dhw"
PADDED = [
    *(f"{what}_{axis}" for what in ("count", "size") for axis in _AXES),
    *("run_to", "run_from", "run_length"),
]
"""The words of padded planes between the sizes of the result and the places: the sizes of the larger ones and of the smaller; and so
many elements of each row of the larger ones, from which place on, come from as many beside each other, from which on.
"""
_OF_PATCHES = ("size", "count", "kernel", "dilation", "padding", "stride")
PATCHES = [f"{what}_{axis}" for what in _OF_PATCHES for axis in "hw"]
"""The words of patches behind the sizes of the result: `count` of them along each dimension."""


def _words(names: list[str], first: int) -> str:
    """Text that sets names to the words from `first` on."""
    return load_words({name: place for place, name in enumerate(names, first)}, "numbers")


def _kernel(name: str, buffers: dict[str, int], before: str, of_plane: str) -> str:
    return f"""
define void @{name}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
entry:
{load_buffers(buffers)}{before}{loop("plane", "%begin", "%end", of_plane)}  ret void
}}
"""


def _planes(kind: str, small: str, large: str) -> str:
    """Text that sets `%small` and `%large` to the planes of `%inner` and `%outer` elements."""
    return f"""\
  %small_before = mul i64 %plane, %inner
  %small = getelementptr {kind}, ptr %{small}, i64 %small_before
  %large_before = mul i64 %plane, %outer
  %large = getelementptr {kind}, ptr %{large}, i64 %large_before
"""


def _zeroed(kind: str) -> str:
    """Text that sets a plane of `%inner` elements to zeros."""
    return f"""\
  %bytes = mul i64 %inner, {4 if kind == "float" else 8}
  %cleared = call ptr @memset(ptr %small, i32 0, i64 %bytes)
"""


def _moved(kind: str, index: str) -> str:
    """Text that takes an element of a row of the small plane to the place `%{index}` of one of the large plane."""
    return f"""\
  %{index}_place_at = getelementptr i64, ptr %places_w, i64 %{index}
  %{index}_place = load i64, ptr %{index}_place_at
  %{index}_from = add i64 %row, %{index}_place
  %{index}_source = getelementptr {kind}, ptr %small, i64 %{index}_from
  %{index}_element = load {kind}, ptr %{index}_source
  %{index}_to = add i64 %out_row, %{index}
  %{index}_target = getelementptr {kind}, ptr %large, i64 %{index}_to
  store {kind} %{index}_element, ptr %{index}_target
"""


def _run(kind: str) -> str:
    """Text that takes the elements that lie beside each other in rows of both planes, before `%run_end` of the large one."""
    return f"""\
  %run_first = add i64 %row, %run_from
  %run_source = getelementptr {kind}, ptr %small, i64 %run_first
  %run_second = add i64 %out_row, %run_to
  %run_target = getelementptr {kind}, ptr %large, i64 %run_second
  %run_bytes = mul i64 %run_length, {4 if kind == "float" else 8}
  %run_moved = call ptr @memmove(ptr %run_target, ptr %run_source, i64 %run_bytes)
  %run_end = add i64 %run_to, %run_length
"""


def _added(kind: str, given: str) -> str:
    """Text that adds `given` to the element at `%at` of the small plane."""
    return f"""\
  %into = getelementptr {kind}, ptr %small, i64 %at
  %old = load {kind}, ptr %into
  %new = fadd {kind} %old, {given}
  store {kind} %new, ptr %into
"""


def _load_large(kind: str) -> str:
    return f"""\
  %given_at = getelementptr {kind}, ptr %large, i64 %to
  %given = load {kind}, ptr %given_at
"""


def _pad(dtype: str, *, back: bool) -> str:
    """Elements of planes to where they are in padded ones; or, to each element, what stands at the places that it was taken to."""
    kind = TYPES[dtype]
    before = f"""\
{_words(PADDED, RESULTS)}\
  %size_hw = mul i64 %size_h, %size_w
  %inner = mul i64 %size_d, %size_hw
  %count_hw = mul i64 %count_h, %count_w
  %outer = mul i64 %count_d, %count_hw
  %places_d = getelementptr i64, ptr %numbers, i64 {RESULTS + len(PADDED)}
  %places_h = getelementptr i64, ptr %places_d, i64 %count_d
  %places_w = getelementptr i64, ptr %places_h, i64 %count_h
"""

    def place(axis: str) -> str:
        return (
            f"  %place_{axis}_at = getelementptr i64, ptr %places_{axis}, i64 %out_{axis}\n"
            f"  %place_{axis} = load i64, ptr %place_{axis}_at\n"
        )

    if back:
        where = "  %at = add i64 %row, %place_w\n  %to = add i64 %out_row, %out_w\n"
        of_w = place("w") + where + _load_large(kind) + _added(kind, "%given")
        of_row = loop("out_w", "0", "%count_w", of_w)
    else:
        borders = (("low", "0", "%run_to"), ("high", "%run_end", "%count_w"))
        of_row = _run(kind) + "".join(
            loop(index, first, end, _moved(kind, index)) for index, first, end in borders
        )
    of_h = f"""\
{place("h")}  %line = add i64 %block, %place_h
  %row = mul i64 %line, %size_w
  %out_line = add i64 %out_block, %out_h
  %out_row = mul i64 %out_line, %count_w
{of_row}"""
    of_d = f"""\
{place("d")}  %block = mul i64 %place_d, %size_h
  %out_block = mul i64 %out_d, %count_h
{loop("out_h", "0", "%count_h", of_h)}"""
    name = f"{PAD_BACK if back else PAD}_{dtype}"
    small, large = ("result", "x") if back else ("x", "result")
    body = loop("out_d", "0", "%count_d", of_d)
    of_plane = f"{_planes(kind, small, large)}{_zeroed(kind) if back else ''}{body}"
    return _kernel(name, {"x": 0, "numbers": 1, "result": 2}, before, of_plane)


def _columns(dtype: str, *, back: bool) -> str:
    """The elements of patches, those at one place of all patches beside each other; or each of these added at its place."""
    kind = TYPES[dtype]
    before = f"""\
{_words(PATCHES, RESULTS)}\
  %inner = mul i64 %size_h, %size_w
  %kernel = mul i64 %kernel_h, %kernel_w
  %patches = mul i64 %count_h, %count_w
  %outer = mul i64 %kernel, %patches
"""
    position = """\
  %along_w = mul i64 %out_w, %stride_w
  %place_w = add i64 %along_w, %start_w
  %is_within = icmp ult i64 %place_w, %size_w
  %is_inside = and i1 %is_row, %is_within
  %there = add i64 %row, %place_w
  %at = select i1 %is_inside, i64 %there, i64 0
  %to = add i64 %out_row, %out_w
"""
    if back:
        element = f"""\
{_load_large(kind)}  %counts = select i1 %is_inside, {kind} %given, {kind} 0.0
{_added(kind, "%counts")}"""
    else:
        element = f"""\
  %from = getelementptr {kind}, ptr %small, i64 %at
  %found = load {kind}, ptr %from
  %element = select i1 %is_inside, {kind} %found, {kind} 0.0
  %into = getelementptr {kind}, ptr %large, i64 %to
  store {kind} %element, ptr %into
"""
    of_h = f"""\
  %along_h = mul i64 %out_h, %stride_h
  %place_h = add i64 %along_h, %start_h
  %is_row = icmp ult i64 %place_h, %size_h
  %row = mul i64 %place_h, %size_w
  %out_line = add i64 %out_lines, %out_h
  %out_row = mul i64 %out_line, %count_w
{loop("out_w", "0", "%count_w", position + element)}"""
    of_place = f"""\
  %shift_w = mul i64 %in_w, %dilation_w
  %start_w = sub i64 %shift_w, %padding_w
  %element_row = mul i64 %in_h, %kernel_w
  %number = add i64 %element_row, %in_w
  %out_lines = mul i64 %number, %count_h
{loop("out_h", "0", "%count_h", of_h)}"""
    of_line = f"""\
  %shift_h = mul i64 %in_h, %dilation_h
  %start_h = sub i64 %shift_h, %padding_h
{loop("in_w", "0", "%kernel_w", of_place)}"""
    name = f"{COLUMNS_BACK if back else COLUMNS}_{dtype}"
    small, large = ("result", "x") if back else ("x", "result")
    body = loop("in_h", "0", "%kernel_h", of_line)
    of_plane = f"{_planes(kind, small, large)}{_zeroed(kind) if back else ''}{body}"
    return _kernel(name, {"x": 0, "numbers": 1, "result": 2}, before, of_plane)


def _sizes() -> str:
    """Takes the last sizes of the result from the words."""
    stores = "".join(
        f"  %to_{place} = getelementptr i64, ptr %syms, i64 {place}\n"
        f"  store i64 %result_{place}, ptr %to_{place}\n"
        for place in range(RESULTS)
    )
    return f"""
define zeroext i1 @{SIZES}(ptr %syms, ptr %buffers) nounwind {{
entry:
{load_buffers({"numbers": 1})}{_words([f"result_{place}" for place in range(RESULTS)], 0)}{stores}\
  ret i1 true
}}
"""


_DECLARED = """
declare ptr @memset(ptr, i32, i64) nonlazybind
declare ptr @memmove(ptr, ptr, i64) nonlazybind
"""


def plane_ir() -> str:
    """The module's text; it defines `FUNCTIONS`."""
    made = (
        make(dtype, back=back)
        for make, back, dtype in product((_pad, _columns), (False, True), TYPES)
    )
    return "".join((_DECLARED, *made, _sizes()))
