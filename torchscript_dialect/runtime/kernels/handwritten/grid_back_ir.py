"""LLVM IR of the gradients of images sampled at the points of a grid: `grid_back_ir` gives the text, which defines `FUNCTIONS`.

Each is a kernel of Note [Kernels] in backend.py for a range of images: of the gradients of values (images, channels, points), pixels
(images, channels, sizes) and grid (images, points, rank) it makes those of pixels and grid. Of `BLOCK` points it finds the taps, adds
to the gradients of what they read in each channel, and adds up, over channels, the products of what they read with their gradients.
By these, and by how the weights of taps change, points change values.
"""

from __future__ import annotations

from collections.abc import Sequence

from torchscript_dialect.runtime.kernels.handwritten.grid_points_ir import (
    AXES,
    BITS,
    BLOCK,
    FORMS,
    LANES,
    TAPS,
    TYPES,
    Names,
    begin_text,
    combinations,
    helpers,
    in_blocks,
    in_channels,
    kept,
    points_of,
    read,
    taps_along,
)
from torchscript_dialect.runtime.kernels.handwritten.loops import loop
from torchscript_dialect.runtime.kernels.handwritten.row_ir import load_buffers

FUNCTIONS = tuple(f"back_{way}_{rank}_{dtype}" for way, rank, dtype in FORMS)

_SLOPES = """
; How positions that are held move with the points: 1, -1 where they are reflected, 0 at the border.
define internal {v} @direction_{n}({v} %at, {v} %size, i64 %padding, i1 %align) alwaysinline nounwind {{
entry:
  %reflects = icmp eq i64 %padding, 2
  br i1 %reflects, label %reflect, label %clip
reflect:
  %length = extractelement {v} %size, i32 0
{reflect}  %outer = fsub {v} %size, #1.0
  %low = select i1 %align, {v} #0.0, {v} #-0.5
  %span = select i1 %align, {v} %outer, {v} %size
  %moved = fsub {v} %at, %low
  %away = call {v} @llvm.fabs.{n}({v} %moved)
  %ratio = fdiv {v} %away, %span
  %turns = call {v} @floor_{n}({v} %ratio)
  %half = fmul {v} %turns, #0.5
  %pairs = call {v} @floor_{n}({v} %half)
  %even = fmul {v} %pairs, #2.0
  %rest = fsub {v} %turns, %even
  %is_odd = fcmp une {v} %rest, #0.0
  %is_below = fcmp olt {v} %at, %low
  %is_turned = xor {m} %is_odd, %is_below
  %way = select {m} %is_turned, {v} #-1.0, {v} #1.0
  br label %clip
clip:
  %x = phi {v} [ %at, %entry ], [ %reflected, %reflect ]
  %direction = phi {v} [ #1.0, %entry ], [ %way, %reflect ]
  %last = fsub {v} %size, #1.0
  %is_above = fcmp ogt {v} %x, #0.0
  %is_under = fcmp olt {v} %x, %last
  %is_inside = and {m} %is_above, %is_under
  %held = select {m} %is_inside, {v} %direction, {v} #0.0
  %keeps = icmp eq i64 %padding, 0
  %found = select i1 %keeps, {v} #1.0, {v} %held
  ret {v} %found
}}

; How far elements move with the points.
define internal {v} @scale_{n}({v} %size, i1 %align) alwaysinline nounwind {{
  %last = fsub {v} %size, #1.0
  %span = select i1 %align, {v} %last, {v} %size
  %scale = fmul {v} %span, #0.5
  ret {v} %scale
}}

; The derivatives of Keys' cubic convolution.
define internal {v} @near_slope_{n}({v} %x) alwaysinline nounwind {{
  %a = fmul {v} #3.75, %x
  %b = fsub {v} %a, #4.5
  %c = fmul {v} %b, %x
  ret {v} %c
}}

define internal {v} @far_slope_{n}({v} %x) alwaysinline nounwind {{
  %a = fmul {v} #-2.25, %x
  %b = fsub {v} %a, #-7.5
  %c = fmul {v} %b, %x
  %d = fadd {v} %c, #-6.0
  ret {v} %d
}}
"""


