// RUN: ts-opt -p ts-expand-math %s | filecheck %s

// The argument is reduced in f64, with a window of 1 / 2 pi that depends on its size where one is large; the quarter decides by its low bits.
// CHECK-LABEL: @sin(%x: vector<16xf32>)
// CHECK-NEXT:  [[wide:%.*]] = arith.extf %x : vector<16xf32> to vector<16xf64>
// CHECK:       [[far:%.*]] = arith_ext.cmpf oge, %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK-NEXT:  [[any:%.*]] = vector.reduction <or>, [[far]] : vector<16xi1> into i1
// CHECK-NEXT:  %{{.*}}, [[rest:%.*]] = scf.if [[any]] -> (vector<16xf64>, vector<16xf64>) {
// CHECK:         arith_ext.select %{{.*}}, %{{.*}}, %{{.*}} : vector<16xi1>, vector<16xf64>
// CHECK:         [[turns:%.*]] = arith.mulf [[wide]], [[high:%.*]] : vector<16xf64>
// CHECK-NEXT:    [[minus:%.*]] = arith.negf [[turns]] : vector<16xf64>
// CHECK-NEXT:    %{{.*}} = math.fma [[wide]], [[high]], [[minus]] : vector<16xf64>
// CHECK-NEXT:    [[whole:%.*]] = math.roundeven [[turns]] : vector<16xf64>
// CHECK:       } else {
// CHECK:         [[quarters:%.*]] = arith.mulf [[wide]], %{{.*}} : vector<16xf64>
// CHECK:         math.roundeven [[quarters]] : vector<16xf64>
// CHECK-NOT:     arith_ext.select
// CHECK:         scf.yield %{{.*}}, %{{.*}} : vector<16xf64>, vector<16xf64>
// CHECK:       arith.subf [[rest]], %{{.*}} : vector<16xf64>
// CHECK:       arith.truncf %{{.*}} : vector<16xf64> to vector<16xf32>
// CHECK:       arith.andi %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK:       arith.xori
// CHECK:       %y = arith_ext.select %{{.*}}, %x, %{{.*}} : vector<16xi1>, vector<16xf32>
func.func @sin(%x: vector<16xf32>) -> vector<16xf32> {
  %y = math.sin %x : vector<16xf32>
  func.return %y : vector<16xf32>
}

// CHECK-LABEL: @others
// CHECK-NOT:   math.sin
// CHECK-NOT:   math.cos{{ }}
// CHECK-NOT:   math.tan
// CHECK-NOT:   math.a{{sin|cos|tan}}
// CHECK:       func.return
func.func @others(%x: f64, %z: f64) -> (f64, f64, f64, f64, f64, f64, f64) {
  %0 = math.sin %x : f64
  %1 = math.cos %x : f64
  %2 = math.tan %x : f64
  %3 = math.asin %x : f64
  %4 = math.acos %x : f64
  %5 = math.atan %x : f64
  %6 = math.atan2 %x, %z : f64
  func.return %0, %1, %2, %3, %4, %5, %6 : f64, f64, f64, f64, f64, f64, f64
}
