"""LLVM IR of the function behind every native callable: it interprets specialization tables.

Note [The native entry]
`entry` has CPython's vectorcall signature. For each specialization of the callable (see Note [The
table of a specialization]) it checks the arguments and binds symbols; at the first mismatch it goes
on to the next one, after the last, and for keyword arguments, to the slow path, as a tail call.
A specialization may have a Python function in a kernel's place, which then gets the call as it is, or a program that makes views
(`view_table.py`).
One that is in place writes the kernel's result over the first argument, which is what it returns;
other tensors may be on the same bytes, element for element, or share none with it.
A tensor that requires gradients fits where the thread wants none, and where a specialization takes any class of tensors.
The table of one that matches is noted where it says itself. When it has a kernel, the entry

1. calls the sizes function, whose refusal counts as a mismatch;
2. takes references to the input arrays: allocation may run a garbage collection, and while the GIL
   is released anything may happen to the tensors that hold them. It also counts the callable's
   `active` up, so that tables and kernels in use are not freed;
3. makes the outputs, as NumPy does, large ones aligned to a cache line;
4. gives the kernel its scratch buffer, a small one on the stack;
5. runs the kernel: in this thread or on the pool, with the GIL released where the work is large;
   that of a device is launched instead: Note [Launches from native calls] in `device_ir.py`;
6. drops the references and returns a tensor or a tuple. If an allocation failed it drops the
   outputs too and returns NULL, with the error set.

Offsets of CPython's, NumPy's and our own structures are written into the text as numbers; addresses
of functions, types and singletons are external symbols, which the loader resolves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from torchscript_dialect.runtime.native import abi, device_state, pool_ir, table, view_table
from torchscript_dialect.runtime.native import entry_helpers_ir as helpers
from torchscript_dialect.runtime.native.device_ir import DEVICE
from torchscript_dialect.runtime.native.entry_arguments_ir import ARGUMENTS
from torchscript_dialect.runtime.native.view_ir import VIEWS

VECTORCALL, TABLE, NATIVE_CALLS, ACTIVE, STRUCT_SIZE = 16, 24, 32, 40, 48
"""The fields of a native callable."""

ALIGN_FROM = 1 << 20
"""Outputs of so many bytes start at a cache line: it pays where stores go to memory."""
CACHE_LINE = 64
CHUNKS_PER_THREAD = 4
GRAINS_PER_CHUNK = 4
"""Where a grain is more than one unit, fewer are a chunk only if threads would have nothing to do otherwise."""
COLD = "noinline optnone"
"""What takes long anyway is not worth the time of optimizing it."""
STACK_SCRATCH = 32 << 10
"""Scratch buffers of up to so many bytes are on the stack."""
MOST_KEPT = 256 << 20
"""Larger ones are not kept for the next call."""


class Layout(NamedTuple):
    """What the text depends on: offsets in a callable and in a tensor, and how to count."""

    slow_path: int
    tensor_array: int
    tensor_autograd: int
    inline_refcounts: bool


def entry_ir(layout: Layout) -> str:
    """The module's text; it defines `entry`."""
    counting = helpers.INLINE_COUNTING if layout.inline_refcounts else helpers.CALLED_COUNTING
    text = "".join((helpers.DECLARATIONS, counting, helpers.HELPERS, VIEWS, DEVICE, *_ENTRY))
    values: dict[str, object] = {
        **_constants(abi),
        **_constants(table),
        **{name: 8 * getattr(table, name) for name in table.HEADER_FIELDS},
        "ARGUMENTS": 8 * table.HEADER_WORDS,
        "TENSOR_FIXED": 8 * table.TENSOR_FIXED_WORDS,
        "OTHER_SIZE": 8 * table.OTHER_WORDS,
        "VIEWED_SIZE": 8 * table.VIEWED_WORDS,
        "INTS_SIZE": 8 * table.INTS_WORDS,
        "OUTPUT_FIXED": 8 * table.OUTPUT_FIXED_WORDS,
        **{one.name: one.value for one in view_table.Operation},
        "SAME": view_table.SAME,
        "NUMBER": view_table.NUMBER,
        "ELEMENT": view_table.ELEMENT,
        **{f"OF_{one.upper()}": place for place, one in enumerate(view_table.ELEMENTS)},
        "STEP_SIZE": 8 * view_table.STEP_WORDS,
        "MAX_VIEW_WORDS": 2 * table.MAX_RANK,
        "OF_ITS_MEMORY": abi.ALIGNED | abi.WRITEABLE,
        "SLOW_PATH": layout.slow_path,
        "TENSOR_ARRAY": layout.tensor_array,
        "TENSOR_AUTOGRAD": layout.tensor_autograd,
        "BEHAVED": abi.C_CONTIGUOUS | abi.ALIGNED | abi.WRITEABLE,
        **{f"STATE_{name}": 8 * place for place, name in enumerate(device_state.WORDS)},
        "LARGE_LESS": device_state.LARGE - 1,
        "ROUND_SHIFT": device_state.ROUND_SHIFT,
        "PIECE_SHIFT": device_state.PIECE_SHIFT,
        "SMALL_LISTS": device_state.SMALL_LISTS,
        "LISTS": device_state.LISTS,
        "MAX_PARAMETERS": table.MAX_BUFFERS + table.MAX_SYMS,
        "POOL_WANTED": pool_ir.WANTED,
        "POOL_SCRATCH": pool_ir.SCRATCH,
        "MOST_KEPT": MOST_KEPT,
        "TABLE": TABLE,
        "NATIVE_CALLS": NATIVE_CALLS,
        "ACTIVE": ACTIVE,
        "ALIGN_FROM": ALIGN_FROM,
        "CACHE_LINE": CACHE_LINE,
        "CACHE_LINE_END": CACHE_LINE - 1,
        "CHUNKS_PER_THREAD": CHUNKS_PER_THREAD,
        "GRAINS_PER_CHUNK": GRAINS_PER_CHUNK,
        "STACK_SCRATCH": STACK_SCRATCH,
        "COUNT_MASK": (1 << 63) - 1,
        "COLD": COLD,
    }
    return re.sub("<([A-Z_]+[0-9]*)>", lambda found: str(values[found[1]]), text)


