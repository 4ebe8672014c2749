"""Text of LLVM IR that finds the taps of points of a grid: their places, and their weights, along each dimension of an image.

It does what `ops/images/grid_taps.py` says, with the same operations in the same order, `LANES` points at once. In the texts `#1.0` is
a constant in all lanes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from torchscript_dialect.runtime.kernels.handwritten.loops import load_words, loop

TYPES = {"float32": "float", "float64": "double"}
BITS = {"float": "i32", "double": "i64"}
TAPS = {"linear": 2, "nearest": 1, "cubic": 4}
"""By way of interpolation: how many elements of a dimension a point reads."""
FORMS = tuple(
    (way, rank, dtype)
    for way, rank, dtype in product(TAPS, (2, 3), TYPES)
    if (way, rank) != ("cubic", 3)
)
LANES = 4
BLOCK = 64
AXES = "zyx"
PADDING, ALIGNS, BATCH, CHANNELS, FIRST_SIZE = range(5)
"""Words of `syms`: PyTorch's number of the padding, whether corners are aligned, images, channels, and the sizes of images; those of
what is made of them follow.
"""

_ROUNDING = """
declare {v} @llvm.fabs.{n}({v})
declare {v} @llvm.copysign.{n}({v}, {v})

; To the nearest integer, of two the even one; from `{whole}` on there is nothing to round.
define internal {v} @rint_{n}({v} %x) alwaysinline nounwind {{
  %size = call {v} @llvm.fabs.{n}({v} %x)
  %may_be_broken = fcmp olt {v} %size, #{whole}
  %shift = call {v} @llvm.copysign.{n}({v} #{whole}, {v} %x)
  %shifted = fadd {v} %x, %shift
  %near = fsub {v} %shifted, %shift
  %found = select {m} %may_be_broken, {v} %near, {v} %x
  ret {v} %found
}}

define internal {v} @floor_{n}({v} %x) alwaysinline nounwind {{
  %near = call {v} @rint_{n}({v} %x)
  %is_above = fcmp ogt {v} %near, %x
  %extra = select {m} %is_above, {v} #1.0, {v} #0.0
  %floor = fsub {v} %near, %extra
  ret {v} %floor
}}
"""

_REFLECTED = """
declare {v} @fmod{s}({v}, {v}) nonlazybind

; Back and forth between the edges.
define internal {v} @reflected_{n}({v} %at, {v} %size, i1 %align) nounwind {{
  %last = fsub {v} %size, 1.0
  %low = select i1 %align, {v} 0.0, {v} -0.5
  %span = select i1 %align, {v} %last, {v} %size
  %is_point = fcmp oeq {v} %span, 0.0
  br i1 %is_point, label %point, label %turn
point:
  ret {v} 0.0
turn:
  %moved = fsub {v} %at, %low
  %away = call {v} @llvm.fabs.{n}({v} %moved)
  %is_near = fcmp olt {v} %away, %span
  br i1 %is_near, label %near, label %far
near:
  %back = fadd {v} %away, %low
  ret {v} %back
far:
  %extra = call {v} @fmod{s}({v} %away, {v} %span) nobuiltin
  %turned = fsub {v} %span, %extra
  %ratio = fdiv {v} %away, %span
  %turns = call {v} @floor_{n}({v} %ratio)
  %odd = call {v} @fmod{s}({v} %turns, {v} 2.0) nobuiltin
  %is_even = fcmp oeq {v} %odd, 0.0
  %chosen = select i1 %is_even, {v} %extra, {v} %turned
  %found = fadd {v} %chosen, %low
  ret {v} %found
}}
"""

_HELPERS = """
; From -1 to 1 to elements of a dimension.
define internal {v} @position_{n}({v} %point, {v} %size, i1 %align) alwaysinline nounwind {{
  %above = fadd {v} %point, #1.0
  %half = fmul {v} %above, #0.5
  %last = fsub {v} %size, #1.0
  %of_middles = fmul {v} %half, %last
  %whole = fmul {v} %above, %size
  %less = fsub {v} %whole, #1.0
  %of_edges = fmul {v} %less, #0.5
  %at = select i1 %align, {v} %of_middles, {v} %of_edges
  ret {v} %at
}}

; The positions, moved inside where the padding says so.
define internal {v} @held_{n}({v} %at, {v} %size, i64 %padding, i1 %align) alwaysinline nounwind {{
entry:
  %reflects = icmp eq i64 %padding, 2
  br i1 %reflects, label %reflect, label %clip
reflect:
  %length = extractelement {v} %size, i32 0
{reflect}  br label %clip
clip:
  %x = phi {v} [ %at, %entry ], [ %reflected, %reflect ]
  %last = fsub {v} %size, #1.0
  %is_low = fcmp olt {v} %x, #0.0
  %from_low = select {m} %is_low, {v} #0.0, {v} %x
  %is_high = fcmp ogt {v} %from_low, %last
  %inside = select {m} %is_high, {v} %last, {v} %from_low
  %keeps = icmp eq i64 %padding, 0
  %held = select i1 %keeps, {v} %x, {v} %inside
  ret {v} %held
}}

define internal {m} @is_finite_{n}({v} %at) alwaysinline nounwind {{
  %gap = fsub {v} %at, %at
  %is_finite = fcmp ord {v} %gap, %gap
  ret {m} %is_finite
}}

; What is no number, as PyTorch's kernels find it in images, and in volumes.
define internal {v} @number_2_{n}({v} %at, {v} %size, i64 %padding) alwaysinline nounwind {{
  %is_number = fcmp ord {v} %at, %at
  %padded = select {m} %is_number, {v} %at, {v} #0.0
  %keeps = icmp eq i64 %padding, 0
  %found = select i1 %keeps, {v} %at, {v} %padded
  ret {v} %found
}}

define internal {v} @number_3_{n}({v} %at, {v} %size, i64 %padding) alwaysinline nounwind {{
  %is_number = fcmp ord {v} %at, %at
  %last = fsub {v} %size, #1.0
  %padded = select {m} %is_number, {v} %at, {v} %last
  %is_finite = call {m} @is_finite_{n}({v} %at)
  %outside = select {m} %is_finite, {v} %at, {v} #-2.0
  %keeps = icmp eq i64 %padding, 0
  %found = select i1 %keeps, {v} %outside, {v} %padded
  ret {v} %found
}}

define internal {m} @is_inside_{n}({v} %at, {v} %size) alwaysinline nounwind {{
  %is_from = fcmp oge {v} %at, #0.0
  %is_to = fcmp olt {v} %at, %size
  %is_inside = and {m} %is_from, %is_to
  ret {m} %is_inside
}}

; Positions that lie inside as numbers of elements; 0 for others.
define internal {i} @place_{n}({v} %at, {m} %is_inside, {i} %step) alwaysinline nounwind {{
  %safe = select {m} %is_inside, {v} %at, {v} #0.0
  %whole = fptosi {v} %safe to {i}
  %place = mul {i} %whole, %step
  ret {i} %place
}}

; Keys' cubic convolution, near the position and farther away.
define internal {v} @near_{n}({v} %x) alwaysinline nounwind {{
  %a = fmul {v} #1.25, %x
  %b = fsub {v} %a, #2.25
  %c = fmul {v} %b, %x
  %d = fmul {v} %c, %x
  %e = fadd {v} %d, #1.0
  ret {v} %e
}}

define internal {v} @far_{n}({v} %x) alwaysinline nounwind {{
  %a = fmul {v} #-0.75, %x
  %b = fsub {v} %a, #-3.75
  %c = fmul {v} %b, %x
  %d = fadd {v} %c, #-6.0
  %e = fmul {v} %d, %x
  %f = fsub {v} %e, #-3.0
  ret {v} %f
}}
"""


class Names:
    """The names of types in the texts for a dtype: of all lanes, or of one."""

    def __init__(self, dtype: str, *, one: bool = False) -> None:
        self.t = t = TYPES[dtype]
        self.one = one
        self.v, self.m, self.i, self.b = (
            kind if one else f"<{LANES} x {kind}>" for kind in (t, "i1", "i32", BITS[t])
        )
        suffix = "f32" if t == "float" else "f64"
        self.n = suffix if one else f"v{LANES}{suffix}"
        self.s = "f" if t == "float" else ""
        self.whole = float(1 << (23 if t == "float" else 52))

    def fill(self, text: str) -> str:
        """The text with these names and constants."""
        return self.constants(text.format(**vars(self), reflect=_reflect(self)))

    def constants(self, text: str) -> str:
        """The text with its constants written out."""

        def written(found: re.Match[str]) -> str:
            number = found.group(1)
            return number if self.one else f"<{', '.join([f'{self.t} {number}'] * LANES)}>"

        return re.sub(r"#(-?[\d.]+)", written, text)


def _reflect(names: Names) -> str:
    """Text that sets `%reflected` to positions, reflected one by one."""
    t, v, lines, before = names.t, names.v, list[str](), "poison"
    single = "f32" if t == "float" else "f64"
    for lane in range(LANES):
        after = "%reflected" if lane == LANES - 1 else f"%reflected_{lane}"
        lines.append(f"""\
  %at_{lane} = extractelement {v} %at, i32 {lane}
  %turned_{lane} = call {t} @reflected_{single}({t} %at_{lane}, {t} %length, i1 %align)
  {after} = insertelement {v} {before}, {t} %turned_{lane}, i32 {lane}
""")
        before = after
    return "".join(lines)


def _in_all_lanes(vector: str, kind: str, value: str, name: str) -> str:
    """Text that sets `name` to a value in all lanes."""
    zeros = ", ".join(["i32 0"] * LANES)
    return f"""\
  {name}_one = insertelement {vector} poison, {kind} {value}, i32 0
  {name} = shufflevector {vector} {name}_one, {vector} poison, <{LANES} x i32> <{zeros}>
"""


def points_of(names: Names, axes: str) -> str:
    """Text that sets `%point` of each axis to coordinates of `LANES` points from `%new` on; the last ones are those of the first again
    where the block has no more.
    """
    t, v, lines = names.t, names.v, list[str]()
    before = dict.fromkeys(axes, "poison")
    for lane in range(LANES):
        lines.append(f"""\
  %number_{lane} = add i64 %new, {lane}
  %exists_{lane} = icmp slt i64 %number_{lane}, %block
  %safe_{lane} = select i1 %exists_{lane}, i64 %number_{lane}, i64 %new
  %row_{lane} = add i64 %block_row, %safe_{lane}
  %offset_{lane} = mul i64 %row_{lane}, {len(axes)}
  %point_at_{lane} = getelementptr {t}, ptr %grid, i64 %offset_{lane}
""")
        for number, axis in enumerate(reversed(axes)):
            one = f"{axis}_{lane}"
            after = f"%point_{axis}" if lane == LANES - 1 else f"%point_{one}"
            lines.append(f"""\
  %at_{one} = getelementptr {t}, ptr %point_at_{lane}, i64 {number}
  %coordinate_{one} = load {t}, ptr %at_{one}
  {after} = insertelement {v} {before[axis]}, {t} %coordinate_{one}, i32 {lane}
""")
            before[axis] = after
    return "".join(lines)


def _low(v: str, m: str, n: str, axis: str, at: str) -> str:
    """Text that sets `%low`, the elements before positions, and `%part`, what these are behind them; 0 for what is no number."""
    return f"""\
  %floor_{axis} = call {v} @floor_{n}({v} {at})
  %part_{axis} = fsub {v} {at}, %floor_{axis}
  %finite_{axis} = call {m} @is_finite_{n}({v} %floor_{axis})
  %low_{axis} = select {m} %finite_{axis}, {v} %floor_{axis}, {v} #0.0
"""


def _around(way: str, names: Names, axis: str, rank: int) -> str:
    """Text that sets the positions `%around` of the taps along an axis, and their weights `%weight`."""
    v, m, n = names.v, names.m, names.n
    if way == "cubic":
        held = "".join(
            f"""\
  %tap_{axis}{tap} = fadd {v} %low_{axis}, #{tap - 1}.0
  %around_{axis}{tap} = call {v} @held_{n}({v} %tap_{axis}{tap}, {v} %size_{axis}, i64 %padding, i1 %align)
"""
            for tap in range(4)
        )
        return f"""\
{_low(v, m, n, axis, f"%at_{axis}")}{held}\
  %behind_{axis} = fadd {v} %part_{axis}, #1.0
  %rest_{axis} = fsub {v} #1.0, %part_{axis}
  %beyond_{axis} = fsub {v} #2.0, %part_{axis}
  %weight_{axis}0 = call {v} @far_{n}({v} %behind_{axis})
  %weight_{axis}1 = call {v} @near_{n}({v} %part_{axis})
  %weight_{axis}2 = call {v} @near_{n}({v} %rest_{axis})
  %weight_{axis}3 = call {v} @far_{n}({v} %beyond_{axis})
"""
    held = f"""\
  %moved_{axis} = call {v} @held_{n}({v} %at_{axis}, {v} %size_{axis}, i64 %padding, i1 %align)
  %held_{axis} = call {v} @number_{rank}_{n}({v} %moved_{axis}, {v} %size_{axis}, i64 %padding)
"""
    if way == "nearest":
        return f"""\
{held}  %around_{axis}0 = call {v} @rint_{n}({v} %held_{axis})
  %weight_{axis}0 = fadd {v} #0.0, #1.0
"""
    return f"""\
{held}{_low(v, m, n, axis, f"%held_{axis}")}\
  %around_{axis}0 = fadd {v} %low_{axis}, #0.0
  %around_{axis}1 = fadd {v} %low_{axis}, #1.0
  %weight_{axis}0 = fsub {v} #1.0, %part_{axis}
  %weight_{axis}1 = fadd {v} %part_{axis}, #0.0
"""


def taps_along(way: str, names: Names, axis: str, rank: int) -> str:
    """Text that finds the taps along an axis."""
    v, m, i, n = names.v, names.m, names.i, names.n
    places = "".join(
        f"""\
  %inside_{axis}{tap} = call {m} @is_inside_{n}({v} %around_{axis}{tap}, {v} %size_{axis})
  %place_{axis}{tap} = call {i} @place_{n}({v} %around_{axis}{tap}, {m} %inside_{axis}{tap}, {i} %step_{axis})
"""
        for tap in range(TAPS[way])
    )
    return f"""\
  %at_{axis} = call {v} @position_{n}({v} %point_{axis}, {v} %size_{axis}, i1 %align)
{_around(way, names, axis, rank)}{places}"""


def kept(names: Names, tap: int, taps: Sequence[str]) -> str:
    """Text that keeps a tap, one of each axis: its places, its weights, and masks of all bits where it lies inside."""
    v, m, i = names.v, names.m, names.i
    lines: list[str] = []
    inside, weight, place = (f"%{what}_{taps[0]}" for what in ("inside", "weight", "place"))
    for depth, one in enumerate(taps[1:]):
        name = f"{tap}_{depth}"
        lines.append(f"""\
  %inside_of_{name} = and {m} {inside}, %inside_{one}
  %weight_of_{name} = fmul {v} {weight}, %weight_{one}
  %place_of_{name} = add {i} {place}, %place_{one}
""")
        inside, weight, place = (f"%{what}_of_{name}" for what in ("inside", "weight", "place"))
    lines.append(f"""\
  %slot_{tap} = add i64 %new, {tap * BLOCK}
  %weight_to_{tap} = getelementptr {names.t}, ptr %weights, i64 %slot_{tap}
  store {v} {weight}, ptr %weight_to_{tap}, align 4
  %place_to_{tap} = getelementptr i32, ptr %places, i64 %slot_{tap}
  store {i} {place}, ptr %place_to_{tap}, align 4
  %mask_{tap} = sext {m} {inside} to {names.b}
  %mask_to_{tap} = getelementptr {BITS[names.t]}, ptr %masks, i64 %slot_{tap}
  store {names.b} %mask_{tap}, ptr %mask_to_{tap}, align 4
""")
    return "".join(lines)


def begin_text(names: Names, rank: int, taps: int) -> str:
    """Text that has room for so many taps of a block, and sets how many channels and points there are, and sizes and steps of axes."""
    t, v, axes = names.t, names.v, AXES[-rank:]
    words = {"padding": PADDING, "aligns": ALIGNS, "channels": CHANNELS}
    words |= {f"length_{axis}": FIRST_SIZE + place for place, axis in enumerate(axes)}
    words |= {f"out_{axis}": FIRST_SIZE + rank + place for place, axis in enumerate(axes)}
    of_planes = "" if rank == 3 else "  %length_z = add i64 1, 0\n  %out_z = add i64 1, 0\n"
    lines = [
        f"""\
{load_words(words)}{of_planes}  %weights = alloca {t}, i64 {BLOCK * taps}
  %places = alloca i32, i64 {BLOCK * taps}
  %masks = alloca {BITS[t]}, i64 {BLOCK * taps}
  %align = icmp ne i64 %aligns, 0
  %words_x = add i64 1, 0
  %words_y = add i64 %length_x, 0
  %words_z = mul i64 %length_y, %length_x
  %size = mul i64 %words_z, %length_z
  %out_plane = mul i64 %out_y, %out_x
  %points = mul i64 %out_plane, %out_z
"""
    ]
    for axis in axes:
        lines += [
            f"  %number_{axis} = uitofp i64 %length_{axis} to {t}\n",
            _in_all_lanes(v, t, f"%number_{axis}", f"%size_{axis}"),
            f"  %word_{axis} = trunc i64 %words_{axis} to i32\n",
            _in_all_lanes(names.i, "i32", f"%word_{axis}", f"%step_{axis}"),
        ]
    return "".join(lines)


def in_blocks(names: Names, find: str, of_block: str) -> str:
    """Text that goes over the points of `%image` in blocks, from `%from` on: it finds the taps of each, and uses them."""
    t = names.t
    block = f"""\
  %left = sub i64 %points, %from
  %is_whole = icmp sge i64 %left, {BLOCK}
  %block = select i1 %is_whole, i64 {BLOCK}, i64 %left
  %block_row = add i64 %points_before, %from
{loop("new", "0", "%block", find, step=str(LANES))}{of_block}"""
    return f"""\
  %first_channel = mul i64 %image, %channels
  %pixels_before = mul i64 %first_channel, %size
  %own_pixels = getelementptr {t}, ptr %pixels, i64 %pixels_before
  %values_before = mul i64 %first_channel, %points
  %own_values = getelementptr {t}, ptr %values, i64 %values_before
  %points_before = mul i64 %image, %points
{loop("from", "0", "%points", block, step=str(BLOCK))}"""


def in_channels(names: Names, of_point: str) -> str:
    """Text that does something for each point of a block and each channel, of which it sets `%plane` and `%value_at`."""
    point = f"""\
  %value_place = add i64 %from, %point
  %value_at = getelementptr {names.t}, ptr %line, i64 %value_place
{of_point}"""
    channel = f"""\
  %plane_offset = mul i64 %channel, %size
  %plane = getelementptr {names.t}, ptr %own_pixels, i64 %plane_offset
  %line_offset = mul i64 %channel, %points
  %line = getelementptr {names.t}, ptr %own_values, i64 %line_offset
{loop("point", "0", "%block", point)}"""
    return loop("channel", "0", "%channels", channel)


def read(t: str, tap: int) -> str:
    """Text that sets `%pixel` of a tap to what `%point` reads, 0 outside, and `%weight` to its weight."""
    bits = BITS[t]
    return f"""\
  %its_slot_{tap} = add i64 %point, {tap * BLOCK}
  %its_place_at_{tap} = getelementptr i32, ptr %places, i64 %its_slot_{tap}
  %its_place_{tap} = load i32, ptr %its_place_at_{tap}
  %its_mask_at_{tap} = getelementptr {bits}, ptr %masks, i64 %its_slot_{tap}
  %its_mask_{tap} = load {bits}, ptr %its_mask_at_{tap}
  %its_weight_at_{tap} = getelementptr {t}, ptr %weights, i64 %its_slot_{tap}
  %its_weight_{tap} = load {t}, ptr %its_weight_at_{tap}
  %pixel_at_{tap} = getelementptr {t}, ptr %plane, i32 %its_place_{tap}
  %read_{tap} = load {bits}, ptr %pixel_at_{tap}
  %masked_{tap} = and {bits} %read_{tap}, %its_mask_{tap}
  %pixel_{tap} = bitcast {bits} %masked_{tap} to {t}
"""


def combinations(way: str, rank: int) -> list[tuple[str, ...]]:
    """The taps of a point, each one of every axis."""
    return list(product(*[[f"{axis}{tap}" for tap in range(TAPS[way])] for axis in AXES[-rank:]]))


def helpers(dtype: str) -> str:
    """The functions that texts for a dtype call."""
    one, lanes = Names(dtype, one=True), Names(dtype)
    return one.fill(_ROUNDING + _REFLECTED) + lanes.fill(_ROUNDING + _HELPERS)
