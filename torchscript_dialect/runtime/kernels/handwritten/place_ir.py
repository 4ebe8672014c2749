"""LLVM IR of kernels that read at places which a tensor of int64 names: gather, and whole rows.

Each is a kernel of Note [Kernels] in backend.py. Its sizes function reads the places, too: it refuses calls with one that is out of
range, so that the operator's own kernel says what is wrong. The kernel itself reads the first element there, since another thread may
have written to the places meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator

from torchscript_dialect.runtime.kernels.handwritten.row_ir import load_buffers

MOST_ROWS = 1 << 12
"""Places of rows."""
MOST_GATHERED = 1 << 26
"""Places of elements."""
MAX_RANK = 4
MAX_PLACES_RANK = 3
BYTES = (1, 2, 4, 8, 16)

OUTER, COUNT, INNER, ALONG, DIM, FIRST_SIZE = range(6)
"""Words of `syms`: the product of the sizes before the dimension, the places for each of these, the product of the sizes after it, its
own size; then the operand that says which it is, the sizes of the tensor, and those of the places.
"""


def place_ir() -> str:
    """The module's text; it defines `functions()`."""
    declared = "declare ptr @memcpy(ptr, ptr, i64) nonlazybind\n"
    return declared + "".join(_TEXTS.values())


def functions() -> list[str]:
    """The names of all functions."""
    return list(_TEXTS)


def _load(name: str, word: int) -> str:
    return (
        f"  %{name}_at = getelementptr i64, ptr %syms, i64 {word}\n"
        f"  %{name} = load i64, ptr %{name}_at\n"
    )


_BUFFERS = load_buffers({"from": 0, "places": 1, "into": 2})

_PLACE = """\
  %place_at = getelementptr i64, ptr %places, i64 %k
  %given = load i64, ptr %place_at
  %is_negative = icmp slt i64 %given, 0
  %from_end = add i64 %given, %along
  %counted = select i1 %is_negative, i64 %from_end, i64 %given
  %is_inside = icmp ult i64 %counted, %along
  %place = select i1 %is_inside, i64 %counted, i64 0
  %first = mul i64 %outer, %along
  %line = add i64 %first, %place
"""


def _rows(name: str, bytes_: int) -> str:
    """What lies behind each place, `%inner` elements, one after the other; `%begin` and `%end` count places."""
    return f"""
define void @{name}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
entry:
{_load("count", COUNT)}{_load("inner", INNER)}{_load("along", ALONG)}{_BUFFERS}  %bytes = mul i64 %inner, {bytes_}
  br label %head
head:
  %j = phi i64 [ %begin, %entry ], [ %j_next, %one ]
  %all = icmp sge i64 %j, %end
  br i1 %all, label %out, label %one
one:
  %outer = udiv i64 %j, %count
  %k = urem i64 %j, %count
{_PLACE}  %source_offset = mul i64 %line, %bytes
  %source = getelementptr i8, ptr %from, i64 %source_offset
  %target_offset = mul i64 %j, %bytes
  %target = getelementptr i8, ptr %into, i64 %target_offset
  %copied = call ptr @memcpy(ptr %target, ptr %source, i64 %bytes)
  %j_next = add i64 %j, 1
  br label %head
out:
  ret void
}}
"""


def _gather(name: str, bytes_: int) -> str:
    """An element for each place; `%begin` and `%end` count places. `%start` is where what lies before the dimension starts."""
    kind = f"i{8 * bytes_}"
    align = min(bytes_, 8)
    return f"""
define void @{name}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
entry:
{_load("count", COUNT)}{_load("inner", INNER)}{_load("along", ALONG)}{_BUFFERS}  %step = mul i64 %along, %inner
  %outer = udiv i64 %begin, %count
  %first = mul i64 %outer, %step
  %first_j = urem i64 %begin, %count
  %first_column = urem i64 %first_j, %inner
  br label %head
head:
  %k = phi i64 [ %begin, %entry ], [ %k_next, %one ]
  %start = phi i64 [ %first, %entry ], [ %start_next, %one ]
  %j = phi i64 [ %first_j, %entry ], [ %j_next, %one ]
  %column = phi i64 [ %first_column, %entry ], [ %column_next, %one ]
  %all = icmp sge i64 %k, %end
  br i1 %all, label %out, label %one
one:
  %place_at = getelementptr i64, ptr %places, i64 %k
  %given = load i64, ptr %place_at
  %is_inside = icmp ult i64 %given, %along
  %place = select i1 %is_inside, i64 %given, i64 0
  %line = mul i64 %place, %inner
  %behind = add i64 %line, %column
  %element = add i64 %start, %behind
  %source = getelementptr {kind}, ptr %from, i64 %element
  %x = load {kind}, ptr %source, align {align}
  %target = getelementptr {kind}, ptr %into, i64 %k
  store {kind} %x, ptr %target, align {align}
  %column_more = add i64 %column, 1
  %is_last_column = icmp eq i64 %column_more, %inner
  %column_next = select i1 %is_last_column, i64 0, i64 %column_more
  %j_more = add i64 %j, 1
  %is_last = icmp eq i64 %j_more, %count
  %j_next = select i1 %is_last, i64 0, i64 %j_more
  %start_more = add i64 %start, %step
  %start_next = select i1 %is_last, i64 %start_more, i64 %start
  %k_next = add i64 %k, 1
  br label %head
out:
  ret void
}}
"""


