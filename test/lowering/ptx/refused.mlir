// RUN: ts-opt %s -t ptx --split-input-file --verify-diagnostics | filecheck %s

// What LLVM has no code for on a GPU, or code that rounds otherwise, does not come to it.

// CHECK: a GPU has no instruction for 'llvm.exp'
"llvm.func"() <{sym_name = "f", function_type = !llvm.func<void (f32)>, CConv = #llvm.cconv<ccc>, linkage = #llvm.linkage<"external">, visibility_ = 0 : i64}> ({
^bb0(%x: f32):
  %y = "llvm.call_intrinsic"(%x) <{intrin = "llvm.exp", operandSegmentSizes = array<i32: 1, 0>, op_bundle_sizes = array<i32>}> : (f32) -> f32
  "llvm.return"() : () -> ()
}) {nvvm.kernel} : () -> ()

// -----

// CHECK: a GPU has no instruction for 'llvm.frem'
"llvm.func"() <{sym_name = "f", function_type = !llvm.func<void (f32)>, CConv = #llvm.cconv<ccc>, linkage = #llvm.linkage<"external">, visibility_ = 0 : i64}> ({
^bb0(%x: f32):
  %y = "llvm.frem"(%x, %x) : (f32, f32) -> f32
  "llvm.return"() : () -> ()
}) {nvvm.kernel} : () -> ()

// -----

// CHECK: the module has no kernel of a GPU
"llvm.func"() <{sym_name = "f", function_type = !llvm.func<void (f32)>, CConv = #llvm.cconv<ccc>, linkage = #llvm.linkage<"external">, visibility_ = 0 : i64}> ({
^bb0(%x: f32):
  "llvm.return"() : () -> ()
}) : () -> ()
