// RUN: ts-opt -p ts-expand-math %s | filecheck %s

// Both branches are computed: an odd polynomial, and one minus an exponential with the argument's sign.
// CHECK-LABEL: @erf(%x: f32)
// CHECK:       [[small:%.*]] = math.fma %x, %{{.*}}, %x : f32
// CHECK:       [[one:%.*]] = arith.constant 1.000000e+00 : f32
// CHECK:       [[rest:%.*]] = arith.subf [[one]], %{{.*}} : f32
// CHECK-NEXT:  [[large:%.*]] = math.copysign [[rest]], %x : f32
// CHECK-NEXT:  [[inner:%.*]] = arith.cmpf olt, %{{.*}}, [[one]] : f32
// CHECK-NEXT:  %y = arith.select [[inner]], [[small]], [[large]] : f32
func.func @erf(%x: f32) -> f32 {
  %y = math.erf %x : f32
  func.return %y : f32
}

// A polynomial times an exponential, of which double precision is kept in between; 2 less that for negative numbers.
// CHECK-LABEL: @erfc(%x: f32)
// CHECK:       [[size:%.*]] = math.absf %x : f32
// CHECK:       arith.extf %{{.*}} : f32 to f64
// CHECK:       [[negative:%.*]] = arith.cmpf olt, %x, %{{.*}} : f32
// CHECK-NEXT:  [[other:%.*]] = arith.subf %{{.*}}, [[result:%.*]] : f64
// CHECK-NEXT:  arith.select [[negative]], [[other]], [[result]] : f64
// CHECK-NEXT:  %y = arith.truncf %{{.*}} : f64 to f32
func.func @erfc(%x: f32) -> f32 {
  %y = math_ext.erfc %x : f32
  func.return %y : f32
}
