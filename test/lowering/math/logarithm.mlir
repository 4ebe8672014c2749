// RUN: ts-opt -p ts-expand-math %s | filecheck %s

// Denormals are scaled up, exponent and mantissa are told apart as integers, limits are selected last.
// CHECK-LABEL: @log(%x: f32)
// CHECK:       [[small:%.*]] = arith.cmpf olt, %x, %{{.*}} : f32
// CHECK:       [[scaled:%.*]] = arith.select [[small]], %{{.*}}, %x : f32
// CHECK-NEXT:  %{{.*}} = arith.bitcast [[scaled]] : f32 to i32
// CHECK:       arith.shrsi
// CHECK:       [[f:%.*]] = arith.subf %{{.*}}, %{{.*}} : f32
// CHECK:       [[inf:%.*]] = arith.constant 0x7f800000 : f32
// CHECK-NEXT:  [[finite:%.*]] = arith.cmpf olt, %x, [[inf]] : f32
// CHECK-NEXT:  %{{.*}} = arith.select [[finite]], %{{.*}}, %x : f32
// CHECK:       [[minus_inf:%.*]] = arith.constant 0xff800000 : f32
// CHECK-NEXT:  %y = arith.select %{{.*}}, [[minus_inf]], %{{.*}} : f32
func.func @log(%x: f32) -> f32 {
  %y = math.log %x : f32
  func.return %y : f32
}

// f64 has one division.
// CHECK-LABEL: @log_double
// CHECK:       arith.divf %{{.*}}, %{{.*}} : vector<8xf64>
// CHECK-NOT:   arith.divf
// CHECK:       func.return
func.func @log_double(%x: vector<8xf64>) -> vector<8xf64> {
  %y = math.log %x : vector<8xf64>
  func.return %y : vector<8xf64>
}

// The exponent is added as it is: powers of two have exact logarithms.
// CHECK-LABEL: @log2
// CHECK:       math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK-NOT:   math.log
// CHECK-LABEL: @log10
// CHECK-NOT:   math.log
func.func @log2(%x: f32) -> f32 {
  %y = math.log2 %x : f32
  func.return %y : f32
}

func.func @log10(%x: f32) -> f32 {
  %y = math.log10 %x : f32
  func.return %y : f32
}

// CHECK-LABEL: @log1p
// CHECK:       [[sum:%.*]] = arith.addf %x, %{{.*}} : f32
// CHECK-NEXT:  %{{.*}} = arith.bitcast [[sum]] : f32 to i32
// CHECK:       %y = arith.select %{{.*}}, %x, %{{.*}} : f32
func.func @log1p(%x: f32) -> f32 {
  %y = math.log1p %x : f32
  func.return %y : f32
}
