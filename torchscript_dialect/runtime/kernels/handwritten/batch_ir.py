"""LLVM IR of products of batches of small matrices, for which BLAS takes longer to begin than to multiply.

Each is a kernel of Note [Kernels] in backend.py for a range of the batch; `syms` are its size, the rows, the depth and the columns.
"""

from __future__ import annotations

TYPES = {"float32": "float", "float64": "double"}
MOST = 1 << 11
"""Multiplications of a call."""


def batch_ir() -> str:
    """The module's text; it defines `functions()`."""
    return _FITS + "".join(_product(f"product_{dtype}", kind) for dtype, kind in TYPES.items())


def functions() -> list[str]:
    """The names of all functions."""
    return ["fits", *(f"product_{dtype}" for dtype in TYPES)]


_SIZES = "".join(
    f"  %{name}_at = getelementptr i64, ptr %syms, i64 {word}\n"
    f"  %{name} = load i64, ptr %{name}_at\n"
    for word, name in enumerate(("batch", "rows", "depth", "columns"))
)

_FITS = f"""
define zeroext i1 @fits(ptr %syms, ptr %buffers) nounwind {{
{_SIZES}  %highest1 = call i64 @llvm.umax.i64(i64 %batch, i64 %rows)
  %highest2 = call i64 @llvm.umax.i64(i64 %depth, i64 %columns)
  %highest = call i64 @llvm.umax.i64(i64 %highest1, i64 %highest2)
  %none_large = icmp ule i64 %highest, {MOST}
  %lines = mul i64 %batch, %rows
  %sums = mul i64 %lines, %columns
  %steps = mul i64 %sums, %depth
  %before = sub i64 %steps, 1
  %few = icmp ult i64 %before, {MOST}
  %fits = and i1 %none_large, %few
  ret i1 %fits
}}
declare i64 @llvm.umax.i64(i64, i64)
"""


def _product(name: str, kind: str) -> str:
    """Each element is the sum of products in the order of the depth."""
    return f"""
define void @{name}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
entry:
{_SIZES}  %left = load ptr, ptr %buffers
  %right_at = getelementptr ptr, ptr %buffers, i64 1
  %right = load ptr, ptr %right_at
  %into_at = getelementptr ptr, ptr %buffers, i64 2
  %into = load ptr, ptr %into_at
  %matrix = mul i64 %depth, %columns
  %first_line = mul i64 %begin, %rows
  %last_line = mul i64 %end, %rows
  br label %line_head
line_head:
  %line = phi i64 [ %first_line, %entry ], [ %line_next, %line_end ]
  %all_lines = icmp sge i64 %line, %last_line
  br i1 %all_lines, label %out, label %line_start
line_start:
  %one = udiv i64 %line, %rows
  %right_offset = mul i64 %one, %matrix
  %b = getelementptr {kind}, ptr %right, i64 %right_offset
  %left_offset = mul i64 %line, %depth
  %a = getelementptr {kind}, ptr %left, i64 %left_offset
  %into_offset = mul i64 %line, %columns
  %c = getelementptr {kind}, ptr %into, i64 %into_offset
  br label %column_head
column_head:
  %column = phi i64 [ 0, %line_start ], [ %column_next, %column_end ]
  %all_columns = icmp sge i64 %column, %columns
  br i1 %all_columns, label %line_end, label %head
head:
  %k = phi i64 [ 0, %column_head ], [ %k_next, %step ]
  %place = phi i64 [ %column, %column_head ], [ %place_next, %step ]
  %sum = phi {kind} [ 0.0, %column_head ], [ %sum_next, %step ]
  %all = icmp sge i64 %k, %depth
  br i1 %all, label %column_end, label %step
step:
  %x_at = getelementptr {kind}, ptr %a, i64 %k
  %x = load {kind}, ptr %x_at
  %y_at = getelementptr {kind}, ptr %b, i64 %place
  %y = load {kind}, ptr %y_at
  %product = fmul {kind} %x, %y
  %sum_next = fadd {kind} %sum, %product
  %place_next = add i64 %place, %columns
  %k_next = add i64 %k, 1
  br label %head
column_end:
  %to = getelementptr {kind}, ptr %c, i64 %column
  store {kind} %sum, ptr %to
  %column_next = add i64 %column, 1
  br label %column_head
line_end:
  %line_next = add i64 %line, 1
  br label %line_head
out:
  ret void
}}
"""
