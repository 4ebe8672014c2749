"""LLVM IR of images sampled at the points of a grid: `grid_ir` gives the module's text, which defines `FUNCTIONS`.

Each is a kernel of Note [Kernels] in backend.py for a range of images: of pixels (images, channels, sizes) and grid (images, points,
rank) it makes values (images, channels, points). Of `BLOCK` points it finds the taps, and then adds up what they read of each channel.
"""

from __future__ import annotations

from torchscript_dialect.runtime.kernels.handwritten.grid_points_ir import (
    AXES,
    FORMS,
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

FUNCTIONS = tuple(f"{way}_{rank}_{dtype}" for way, rank, dtype in FORMS)


def _sum(t: str, count: int) -> str:
    """Text that writes the sum over so many taps of `%point`."""
    lines: list[str] = []
    total = "0.0"
    for tap in range(count):
        lines.append(f"""\
{read(t, tap)}  %part_{tap} = fmul {t} %pixel_{tap}, %its_weight_{tap}
  %sum_{tap} = fadd {t} {total}, %part_{tap}
""")
        total = f"%sum_{tap}"
    return "".join(lines) + f"  store {t} {total}, ptr %value_at\n"


def _kernel(way: str, rank: int, dtype: str) -> str:
    names, axes, taps = Names(dtype), AXES[-rank:], combinations(way, rank)
    find = [points_of(names, axes), *(taps_along(way, names, axis, rank) for axis in axes)]
    find += [kept(names, tap, one) for tap, one in enumerate(taps)]
    of_block = in_channels(names, _sum(names.t, len(taps)))
    return names.constants(f"""
define void @{way}_{rank}_{dtype}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
entry:
{load_buffers({"pixels": 0, "grid": 1, "values": 2})}{begin_text(names, rank, len(taps))}\
{loop("image", "%begin", "%end", in_blocks(names, "".join(find), of_block))}  ret void
}}
""")


def grid_ir() -> str:
    """The module's text."""
    return "".join((*map(helpers, TYPES), *(_kernel(*form) for form in FORMS)))
