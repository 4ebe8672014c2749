// RUN: ts-opt -p 'ts-expand-math{fma=false}' %s | filecheck %s
// RUN: ts-opt -p 'ts-expand-math{fma=true}' %s | filecheck %s --check-prefix FMA

// The product of two f32 is exact in f64.
// CHECK-LABEL: @single(
// CHECK-NEXT:  [[a:%.*]] = arith.extf %a : f32 to f64
// CHECK-NEXT:  [[b:%.*]] = arith.extf %b : f32 to f64
// CHECK-NEXT:  [[product:%.*]] = arith.mulf [[a]], [[b]] : f64
// CHECK-NEXT:  [[c:%.*]] = arith.extf %c : f32 to f64
// CHECK-NEXT:  [[sum:%.*]] = arith.addf [[product]], [[c]] : f64
// CHECK-NEXT:  %r = arith.truncf [[sum]] : f64 to f32
// FMA-LABEL:   @single(
// FMA-NEXT:    math.fma %a, %b, %c : f32
func.func @single(%a: f32, %b: f32, %c: f32) -> f32 {
  %r = math.fma %a, %b, %c : f32
  func.return %r : f32
}

// That of two f64 is a pair, whose second part is no number where the first overflows.
// CHECK-LABEL: @double(
// CHECK-NOT:   math.fma
// CHECK:       [[product:%.*]] = arith.mulf %a, %b : f64
// CHECK-NEXT:  [[total:%.*]] = arith.addf [[product]], %c : f64
// CHECK:       [[whole:%.*]] = arith.addf [[total]], %{{.*}} : f64
// CHECK:       %r = arith.select %{{.*}}, [[whole]], [[total]] : f64
func.func @double(%a: f64, %b: f64, %c: f64) -> f64 {
  %r = math.fma %a, %b, %c : f64
  func.return %r : f64
}

// What functions are made of, too.
// CHECK-LABEL: @inside(
// CHECK-NOT:   math.fma
// FMA-LABEL:   @inside(
// FMA:         math.fma
func.func @inside(%x: vector<4xf32>) -> vector<4xf32> {
  %y = math.exp %x : vector<4xf32>
  func.return %y : vector<4xf32>
}

// Sums of products round twice.
// CHECK-LABEL: @sums(
// CHECK-NEXT:  [[product:%.*]] = arith.mulf %a, %b : vector<8xf32>
// CHECK-NEXT:  %r = arith.addf [[product]], %c : vector<8xf32>
// FMA-LABEL:   @sums(
// FMA-NEXT:    vector.fma %a, %b, %c : vector<8xf32>
func.func @sums(%a: vector<8xf32>, %b: vector<8xf32>, %c: vector<8xf32>) -> vector<8xf32> {
  %r = vector.fma %a, %b, %c : vector<8xf32>
  func.return %r : vector<8xf32>
}
