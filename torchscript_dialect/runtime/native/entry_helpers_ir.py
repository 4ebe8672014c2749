"""LLVM IR of what the native entry calls: counting references, making arrays, running kernels.

The text is a template: `entry_ir` replaces each `<NAME>`. Offsets are in bytes.
"""

DECLARATIONS = """
@tensor_type = external global i8
@tracked_type = external global i8
@ndarray_type = external global i8
@without_gradients = external global i64
@inferring = external global i64
@entered = external global i64
@made = external global ptr
@viewed = external global ptr
@uint8_descriptor = external global i8
@no_slow_path = external global ptr
@pool_state = external global i8
@PyLong_Type = external global i8
@PyFloat_Type = external global i8
@PyList_Type = external global i8
@_Py_TrueStruct = external global i8
@_Py_FalseStruct = external global i8
@_Py_NoneStruct = external global i8

declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr) nonlazybind
declare ptr @PyLong_FromLongLong(i64) nonlazybind
declare ptr @PyBool_FromLong(i64) nonlazybind
declare ptr @PyFloat_FromDouble(double) nonlazybind
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr) nonlazybind
declare i64 @PyThread_get_thread_ident() nonlazybind
declare ptr @PyType_GenericAlloc(ptr, i64) nonlazybind
declare ptr @PyTuple_New(i64) nonlazybind
declare ptr @PyList_New(i64) nonlazybind
declare ptr @PyEval_SaveThread() nonlazybind
declare void @PyEval_RestoreThread(ptr) nonlazybind
declare void @Py_IncRef(ptr) nonlazybind
declare void @Py_DecRef(ptr) nonlazybind
declare void @_Py_Dealloc(ptr) nonlazybind
declare ptr @PyArray_NewFromDescr(ptr, ptr, i32, ptr, ptr, ptr, i32, ptr) nonlazybind
declare i32 @PyArray_SetBaseObject(ptr, ptr) nonlazybind
declare void @pool_run(ptr, ptr, ptr, i64, i64, i1 zeroext) nonlazybind
declare ptr @PyErr_NoMemory() nonlazybind
declare ptr @aligned_alloc(i64, i64) nonlazybind
declare void @free(ptr) nonlazybind
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare i64 @llvm.uadd.sat.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
"""

INLINE_COUNTING = """
; Both are for objects that are not immortal: arrays and fresh tensors.
define internal void @incref(ptr %object) alwaysinline nounwind {
  %count = load i64, ptr %object
  %more = add i64 %count, 1
  store i64 %more, ptr %object
  ret void
}

define internal void @decref(ptr %object) alwaysinline nounwind {
  %count = load i64, ptr %object
  %less = sub i64 %count, 1
  store i64 %less, ptr %object
  %dead = icmp eq i64 %less, 0
  br i1 %dead, label %free, label %out
free:
  call void @_Py_Dealloc(ptr %object)
  br label %out
out:
  ret void
}
"""

CALLED_COUNTING = """
define internal void @incref(ptr %object) alwaysinline nounwind {
  call void @Py_IncRef(ptr %object)
  ret void
}

define internal void @decref(ptr %object) alwaysinline nounwind {
  call void @Py_DecRef(ptr %object)
  ret void
}
"""

