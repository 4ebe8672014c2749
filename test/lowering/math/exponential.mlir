// RUN: ts-opt -p ts-expand-math %s | filecheck %s

// Bounds, the nearest multiple of ln 2 by a magic number, a polynomial, the power of two as two factors.
// CHECK-LABEL: @exp(%x: f32)
// CHECK:       %{{.*}} = arith.cmpf ogt, %x, %{{.*}} : f32
// CHECK:       [[bounded:%.*]] = arith.select {{.*}} : f32
// CHECK:       [[magic:%.*]] = arith.constant 0x4B400000 : f32
// CHECK-NEXT:  [[shifted:%.*]] = math.fma %{{.*}}, %{{.*}}, [[magic]] : f32
// CHECK-NEXT:  [[n:%.*]] = arith.subf [[shifted]], [[magic]] : f32
// CHECK-NEXT:  [[bits:%.*]] = arith.bitcast [[shifted]] : f32 to i32
// CHECK:       [[half:%.*]] = arith.shrsi {{.*}} : i32
// CHECK:       [[first:%.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK-NEXT:  [[partial:%.*]] = arith.mulf %{{.*}}, [[first]] : f32
// CHECK-NEXT:  [[rest:%.*]] = arith.subi [[bits]], [[half]] : i32
// CHECK:       [[second:%.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK-NEXT:  %y = arith.mulf [[partial]], [[second]] : f32
// CHECK-NEXT:  func.return %y : f32
func.func @exp(%x: f32) -> f32 {
  %y = math.exp %x : f32
  func.return %y : f32
}

// A comparison of vectors gives a vector, in upstream's spelling.
// CHECK-LABEL: @exp_vector
// CHECK:       [[mask:%.*]] = arith_ext.cmpf ogt, %x, [[bound:%.*]] : vector<16xf32>
// CHECK-NEXT:  %{{.*}} = arith_ext.select [[mask]], [[bound]], %x : vector<16xi1>, vector<16xf32>
// CHECK:       arith.bitcast %{{.*}} : vector<16xf32> to vector<16xi32>
// CHECK-NOT:   math.exp
func.func @exp_vector(%x: vector<16xf32>) -> vector<16xf32> {
  %y = math.exp %x : vector<16xf32>
  func.return %y : vector<16xf32>
}

// Integers as arguments leave no remainder: no multiplication by a rounded constant before it.
// CHECK-LABEL: @exp2
// CHECK:       [[shifted:%.*]] = arith.addf [[x:%[0-9]+]], [[magic:%[0-9]+]] : f64
// CHECK-NEXT:  [[n:%.*]] = arith.subf [[shifted]], [[magic]] : f64
// CHECK-NEXT:  %{{.*}} = arith.bitcast [[shifted]] : f64 to i64
// CHECK-NEXT:  %{{.*}} = arith.subf [[x]], [[n]] : f64
func.func @exp2(%x: f64) -> f64 {
  %y = math.exp2 %x : f64
  func.return %y : f64
}

// Tiny arguments are their own results.
// CHECK-LABEL: @expm1
// CHECK:       [[size:%.*]] = math.absf %x : f32
// CHECK:       [[tiny:%.*]] = arith.cmpf olt, [[size]], %{{.*}} : f32
// CHECK:       %y = arith.select [[tiny]], %x, %{{.*}} : f32
func.func @expm1(%x: f32) -> f32 {
  %y = math.expm1 %x : f32
  func.return %y : f32
}

// Half precision is computed in f32.
// CHECK-LABEL: @exp_half
// CHECK-NEXT:  %{{.*}} = arith.extf %x : f16 to f32
// CHECK:       %y = arith.truncf %{{.*}} : f32 to f16
func.func @exp_half(%x: f16) -> f16 {
  %y = math.exp %x : f16
  func.return %y : f16
}
