"""LLVM IR of kernels of rows that linalg has no form for: places of extremes, sums, products and extremes that run, the first of an
order, truth of all.

Each is a kernel of Note [Kernels] in backend.py for a range of rows. But for what runs on, they are for few elements, to which their
sizes functions see: nothing of them is made for vectors. NaN is larger than any number, the first of equals comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

TYPES = {"float32": "float", "float64": "double", "int32": "i32", "int64": "i64"}
SMALL = 1 << 12
"""Elements that the kernels serve."""
MOST = 48
"""Elements of a row that are put in order, which takes time with their number and the length of the row."""
MANY, MOST_STEPS = 1 << 16, 1 << 18
"""Elements from which some are chosen, and that number times those chosen of each row: the steps where they come in the worst order."""
MAX_RANK = 4


LAST, CHOSEN, SORTED, WHOLE, ANY = "last", "chosen", "sorted", "whole", "any"
"""What a row is: the last dimension, or that with so many elements or all in order, or the whole tensor; or the last dimension of
however many elements.
"""
LENGTH, WANTED, FIRST_SIZE = range(3)
"""Words of `syms`: the length of rows, how many elements of each are wanted, and the sizes of the operand."""


def row_ir() -> str:
    """The module's text; it defines `functions()`."""
    declared = "declare ptr @memmove(ptr, ptr, i64) nonlazybind\n"
    return declared + "".join(map(_TEXTS.__getitem__, functions()))


def functions() -> list[str]:
    """The names of all functions."""
    return list(_TEXTS)


def _before(dtype: str, largest: bool, new: str, old: str) -> str:
    """Text that sets `%before`: whether one element comes before another."""
    kind = TYPES[dtype]
    if kind.startswith("i"):
        return f"  %before = icmp {'sgt' if largest else 'slt'} {kind} {new}, {old}\n"
    if largest:  # a number, or NaN where there was none
        return (
            f"  %above = fcmp ugt {kind} {new}, {old}\n  %is_number = fcmp ord {kind} {old}, {old}\n"
            "  %before = and i1 %above, %is_number\n"
        )
    return (
        f"  %below = fcmp ult {kind} {new}, {old}\n  %is_number = fcmp ord {kind} {new}, {new}\n"
        "  %before = and i1 %below, %is_number\n"
    )


def _first_before(dtype: str, largest: bool) -> str:
    """The same for extremes, of which NaN is one in either direction."""
    kind = TYPES[dtype]
    if kind.startswith("i") or largest:
        return _before(dtype, largest, "%x", "%best")
    return (
        f"  %below = fcmp ult {kind} %x, %best\n  %is_number = fcmp ord {kind} %best, %best\n"
        "  %before = and i1 %below, %is_number\n"
    )


def load_buffers(buffers: Mapping[str, int]) -> str:
    """Loads of the buffers of a kernel, by name, from their places in `%buffers`."""
    return "".join(
        f"  %{buffer}_at = getelementptr ptr, ptr %buffers, i64 {place}\n"
        f"  %{buffer} = load ptr, ptr %{buffer}_at\n"
        for buffer, place in buffers.items()
    )


def _over_rows(
    name: str, kind: str, buffers: Mapping[str, int], row: str, after: str = "", before: str = ""
) -> str:
    """A kernel that does for every row what `row` says, from its first element, of type `kind`, at `%source` on, to a branch to
    `%row_end`; and there `after`. `%syms` say `%length`; `before` is done once. The rows are in the first buffer, `buffers` are named.
    """
    return f"""
define void @{name}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
entry:
  %length = load i64, ptr %syms
{before}  %rows = load ptr, ptr %buffers
{load_buffers(buffers)}  br label %row_head
row_head:
  %row = phi i64 [ %begin, %entry ], [ %row_next, %row_end ]
  %all_rows = icmp sge i64 %row, %end
  br i1 %all_rows, label %out, label %row_start
row_start:
  %offset = mul i64 %row, %length
  %source = getelementptr {kind}, ptr %rows, i64 %offset
{row}row_end:
{after}  %row_next = add i64 %row, 1
  br label %row_head
out:
  ret void
}}
"""


