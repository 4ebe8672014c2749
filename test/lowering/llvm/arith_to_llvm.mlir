// RUN: ts-opt %s -p ts-convert-to-llvm --split-input-file | filecheck %s

// Integers wrap, indices do not overflow.
// CHECK-LABEL: llvm.func @integers(%a: i32, %b: i32, %i: i64, %j: i64)
// CHECK:       llvm.mul %a, %b : i32
// CHECK:       llvm.mul %i, %j overflow<nsw> : i64
// CHECK:       llvm.sdiv %a, %b : i32
// CHECK:       llvm.udiv %a, %b : i32
// CHECK:       llvm.srem %a, %b : i32
// CHECK:       llvm.urem %a, %b : i32
func.func @integers(%a: i32, %b: i32, %i: index, %j: index) {
  %0 = arith.muli %a, %b : i32
  %1 = arith.muli %i, %j : index
  %2 = arith.divsi %a, %b : i32
  %3 = arith.divui %a, %b : i32
  %4 = arith.remsi %a, %b : i32
  %5 = arith.remui %a, %b : i32
  func.return
}

// -----

// The quotient, one less where there is a remainder and the signs differ.
// CHECK-LABEL: llvm.func @floor_division
// CHECK:       [[ZERO:%.*]] = llvm.mlir.constant(0 : i32)
// CHECK:       [[Q:%.*]] = llvm.sdiv %a, %b : i32
// CHECK:       [[R:%.*]] = llvm.srem %a, %b : i32
// CHECK:       [[X:%.*]] = llvm.xor [[R]], %b : i32
// CHECK:       [[SIGNS:%.*]] = llvm.icmp "slt" [[X]], [[ZERO]] : i32
// CHECK:       [[REST:%.*]] = llvm.icmp "ne" [[R]], [[ZERO]] : i32
// CHECK:       [[ONE:%.*]] = llvm.mlir.constant(1 : i32)
// CHECK:       [[LESS:%.*]] = llvm.sub [[Q]], [[ONE]] : i32
// CHECK:       [[BOTH:%.*]] = llvm.and [[SIGNS]], [[REST]] : i1
// CHECK:       [[RESULT:%.*]] = llvm.select [[BOTH]], [[LESS]], [[Q]]
// CHECK:       llvm.return [[RESULT]] : i32
func.func @floor_division(%a: i32, %b: i32) -> i32 {
  %0 = arith.floordivsi %a, %b : i32
  func.return %0 : i32
}

// -----

// CHECK-LABEL: llvm.func @choices
// CHECK:       [[C:%.*]] = llvm.icmp "sgt" %a, %b : i32
// CHECK-NEXT:  llvm.select [[C]], %a, %b
// CHECK:       llvm.icmp "slt" %a, %b : i32
// CHECK:       llvm.icmp "ugt" %a, %b : i32
// CHECK:       llvm.icmp "ult" %a, %b : i32
// CHECK:       llvm.call_intrinsic "llvm.maximum"(%y, %x) {fastmathFlags = #llvm.fastmath<nsz>}
// CHECK:       llvm.call_intrinsic "llvm.minimum"(%y, %x) {fastmathFlags = #llvm.fastmath<nsz>}
// CHECK:       llvm.call_intrinsic "llvm.maxnum"(%y, %x) {fastmathFlags = #llvm.fastmath<nsz>}
// CHECK:       llvm.call_intrinsic "llvm.minnum"(%y, %x) {fastmathFlags = #llvm.fastmath<nsz>}
func.func @choices(%a: i32, %b: i32, %x: f32, %y: f32) {
  %0 = arith.maxsi %a, %b : i32
  %1 = arith.minsi %a, %b : i32
  %2 = arith.maxui %a, %b : i32
  %3 = arith.minui %a, %b : i32
  %4 = arith.maximumf %x, %y : f32
  %5 = arith.minimumf %x, %y : f32
  %6 = arith.maxnumf %x, %y : f32
  %7 = arith.minnumf %x, %y : f32
  func.return
}

// -----

// CHECK-LABEL: llvm.func @choice_of_what_is_computed
// CHECK:       [[SUM:%.*]] = llvm.fadd %x, {{%.*}} : f32
// CHECK:       [[HELD:%.*]] = llvm.call_intrinsic "llvm.arithmetic.fence"([[SUM]])
// CHECK:       llvm.call_intrinsic "llvm.maximum"(%y, [[HELD]]) {fastmathFlags = #llvm.fastmath<nsz>}
func.func @choice_of_what_is_computed(%x: f32, %y: f32) {
  %zero = arith.constant 0.0 : f32
  %0 = arith.addf %x, %zero : f32
  %1 = arith.maximumf %0, %y : f32
  func.return
}

// -----

// CHECK-LABEL: llvm.func @casts
// CHECK:       llvm.sext %a : i32 to i64
// CHECK:       llvm.zext %a : i32 to i64
// CHECK:       llvm.trunc %a : i32 to i16
// CHECK:       llvm.fpext %x : f32 to f64
// CHECK:       llvm.fptrunc %x : f32 to f16
// CHECK:       llvm.sitofp %a : i32 to f32
// CHECK:       llvm_ext.uitofp %a : i32 to f32
// CHECK:       llvm_ext.fptosi %x : f32 to i32
// CHECK:       llvm_ext.fptoui %x : f32 to i32
func.func @casts(%a: i32, %x: f32) {
  %0 = arith.extsi %a : i32 to i64
  %1 = arith.extui %a : i32 to i64
  %2 = arith.trunci %a : i32 to i16
  %3 = arith.extf %x : f32 to f64
  %4 = arith.truncf %x : f32 to f16
  %5 = arith.sitofp %a : i32 to f32
  %6 = arith.uitofp %a : i32 to f32
  %7 = arith.fptosi %x : f32 to i32
  %8 = arith.fptoui %x : f32 to i32
  func.return
}

// -----

// An index is an i64: casts between the two are nothing.
// CHECK-LABEL: llvm.func @index_casts(%a: i32, %b: i64, %i: i64)
// CHECK:       [[A:%.*]] = llvm.sext %a : i32 to i64
// CHECK-NEXT:  llvm.add [[A]], %b overflow<nsw> : i64
// CHECK-NEXT:  llvm.trunc %i : i64 to i32
func.func @index_casts(%a: i32, %b: i64, %i: index) {
  %0 = arith.index_cast %a : i32 to index
  %1 = arith.index_cast %b : i64 to index
  %2 = arith.addi %0, %1 : index
  %3 = arith.index_cast %i : index to i32
  func.return
}

// -----

// CHECK-LABEL: llvm.func @vectors
// CHECK:       [[B:%.*]] = llvm_ext.fcmp olt, %x, %y : vector<4xf32>
// CHECK:       llvm_ext.select [[B]], %x, %y
// CHECK:       llvm_ext.fptosi %x : vector<4xf32> to vector<4xi32>
func.func @vectors(%x: vector<4xf32>, %y: vector<4xf32>) {
  %0 = arith_ext.cmpf olt, %x, %y : vector<4xf32>
  %1 = arith_ext.select %0, %x, %y : vector<4xi1>, vector<4xf32>
  %2 = arith_ext.fptosi %x : vector<4xf32> to vector<4xi32>
  func.return
}
