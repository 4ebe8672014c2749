// RUN: ts-opt %s -p ts-convert-to-llvm --split-input-file | filecheck %s

// CHECK-LABEL: llvm.func @intrinsics
// CHECK:       llvm.call_intrinsic "llvm.ceil"(%x) : (f32) -> f32
// CHECK:       llvm.call_intrinsic "llvm.trunc"(%x) : (f32) -> f32
// CHECK:       llvm.call_intrinsic "llvm.ctpop"(%a) : (i32) -> i32
func.func @intrinsics(%x: f32, %a: i32) {
  %0 = math.ceil %x : f32
  %1 = math.trunc %x : f32
  %2 = math.ctpop %a : i32
  func.return
}

// -----

// CHECK-LABEL: llvm.func @reciprocal_root
// CHECK:       [[ROOT:%.*]] = llvm.call_intrinsic "llvm.sqrt"(%x) : (f32) -> f32
// CHECK:       [[ONE:%.*]] = llvm.mlir.constant(1.000000e+00 : f32)
// CHECK:       llvm.fdiv [[ONE]], [[ROOT]] : f32
func.func @reciprocal_root(%x: f32) -> f32 {
  %0 = math.rsqrt %x : f32
  func.return %0 : f32
}

// -----

// CHECK-LABEL: llvm.func @integer_magnitude
// CHECK:       [[ZERO:%.*]] = llvm.mlir.constant(0 : i32)
// CHECK:       [[MINUS:%.*]] = llvm.sub [[ZERO]], %a : i32
// CHECK:       [[SIGN:%.*]] = llvm.icmp "slt" %a, [[ZERO]] : i32
// CHECK:       llvm.select [[SIGN]], [[MINUS]], %a
func.func @integer_magnitude(%a: i32) -> i32 {
  %0 = math.absi %a : i32
  func.return %0 : i32
}