def _best_of_row(
    kind: str, begin: int, test: str, flag: str, entry: str = "", each: str = ""
) -> str:
    """Goes along a row from an element on: `%best` is the first, or the last `%x` of which the lines of `test` said in `flag` that it
    takes its place, and `%place` where that stands. `entry` is run before, and `each` for every element.
    """
    return f"""\
  %first = load {kind}, ptr %source
{entry}  br label %head
head:
  %i = phi i64 [ {begin}, %row_start ], [ %i_next, %one ]
  %best = phi {kind} [ %first, %row_start ], [ %best_next, %one ]
  %place = phi i64 [ 0, %row_start ], [ %place_next, %one ]
  %all = icmp sge i64 %i, %length
  br i1 %all, label %row_end, label %one
one:
  %x_at = getelementptr {kind}, ptr %source, i64 %i
  %x = load {kind}, ptr %x_at
{test}  %best_next = select i1 %{flag}, {kind} %x, {kind} %best
  %place_next = select i1 %{flag}, i64 %i, i64 %place
{each}  %i_next = add i64 %i, 1
  br label %head
"""


def _extreme(name: str, dtype: str, largest: bool, with_value: bool) -> str:
    """Where the extreme of each row stands to the last buffer, itself to the one before."""
    kind = TYPES[dtype]
    row = _best_of_row(kind, 1, _first_before(dtype, largest), "before")
    value = f"""\
  %value_at = getelementptr {kind}, ptr %values, i64 %row
  store {kind} %best, ptr %value_at
"""
    place = """\
  %to = getelementptr i64, ptr %places, i64 %row
  store i64 %place, ptr %to
"""
    if with_value:
        return _over_rows(name, kind, {"values": 1, "places": 2}, row, value + place)
    return _over_rows(name, kind, {"places": 1}, row, place)


def _ordered(name: str, dtype: str, largest: bool) -> str:
    """The first elements of each row in order to the second buffer, as many as `%syms[1]` says, and where they stood to the third."""
    kind = TYPES[dtype]
    wanted = """\
  %wanted_at = getelementptr i64, ptr %syms, i64 1
  %wanted = load i64, ptr %wanted_at
"""
    row = f"""\
  %into = mul i64 %row, %wanted
  %sorted = getelementptr {kind}, ptr %values, i64 %into
  %order = getelementptr i64, ptr %places, i64 %into
  br label %head
head:
  %i = phi i64 [ 0, %row_start ], [ %i_next, %next ]
  %found = phi i64 [ 0, %row_start ], [ %found_next, %next ]
  %all = icmp sge i64 %i, %length
  br i1 %all, label %row_end, label %one
one:
  %x_at = getelementptr {kind}, ptr %source, i64 %i
  %x = load {kind}, ptr %x_at
  br label %shift
shift:
  %at = phi i64 [ %found, %one ], [ %left, %move ]
  %is_front = icmp eq i64 %at, 0
  br i1 %is_front, label %put, label %compare
compare:
  %left = sub i64 %at, 1
  %y_at = getelementptr {kind}, ptr %sorted, i64 %left
  %y = load {kind}, ptr %y_at
{_before(dtype, largest, "%x", "%y")}  br i1 %before, label %behind, label %put
behind:
  %fits = icmp slt i64 %at, %wanted
  br i1 %fits, label %copy, label %move
copy:
  %y_to = getelementptr {kind}, ptr %sorted, i64 %at
  store {kind} %y, ptr %y_to
  %p_from = getelementptr i64, ptr %order, i64 %left
  %p = load i64, ptr %p_from
  %p_to = getelementptr i64, ptr %order, i64 %at
  store i64 %p, ptr %p_to
  br label %move
move:
  br label %shift
put:
  %room = icmp slt i64 %at, %wanted
  br i1 %room, label %store, label %next
store:
  %x_to = getelementptr {kind}, ptr %sorted, i64 %at
  store {kind} %x, ptr %x_to
  %i_to = getelementptr i64, ptr %order, i64 %at
  store i64 %i, ptr %i_to
  br label %next
next:
  %more = add i64 %found, 1
  %is_full = icmp sge i64 %found, %wanted
  %found_next = select i1 %is_full, i64 %found, i64 %more
  %i_next = add i64 %i, 1
  br label %head
"""
    return _over_rows(name, kind, {"values": 1, "places": 2}, row, before=wanted)


