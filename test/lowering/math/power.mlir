// RUN: ts-opt -p ts-expand-math %s | filecheck %s

// f32 is computed in f64; odd exponents, fractions, NaN and the exponent zero are selected at the end.
// CHECK-LABEL: @pow(%x: f32, %e: f32)
// CHECK-NEXT:  [[size:%.*]] = math.absf %x : f32
// CHECK-NEXT:  %{{.*}} = arith.extf [[size]] : f32 to f64
// CHECK:       arith.truncf %{{.*}} : f64 to f32
// CHECK:       [[whole:%.*]] = math.roundeven %e : f32
// CHECK-NEXT:  [[fraction:%.*]] = arith.cmpf une, [[whole]], %e : f32
// CHECK:       math.copysign %{{.*}}, %x : f32
// CHECK:       arith.cmpf uno, %x, %e : f32
// CHECK:       arith.cmpf oeq, %e, %{{.*}} : f32
// CHECK:       %y = arith.select
func.func @pow(%x: f32, %e: f32) -> f32 {
  %y = math.powf %x, %e : f32
  func.return %y : f32
}

// CHECK-LABEL: @rsqrt
// CHECK-NEXT:  [[root:%.*]] = math.sqrt %x : f64
// CHECK-NEXT:  [[one:%.*]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:  %y = arith.divf [[one]], [[root]] : f64
func.func @rsqrt(%x: f64) -> f64 {
  %y = math.rsqrt %x : f64
  func.return %y : f64
}

// CHECK-LABEL: @cbrt
// CHECK-NOT:   math.cbrt
func.func @cbrt(%x: f32) -> f32 {
  %y = math.cbrt %x : f32
  func.return %y : f32
}

// What targets have instructions for stays as it is; operations on integers too.
// CHECK-LABEL: @inline
// CHECK-NEXT:  %0 = math.sqrt %x : f32
// CHECK-NEXT:  %1 = math.floor %0 : f32
// CHECK-NEXT:  func.return %1 : f32
func.func @inline(%x: f32) -> f32 {
  %0 = math.sqrt %x : f32
  %1 = math.floor %0 : f32
  func.return %1 : f32
}