def _constants(module: object) -> dict[str, int]:
    values: Mapping[str, object] = vars(module)
    return {k: v for k, v in values.items() if k.isupper() and isinstance(v, int)}


_SPECIALIZATIONS = """
define ptr @entry(ptr %self, ptr %args, i64 %nargsf, ptr %kwnames) nounwind {
start:
  %syms = alloca [<MAX_SYMS> x i64], align 64
  %buffers = alloca [<MAX_BUFFERS> x ptr], align 64
  %arrays = alloca [<MAX_BUFFERS> x ptr], align 64
  %results = alloca [<MAX_BUFFERS> x ptr], align 64
  %dims = alloca [<MAX_RANK> x i64], align 64
  %turned_strides = alloca [<MAX_RANK> x i64], align 64
  %extents = alloca [<MAX_BUFFERS> x i64], align 64
  %overflowed = alloca i32
  %nargs = and i64 %nargsf, <COUNT_MASK>
  %table_at = getelementptr i8, ptr %self, i64 <TABLE>
  %first_spec = load ptr, ptr %table_at
  %positional = icmp eq ptr %kwnames, null
  br i1 %positional, label %spec_head, label %slow

spec_head:
  %spec = phi ptr [ %first_spec, %start ], [ %next_spec, %mismatch ]
  %no_spec = icmp eq ptr %spec, null
  br i1 %no_spec, label %slow, label %try_spec
try_spec:
  %nargs_at = getelementptr i8, ptr %spec, i64 <NARGS>
  %nargs_wanted = load i64, ptr %nargs_at
  %arguments = getelementptr i8, ptr %spec, i64 <ARGUMENTS>
  %nargs_right = icmp eq i64 %nargs, %nargs_wanted
  br i1 %nargs_right, label %arg_head, label %mismatch
mismatch:
  %next_at = getelementptr i8, ptr %spec, i64 <NEXT>
  %next_spec = load ptr, ptr %next_at
  br label %spec_head

"""
"""The entry goes from one specialization to the next."""

