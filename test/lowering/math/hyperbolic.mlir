// RUN: ts-opt -p ts-expand-math %s | filecheck %s

// One division, the sign from the argument, tiny arguments unchanged.
// CHECK-LABEL: @tanh(%x: f32)
// CHECK-NEXT:  [[size:%.*]] = math.absf %x : f32
// CHECK:       [[quotient:%.*]] = arith.divf %{{.*}}, %{{.*}} : f32
// CHECK:       [[signed:%.*]] = math.copysign [[quotient]], %x : f32
// CHECK:       %y = arith.select %{{.*}}, %x, [[signed]] : f32
func.func @tanh(%x: f32) -> f32 {
  %y = math.tanh %x : f32
  func.return %y : f32
}

// Nothing is left of the family's own operations.
// CHECK-LABEL: @others
// CHECK-NOT:   math.sinh
// CHECK-NOT:   math.cosh
// CHECK-NOT:   math.asinh
// CHECK-NOT:   math.acosh
// CHECK-NOT:   math.atanh
// CHECK:       func.return
func.func @others(%x: f64) -> (f64, f64, f64, f64, f64) {
  %0 = math.sinh %x : f64
  %1 = math.cosh %x : f64
  %2 = math.asinh %x : f64
  %3 = math.acosh %x : f64
  %4 = math.atanh %x : f64
  func.return %0, %1, %2, %3, %4 : f64, f64, f64, f64, f64
}