def _slopes(way: str, names: Names, axis: str) -> str:
    """Text that sets `%slope` of each tap of an axis: how its weight changes with the points."""
    v, n = names.v, names.n
    scale = f"  %scale_{axis} = call {v} @scale_{n}({v} %size_{axis}, i1 %align)\n"
    if way == "linear":
        return f"""\
{scale}  %direction_{axis} = call {v} @direction_{n}({v} %at_{axis}, {v} %size_{axis}, i64 %padding, i1 %align)
  %slope_{axis}1 = fmul {v} %scale_{axis}, %direction_{axis}
  %slope_{axis}0 = fneg {v} %slope_{axis}1
"""
    return f"""\
{scale}  %far_{axis}0 = call {v} @far_slope_{n}({v} %behind_{axis})
  %near_{axis}1 = call {v} @near_slope_{n}({v} %part_{axis})
  %near_{axis}2 = call {v} @near_slope_{n}({v} %rest_{axis})
  %far_{axis}3 = call {v} @far_slope_{n}({v} %beyond_{axis})
  %falls_{axis}2 = fneg {v} %near_{axis}2
  %falls_{axis}3 = fneg {v} %far_{axis}3
  %slope_{axis}0 = fmul {v} %far_{axis}0, %scale_{axis}
  %slope_{axis}1 = fmul {v} %near_{axis}1, %scale_{axis}
  %slope_{axis}2 = fmul {v} %falls_{axis}2, %scale_{axis}
  %slope_{axis}3 = fmul {v} %falls_{axis}3, %scale_{axis}
"""


def _kept_at(names: Names, what: str, one: str, number: int, points: str) -> str:
    """Text that sets `%{what}_{points}_{one}` to the place of points in that array of a block which has this number."""
    name = f"%{what}_{points}_{one}"
    return (
        f"  {name}_slot = add i64 %{points}, {number * BLOCK}\n"
        f"  {name} = getelementptr {names.t}, ptr %{what}s, i64 {name}_slot\n"
    )


def _along(way: str, axes: str) -> list[tuple[str, int]]:
    """The taps of each axis, and their numbers."""
    return [
        (f"{axis}{tap}", TAPS[way] * i + tap)
        for i, axis in enumerate(axes)
        for tap in range(TAPS[way])
    ]


def _kept_along(names: Names, way: str, axes: str) -> str:
    """Text that keeps weights and slopes of the taps of each axis."""
    return "".join(
        f"{_kept_at(names, what, one, number, 'new')}  store {names.v} %{source}_{one}, ptr %{what}_new_{one}, align 4\n"
        for one, number in _along(way, axes)
        for what, source in (("share", "weight"), ("slope", "slope"))
    )


def _written(names: Names, taps: int, *, has_slopes: bool) -> str:
    """Text that adds what `%point` has to give to the gradients of its pixels, and multiplies these with its own gradient."""
    t, bits = names.t, BITS[names.t]
    lines = [f"  %grad = load {t}, ptr %value_at\n"]
    for tap in range(taps):
        lines.append(f"""\
{read(t, tap)}  %given_{tap} = fmul {t} %grad, %its_weight_{tap}
  %given_bits_{tap} = bitcast {t} %given_{tap} to {bits}
  %given_masked_{tap} = and {bits} %given_bits_{tap}, %its_mask_{tap}
  %given_inside_{tap} = bitcast {bits} %given_masked_{tap} to {t}
  %into_at_{tap} = getelementptr {t}, ptr %into_plane, i32 %its_place_{tap}
  %into_old_{tap} = load {t}, ptr %into_at_{tap}
  %into_new_{tap} = fadd {t} %into_old_{tap}, %given_inside_{tap}
  store {t} %into_new_{tap}, ptr %into_at_{tap}
""")
        if has_slopes:
            lines.append(f"""\
  %product_at_{tap} = getelementptr {t}, ptr %products, i64 %its_slot_{tap}
  %product_before_{tap} = load {t}, ptr %product_at_{tap}
  %product_{tap} = fmul {t} %grad, %pixel_{tap}
  %product_after_{tap} = fadd {t} %product_before_{tap}, %product_{tap}
  store {t} %product_after_{tap}, ptr %product_at_{tap}
""")
    into = f"  %into_plane = getelementptr {t}, ptr %own_into, i64 %plane_offset\n"
    return into + "".join(lines)


def _turned(names: Names, way: str, axes: str, taps: Sequence[tuple[str, ...]]) -> str:
    """Text that keeps what points from `%old` on change values by, along each axis, the last one first."""
    v, lines = names.v, list[str]()
    for one, number in _along(way, axes):
        lines += [
            f"{_kept_at(names, what, one, number, 'old')}  %{what}_{one}_kept = load {v}, ptr %{what}_old_{one}, align 4\n"
            for what in ("share", "slope")
        ]
    for tap in range(len(taps)):
        lines.append(
            f"{_kept_at(names, 'product', str(tap), tap, 'old')}  %product_of_{tap} = load {v}, ptr %product_old_{tap}, align 4\n"
        )
    for place, axis in enumerate(reversed(axes)):
        total = "#0.0"
        for tap, chosen in enumerate(taps):
            kinds = [f"%{'slope' if one[0] == axis else 'share'}_{one}_kept" for one in chosen]
            factor = kinds[0]
            for depth, other in enumerate((*kinds[1:], f"%product_of_{tap}")):
                name = f"%turn_{axis}_{tap}_{depth}"
                lines.append(f"  {name} = fmul {v} {factor}, {other}\n")
                factor = name
            lines.append(f"  %turned_{axis}_{tap} = fadd {v} {total}, {factor}\n")
            total = f"%turned_{axis}_{tap}"
        lines.append(
            f"{_kept_at(names, 'turn', axis, place, 'old')}  store {v} {total}, ptr %turn_old_{axis}, align 4\n"
        )
    return "".join(lines)