HELPERS = """
define internal void @decref_all(ptr %objects, i64 %count) nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i_next, %one ]
  %end = icmp eq i64 %i, %count
  br i1 %end, label %out, label %one
one:
  %place = getelementptr ptr, ptr %objects, i64 %i
  %object = load ptr, ptr %place
  call void @decref(ptr %object)
  %i_next = add i64 %i, 1
  br label %head
out:
  ret void
}

; Hands a new tensor to a Python function, and the tensor that it is a view of, if any: Note [Inference tensors] in
; tensor/inference.py. 0 with an error set if that raised one, where the tensor is dropped.
define internal i1 @tell(ptr %listener, ptr %tensor, ptr %viewed_tensor, i64 %count) <COLD> nounwind {
  %told = alloca [2 x ptr]
  store ptr %tensor, ptr %told
  %second = getelementptr ptr, ptr %told, i64 1
  store ptr %viewed_tensor, ptr %second
  %answer = call ptr @PyObject_Vectorcall(ptr %listener, ptr %told, i64 %count, ptr null)
  %heard = icmp ne ptr %answer, null
  %done = select i1 %heard, ptr %answer, ptr %tensor
  call void @Py_DecRef(ptr %done)
  ret i1 %heard
}

; The value of a word that is a constant or an already bound symbol.
define internal i64 @read_dim(ptr %place, ptr %syms) alwaysinline nounwind {
  %word = load i64, ptr %place
  %tag = and i64 %word, 3
  %payload = ashr i64 %word, 2
  %constant = icmp eq i64 %tag, <TAG_CONSTANT>
  br i1 %constant, label %out, label %symbol
symbol:
  %at = getelementptr i64, ptr %syms, i64 %payload
  %bound = load i64, ptr %at
  br label %out
out:
  %value = phi i64 [ %payload, %0 ], [ %bound, %symbol ]
  ret i64 %value
}

; A fresh array of these strides, C-contiguous where they are NULL, or NULL with an error set.
define internal ptr @make_array(ptr %descriptor, i64 %itemsize, i64 %rank, ptr %dims, ptr %strides) nounwind {
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
  %product = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %bytes, i64 %dim)
  %more_bytes = extractvalue { i64, i1 } %product, 0
  %overflow = extractvalue { i64, i1 } %product, 1
  %i_next = add i64 %i, 1
  br i1 %overflow, label %plain, label %head
sized:
  %large = icmp uge i64 %bytes, <ALIGN_FROM>
  %sane = icmp ult i64 %bytes, 1152921504606846976
  %align = and i1 %large, %sane
  br i1 %align, label %aligned, label %plain
plain:
  %rank32 = trunc i64 %rank to i32
  call void @Py_IncRef(ptr %descriptor)
  %array = call ptr @PyArray_NewFromDescr(ptr @ndarray_type, ptr %descriptor, i32 %rank32,
      ptr %dims, ptr %strides, ptr null, i32 0, ptr null)
  ret ptr %array
aligned:
  %large_array = call ptr @make_aligned_array(ptr %descriptor, i64 %bytes, i64 %rank, ptr %dims, ptr %strides)
  ret ptr %large_array
}

; The same for an array of so many bytes that starts at a cache line.
define internal ptr @make_aligned_array(ptr %descriptor, i64 %bytes, i64 %rank, ptr %dims, ptr %strides)
    nounwind <COLD> {
  %size = alloca i64
  %padded = add i64 %bytes, <CACHE_LINE>
  store i64 %padded, ptr %size
  call void @Py_IncRef(ptr @uint8_descriptor)
  %base = call ptr @PyArray_NewFromDescr(ptr @ndarray_type, ptr @uint8_descriptor, i32 1,
      ptr %size, ptr null, ptr null, i32 0, ptr null)
  %no_base = icmp eq ptr %base, null
  br i1 %no_base, label %failed, label %based
based:
  %data_at = getelementptr i8, ptr %base, i64 <ARRAY_DATA>
  %raw = load i64, ptr %data_at
  %above = add i64 %raw, <CACHE_LINE_END>
  %line = and i64 %above, -<CACHE_LINE>
  %data = inttoptr i64 %line to ptr
  %array = call ptr @make_array_on(ptr %base, ptr %data, ptr @ndarray_type, ptr %descriptor, i64 %rank,
      ptr %dims, ptr %strides, ptr null)
  ret ptr %array
failed:
  ret ptr null
}

; An array of a type over memory that an object owns, whose reference it takes; NULL with an error set. %other is what NumPy gives
; to `__array_finalize__`.
define internal ptr @make_array_on(ptr %base, ptr %data, ptr %type, ptr %descriptor, i64 %rank, ptr %dims, ptr %strides, ptr %other)
    nounwind <COLD> {
  %rank32 = trunc i64 %rank to i32
  call void @Py_IncRef(ptr %descriptor)
  %array = call ptr @PyArray_NewFromDescr(ptr %type, ptr %descriptor, i32 %rank32, ptr %dims, ptr %strides, ptr %data, i32 <BEHAVED>,
      ptr %other)
  %no_array = icmp eq ptr %array, null
  br i1 %no_array, label %drop_base, label %own
own:
  %status = call i32 @PyArray_SetBaseObject(ptr %array, ptr %base)
  %refused = icmp ne i32 %status, 0
  br i1 %refused, label %drop_array, label %whole
whole:
  ret ptr %array
drop_array:
  call void @decref(ptr %array)
  br label %failed
drop_base:
  call void @decref(ptr %base)
  br label %failed
failed:
  ret ptr null
}

; The product of words.
define internal i64 @product(ptr %words, i64 %rank, ptr %syms) nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i_next, %one ]
  %product = phi i64 [ 1, %entry ], [ %more, %one ]
  %end = icmp eq i64 %i, %rank
  br i1 %end, label %out, label %one
one:
  %place = getelementptr i64, ptr %words, i64 %i
  %dim = call i64 @read_dim(ptr %place, ptr %syms)
  %more = mul i64 %product, %dim
  %i_next = add i64 %i, 1
  br label %head
out:
  ret i64 %product
}

; The bytes of a contiguous array whose elements have 1 << %shift of them.
define internal i64 @extent(ptr %sizes, i64 %rank, i64 %shift) nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i_next, %one ]
  %count = phi i64 [ 1, %entry ], [ %more, %one ]
  %end = icmp eq i64 %i, %rank
  br i1 %end, label %out, label %one
one:
  %place = getelementptr i64, ptr %sizes, i64 %i
  %size = load i64, ptr %place
  %more = mul i64 %count, %size
  %i_next = add i64 %i, 1
  br label %head
out:
  %bytes = shl i64 %count, %shift
  ret i64 %bytes
}

; Whether each other buffer is the first one, or shares no bytes with it.
define internal i1 @may_write_first(ptr %buffers, ptr %extents, i64 %count) nounwind {
entry:
  %first = load i64, ptr %buffers
  %first_extent = load i64, ptr %extents
  %first_end = add i64 %first, %first_extent
  br label %head
head:
  %i = phi i64 [ 1, %entry ], [ %i_next, %one ]
  %end = icmp eq i64 %i, %count
  br i1 %end, label %out, label %one
one:
  %buffer_at = getelementptr i64, ptr %buffers, i64 %i
  %buffer = load i64, ptr %buffer_at
  %extent_at = getelementptr i64, ptr %extents, i64 %i
  %extent = load i64, ptr %extent_at
  %buffer_end = add i64 %buffer, %extent
  %before = icmp ule i64 %buffer_end, %first
  %behind = icmp uge i64 %buffer, %first_end
  %starts_there = icmp eq i64 %buffer, %first
  %ends_there = icmp eq i64 %buffer_end, %first_end
  %same = and i1 %starts_there, %ends_there
  %apart = or i1 %before, %behind
  %fine = or i1 %same, %apart
  %i_next = add i64 %i, 1
  br i1 %fine, label %head, label %out
out:
  %all = phi i1 [ 1, %head ], [ 0, %one ]
  ret i1 %all
}

; Runs the kernel with a scratch buffer, whose address it stores at %place. 0, with an error set,
; where there is no memory.
define internal i1 @run_with_scratch(ptr %spec, ptr %buffers, ptr %syms, ptr %place) nounwind
    "probe-stack"="inline-asm" <COLD> {
  %stack = alloca [<STACK_SCRATCH> x i8], align <CACHE_LINE>
  %word_at = getelementptr i8, ptr %spec, i64 <SCRATCH>
  %bytes = call i64 @read_dim(ptr %word_at, ptr %syms)
  %small = icmp ule i64 %bytes, <STACK_SCRATCH>
  br i1 %small, label %on_stack, label %on_heap
on_stack:
  store ptr %stack, ptr %place
  call void @run_kernel(ptr %spec, ptr %buffers, ptr %syms)
  ret i1 1
on_heap:
  %kept_at = getelementptr i8, ptr @pool_state, i64 <POOL_SCRATCH>
  %kept = atomicrmw xchg ptr %kept_at, ptr null acq_rel
  %none_kept = icmp eq ptr %kept, null
  br i1 %none_kept, label %allocate, label %measure
measure:
  %kept_bytes = load i64, ptr %kept
  %fits = icmp uge i64 %kept_bytes, %bytes
  br i1 %fits, label %run, label %too_small
too_small:
  call void @free(ptr %kept)
  br label %allocate
allocate:
  %whole = call i64 @llvm.uadd.sat.i64(i64 %bytes, i64 <CACHE_LINE>)
  %fresh = call ptr @aligned_alloc(i64 <CACHE_LINE>, i64 %whole)
  %refused = icmp eq ptr %fresh, null
  br i1 %refused, label %no_memory, label %made
made:
  store i64 %bytes, ptr %fresh
  br label %run
run:
  %block = phi ptr [ %kept, %measure ], [ %fresh, %made ]
  %heap = getelementptr i8, ptr %block, i64 <CACHE_LINE>
  store ptr %heap, ptr %place
  call void @run_kernel(ptr %spec, ptr %buffers, ptr %syms)
  %size = load i64, ptr %block
  %keep = icmp ule i64 %size, <MOST_KEPT>
  br i1 %keep, label %leave, label %release
leave:
  %other = atomicrmw xchg ptr %kept_at, ptr %block acq_rel
  call void @free(ptr %other)
  ret i1 1
release:
  call void @free(ptr %block)
  ret i1 1
no_memory:
  %null = call ptr @PyErr_NoMemory()
  ret i1 0
}

; Runs the kernel over its whole range.
define internal void @run_kernel(ptr %spec, ptr %buffers, ptr %syms) nounwind {
entry:
  %kernel_at = getelementptr i8, ptr %spec, i64 <KERNEL>
  %kernel = load ptr, ptr %kernel_at
  %rank_at = getelementptr i8, ptr %spec, i64 <TOTAL_RANK>
  %rank = load i64, ptr %rank_at
  %dims = getelementptr i8, ptr %spec, i64 <TOTAL_DIMS>
  %total = call i64 @product(ptr %dims, i64 %rank, ptr %syms)
  %some = icmp sgt i64 %total, 0
  br i1 %some, label %weigh, label %out
weigh:
  %work_rank_at = getelementptr i8, ptr %spec, i64 <WORK_RANK>
  %work_rank = load i64, ptr %work_rank_at
  %work_is_total = icmp eq i64 %work_rank, <WORK_IS_TOTAL>
  br i1 %work_is_total, label %choose, label %own_work
own_work:
  %work_dims = getelementptr i8, ptr %spec, i64 <WORK_DIMS>
  %product = call i64 @product(ptr %work_dims, i64 %work_rank, ptr %syms)
  br label %choose
choose:
  %work = phi i64 [ %total, %weigh ], [ %product, %own_work ]
  %parallel_at = getelementptr i8, ptr %spec, i64 <PARALLEL_WORK>
  %parallel_work = load i64, ptr %parallel_at
  %ample = icmp sge i64 %work, %parallel_work
  %grain_at = getelementptr i8, ptr %spec, i64 <GRAIN>
  %grain = load i64, ptr %grain_at
  %divisible = icmp sgt i64 %total, %grain
  %parallel = and i1 %ample, %divisible
  %gil_at = getelementptr i8, ptr %spec, i64 <GIL_WORK>
  %gil_work = load i64, ptr %gil_at
  %release = icmp sge i64 %work, %gil_work
  %special = or i1 %parallel, %release
  br i1 %special, label %large, label %small
small:
  call void %kernel(ptr %buffers, ptr %syms, i64 0, i64 %total)
  ret void
large:
  call void @run_large(ptr %spec, ptr %buffers, ptr %syms, i64 %total, i64 %work, i1 %release,
      i1 %parallel)
  br label %out
out:
  ret void
}

; Runs the kernel without the GIL, on several threads, or both.
define internal void @run_large(ptr %spec, ptr %buffers, ptr %syms, i64 %total, i64 %work,
    i1 %release, i1 %parallel) nounwind <COLD> {
start:
  %kernel_at = getelementptr i8, ptr %spec, i64 <KERNEL>
  %kernel = load ptr, ptr %kernel_at
  br i1 %release, label %let_go, label %held
let_go:
  %saved = call ptr @PyEval_SaveThread()
  br label %held
held:
  %thread = phi ptr [ null, %start ], [ %saved, %let_go ]
  br i1 %parallel, label %divide, label %alone
alone:
  call void %kernel(ptr %buffers, ptr %syms, i64 0, i64 %total)
  br label %ran
divide:
  %threads_at = getelementptr i8, ptr @pool_state, i64 <POOL_WANTED>
  %threads32 = load i32, ptr %threads_at
  %threads = zext i32 %threads32 to i64
  %most = mul i64 %threads, <CHUNKS_PER_THREAD>
  %chunk_work_at = getelementptr i8, ptr %spec, i64 <CHUNK_WORK>
  %chunk_work = load i64, ptr %chunk_work_at
  %grain_at = getelementptr i8, ptr %spec, i64 <GRAIN>
  %grain = load i64, ptr %grain_at
  %worthwhile = udiv i64 %work, %chunk_work
  %fewer = call i64 @llvm.umin.i64(i64 %most, i64 %worthwhile)
  %pieces = call i64 @llvm.umax.i64(i64 %fewer, i64 1)
  %total_over = add i64 %total, %pieces
  %total_above = sub i64 %total_over, 1
  %even_share = udiv i64 %total_above, %pieces
  %grain_less = sub i64 %grain, 1
  %few_grains = mul i64 %grain_less, <GRAINS_PER_CHUNK>
  %thread_share = udiv i64 %total, %threads
  %least_share = call i64 @llvm.umin.i64(i64 %few_grains, i64 %thread_share)
  %share = call i64 @llvm.umax.i64(i64 %even_share, i64 %least_share)
  %share_over = add i64 %share, %grain
  %share_above = sub i64 %share_over, 1
  %grains = udiv i64 %share_above, %grain
  %chunk = mul i64 %grains, %grain
  %wake_at = getelementptr i8, ptr %spec, i64 <WAKE_WORK>
  %wake_work = load i64, ptr %wake_at
  %wake = icmp sge i64 %work, %wake_work
  call void @pool_run(ptr %kernel, ptr %buffers, ptr %syms, i64 %total, i64 %chunk,
      i1 zeroext %wake)
  br label %ran
ran:
  %had_gil = icmp eq ptr %thread, null
  br i1 %had_gil, label %out, label %take_back
take_back:
  call void @PyEval_RestoreThread(ptr %thread)
  br label %out
out:
  ret void
}
"""