_RUN = """all_args:
  %makes_views_at = getelementptr i8, ptr %spec, i64 <MAKES_VIEWS>
  %makes_views = load i64, ptr %makes_views_at
  %no_views = icmp eq i64 %makes_views, 0
  br i1 %no_views, label %kernel_args, label %view_steps
view_steps:
  %as_before = call i1 @run_steps(ptr %spec, ptr %syms)
  br i1 %as_before, label %views, label %mismatch
views:
  %viewed_last_at_at = getelementptr i8, ptr %spec, i64 <LAST_AT>
  %viewed_last_at = load ptr, ptr %viewed_last_at_at
  store ptr %spec, ptr %viewed_last_at
  %viewed_argument = load ptr, ptr %args
  %viewed_first_array = load ptr, ptr %arrays
  %view_answer = call ptr @make_views(ptr %spec, ptr %self, ptr %viewed_argument, ptr %viewed_first_array, ptr %syms)
  ret ptr %view_answer

kernel_args:
  %sizes_function_at = getelementptr i8, ptr %spec, i64 <SIZES>
  %sizes_function = load ptr, ptr %sizes_function_at
  %no_function = icmp eq ptr %sizes_function, null
  br i1 %no_function, label %derived_all, label %derive
derive:
  %derived = call zeroext i1 %sizes_function(ptr %syms, ptr %buffers)
  br i1 %derived, label %derived_all, label %mismatch
derived_all:
  %each_at = getelementptr i8, ptr %spec, i64 <DEVICE_EACH>
  %each = load i64, ptr %each_at
  %on_host = icmp eq i64 %each, 0
  br i1 %on_host, label %here, label %there
there:
  %may_launch = call i1 @may_launch()
  br i1 %may_launch, label %here, label %mismatch
here:
  %in_place_at = getelementptr i8, ptr %spec, i64 <IN_PLACE>
  %in_place = load i64, ptr %in_place_at
  %is_fresh = icmp eq i64 %in_place, 0
  br i1 %is_fresh, label %matched, label %overlap
overlap:
  %separate = call i1 @may_write_first(ptr %buffers, ptr %extents, i64 %tensors)
  br i1 %separate, label %matched, label %mismatch

matched:
  %last_at_at = getelementptr i8, ptr %spec, i64 <LAST_AT>
  %last_at = load ptr, ptr %last_at_at
  store ptr %spec, ptr %last_at
  %function_at = getelementptr i8, ptr %spec, i64 <FUNCTION>
  %function = load ptr, ptr %function_at
  %native = icmp eq ptr %function, null
  br i1 %native, label %count, label %forward
forward:
  %forwarded = tail call ptr @PyObject_Vectorcall(ptr %function, ptr %args, i64 %nargsf, ptr null)
  ret ptr %forwarded
count:
  %active_at = getelementptr i8, ptr %self, i64 <ACTIVE>
  %active = load i64, ptr %active_at
  %active_more = add i64 %active, 1
  store i64 %active_more, ptr %active_at
  br label %hold_head
hold_head:
  %h = phi i64 [ 0, %count ], [ %h_next, %hold ]
  %held_all = icmp eq i64 %h, %tensors
  br i1 %held_all, label %outputs_start, label %hold
hold:
  %hold_at = getelementptr ptr, ptr %arrays, i64 %h
  %held = load ptr, ptr %hold_at
  call void @incref(ptr %held)
  %h_next = add i64 %h, 1
  br label %hold_head

outputs_start:
  %num_outputs_at = getelementptr i8, ptr %spec, i64 <NUM_OUTPUTS>
  %num_outputs = load i64, ptr %num_outputs_at
  %outputs_at = getelementptr i8, ptr %spec, i64 <OUTPUTS_AT>
  %outputs = load ptr, ptr %outputs_at
  br label %output_head
output_head:
  %o = phi i64 [ 0, %outputs_start ], [ %o_next, %output_keep ]
  %output = phi ptr [ %outputs, %outputs_start ], [ %output_next, %output_keep ]
  %outputs_end = icmp eq i64 %o, %num_outputs
  br i1 %outputs_end, label %run, label %output_start
output_start:
  br i1 %is_fresh, label %output_fresh, label %output_first
output_first:
  %first_argument = load ptr, ptr %args
  call void @incref(ptr %first_argument)
  %output_none = getelementptr i8, ptr %output, i64 <OUTPUT_FIXED>
  %first_array = load ptr, ptr %arrays
  br label %output_keep
output_fresh:
  %out_descr = load ptr, ptr %output
  %out_itemsize_at = getelementptr i8, ptr %output, i64 8
  %out_itemsize = load i64, ptr %out_itemsize_at
  %out_rank_at = getelementptr i8, ptr %output, i64 16
  %out_rank = load i64, ptr %out_rank_at
  %out_words = getelementptr i8, ptr %output, i64 <OUTPUT_FIXED>
  %out_turned_at = getelementptr i8, ptr %output, i64 24
  %out_turned = load i64, ptr %out_turned_at
  %out_order = getelementptr i64, ptr %out_words, i64 %out_rank
  %out_order_words = mul i64 %out_turned, %out_rank
  %output_after = getelementptr i64, ptr %out_order, i64 %out_order_words
  br label %out_dim_head
out_dim_head:
  %k = phi i64 [ 0, %output_fresh ], [ %k_next, %out_dim ]
  %out_dims_end = icmp eq i64 %k, %out_rank
  br i1 %out_dims_end, label %out_stride_head, label %out_dim
out_dim:
  %out_word_at = getelementptr i64, ptr %out_words, i64 %k
  %out_size = call i64 @read_dim(ptr %out_word_at, ptr %syms)
  %out_size_at = getelementptr i64, ptr %dims, i64 %k
  store i64 %out_size, ptr %out_size_at
  %k_next = add i64 %k, 1
  br label %out_dim_head
out_stride_head:
  %t = phi i64 [ 0, %out_dim_head ], [ %t_next, %out_stride ]
  %out_step = phi i64 [ %out_itemsize, %out_dim_head ], [ %out_step_next, %out_stride ]
  %out_strides_end = icmp eq i64 %t, %out_order_words
  br i1 %out_strides_end, label %allocate, label %out_stride
out_stride:
  %out_axis_at = getelementptr i64, ptr %out_order, i64 %t
  %out_axis = load i64, ptr %out_axis_at
  %out_stride_at = getelementptr i64, ptr %turned_strides, i64 %out_axis
  store i64 %out_step, ptr %out_stride_at
  %out_dim_at = getelementptr i64, ptr %dims, i64 %out_axis
  %out_dim_size = load i64, ptr %out_dim_at
  %out_step_next = mul i64 %out_step, %out_dim_size
  %t_next = add i64 %t, 1
  br label %out_stride_head
allocate:
  %is_turned = icmp ne i64 %out_turned, 0
  %out_strides = select i1 %is_turned, ptr %turned_strides, ptr null
  br i1 %on_host, label %allocate_here, label %allocate_there
allocate_here:
  %array_here = call ptr @make_array(ptr %out_descr, i64 %out_itemsize, i64 %out_rank, ptr %dims, ptr %out_strides)
  br label %allocated
allocate_there:
  %array_before = load ptr, ptr %arrays
  %array_there = call ptr @make_device_array(ptr %out_descr, i64 %out_itemsize, i64 %out_rank,
      ptr %dims, ptr %out_strides, ptr %array_before)
  br label %allocated
allocated:
  %new_array = phi ptr [ %array_here, %allocate_here ], [ %array_there, %allocate_there ]
  %no_array = icmp eq ptr %new_array, null
  br i1 %no_array, label %failed, label %wrap
wrap:
  %new_tensor = call ptr @PyType_GenericAlloc(ptr @tensor_type, i64 0)
  %no_tensor = icmp eq ptr %new_tensor, null
  br i1 %no_tensor, label %drop_array, label %output_done
drop_array:
  call void @decref(ptr %new_array)
  br label %failed
output_done:
  %new_slot = getelementptr i8, ptr %new_tensor, i64 <TENSOR_ARRAY>
  store ptr %new_array, ptr %new_slot
  %inferring = load i64, ptr @inferring
  %none_infers = icmp eq i64 %inferring, 0
  br i1 %none_infers, label %output_keep, label %output_tell
output_tell:
  %output_told = call i1 @tell(ptr @made, ptr %new_tensor, ptr null, i64 1)
  br i1 %output_told, label %output_keep, label %failed
output_keep:
  %output_next = phi ptr [ %output_none, %output_first ], [ %output_after, %output_done ],
      [ %output_after, %output_tell ]
  %kept_tensor = phi ptr [ %first_argument, %output_first ], [ %new_tensor, %output_done ],
      [ %new_tensor, %output_tell ]
  %kept_array = phi ptr [ %first_array, %output_first ], [ %new_array, %output_done ],
      [ %new_array, %output_tell ]
  %result_at = getelementptr ptr, ptr %results, i64 %o
  store ptr %kept_tensor, ptr %result_at
  %new_data_at = getelementptr i8, ptr %kept_array, i64 <ARRAY_DATA>
  %new_data = load ptr, ptr %new_data_at
  %out_buffer = add i64 %tensors, %o
  %out_buffer_at = getelementptr ptr, ptr %buffers, i64 %out_buffer
  store ptr %new_data, ptr %out_buffer_at
  %o_next = add i64 %o, 1
  br label %output_head

run:
  br i1 %on_host, label %run_here, label %run_there
run_there:
  %all_buffers = add i64 %tensors, %num_outputs
  %launched = call i1 @launch_on_device(ptr %spec, ptr %buffers, i64 %all_buffers, ptr %syms)
  br i1 %launched, label %ran, label %failed
run_here:
  %scratch_at = getelementptr i8, ptr %spec, i64 <SCRATCH>
  %scratch = load i64, ptr %scratch_at
  %no_scratch = icmp eq i64 %scratch, 0
  br i1 %no_scratch, label %run_bare, label %run_with_scratch
run_bare:
  call void @run_kernel(ptr %spec, ptr %buffers, ptr %syms)
  br label %ran
run_with_scratch:
  %scratch_buffer = add i64 %tensors, %num_outputs
  %scratch_place = getelementptr ptr, ptr %buffers, i64 %scratch_buffer
  %had_scratch = call i1 @run_with_scratch(ptr %spec, ptr %buffers, ptr %syms, ptr %scratch_place)
  br i1 %had_scratch, label %ran, label %failed
ran:
  %returns_tuple_at = getelementptr i8, ptr %spec, i64 <RETURNS_TUPLE>
  %returns_tuple = load i64, ptr %returns_tuple_at
  call void @leave(ptr %self, ptr %arrays, i64 %tensors)
  %calls_at = getelementptr i8, ptr %self, i64 <NATIVE_CALLS>
  %calls = load i64, ptr %calls_at
  %calls_more = add i64 %calls, 1
  store i64 %calls_more, ptr %calls_at
  %single = icmp eq i64 %returns_tuple, 0
  br i1 %single, label %return_single, label %make_tuple
return_single:
  %only = load ptr, ptr %results
  ret ptr %only
make_tuple:
  %tuple = call ptr @PyTuple_New(i64 %num_outputs)
  %no_tuple = icmp eq ptr %tuple, null
  br i1 %no_tuple, label %drop_results, label %fill_head
fill_head:
  %f = phi i64 [ 0, %make_tuple ], [ %f_next, %fill ]
  %filled = icmp eq i64 %f, %num_outputs
  br i1 %filled, label %return_tuple, label %fill
fill:
  %from = getelementptr ptr, ptr %results, i64 %f
  %item = load ptr, ptr %from
  %items = getelementptr i8, ptr %tuple, i64 <TUPLE_ITEMS>
  %to = getelementptr ptr, ptr %items, i64 %f
  store ptr %item, ptr %to
  %f_next = add i64 %f, 1
  br label %fill_head
return_tuple:
  ret ptr %tuple
drop_results:
  call void @decref_all(ptr %results, i64 %num_outputs)
  ret ptr null

failed:
  call void @leave(ptr %self, ptr %arrays, i64 %tensors)
  call void @decref_all(ptr %results, i64 %o)
  ret ptr null

slow:
  %slow_at = getelementptr i8, ptr %self, i64 <SLOW_PATH>
  %slow_path = load ptr, ptr %slow_at
  %no_slow = icmp eq ptr %slow_path, null
  %callee = select i1 %no_slow, ptr @no_slow_path, ptr %slow_path
  %answer = tail call ptr @PyObject_Vectorcall(ptr %callee, ptr %args, i64 %nargsf, ptr %kwnames)
  ret ptr %answer
}

; Undoes what a matching specialization held.
define internal void @leave(ptr %self, ptr %arrays, i64 %tensors) alwaysinline nounwind {
  %active_at = getelementptr i8, ptr %self, i64 <ACTIVE>
  %active = load i64, ptr %active_at
  %less = sub i64 %active, 1
  store i64 %less, ptr %active_at
  call void @decref_all(ptr %arrays, i64 %tensors)
  ret void
}
"""
"""What it does with one whose arguments fit."""

_ENTRY = (_SPECIALIZATIONS, ARGUMENTS, _RUN)