def _longest_run(name: str, dtype: str) -> str:
    """The last element, and what stands beside it, of the first of the longest runs of equal elements in each row."""
    kind = TYPES[dtype]
    differs = "icmp ne" if kind.startswith("i") else "fcmp une"
    row = f"""\
  %first = load {kind}, ptr %source
  br label %head
head:
  %i = phi i64 [ 1, %row_start ], [ %i_next, %one ]
  %last = phi {kind} [ %first, %row_start ], [ %x, %one ]
  %run = phi i64 [ 1, %row_start ], [ %run_next, %one ]
  %longest = phi i64 [ 1, %row_start ], [ %longest_next, %one ]
  %ending = phi i64 [ 0, %row_start ], [ %ending_next, %one ]
  %all = icmp sge i64 %i, %length
  br i1 %all, label %row_end, label %one
one:
  %x_at = getelementptr {kind}, ptr %source, i64 %i
  %x = load {kind}, ptr %x_at
  %begins = {differs} {kind} %x, %last
  %more = add i64 %run, 1
  %run_next = select i1 %begins, i64 1, i64 %more
  %is_longer = icmp sgt i64 %run_next, %longest
  %longest_next = select i1 %is_longer, i64 %run_next, i64 %longest
  %ending_next = select i1 %is_longer, i64 %i, i64 %ending
  %i_next = add i64 %i, 1
  br label %head
"""
    after = f"""\
  %value_at = getelementptr {kind}, ptr %source, i64 %ending
  %value = load {kind}, ptr %value_at
  %value_to = getelementptr {kind}, ptr %values, i64 %row
  store {kind} %value, ptr %value_to
  %beside = add i64 %offset, %ending
  %place_at = getelementptr i64, ptr %order, i64 %beside
  %place = load i64, ptr %place_at
  %place_to = getelementptr i64, ptr %places, i64 %row
  store i64 %place, ptr %place_to
"""
    return _over_rows(name, kind, {"order": 1, "values": 2, "places": 3}, row, after)


def _running(name: str, dtype: str, combine: str, first: int) -> str:
    """The sums or products of each row up to every element, which begin with `first`; of float32 they run on in float64."""
    kind = TYPES[dtype]
    is_int = kind.startswith("i")
    wide, given = ("i64", "i64") if is_int else ("double", kind)
    operation, start = (combine, f"{first}") if is_int else (f"f{combine}", f"{first}.0")
    widen, narrow = {
        "i32": ("sext i32 %raw to i64", "bitcast i64 %total_next to i64"),
        "float": ("fpext float %raw to double", "fptrunc double %total_next to float"),
    }.get(kind, (f"bitcast {kind} %raw to {kind}", f"bitcast {kind} %total_next to {kind}"))
    row = f"""\
  %target = getelementptr {given}, ptr %totals, i64 %offset
  br label %head
head:
  %i = phi i64 [ 0, %row_start ], [ %i_next, %one ]
  %total = phi {wide} [ {start}, %row_start ], [ %total_next, %one ]
  %all = icmp sge i64 %i, %length
  br i1 %all, label %row_end, label %one
one:
  %x_at = getelementptr {kind}, ptr %source, i64 %i
  %raw = load {kind}, ptr %x_at
  %x = {widen}
  %total_next = {operation} {wide} %total, %x
  %result = {narrow}
  %to = getelementptr {given}, ptr %target, i64 %i
  store {given} %result, ptr %to
  %i_next = add i64 %i, 1
  br label %head
"""
    return _over_rows(name, kind, {"totals": 1}, row)


def _running_extreme(name: str, dtype: str, largest: bool) -> str:
    """The extremes of each row up to every element, and where they stand: of equal ones the last, NaN before all others."""
    kind = TYPES[dtype]
    if kind.startswith("i"):
        reaches = f"  %reaches = icmp {'sge' if largest else 'sle'} {kind} %x, %best\n"
    else:
        reaches = (
            f"  %is_as_good = fcmp {'oge' if largest else 'ole'} {kind} %x, %best\n"
            f"  %is_missing = fcmp uno {kind} %x, %x\n"
            "  %reaches = or i1 %is_as_good, %is_missing\n"
        )
    entry = f"""\
  %row_values = getelementptr {kind}, ptr %values, i64 %offset
  %row_places = getelementptr i64, ptr %places, i64 %offset
"""
    each = f"""\
  %value_to = getelementptr {kind}, ptr %row_values, i64 %i
  store {kind} %best_next, ptr %value_to
  %place_to = getelementptr i64, ptr %row_places, i64 %i
  store i64 %place_next, ptr %place_to
"""
    row = _best_of_row(kind, 0, reaches, "reaches", entry, each)
    return _over_rows(name, kind, {"values": 1, "places": 2}, row)


def _truth(name: str, combine: str) -> str:
    """Whether any or all bytes of each row are true."""
    start = int(combine == "and")
    row = f"""\
  br label %head
head:
  %i = phi i64 [ 0, %row_start ], [ %i_next, %one ]
  %found = phi i8 [ {start}, %row_start ], [ %found_next, %one ]
  %all = icmp sge i64 %i, %length
  br i1 %all, label %row_end, label %one
one:
  %x_at = getelementptr i8, ptr %source, i64 %i
  %x = load i8, ptr %x_at
  %true = icmp ne i8 %x, 0
  %bit = zext i1 %true to i8
  %found_next = {combine} i8 %found, %bit
  %i_next = add i64 %i, 1
  br label %head
"""
    after = """\
  %to = getelementptr i8, ptr %into, i64 %row
  store i8 %found, ptr %to
"""
    return _over_rows(name, "i8", {"into": 1}, row, after)


