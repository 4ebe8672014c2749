"""LLVM IR of what the native entry calls to make views: Note [View programs] in `view_table.py`. A template, as the other helpers."""

VIEWS = """
; Computes the symbols of a program's steps; 0 where a comparison has another outcome, or a number no room.
define internal i1 @run_steps(ptr %spec, ptr %syms) nounwind {
entry:
  %count_at = getelementptr i8, ptr %spec, i64 <NUM_STEPS>
  %count = load i64, ptr %count_at
  %first_at = getelementptr i8, ptr %spec, i64 <FIRST_STEP>
  %first = load i64, ptr %first_at
  %steps_at = getelementptr i8, ptr %spec, i64 <STEPS_AT>
  %steps = load ptr, ptr %steps_at
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i_next, %next ]
  %end = icmp eq i64 %i, %count
  br i1 %end, label %fine, label %one
one:
  %step_offset = mul i64 %i, <STEP_SIZE>
  %step = getelementptr i8, ptr %steps, i64 %step_offset
  %operation = load i64, ptr %step
  %a_at = getelementptr i8, ptr %step, i64 8
  %a = call i64 @read_dim(ptr %a_at, ptr %syms)
  %b_at = getelementptr i8, ptr %step, i64 16
  %b = call i64 @read_dim(ptr %b_at, ptr %syms)
  switch i64 %operation, label %refused [
    i64 <ADD>, label %add
    i64 <SUBTRACT>, label %subtract
    i64 <MULTIPLY>, label %multiply
    i64 <DIVIDE>, label %divide
    i64 <MODULO>, label %divide
    i64 <LESS>, label %less
    i64 <AT_MOST>, label %at_most
    i64 <EQUAL>, label %equal
  ]
add:
  %sum = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %a, i64 %b)
  br label %checked
subtract:
  %difference = call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %a, i64 %b)
  br label %checked
multiply:
  %product = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
  br label %checked
checked:
  %outcome = phi { i64, i1 } [ %sum, %add ], [ %difference, %subtract ], [ %product, %multiply ]
  %number = extractvalue { i64, i1 } %outcome, 0
  %overflow = extractvalue { i64, i1 } %outcome, 1
  br i1 %overflow, label %refused, label %next
divide:
  %positive = icmp sgt i64 %b, 0
  br i1 %positive, label %divisible, label %refused
divisible:
  %quotient = sdiv i64 %a, %b
  %rest = srem i64 %a, %b
  %below = icmp slt i64 %rest, 0
  %lower = sub i64 %quotient, 1
  %floor = select i1 %below, i64 %lower, i64 %quotient
  %above = add i64 %rest, %b
  %modulo = select i1 %below, i64 %above, i64 %rest
  %is_quotient = icmp eq i64 %operation, <DIVIDE>
  %divided = select i1 %is_quotient, i64 %floor, i64 %modulo
  br label %next
less:
  %is_less = icmp slt i64 %a, %b
  br label %compare
at_most:
  %is_at_most = icmp sle i64 %a, %b
  br label %compare
equal:
  %is_equal = icmp eq i64 %a, %b
  br label %compare
compare:
  %holds = phi i1 [ %is_less, %less ], [ %is_at_most, %at_most ], [ %is_equal, %equal ]
  %found = zext i1 %holds to i64
  %wanted_at = getelementptr i8, ptr %step, i64 24
  %wanted = load i64, ptr %wanted_at
  %same = icmp eq i64 %found, %wanted
  br i1 %same, label %next, label %refused
next:
  %result = phi i64 [ %number, %checked ], [ %divided, %divisible ], [ %found, %compare ]
  %symbol = add i64 %first, %i
  %symbol_at = getelementptr i64, ptr %syms, i64 %symbol
  store i64 %result, ptr %symbol_at
  %i_next = add i64 %i, 1
  br label %head
fine:
  ret i1 1
refused:
  ret i1 0
}

; Whether no size is 0.
define internal i1 @all_positive(ptr %sizes, i64 %rank) nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i_next, %one ]
  %end = icmp eq i64 %i, %rank
  br i1 %end, label %out, label %one
one:
  %place = getelementptr i64, ptr %sizes, i64 %i
  %size = load i64, ptr %place
  %positive = icmp sgt i64 %size, 0
  %i_next = add i64 %i, 1
  br i1 %positive, label %head, label %out
out:
  %all = phi i1 [ 1, %head ], [ 0, %one ]
  ret i1 %all
}

; Binds the ints of a list of so many; 0 where one is something else, or has no room.
define internal i1 @bind_ints(ptr %list, i64 %length, ptr %syms) nounwind {
entry:
  %overflowed = alloca i32
  %items_at = getelementptr i8, ptr %list, i64 <LIST_ITEMS>
  %items = load ptr, ptr %items_at
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i_next, %value ]
  %end = icmp eq i64 %i, %length
  br i1 %end, label %out, label %one
one:
  %item_at = getelementptr ptr, ptr %items, i64 %i
  %item = load ptr, ptr %item_at
  %type_at = getelementptr i8, ptr %item, i64 <OB_TYPE>
  %type = load ptr, ptr %type_at
  %is_int = icmp eq ptr %type, @PyLong_Type
  br i1 %is_int, label %value, label %out
value:
  %integer = call i64 @PyLong_AsLongLongAndOverflow(ptr %item, ptr %overflowed)
  %overflow = load i32, ptr %overflowed
  %fits = icmp eq i32 %overflow, 0
  %symbol_at = getelementptr i64, ptr %syms, i64 %i
  store i64 %integer, ptr %symbol_at
  %i_next = add i64 %i, 1
  br i1 %fits, label %head, label %out
out:
  %all = phi i1 [ 1, %head ], [ 0, %one ], [ 0, %value ]
  ret i1 %all
}

; A tensor that looks at an array as an output says; NULL with an error set.
define internal ptr @make_view(ptr %output, i64 %rank, ptr %array, ptr %syms) nounwind {
entry:
  %dims = alloca [<MAX_VIEW_WORDS> x i64], align 64
  %count = mul i64 %rank, 2
  %words = getelementptr i8, ptr %output, i64 16
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i_next, %one ]
  %end = icmp eq i64 %i, %count
  br i1 %end, label %make, label %one
one:
  %word_at = getelementptr i64, ptr %words, i64 %i
  %number = call i64 @read_dim(ptr %word_at, ptr %syms)
  %to = getelementptr i64, ptr %dims, i64 %i
  store i64 %number, ptr %to
  %i_next = add i64 %i, 1
  br label %head
make:
  %offset_at = getelementptr i8, ptr %output, i64 8
  %offset = call i64 @read_dim(ptr %offset_at, ptr %syms)
  %data_at = getelementptr i8, ptr %array, i64 <ARRAY_DATA>
  %data = load ptr, ptr %data_at
  %start = getelementptr i8, ptr %data, i64 %offset
  %strides = getelementptr i64, ptr %dims, i64 %rank
  %flags_at = getelementptr i8, ptr %array, i64 <ARRAY_FLAGS>
  %all_flags = load i32, ptr %flags_at
  %flags = and i32 %all_flags, <OF_ITS_MEMORY>
  %descr_at = getelementptr i8, ptr %array, i64 <ARRAY_DESCR>
  %descr = load ptr, ptr %descr_at
  call void @Py_IncRef(ptr %descr)
  %rank32 = trunc i64 %rank to i32
  %view = call ptr @PyArray_NewFromDescr(ptr @ndarray_type, ptr %descr, i32 %rank32, ptr %dims, ptr %strides,
      ptr %start, i32 %flags, ptr null)
  %no_view = icmp eq ptr %view, null
  br i1 %no_view, label %failed, label %own
own:
  call void @incref(ptr %array)
  %status = call i32 @PyArray_SetBaseObject(ptr %view, ptr %array)
  %refused = icmp ne i32 %status, 0
  br i1 %refused, label %drop, label %wrap
wrap:
  %tensor = call ptr @PyType_GenericAlloc(ptr @tensor_type, i64 0)
  %no_tensor = icmp eq ptr %tensor, null
  br i1 %no_tensor, label %drop, label %done
done:
  %slot = getelementptr i8, ptr %tensor, i64 <TENSOR_ARRAY>
  store ptr %view, ptr %slot
  ret ptr %tensor
drop:
  call void @decref(ptr %view)
  br label %failed
failed:
  ret ptr null
}

; An element of an array as a Python number; NULL with an error set.
define internal ptr @read_element(ptr %output, ptr %array, ptr %syms) nounwind {
entry:
  %offset_at = getelementptr i8, ptr %output, i64 8
  %offset = call i64 @read_dim(ptr %offset_at, ptr %syms)
  %data_at = getelementptr i8, ptr %array, i64 <ARRAY_DATA>
  %data = load ptr, ptr %data_at
  %at = getelementptr i8, ptr %data, i64 %offset
  %dtype_at = getelementptr i8, ptr %output, i64 16
  %dtype = load i64, ptr %dtype_at
  switch i64 %dtype, label %float64 [
    i64 <OF_BOOL>, label %bool
    i64 <OF_UINT8>, label %uint8
    i64 <OF_INT8>, label %int8
    i64 <OF_INT16>, label %int16
    i64 <OF_INT32>, label %int32
    i64 <OF_INT64>, label %int64
    i64 <OF_FLOAT32>, label %float32
  ]
bool:
  %byte = load i8, ptr %at, align 1
  %set = icmp ne i8 %byte, 0
  %truth = zext i1 %set to i64
  %boolean = call ptr @PyBool_FromLong(i64 %truth)
  ret ptr %boolean
uint8:
  %unsigned8 = load i8, ptr %at, align 1
  %from_unsigned8 = zext i8 %unsigned8 to i64
  br label %int
int8:
  %signed8 = load i8, ptr %at, align 1
  %from_signed8 = sext i8 %signed8 to i64
  br label %int
int16:
  %signed16 = load i16, ptr %at, align 1
  %from_signed16 = sext i16 %signed16 to i64
  br label %int
int32:
  %signed32 = load i32, ptr %at, align 1
  %from_signed32 = sext i32 %signed32 to i64
  br label %int
int64:
  %from_signed64 = load i64, ptr %at, align 1
  br label %int
int:
  %number = phi i64 [ %from_unsigned8, %uint8 ], [ %from_signed8, %int8 ], [ %from_signed16, %int16 ],
      [ %from_signed32, %int32 ], [ %from_signed64, %int64 ]
  %integer = call ptr @PyLong_FromLongLong(i64 %number)
  ret ptr %integer
float32:
  %single = load float, ptr %at, align 1
  %widened = fpext float %single to double
  %from_single = call ptr @PyFloat_FromDouble(double %widened)
  ret ptr %from_single
float64:
  %double = load double, ptr %at, align 1
  %from_double = call ptr @PyFloat_FromDouble(double %double)
  ret ptr %from_double
}

; The views of an array, which is that of the first argument: one, or a list; NULL with an error set.
define internal ptr @make_views(ptr %spec, ptr %self, ptr %first, ptr %array, ptr %syms) nounwind {
entry:
  %active_at = getelementptr i8, ptr %self, i64 <ACTIVE>
  %active = load i64, ptr %active_at
  %active_more = add i64 %active, 1
  store i64 %active_more, ptr %active_at
  call void @incref(ptr %first)
  call void @incref(ptr %array)
  %outputs_at = getelementptr i8, ptr %spec, i64 <OUTPUTS_AT>
  %outputs = load ptr, ptr %outputs_at
  %count_at = getelementptr i8, ptr %spec, i64 <NUM_OUTPUTS>
  %count = load i64, ptr %count_at
  %gives_list_at = getelementptr i8, ptr %spec, i64 <RETURNS_TUPLE>
  %gives_list64 = load i64, ptr %gives_list_at
  %gives_list = icmp ne i64 %gives_list64, 0
  br i1 %gives_list, label %make_list, label %head
make_list:
  %list = call ptr @PyList_New(i64 %count)
  %no_list = icmp eq ptr %list, null
  br i1 %no_list, label %out, label %list_made
list_made:
  %items_at = getelementptr i8, ptr %list, i64 <LIST_ITEMS>
  %items = load ptr, ptr %items_at
  br label %head
head:
  %result = phi ptr [ null, %entry ], [ %list, %list_made ], [ %result_next, %next ]
  %places = phi ptr [ null, %entry ], [ %items, %list_made ], [ %places, %next ]
  %i = phi i64 [ 0, %entry ], [ 0, %list_made ], [ %i_next, %next ]
  %output = phi ptr [ %outputs, %entry ], [ %outputs, %list_made ], [ %output_next, %next ]
  %end = icmp eq i64 %i, %count
  br i1 %end, label %out, label %one
one:
  %rank = load i64, ptr %output
  switch i64 %rank, label %view [
    i64 <SAME>, label %same
    i64 <NUMBER>, label %number
    i64 <ELEMENT>, label %element
  ]
number:
  %word_at = getelementptr i8, ptr %output, i64 8
  %value = call i64 @read_dim(ptr %word_at, ptr %syms)
  %int = call ptr @PyLong_FromLongLong(i64 %value)
  %after_number = getelementptr i8, ptr %output, i64 16
  %no_int = icmp eq ptr %int, null
  br i1 %no_int, label %failed, label %made
element:
  %read = call ptr @read_element(ptr %output, ptr %array, ptr %syms)
  %after_element = getelementptr i8, ptr %output, i64 24
  %no_element = icmp eq ptr %read, null
  br i1 %no_element, label %failed, label %made
same:
  call void @incref(ptr %first)
  %after_same = getelementptr i8, ptr %output, i64 8
  br label %made
view:
  %tensor = call ptr @make_view(ptr %output, i64 %rank, ptr %array, ptr %syms)
  %words = mul i64 %rank, 16
  %after_fixed = getelementptr i8, ptr %output, i64 16
  %after_view = getelementptr i8, ptr %after_fixed, i64 %words
  %no_tensor = icmp eq ptr %tensor, null
  br i1 %no_tensor, label %failed, label %viewed
viewed:
  %entered = load i64, ptr @entered
  %never_entered = icmp eq i64 %entered, 0
  %known_at = getelementptr i8, ptr %first, i64 <TENSOR_AUTOGRAD>
  %known = load ptr, ptr %known_at
  %nothing_known = icmp eq ptr %known, null
  %no_inference = or i1 %never_entered, %nothing_known
  br i1 %no_inference, label %made, label %tell
tell:
  %told = call i1 @tell(ptr @viewed, ptr %tensor, ptr %first, i64 2)
  br i1 %told, label %made, label %failed
made:
  %one_result = phi ptr [ %first, %same ], [ %tensor, %viewed ], [ %tensor, %tell ], [ %int, %number ],
      [ %read, %element ]
  %output_next = phi ptr [ %after_same, %same ], [ %after_view, %viewed ], [ %after_view, %tell ],
      [ %after_number, %number ], [ %after_element, %element ]
  %i_next = add i64 %i, 1
  br i1 %gives_list, label %put, label %single
put:
  %place = getelementptr ptr, ptr %places, i64 %i
  store ptr %one_result, ptr %place
  br label %next
single:
  br label %next
next:
  %result_next = phi ptr [ %result, %put ], [ %one_result, %single ]
  br label %head
failed:
  br i1 %gives_list, label %drop_list, label %out
drop_list:
  call void @decref(ptr %result)
  br label %out
out:
  %answer = phi ptr [ null, %make_list ], [ %result, %head ], [ null, %failed ], [ null, %drop_list ]
  call void @decref(ptr %array)
  call void @decref(ptr %first)
  %active_now = load i64, ptr %active_at
  %active_less = sub i64 %active_now, 1
  store i64 %active_less, ptr %active_at
  %calls_at = getelementptr i8, ptr %self, i64 <NATIVE_CALLS>
  %calls = load i64, ptr %calls_at
  %calls_more = add i64 %calls, 1
  store i64 %calls_more, ptr %calls_at
  ret ptr %answer
}
"""
