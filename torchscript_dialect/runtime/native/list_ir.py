"""LLVM IR of what reads long lists of numbers: `LIST_IR` is the module's text, which defines `FUNCTIONS`."""

from __future__ import annotations

from torchscript_dialect.runtime.native.abi import FLOAT_VALUE, LIST_ITEMS, OB_TYPE, VAR_SIZE

FUNCTIONS = ("read_ints", "read_floats")


def _reader(name: str, class_: str, read: str) -> str:
    """A function that says whether all items are of a very class, and fit; where `words` is not NULL it writes them there."""
    return f"""
define i32 @{name}(ptr %list, ptr %words) nounwind {{
entry:
  %overflowed = alloca i32
  %length_at = getelementptr i8, ptr %list, i64 {VAR_SIZE}
  %length = load i64, ptr %length_at
  %items_at = getelementptr i8, ptr %list, i64 {LIST_ITEMS}
  %items = load ptr, ptr %items_at
  %only_looks = icmp eq ptr %words, null
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i_next, %next ]
  %end = icmp eq i64 %i, %length
  br i1 %end, label %out, label %one
one:
  %item_at = getelementptr ptr, ptr %items, i64 %i
  %item = load ptr, ptr %item_at
  %class_at = getelementptr i8, ptr %item, i64 {OB_TYPE}
  %class = load ptr, ptr %class_at
  %is_number = icmp eq ptr %class, @{class_}
  br i1 %is_number, label %read, label %out
read:
{read}
  br i1 %fits, label %write, label %out
write:
  br i1 %only_looks, label %next, label %store
store:
  %word_at = getelementptr i64, ptr %words, i64 %i
  store i64 %number, ptr %word_at
  br label %next
next:
  %i_next = add i64 %i, 1
  br label %head
out:
  %all = phi i32 [ 1, %head ], [ 0, %one ], [ 0, %read ]
  ret i32 %all
}}
"""


_INT = """\
  %number = call i64 @PyLong_AsLongLongAndOverflow(ptr %item, ptr %overflowed)
  %overflow = load i32, ptr %overflowed
  %fits = icmp eq i32 %overflow, 0"""
_FLOAT = f"""\
  %number_at = getelementptr i8, ptr %item, i64 {FLOAT_VALUE}
  %number = load i64, ptr %number_at
  %fits = icmp eq i32 0, 0"""

LIST_IR = f"""
@PyLong_Type = external global i8
@PyFloat_Type = external global i8
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr) nonlazybind
{_reader("read_ints", "PyLong_Type", _INT)}{_reader("read_floats", "PyFloat_Type", _FLOAT)}"""