def _copy(name: str, bytes_: int) -> str:
    """Elements of the second buffer to the third, of so many bytes each; `%begin` and `%end` count elements."""
    return f"""
define void @{name}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
  %from_at = getelementptr ptr, ptr %buffers, i64 1
  %from = load ptr, ptr %from_at
  %to_at = getelementptr ptr, ptr %buffers, i64 2
  %to = load ptr, ptr %to_at
  %offset = mul i64 %begin, {bytes_}
  %count = sub i64 %end, %begin
  %bytes = mul i64 %count, {bytes_}
  %source = getelementptr i8, ptr %from, i64 %offset
  %target = getelementptr i8, ptr %to, i64 %offset
  %copied = call ptr @memmove(ptr %target, ptr %source, i64 %bytes)
  ret void
}}
"""


def _small(name: str, rank: int, row: str) -> str:
    """The sizes function for so many sizes: whether there are elements, and few, and no more are wanted of a row than it has."""
    most = {ANY: 1 << 62, CHOSEN: MANY}.get(row, SMALL)
    lines = [f"define zeroext i1 @{name}(ptr %syms) nounwind {{", "entry:"]
    total = "1"
    holds = "true"
    for place in range(rank):
        lines += [
            f"  %at{place} = getelementptr i64, ptr %syms, i64 {FIRST_SIZE + place}",
            f"  %size{place} = load i64, ptr %at{place}",
            f"  %few{place} = icmp ule i64 %size{place}, {most}",
            f"  %holds{place} = and i1 {holds}, %few{place}",
            f"  %total{place} = mul i64 {total}, %size{place}",
        ]
        total, holds = f"%total{place}", f"%holds{place}"
    length = total if row == WHOLE else f"%size{rank - 1}"
    lines += [
        f"  store i64 {length}, ptr %syms",
        f"  %wanted_at = getelementptr i64, ptr %syms, i64 {WANTED}",
        *([] if row == CHOSEN else [f"  store i64 {length}, ptr %wanted_at"]),
        "  %wanted = load i64, ptr %wanted_at",
        f"  %enough = icmp ule i64 %wanted, {length}",
        f"  %less = sub i64 {total}, 1",
        f"  %brief = icmp ule i64 %wanted, {MOST if row in (CHOSEN, SORTED) else most}",
        f"  %some = icmp ult i64 %less, {most}",
        "  %sound = and i1 %some, %enough",
        "  %quick = and i1 %sound, %brief",
        f"  %steps = mul i64 {total}, {'%wanted' if row == CHOSEN else 1}",
        f"  %soon = icmp ule i64 %steps, {MOST_STEPS if row == CHOSEN else most}",
        "  %swift = and i1 %quick, %soon",
        f"  %fine = and i1 %swift, {holds}",
        "  ret i1 %fine",
        "}",
        "",
    ]
    return "\n".join(lines)


def _texts() -> Iterator[tuple[str, str]]:
    """The functions by name."""
    for dtype, largest in product(TYPES, (True, False)):
        kind = f"{'max' if largest else 'min'}_{dtype}"
        for name, with_value in ((f"extreme_{kind}", True), (f"place_{kind}", False)):
            yield name, _extreme(name, dtype, largest, with_value)
        yield f"ordered_{kind}", _ordered(f"ordered_{kind}", dtype, largest)
        yield f"running_{kind}", _running_extreme(f"running_{kind}", dtype, largest)
    for dtype in TYPES:
        yield f"run_{dtype}", _longest_run(f"run_{dtype}", dtype)
        yield f"sum_{dtype}", _running(f"sum_{dtype}", dtype, "add", 0)
        yield f"product_{dtype}", _running(f"product_{dtype}", dtype, "mul", 1)
    for name, combine in (("any", "or"), ("all", "and")):
        yield name, _truth(name, combine)
    for bytes_ in (1, 2, 4, 8, 16):
        yield f"copy_{bytes_}", _copy(f"copy_{bytes_}", bytes_)
    for rank, row in product(range(1, MAX_RANK + 1), (LAST, CHOSEN, SORTED, WHOLE, ANY)):
        yield f"small_{row}_{rank}", _small(f"small_{row}_{rank}", rank, row)


_TEXTS = dict(_texts())