class _Check:
    """The text of a sizes function: values by name, and what must hold of them."""

    def __init__(self, name: str, rank: int, places_rank: int) -> None:
        self.name = name
        self.lines: list[str] = []
        self.holds: list[str] = []
        self.sizes = [self.word(FIRST_SIZE + place) for place in range(rank)]
        self.chosen = [self.word(FIRST_SIZE + rank + place) for place in range(places_rank)]

    def set(self, text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def word(self, word: int) -> str:
        return self.set(f"load i64, ptr {self.set(f'getelementptr i64, ptr %syms, i64 {word}')}")

    def product(self, sizes: list[str]) -> str:
        total = "1"
        for size in sizes:
            total = self.set(f"mul i64 {total}, {size}")
        return total

    def wants(self, comparison: str, one: str, other: str | int) -> None:
        self.holds.append(self.set(f"icmp {comparison} i64 {one}, {other}"))

    def wants_dim(self, dim: int) -> None:
        """The operand names the dimension, counted from either end."""
        given = self.word(DIM)
        is_dim, from_end = (
            self.set(f"icmp eq i64 {given}, {value}") for value in (dim, dim - len(self.sizes))
        )
        self.holds.append(self.set(f"or i1 {is_dim}, {from_end}"))

    def text(
        self, dim: int, before: list[str], places: list[str], *, wraps: bool, most: int = MOST_ROWS
    ) -> str:
        """The function for a dimension, given the sizes of the result before it and those of places there, which are `most` at most."""
        along = self.sizes[dim]
        found = {
            OUTER: self.product(before),
            COUNT: self.product(places),
            INNER: self.product(self.sizes[dim + 1 :]),
            ALONG: along,
        }
        for word, value in found.items():
            at = self.set(f"getelementptr i64, ptr %syms, i64 {word}")
            self.lines.append(f"  store i64 {value}, ptr {at}")
        total = self.product(self.chosen)
        for size in self.chosen:
            self.wants("ule", size, most)
        self.wants("ule", total, most)
        for value in (total, found[OUTER], found[INNER]):
            self.wants("ne", value, 0)
        sound = "true"
        for one in self.holds:
            sound = self.set(f"and i1 {sound}, {one}")
        lowest = self.set(f"sub i64 0, {along}") if wraps else "0"
        highest = self.set(f"sub i64 {along}, 1")
        body = "\n".join(self.lines)
        return f"""
define zeroext i1 @{self.name}(ptr %syms, ptr %buffers) nounwind {{
entry:
{body}
  br i1 {sound}, label %start, label %refuse
start:
  %places_at = getelementptr ptr, ptr %buffers, i64 1
  %places = load ptr, ptr %places_at
  br label %head
head:
  %k = phi i64 [ 0, %start ], [ %k_next, %one ]
  %signs = phi i64 [ 0, %start ], [ %signs_next, %one ]
  %all = icmp sge i64 %k, {total}
  br i1 %all, label %seen, label %one
one:
  %place_at = getelementptr i64, ptr %places, i64 %k
  %place = load i64, ptr %place_at
  %above = sub i64 %place, {lowest}
  %below = sub i64 {highest}, %place
  %sign = or i64 %above, %below
  %signs_next = or i64 %signs, %sign
  %k_next = add i64 %k, 1
  br label %head
seen:
  %fits = icmp sge i64 %signs, 0
  ret i1 %fits
refuse:
  ret i1 false
}}
"""


def _checks() -> Iterator[tuple[str, str]]:
    """The sizes functions by name."""
    for rank in range(1, MAX_RANK + 1):
        for places_rank in range(1, MAX_PLACES_RANK + 1):
            check = _Check(f"index_{rank}_{places_rank}", rank, places_rank)
            yield check.name, check.text(0, [], check.chosen, wraps=True)
        for dim in range(rank):
            check = _Check(f"index_select_{rank}_{dim}", rank, 1)
            check.wants_dim(dim)
            yield check.name, check.text(dim, check.sizes[:dim], check.chosen, wraps=False)
            check = _Check(f"gather_{rank}_{dim}", rank, rank)
            check.wants_dim(dim)
            for place, (size, chosen) in enumerate(zip(check.sizes, check.chosen, strict=True)):
                if place != dim:  # the first of what is before may be less
                    check.wants("eq" if place else "ule", chosen, size)
            before, places = check.chosen[:dim], check.chosen[dim:]
            yield check.name, check.text(dim, before, places, wraps=False, most=MOST_GATHERED)
    for places_rank in range(1, MAX_PLACES_RANK + 1):
        check = _Check(f"embedding_{places_rank}", 2, places_rank)
        yield check.name, check.text(0, [], check.chosen, wraps=False)


def _texts() -> Iterator[tuple[str, str]]:
    """The functions by name."""
    for bytes_ in BYTES:
        yield f"rows_{bytes_}", _rows(f"rows_{bytes_}", bytes_)
        yield f"gather_{bytes_}", _gather(f"gather_{bytes_}", bytes_)
    yield from _checks()


_TEXTS = dict(_texts())
