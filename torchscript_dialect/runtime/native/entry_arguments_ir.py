"""LLVM IR of the part of the native entry that checks the arguments of a call and binds symbols. A template, as the other helpers.

It comes from `%try_spec` with a specialization, whose `%arguments` it walks (Note [The table of a specialization] in `table.py`), and
goes on to `%mismatch` or, with `%tensors`, `%arrays`, `%buffers`, `%extents` and `%syms` filled, to `%all_args`.
"""

ARGUMENTS = """arg_head:
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

"""
