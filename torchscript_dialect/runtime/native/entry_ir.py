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


class Layout(NamedTuple):
    """What the text depends on: offsets in a callable and in a tensor, and how to count."""

    slow_path: int
    tensor_array: int
    tensor_autograd: int
    inline_refcounts: bool


def entry_ir(layout: Layout) -> str:
    """The module's text; it defines `entry`."""
    counting = helpers.INLINE_COUNTING if layout.inline_refcounts else helpers.CALLED_COUNTING
    text = "".join((helpers.DECLARATIONS, counting, helpers.HELPERS, VIEWS, DEVICE, _ENTRY))
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


_ENTRY = """
define ptr @entry(ptr %self, ptr %args, i64 %nargsf, ptr %kwnames) nounwind {
start:
  %syms = alloca [<MAX_SYMS> x i64], align 64
  %buffers = alloca [<MAX_BUFFERS> x ptr], align 64
  %arrays = alloca [<MAX_BUFFERS> x ptr], align 64
  %results = alloca [<MAX_BUFFERS> x ptr], align 64
  %dims = alloca [<MAX_RANK> x i64], align 64
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

arg_head:
  %i = phi i64 [ 0, %try_spec ], [ %i_next, %arg_next ]
  %cursor = phi ptr [ %arguments, %try_spec ], [ %cursor_next, %arg_next ]
  %tensors = phi i64 [ 0, %try_spec ], [ %tensors_next, %arg_next ]
  %args_end = icmp eq i64 %i, %nargs
  br i1 %args_end, label %all_args, label %arg
arg:
  %arg_at = getelementptr ptr, ptr %args, i64 %i
  %object = load ptr, ptr %arg_at
  %type_at = getelementptr i8, ptr %object, i64 <OB_TYPE>
  %type = load ptr, ptr %type_at
  %field = getelementptr i8, ptr %cursor, i64 8
  %kind = load i64, ptr %cursor
  switch i64 %kind, label %mismatch [
    i64 <KIND_TENSOR>, label %tensor
    i64 <KIND_WRAPPED>, label %wrapped_tensor
    i64 <KIND_ANY>, label %tensor
    i64 <KIND_THERE>, label %tensor
    i64 <KIND_ANY_THERE>, label %tensor
    i64 <KIND_INT>, label %int
    i64 <KIND_FLOAT>, label %float
    i64 <KIND_BOOL>, label %bool
    i64 <KIND_NONE>, label %none
    i64 <KIND_VIEWED>, label %viewed
    i64 <KIND_INTS>, label %ints
  ]

tensor:
  %wrapped = icmp eq ptr %type, @tensor_type
  br i1 %wrapped, label %unwrap, label %other_type
other_type:
  %tracked = icmp eq ptr %type, @tracked_type
  br i1 %tracked, label %tracked_tensor, label %array_type
tracked_tensor:
  %any_class_here = icmp eq i64 %kind, <KIND_ANY>
  %any_class_there = icmp eq i64 %kind, <KIND_ANY_THERE>
  %any_class = or i1 %any_class_here, %any_class_there
  br i1 %any_class, label %unwrap, label %ask_mode
ask_mode:
  %without_gradients = load i64, ptr @without_gradients
  %this_thread = call i64 @PyThread_get_thread_ident()
  %unwanted = icmp eq i64 %without_gradients, %this_thread
  br i1 %unwanted, label %unwrap, label %mismatch
wrapped_tensor:
  %is_wrapped = icmp eq ptr %type, @tensor_type
  br i1 %is_wrapped, label %unwrap, label %mismatch
unwrap:
  %array_at = getelementptr i8, ptr %object, i64 <TENSOR_ARRAY>
  %inner = load ptr, ptr %array_at
  %empty_slot = icmp eq ptr %inner, null
  br i1 %empty_slot, label %mismatch, label %unwrapped
unwrapped:
  %inner_type_at = getelementptr i8, ptr %inner, i64 <OB_TYPE>
  %inner_type = load ptr, ptr %inner_type_at
  br label %array_type
array_type:
  %array = phi ptr [ %object, %other_type ], [ %inner, %unwrapped ]
  %its_type = phi ptr [ %type, %other_type ], [ %inner_type, %unwrapped ]
  %is_there = icmp uge i64 %kind, <KIND_THERE>
  %array_class = select i1 %is_there, ptr @device_array_type, ptr @ndarray_type
  %is_array = icmp eq ptr %its_type, %array_class
  br i1 %is_array, label %array_descr, label %mismatch
array_descr:
  %descr_at = getelementptr i8, ptr %array, i64 <ARRAY_DESCR>
  %descr = load ptr, ptr %descr_at
  %want_descr_at = getelementptr i8, ptr %cursor, i64 16
  %want_descr = load ptr, ptr %want_descr_at
  %want_descr2_at = getelementptr i8, ptr %cursor, i64 24
  %want_descr2 = load ptr, ptr %want_descr2_at
  %descr_right1 = icmp eq ptr %descr, %want_descr
  %descr_right2 = icmp eq ptr %descr, %want_descr2
  %descr_right = or i1 %descr_right1, %descr_right2
  br i1 %descr_right, label %array_rank, label %mismatch
array_rank:
  %rank_at = getelementptr i8, ptr %array, i64 <ARRAY_ND>
  %rank32 = load i32, ptr %rank_at
  %rank = sext i32 %rank32 to i64
  %want_rank = load i64, ptr %field
  %rank_right = icmp eq i64 %rank, %want_rank
  br i1 %rank_right, label %array_flags, label %mismatch
array_flags:
  %flags_at = getelementptr i8, ptr %array, i64 <ARRAY_FLAGS>
  %flags = load i32, ptr %flags_at
  %want_flags_at = getelementptr i8, ptr %cursor, i64 32
  %want_flags = load i32, ptr %want_flags_at
  %flags_set = and i32 %flags, %want_flags
  %flags_right = icmp eq i32 %flags_set, %want_flags
  br i1 %flags_right, label %array_data, label %mismatch
array_data:
  %data_at = getelementptr i8, ptr %array, i64 <ARRAY_DATA>
  %data = load ptr, ptr %data_at
  %buffer_at = getelementptr ptr, ptr %buffers, i64 %tensors
  store ptr %data, ptr %buffer_at
  %array_kept_at = getelementptr ptr, ptr %arrays, i64 %tensors
  store ptr %array, ptr %array_kept_at
  %sizes_at = getelementptr i8, ptr %array, i64 <ARRAY_DIMS>
  %sizes = load ptr, ptr %sizes_at
  %size_words = getelementptr i8, ptr %cursor, i64 <TENSOR_FIXED>
  %stride_words = getelementptr i64, ptr %size_words, i64 %rank
  %tensors_more = add i64 %tensors, 1
  br label %size_head

size_head:
  %d = phi i64 [ 0, %array_data ], [ %d_next, %size_next ]
  %sizes_end = icmp eq i64 %d, %rank
  br i1 %sizes_end, label %sizes_right, label %size
size:
  %size_word_at = getelementptr i64, ptr %size_words, i64 %d
  %size_word = load i64, ptr %size_word_at
  %size_value_at = getelementptr i64, ptr %sizes, i64 %d
  %size_value = load i64, ptr %size_value_at
  %size_tag = and i64 %size_word, 3
  %size_payload = ashr i64 %size_word, 2
  %size_sym_at = getelementptr i64, ptr %syms, i64 %size_payload
  switch i64 %size_tag, label %size_compare [
    i64 <TAG_CONSTANT>, label %size_constant
    i64 <TAG_BIND>, label %size_bind
  ]
size_constant:
  %size_is_constant = icmp eq i64 %size_value, %size_payload
  br i1 %size_is_constant, label %size_next, label %mismatch
size_bind:
  store i64 %size_value, ptr %size_sym_at
  br label %size_next
size_compare:
  %size_bound = load i64, ptr %size_sym_at
  %size_is_bound = icmp eq i64 %size_value, %size_bound
  br i1 %size_is_bound, label %size_next, label %mismatch
size_next:
  %d_next = add i64 %d, 1
  br label %size_head
sizes_right:
  %strided_at = getelementptr i8, ptr %cursor, i64 48
  %strided = load i64, ptr %strided_at
  switch i64 %strided, label %strides_start [
    i64 <WALKED>, label %arg_next
    i64 <MEASURED>, label %measure
  ]
measure:
  %extent_shift_at = getelementptr i8, ptr %cursor, i64 40
  %extent_shift = load i64, ptr %extent_shift_at
  %extent = call i64 @extent(ptr %sizes, i64 %rank, i64 %extent_shift)
  %extent_at = getelementptr i64, ptr %extents, i64 %tensors
  store i64 %extent, ptr %extent_at
  br label %arg_next

strides_start:
  %strides_at = getelementptr i8, ptr %array, i64 <ARRAY_STRIDES>
  %strides = load ptr, ptr %strides_at
  %shift_at = getelementptr i8, ptr %cursor, i64 40
  %shift = load i64, ptr %shift_at
  %after_strides = getelementptr i64, ptr %stride_words, i64 %rank
  br label %stride_head
stride_head:
  %s = phi i64 [ 0, %strides_start ], [ %s_next, %stride_next ]
  %strides_end = icmp eq i64 %s, %rank
  br i1 %strides_end, label %arg_next, label %stride
stride:
  %stride_word_at = getelementptr i64, ptr %stride_words, i64 %s
  %stride_word = load i64, ptr %stride_word_at
  %stride_bytes_at = getelementptr i64, ptr %strides, i64 %s
  %stride_bytes = load i64, ptr %stride_bytes_at
  %stride_value = ashr i64 %stride_bytes, %shift
  %bytes_again = shl i64 %stride_value, %shift
  %divides = icmp eq i64 %stride_bytes, %bytes_again
  %its_size_at = getelementptr i64, ptr %sizes, i64 %s
  %its_size = load i64, ptr %its_size_at
  %unused = icmp sle i64 %its_size, 1
  %stride_sane = or i1 %divides, %unused
  %stride_tag = and i64 %stride_word, 3
  %stride_payload = ashr i64 %stride_word, 2
  %stride_sym_at = getelementptr i64, ptr %syms, i64 %stride_payload
  br i1 %stride_sane, label %stride_match, label %mismatch
stride_match:
  switch i64 %stride_tag, label %stride_compare [
    i64 <TAG_CONSTANT>, label %stride_constant
    i64 <TAG_BIND>, label %stride_bind
  ]
stride_constant:
  %stride_is_constant = icmp eq i64 %stride_value, %stride_payload
  %stride_constant_right = or i1 %stride_is_constant, %unused
  br i1 %stride_constant_right, label %stride_next, label %mismatch
stride_bind:
  store i64 %stride_value, ptr %stride_sym_at
  br label %stride_next
stride_compare:
  %stride_bound = load i64, ptr %stride_sym_at
  %stride_is_bound = icmp eq i64 %stride_value, %stride_bound
  %stride_bound_right = or i1 %stride_is_bound, %unused
  br i1 %stride_bound_right, label %stride_next, label %mismatch
stride_next:
  %s_next = add i64 %s, 1
  br label %stride_head

int:
  %is_int = icmp eq ptr %type, @PyLong_Type
  br i1 %is_int, label %int_value, label %mismatch
int_value:
  %integer = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %overflowed)
  %overflow = load i32, ptr %overflowed
  %fits = icmp eq i32 %overflow, 0
  br i1 %fits, label %scalar, label %mismatch
float:
  %is_float = icmp eq ptr %type, @PyFloat_Type
  br i1 %is_float, label %float_value, label %mismatch
float_value:
  %float_at = getelementptr i8, ptr %object, i64 <FLOAT_VALUE>
  %float_bits = load i64, ptr %float_at
  br label %scalar
bool:
  %is_true = icmp eq ptr %object, @_Py_TrueStruct
  %is_false = icmp eq ptr %object, @_Py_FalseStruct
  %is_bool = or i1 %is_true, %is_false
  %bool_value = zext i1 %is_true to i64
  br i1 %is_bool, label %scalar, label %mismatch
scalar:
  %number = phi i64 [ %integer, %int_value ], [ %float_bits, %float_value ], [ %bool_value, %bool ]
  %sym = load i64, ptr %field
  %number_at = getelementptr i64, ptr %syms, i64 %sym
  store i64 %number, ptr %number_at
  br label %other_next
none:
  %is_none = icmp eq ptr %object, @_Py_NoneStruct
  br i1 %is_none, label %other_next, label %mismatch
other_next:
  %after_other = getelementptr i8, ptr %cursor, i64 <OTHER_SIZE>
  br label %arg_next

viewed:
  %is_tensor = icmp eq ptr %type, @tensor_type
  br i1 %is_tensor, label %viewed_slot, label %mismatch
viewed_slot:
  %viewed_at = getelementptr i8, ptr %object, i64 <TENSOR_ARRAY>
  %viewed_array = load ptr, ptr %viewed_at
  %viewed_nothing = icmp eq ptr %viewed_array, null
  br i1 %viewed_nothing, label %mismatch, label %viewed_type
viewed_type:
  %viewed_type_at = getelementptr i8, ptr %viewed_array, i64 <OB_TYPE>
  %viewed_its_type = load ptr, ptr %viewed_type_at
  %viewed_is_array = icmp eq ptr %viewed_its_type, @ndarray_type
  %viewed_rank_at = getelementptr i8, ptr %viewed_array, i64 <ARRAY_ND>
  br i1 %viewed_is_array, label %viewed_rank, label %mismatch
viewed_rank:
  %viewed_rank32 = load i32, ptr %viewed_rank_at
  %viewed_ndim = sext i32 %viewed_rank32 to i64
  %viewed_want_rank = load i64, ptr %field
  %viewed_rank_right = icmp eq i64 %viewed_ndim, %viewed_want_rank
  %viewed_descr_at = getelementptr i8, ptr %viewed_array, i64 <ARRAY_DESCR>
  %viewed_descr = load ptr, ptr %viewed_descr_at
  %viewed_want1_at = getelementptr i8, ptr %cursor, i64 16
  %viewed_want1 = load ptr, ptr %viewed_want1_at
  %viewed_want2_at = getelementptr i8, ptr %cursor, i64 24
  %viewed_want2 = load ptr, ptr %viewed_want2_at
  %viewed_descr1 = icmp eq ptr %viewed_descr, %viewed_want1
  %viewed_descr2 = icmp eq ptr %viewed_descr, %viewed_want2
  %viewed_descr_right = or i1 %viewed_descr1, %viewed_descr2
  %viewed_right = and i1 %viewed_rank_right, %viewed_descr_right
  br i1 %viewed_right, label %viewed_sizes, label %mismatch
viewed_sizes:
  %viewed_dims_at = getelementptr i8, ptr %viewed_array, i64 <ARRAY_DIMS>
  %viewed_dims = load ptr, ptr %viewed_dims_at
  %viewed_some = call i1 @all_positive(ptr %viewed_dims, i64 %viewed_ndim)
  br i1 %viewed_some, label %viewed_bind, label %mismatch
viewed_bind:
  %viewed_kept_at = getelementptr ptr, ptr %arrays, i64 %tensors
  store ptr %viewed_array, ptr %viewed_kept_at
  %viewed_first_at = getelementptr i8, ptr %cursor, i64 32
  %viewed_first = load i64, ptr %viewed_first_at
  %viewed_syms = getelementptr i64, ptr %syms, i64 %viewed_first
  %viewed_flags_at = getelementptr i8, ptr %viewed_array, i64 <ARRAY_FLAGS>
  %viewed_flags = load i32, ptr %viewed_flags_at
  %viewed_contiguous32 = and i32 %viewed_flags, <C_CONTIGUOUS>
  %viewed_contiguous = zext i32 %viewed_contiguous32 to i64
  store i64 %viewed_contiguous, ptr %viewed_syms
  %viewed_strides_at = getelementptr i8, ptr %viewed_array, i64 <ARRAY_STRIDES>
  %viewed_strides = load ptr, ptr %viewed_strides_at
  %viewed_size_syms = getelementptr i64, ptr %viewed_syms, i64 1
  %viewed_stride_syms = getelementptr i64, ptr %viewed_size_syms, i64 %viewed_ndim
  %viewed_more = add i64 %tensors, 1
  br label %viewed_head
viewed_head:
  %v = phi i64 [ 0, %viewed_bind ], [ %v_next, %viewed_one ]
  %viewed_end = icmp eq i64 %v, %viewed_ndim
  br i1 %viewed_end, label %viewed_next, label %viewed_one
viewed_one:
  %viewed_size_at = getelementptr i64, ptr %viewed_dims, i64 %v
  %viewed_size = load i64, ptr %viewed_size_at
  %viewed_size_to = getelementptr i64, ptr %viewed_size_syms, i64 %v
  store i64 %viewed_size, ptr %viewed_size_to
  %viewed_stride_at = getelementptr i64, ptr %viewed_strides, i64 %v
  %viewed_stride = load i64, ptr %viewed_stride_at
  %viewed_stride_to = getelementptr i64, ptr %viewed_stride_syms, i64 %v
  store i64 %viewed_stride, ptr %viewed_stride_to
  %v_next = add i64 %v, 1
  br label %viewed_head
viewed_next:
  %after_viewed = getelementptr i8, ptr %cursor, i64 <VIEWED_SIZE>
  br label %arg_next

ints:
  %is_list = icmp eq ptr %type, @PyList_Type
  br i1 %is_list, label %ints_length, label %mismatch
ints_length:
  %length_at = getelementptr i8, ptr %object, i64 <VAR_SIZE>
  %length = load i64, ptr %length_at
  %want_length = load i64, ptr %field
  %length_right = icmp eq i64 %length, %want_length
  br i1 %length_right, label %ints_bind, label %mismatch
ints_bind:
  %ints_first_at = getelementptr i8, ptr %cursor, i64 16
  %ints_first = load i64, ptr %ints_first_at
  %ints_syms = getelementptr i64, ptr %syms, i64 %ints_first
  %are_ints = call i1 @bind_ints(ptr %object, i64 %length, ptr %ints_syms)
  br i1 %are_ints, label %ints_next, label %mismatch
ints_next:
  %after_ints = getelementptr i8, ptr %cursor, i64 <INTS_SIZE>
  br label %arg_next

arg_next:
  %cursor_next = phi ptr [ %stride_words, %sizes_right ], [ %stride_words, %measure ],
      [ %after_strides, %stride_head ], [ %after_other, %other_next ], [ %after_viewed, %viewed_next ],
      [ %after_ints, %ints_next ]
  %tensors_next = phi i64 [ %tensors_more, %sizes_right ], [ %tensors_more, %measure ],
      [ %tensors_more, %stride_head ], [ %tensors, %other_next ], [ %viewed_more, %viewed_next ],
      [ %tensors, %ints_next ]
  %i_next = add i64 %i, 1
  br label %arg_head

all_args:
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
  %output_after = getelementptr i64, ptr %out_words, i64 %out_rank
  br label %out_dim_head
out_dim_head:
  %k = phi i64 [ 0, %output_fresh ], [ %k_next, %out_dim ]
  %out_dims_end = icmp eq i64 %k, %out_rank
  br i1 %out_dims_end, label %allocate, label %out_dim
out_dim:
  %out_word_at = getelementptr i64, ptr %out_words, i64 %k
  %out_size = call i64 @read_dim(ptr %out_word_at, ptr %syms)
  %out_size_at = getelementptr i64, ptr %dims, i64 %k
  store i64 %out_size, ptr %out_size_at
  %k_next = add i64 %k, 1
  br label %out_dim_head
allocate:
  br i1 %on_host, label %allocate_here, label %allocate_there
allocate_here:
  %array_here = call ptr @make_array(ptr %out_descr, i64 %out_itemsize, i64 %out_rank, ptr %dims)
  br label %allocated
allocate_there:
  %array_before = load ptr, ptr %arrays
  %array_there = call ptr @make_device_array(ptr %out_descr, i64 %out_itemsize, i64 %out_rank, ptr %dims, ptr %array_before)
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
