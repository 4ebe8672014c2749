"""Text of LLVM IR of loops that may stand in one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Carried(NamedTuple):
    """What goes from trip to trip of a loop: `%{name}` is `first` in the first one, then what the trip before calls `last`."""

    type: str
    name: str
    first: str
    last: str


def loop(
    index: str,
    first: str,
    end: str,
    body: str,
    carried: Sequence[Carried] = (),
    step: str = "1",
) -> str:
    """Text that does `body` for `%{index}` from `first` on, below `end`; behind it, names of what is carried are what they came to."""
    phis = "".join(
        f"  %{one.name} = phi {one.type} [ {one.first}, %{index}_before ], [ {one.last}, %{index}_end ]\n"
        for one in carried
    )
    return f"""\
  br label %{index}_before
{index}_before:
  br label %{index}_head
{index}_head:
  %{index} = phi i64 [ {first}, %{index}_before ], [ %{index}_next, %{index}_end ]
{phis}  %{index}_goes_on = icmp slt i64 %{index}, {end}
  br i1 %{index}_goes_on, label %{index}_body, label %{index}_after
{index}_body:
{body}  br label %{index}_end
{index}_end:
  %{index}_next = add i64 %{index}, {step}
  br label %{index}_head
{index}_after:
"""


def load_words(words: dict[str, int], source: str = "syms") -> str:
    """Text that sets each name to the word of int64 at its place behind a pointer."""
    return "".join(
        f"  %{name}_word = getelementptr i64, ptr %{source}, i64 {place}\n"
        f"  %{name} = load i64, ptr %{name}_word\n"
        for name, place in words.items()
    )