def _stored(names: Names, rank: int) -> str:
    """Text that writes the gradient of a point."""
    t = names.t
    return f"""\
  %its_row = add i64 %block_row, %point_turned
  %its_offset = mul i64 %its_row, {rank}
  %its_turn = getelementptr {t}, ptr %into_grid, i64 %its_offset
""" + "".join(
        f"  %turned_slot_{k} = add i64 %point_turned, {k * BLOCK}\n"
        f"  %turned_at_{k} = getelementptr {t}, ptr %turns, i64 %turned_slot_{k}\n"
        f"  %turned_{k} = load {t}, ptr %turned_at_{k}\n"
        f"  %turned_to_{k} = getelementptr {t}, ptr %its_turn, i64 {k}\n"
        f"  store {t} %turned_{k}, ptr %turned_to_{k}\n"
        for k in range(rank)
    )


def _kernel(way: str, rank: int, dtype: str) -> str:
    names, axes, taps = Names(dtype), AXES[-rank:], combinations(way, rank)
    t, bytes_ = names.t, 4 if names.t == "float" else 8
    has_slopes = way != "nearest"
    find = [points_of(names, axes), *(taps_along(way, names, axis, rank) for axis in axes)]
    find += [kept(names, tap, one) for tap, one in enumerate(taps)]
    rooms, clear, after = "", "", ""
    if has_slopes:
        find += [*(_slopes(way, names, axis) for axis in axes), _kept_along(names, way, axes)]
        counts = {
            "share": rank * TAPS[way],
            "slope": rank * TAPS[way],
            "product": len(taps),
            "turn": rank,
        }
        rooms = "".join(
            f"  %{what}s = alloca {t}, i64 {count * BLOCK}\n" for what, count in counts.items()
        )
        clear = f"  %cleared = call ptr @memset(ptr %products, i32 0, i64 {len(taps) * BLOCK * bytes_})\n"
        after = loop("old", "0", "%block", _turned(names, way, axes, taps), step=str(LANES))
        after += loop("point_turned", "0", "%block", _stored(names, rank))
    of_block = clear + in_channels(names, _written(names, len(taps), has_slopes=has_slopes)) + after
    of_image = f"""\
  %into_channels = mul i64 %image, %channels
  %into_before = mul i64 %into_channels, %size
  %own_into = getelementptr {t}, ptr %into, i64 %into_before
{in_blocks(names, "".join(find), of_block)}"""
    zeros = _zeroed(t, bytes_, "into", ["%channels", "%size"])
    if not has_slopes:
        zeros += _zeroed(t, bytes_, "into_grid", ["%points", str(rank)])
    buffers = {"values": 0, "pixels": 1, "grid": 2, "into": 3, "into_grid": 4}
    return names.constants(f"""
define void @back_{way}_{rank}_{dtype}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
entry:
{load_buffers(buffers)}{begin_text(names, rank, len(taps))}{rooms}\
  %images = sub i64 %end, %begin
{zeros}{loop("image", "%begin", "%end", of_image)}  ret void
}}
""")


def _zeroed(t: str, bytes_: int, buffer: str, factors: Sequence[str]) -> str:
    """Text that sets the part of a buffer that belongs to images to zeros; of one there are as many elements as the factors say."""
    one, other = factors
    return f"""\
  %{buffer}_each = mul i64 {one}, {other}
  %{buffer}_first = mul i64 %begin, %{buffer}_each
  %{buffer}_from = getelementptr {t}, ptr %{buffer}, i64 %{buffer}_first
  %{buffer}_elements = mul i64 %images, %{buffer}_each
  %{buffer}_bytes = mul i64 %{buffer}_elements, {bytes_}
  %{buffer}_cleared = call ptr @memset(ptr %{buffer}_from, i32 0, i64 %{buffer}_bytes)
"""


def grid_back_ir() -> str:
    """The module's text."""
    declared = "declare ptr @memset(ptr, i32, i64) nonlazybind\n"
    slopes = (Names(dtype).fill(_SLOPES) for dtype in TYPES)
    return "".join((declared, *map(helpers, TYPES), *slopes, *(_kernel(*form) for form in FORMS)))
