"""Launches of one kernel on many arrays, in one native call."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

from torchscript_dialect.runtime.native import abi
from torchscript_dialect.runtime.native.runtime_blob import load_runtime_code
from torchscript_dialect.runtime.native.thread_pool import thread_pool

WORDS = 4
"""Words of a launch: the addresses of its buffers and of its words for sizes, the range, and the size of chunks."""

_TEXT = f"""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
define void @run_each(ptr %run, ptr %kernel, ptr %launches, i64 %count, ptr %arrays, ptr %numbers, i64 %first, i64 %bytes) nounwind {{
entry:
  %none = icmp slt i64 %count, 1
  br i1 %none, label %out, label %each
each:
  %number = phi i64 [ 0, %entry ], [ %next, %each ]
  %offset = mul i64 %number, 4
  %buffers_at = getelementptr i64, ptr %launches, i64 %offset
  %syms_at = getelementptr i64, ptr %buffers_at, i64 1
  %total_at = getelementptr i64, ptr %buffers_at, i64 2
  %chunk_at = getelementptr i64, ptr %buffers_at, i64 3
  %buffers = load ptr, ptr %buffers_at
  %syms = load ptr, ptr %syms_at
  %total = load i64, ptr %total_at
  %chunk = load i64, ptr %chunk_at
  %array_at = getelementptr ptr, ptr %arrays, i64 %number
  %array = load ptr, ptr %array_at
  %data_at = getelementptr i8, ptr %array, i64 {abi.ARRAY_DATA}
  %data = load ptr, ptr %data_at
  %second = getelementptr ptr, ptr %buffers, i64 1
  store ptr %data, ptr %second
  %numbers_at = getelementptr i64, ptr %syms, i64 %first
  call void @llvm.memcpy.p0.p0.i64(ptr %numbers_at, ptr %numbers, i64 %bytes, i1 false)
  call void %run(ptr %kernel, ptr %buffers, ptr %syms, i64 %total, i64 %chunk, i1 zeroext true)
  %next = add i64 %number, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %each, label %out
out:
  ret void
}}
"""


@cache
def run_each() -> Callable[[int, int, int, int, int, int, int, int], None]:
    """What runs the kernel at the second address for so many launches, whose words are at the third; the first is the pool's `run`.
    At the fifth are the addresses of NumPy's arrays, one a launch, whose memory is the second buffer, at the sixth words that all
    launches have in common, from which on, and how many bytes.

    NativeUnavailable where it cannot be had.
    """
    thread_pool()
    code = load_runtime_code("launches", lambda: _TEXT, functions=["run_each"])
    pointers = [ctypes.c_void_p] * 3
    others = [ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]
    return ctypes.CFUNCTYPE(None, *pointers, *others)(code.address("run_each"))
