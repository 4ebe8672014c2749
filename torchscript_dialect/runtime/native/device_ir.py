"""LLVM IR of what the native entry does for kernels of a device: Note [Launches from native calls]. A template, as the other helpers.

Note [Launches from native calls]
A kernel of a device is launched by the thread whose context is current, into the default stream; any other call is a mismatch. Results
are on blocks of the allocator, of whose lists of free ones `device_state` has one for each size (`device_state.py`); if that is empty,
the allocator is asked. The parameters of a launch are the addresses of buffers, then the words. Where the driver refuses, a function of
the kernel raises the error.
"""

DEVICE = """
@device_array_type = external global i8
@device_state = external global i8

; Whether this thread may launch kernels, into the default stream.
define internal i1 @may_launch() nounwind {
  %thread_at = getelementptr i8, ptr @device_state, i64 <STATE_THREAD>
  %wanted = load i64, ptr %thread_at
  %own = call i64 @PyThread_get_thread_ident()
  %stream_at = getelementptr i8, ptr @device_state, i64 <STATE_STREAM>
  %stream = load i64, ptr %stream_at
  %allocate_at = getelementptr i8, ptr @device_state, i64 <STATE_ALLOCATE>
  %allocate = load i64, ptr %allocate_at
  %is_thread = icmp eq i64 %wanted, %own
  %is_default = icmp eq i64 %stream, 0
  %is_served = icmp ne i64 %allocate, 0
  %may_there = and i1 %is_thread, %is_default
  %may = and i1 %may_there, %is_served
  ret i1 %may
}

; A block of at least so many bytes; NULL with an error set.
define internal ptr @take_block(i64 %bytes) nounwind {
entry:
  %less = sub i64 %bytes, 1
  %is_small = icmp ult i64 %less, <LARGE_LESS>
  br i1 %is_small, label %small, label %large
small:
  %units = lshr i64 %less, <ROUND_SHIFT>
  br label %find
large:
  %nothing = icmp eq i64 %bytes, 0
  %pieces = lshr i64 %less, <PIECE_SHIFT>
  %place_of_large = add i64 %pieces, <SMALL_LISTS>
  %place_of_any = select i1 %nothing, i64 0, i64 %place_of_large
  %is_listed = icmp ult i64 %place_of_any, <LISTS>
  br i1 %is_listed, label %find, label %ask
find:
  %place = phi i64 [ %units, %small ], [ %place_of_any, %large ]
  %lists = getelementptr i8, ptr @device_state, i64 <STATE_LISTS>
  %list_at = getelementptr ptr, ptr %lists, i64 %place
  %list = load ptr, ptr %list_at
  %no_list = icmp eq ptr %list, null
  br i1 %no_list, label %ask, label %look
look:
  %length_at = getelementptr i8, ptr %list, i64 <VAR_SIZE>
  %length = load i64, ptr %length_at
  %is_empty = icmp eq i64 %length, 0
  br i1 %is_empty, label %ask, label %pop
pop:
  %last = sub i64 %length, 1
  store i64 %last, ptr %length_at
  %items_at = getelementptr i8, ptr %list, i64 <LIST_ITEMS>
  %items = load ptr, ptr %items_at
  %item_at = getelementptr ptr, ptr %items, i64 %last
  %memory = load ptr, ptr %item_at
  %block_type_at = getelementptr i8, ptr @device_state, i64 <STATE_BLOCK_TYPE>
  %block_type = load ptr, ptr %block_type_at
  %block = call ptr @PyType_GenericAlloc(ptr %block_type, i64 0)
  %no_block = icmp eq ptr %block, null
  br i1 %no_block, label %drop, label %hold
drop:
  call void @decref(ptr %memory)
  br label %out
hold:
  %slot_at = getelementptr i8, ptr @device_state, i64 <STATE_BLOCK_MEMORY>
  %slot = load i64, ptr %slot_at
  %memory_at = getelementptr i8, ptr %block, i64 %slot
  store ptr %memory, ptr %memory_at
  %size_number_at = getelementptr i8, ptr @device_state, i64 <STATE_MEMORY_SIZE>
  %size = call i64 @number_in(ptr %memory, ptr %size_number_at)
  %counts_at = getelementptr i8, ptr @device_state, i64 <STATE_COUNTS>
  %allocated_at = load ptr, ptr %counts_at
  %allocated = load i64, ptr %allocated_at
  %more = add i64 %allocated, %size
  store i64 %more, ptr %allocated_at
  %peak_at = getelementptr i8, ptr %allocated_at, i64 8
  %peak = load i64, ptr %peak_at
  %new_peak = call i64 @llvm.umax.i64(i64 %peak, i64 %more)
  store i64 %new_peak, ptr %peak_at
  br label %out
ask:
  %allocate_at = getelementptr i8, ptr @device_state, i64 <STATE_ALLOCATE>
  %allocate = load ptr, ptr %allocate_at
  %asked = call ptr @call_with_number(ptr %allocate, i64 %bytes)
  br label %out
out:
  %found = phi ptr [ null, %drop ], [ %block, %hold ], [ %asked, %ask ]
  ret ptr %found
}

; What a Python function gives for a number; NULL with an error set.
define internal ptr @call_with_number(ptr %function, i64 %number) nounwind <COLD> {
  %arguments = alloca ptr
  %int = call ptr @PyLong_FromLongLong(i64 %number)
  %no_int = icmp eq ptr %int, null
  br i1 %no_int, label %failed, label %made
made:
  store ptr %int, ptr %arguments
  %answer = call ptr @PyObject_Vectorcall(ptr %function, ptr %arguments, i64 1, ptr null)
  call void @Py_DecRef(ptr %int)
  ret ptr %answer
failed:
  ret ptr null
}

; The int in the slot of an object whose offset is in a word.
define internal i64 @number_in(ptr %object, ptr %offset_at) alwaysinline nounwind {
  %overflowed = alloca i32
  %offset = load i64, ptr %offset_at
  %slot = getelementptr i8, ptr %object, i64 %offset
  %int = load ptr, ptr %slot
  %number = call i64 @PyLong_AsLongLongAndOverflow(ptr %int, ptr %overflowed)
  ret i64 %number
}

; Where the memory of a block is.
define internal i64 @address_of(ptr %block) alwaysinline nounwind {
  %slot_at = getelementptr i8, ptr @device_state, i64 <STATE_BLOCK_MEMORY>
  %slot = load i64, ptr %slot_at
  %memory_at = getelementptr i8, ptr %block, i64 %slot
  %memory = load ptr, ptr %memory_at
  %number_at = getelementptr i8, ptr @device_state, i64 <STATE_MEMORY_ADDRESS>
  %address = call i64 @number_in(ptr %memory, ptr %number_at)
  ret i64 %address
}

; As @make_array, on the device, where another one is.
define internal ptr @make_device_array(ptr %descriptor, i64 %itemsize, i64 %rank, ptr %dims, ptr %strides, ptr %other) nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i_next, %one ]
  %bytes = phi i64 [ %itemsize, %entry ], [ %more_bytes, %one ]
  %end = icmp eq i64 %i, %rank
  br i1 %end, label %sized, label %one
one:
  %place = getelementptr i64, ptr %dims, i64 %i
  %dim = load i64, ptr %place
  %more_bytes = mul i64 %bytes, %dim
  %i_next = add i64 %i, 1
  br label %head
sized:
  %block = call ptr @take_block(i64 %bytes)
  %no_block = icmp eq ptr %block, null
  br i1 %no_block, label %failed, label %make
make:
  %address = call i64 @address_of(ptr %block)
  %data = inttoptr i64 %address to ptr
  %array = call ptr @make_array_on(ptr %block, ptr %data, ptr @device_array_type, ptr %descriptor, i64 %rank,
      ptr %dims, ptr %strides, ptr %other)
  ret ptr %array
failed:
  ret ptr null
}

; Launches the kernel of a specialization, with so many buffers; 0 with an error set.
define internal i1 @launch_on_device(ptr %spec, ptr %buffers, i64 %count, ptr %syms) nounwind {
entry:
  %rank_at = getelementptr i8, ptr %spec, i64 <TOTAL_RANK>
  %rank = load i64, ptr %rank_at
  %total_dims = getelementptr i8, ptr %spec, i64 <TOTAL_DIMS>
  %total = call i64 @product(ptr %total_dims, i64 %rank, ptr %syms)
  %some = icmp sgt i64 %total, 0
  br i1 %some, label %prepare, label %fine
prepare:
  %scratch_at = getelementptr i8, ptr %spec, i64 <SCRATCH>
  %scratch = load i64, ptr %scratch_at
  %no_scratch = icmp eq i64 %scratch, 0
  br i1 %no_scratch, label %launch, label %take
take:
  %scratch_bytes = call i64 @read_dim(ptr %scratch_at, ptr %syms)
  %block = call ptr @take_block(i64 %scratch_bytes)
  %no_block = icmp eq ptr %block, null
  br i1 %no_block, label %failed, label %taken
taken:
  %address = call i64 @address_of(ptr %block)
  %scratch_place = getelementptr i64, ptr %buffers, i64 %count
  store i64 %address, ptr %scratch_place
  %one_more = add i64 %count, 1
  br label %launch
launch:
  %all = phi i64 [ %count, %prepare ], [ %one_more, %taken ]
  %held = phi ptr [ null, %prepare ], [ %block, %taken ]
  %status = call i32 @launch_stages(ptr %spec, ptr %buffers, i64 %all, ptr %syms, i64 %total)
  %no_held = icmp eq ptr %held, null
  br i1 %no_held, label %asked, label %give_back
give_back:
  call void @decref(ptr %held)
  br label %asked
asked:
  %refused = icmp ne i32 %status, 0
  br i1 %refused, label %tell, label %fine
tell:
  %failed_at = getelementptr i8, ptr %spec, i64 <DEVICE_FAILED>
  %failed_function = load ptr, ptr %failed_at
  %status64 = sext i32 %status to i64
  %none = call ptr @call_with_number(ptr %failed_function, i64 %status64)
  br label %failed
failed:
  ret i1 0
fine:
  ret i1 1
}

; What the driver says to a launch, or to the first one of the stages that it refuses: Note [Stages of launches].
define internal i32 @launch_stages(ptr %spec, ptr %buffers, i64 %count, ptr %syms, i64 %total) nounwind {
entry:
  %word_at = getelementptr i8, ptr %spec, i64 <DEVICE_STAGE>
  %word = load i64, ptr %word_at
  %stages_at = getelementptr i8, ptr %spec, i64 <DEVICE_STAGES>
  %stages = load i64, ptr %stages_at
  %has_stages = icmp sge i64 %word, 0
  %has_parts = icmp sgt i64 %total, 1
  %in_stages = and i1 %has_stages, %has_parts
  %stage_at = getelementptr i64, ptr %syms, i64 %word
  br i1 %in_stages, label %one, label %once
once:
  %only = call i32 @launch_with(ptr %spec, ptr %buffers, i64 %count, ptr %syms, i64 %total)
  ret i32 %only
one:
  %stage = phi i64 [ 1, %entry ], [ %next, %go_on ]
  store i64 %stage, ptr %stage_at
  %status = call i32 @launch_with(ptr %spec, ptr %buffers, i64 %count, ptr %syms, i64 %total)
  %refused = icmp ne i32 %status, 0
  br i1 %refused, label %out, label %go_on
go_on:
  %next = add i64 %stage, 1
  %more = icmp sle i64 %next, %stages
  br i1 %more, label %one, label %out
out:
  ret i32 %status
}

; What the driver says to a launch.
define internal i32 @launch_with(ptr %spec, ptr %buffers, i64 %count, ptr %syms, i64 %total) nounwind {
entry:
  %parameters = alloca [<MAX_PARAMETERS> x i64], align 64
  %size = alloca i64
  %options = alloca [5 x i64]
  %words_at = getelementptr i8, ptr %spec, i64 <DEVICE_WORDS>
  %words = load i64, ptr %words_at
  %buffer_bytes = shl i64 %count, 3
  %word_bytes = shl i64 %words, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %parameters, ptr %buffers, i64 %buffer_bytes, i1 0)
  %behind = getelementptr i8, ptr %parameters, i64 %buffer_bytes
  call void @llvm.memcpy.p0.p0.i64(ptr %behind, ptr %syms, i64 %word_bytes, i1 0)
  %bytes = add i64 %buffer_bytes, %word_bytes
  store i64 %bytes, ptr %size
  %parameters_address = ptrtoint ptr %parameters to i64
  %size_address = ptrtoint ptr %size to i64
  %option1 = getelementptr i64, ptr %options, i64 1
  %option2 = getelementptr i64, ptr %options, i64 2
  %option3 = getelementptr i64, ptr %options, i64 3
  %option4 = getelementptr i64, ptr %options, i64 4
  store i64 1, ptr %options
  store i64 %parameters_address, ptr %option1
  store i64 2, ptr %option2
  store i64 %size_address, ptr %option3
  store i64 0, ptr %option4
  %each_at = getelementptr i8, ptr %spec, i64 <DEVICE_EACH>
  %each = load i64, ptr %each_at
  %less = sub i64 %total, 1
  %whole = udiv i64 %less, %each
  %blocks = add i64 %whole, 1
  %threads_at = getelementptr i8, ptr %spec, i64 <DEVICE_THREADS>
  %chosen_at = getelementptr i8, ptr %spec, i64 <DEVICE_CHOSEN>
  %chosen = load i64, ptr %chosen_at
  %chosen_word_at = getelementptr i64, ptr %syms, i64 %chosen
  %is_chosen = icmp sge i64 %chosen, 0
  %threads_from = select i1 %is_chosen, ptr %chosen_word_at, ptr %threads_at
  %threads = load i64, ptr %threads_from
  %grid = trunc i64 %blocks to i32
  %block = trunc i64 %threads to i32
  %kernel_at = getelementptr i8, ptr %spec, i64 <KERNEL>
  %kernel = load ptr, ptr %kernel_at
  %launch_at = getelementptr i8, ptr @device_state, i64 <STATE_LAUNCH>
  %launch = load ptr, ptr %launch_at
  %status = call i32 %launch(ptr %kernel, i32 %grid, i32 1, i32 1, i32 %block, i32 1, i32 1, i32 0, ptr null, ptr null, ptr %options)
  ret i32 %status
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
