// RUN: ts-opt -p 'ts-expand-math{bf16=false}' %s | filecheck %s
// RUN: ts-opt -p ts-expand-math %s | filecheck %s --check-prefix PLAIN

// The upper half of the bits, after what rounds to the nearest, of two the even one; NaN is the quiet one.
// CHECK-LABEL: @round(
// CHECK:       [[nan:%.*]] = arith.cmpf uno, %x, %x : f32
// CHECK:       [[number:%.*]] = arith.select [[nan]], %{{.*}}, %x : f32
// CHECK:       [[bits:%.*]] = arith.bitcast [[number]] : f32 to i32
// CHECK:       arith.constant 32767 : i32
// CHECK:       [[odd:%.*]] = arith.andi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT:  [[sum:%.*]] = arith.addi %{{.*}}, [[odd]] : i32
// CHECK-NEXT:  [[top:%.*]] = arith.shrui [[sum]], %{{.*}} : i32
// CHECK-NEXT:  [[narrow:%.*]] = arith.trunci [[top]] : i32 to i16
// CHECK-NEXT:  %y = arith.bitcast [[narrow]] : i16 to bf16
// PLAIN-LABEL: @round(
// PLAIN-NEXT:  arith.truncf %x : f32 to bf16
func.func @round(%x: f32) -> bf16 {
  %y = arith.truncf %x : f32 to bf16
  func.return %y : bf16
}

// By way of f32, as in PyTorch.
// CHECK-LABEL: @of_others(
// CHECK-NEXT:  arith.truncf %x : vector<4xf64> to vector<4xf32>
// CHECK:       arith_ext.sitofp %n : vector<4xi64> to vector<4xf32>
func.func @of_others(%x: vector<4xf64>, %n: vector<4xi64>) -> (vector<4xbf16>, vector<4xbf16>) {
  %y = arith.truncf %x : vector<4xf64> to vector<4xbf16>
  %z = arith_ext.sitofp %n : vector<4xi64> to vector<4xbf16>
  func.return %y, %z : vector<4xbf16>, vector<4xbf16>
}

// CHECK-LABEL: @widen(
// CHECK-NEXT:  [[bits:%.*]] = arith.bitcast %x : bf16 to i16
// CHECK-NEXT:  [[wide:%.*]] = arith.extui [[bits]] : i16 to i32
// CHECK-NEXT:  [[sixteen:%.*]] = arith.constant 16 : i32
// CHECK-NEXT:  [[moved:%.*]] = arith.shli [[wide]], [[sixteen]] : i32
// CHECK-NEXT:  %y = arith.bitcast [[moved]] : i32 to f32
func.func @widen(%x: bf16) -> f32 {
  %y = arith.extf %x : bf16 to f32
  func.return %y : f32
}

// CHECK-LABEL: @compare_and_choose(
// CHECK:       [[less:%.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// CHECK:       arith.select [[less]], %{{.*}}, %{{.*}} : i16
// CHECK-NEXT:  %z = arith.bitcast %{{.*}} : i16 to bf16
func.func @compare_and_choose(%x: bf16, %y: bf16) -> bf16 {
  %c = arith.cmpf olt, %x, %y : bf16
  %z = arith.select %c, %x, %y : bf16
  func.return %z : bf16
}
