// RUN: ts-opt %s -p ts-fuse-reductions --split-input-file | filecheck %s

// What a sum of squares alone uses is computed where it is summed, one after the other. An operand is loaded once.

// CHECK-LABEL: func.func @squares
// CHECK-NOT:     linalg.generic {{.*}} ["parallel", "parallel"]
// CHECK:         %[[TOTAL:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %y : tensor<?x?xf32>, tensor<?xf32>)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[SUM:.*]]: f32):
// CHECK-NEXT:      %[[GAP:.*]] = arith.subf %[[X]], %[[Y]] : f32
// CHECK-NEXT:      %[[SQUARE:.*]] = arith.mulf %[[GAP]], %[[GAP]] : f32
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addf %[[SUM]], %[[SQUARE]] : f32
// CHECK-NEXT:      linalg.yield %[[NEXT]] : f32
// CHECK:         func.return %[[TOTAL]]
func.func @squares(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %0: index, %1: index) -> tensor<?xf32> {
  %2 = tensor.empty(%0, %1) : tensor<?x?xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<?x?xf32>, tensor<?xf32>) outs(%2 : tensor<?x?xf32>) {
  ^bb0(%4: f32, %5: f32, %6: f32):
    %7 = arith.subf %4, %5 : f32
    linalg.yield %7 : f32
  } -> tensor<?x?xf32>
  %8 = tensor.empty(%0, %1) : tensor<?x?xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%3, %3 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%8 : tensor<?x?xf32>) {
  ^bb0(%10: f32, %11: f32, %12: f32):
    %13 = arith.mulf %10, %11 : f32
    linalg.yield %13 : f32
  } -> tensor<?x?xf32>
  %14 = arith.constant 0.0 : f32
  %15 = tensor.empty(%0) : tensor<?xf32>
  %16 = linalg.fill ins(%14 : f32) outs(%15 : tensor<?xf32>) -> tensor<?xf32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%9 : tensor<?x?xf32>) outs(%16 : tensor<?xf32>) {
  ^bb0(%18: f32, %19: f32):
    %20 = arith.addf %19, %18 : f32
    linalg.yield %20 : f32
  } -> tensor<?xf32>
  func.return %17 : tensor<?xf32>
}
kernel.signature @squares([s0, s1], [s1], s0, s1) -> ([s0]) words 2

// -----

// What something else uses as well stays.

// CHECK-LABEL: func.func @kept
// CHECK:         linalg.generic {{.*}} ["parallel"]
// CHECK:         linalg.generic {{.*}} ["reduction"]
func.func @kept(%x: tensor<?xf32>, %0: index) -> (tensor<?xf32>, tensor<f32>) {
  %2 = tensor.empty(%0) : tensor<?xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%2 : tensor<?xf32>) {
  ^bb0(%4: f32, %6: f32):
    %7 = arith.mulf %4, %4 : f32
    linalg.yield %7 : f32
  } -> tensor<?xf32>
  %14 = arith.constant 0.0 : f32
  %15 = tensor.empty() : tensor<f32>
  %16 = linalg.fill ins(%14 : f32) outs(%15 : tensor<f32>) -> tensor<f32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%3 : tensor<?xf32>) outs(%16 : tensor<f32>) {
  ^bb0(%18: f32, %19: f32):
    %20 = arith.addf %19, %18 : f32
    linalg.yield %20 : f32
  } -> tensor<f32>
  func.return %3, %17 : tensor<?xf32>, tensor<f32>
}
kernel.signature @kept([s0], s0) -> ([s0], []) words 1

// -----

// Neither does what would leave the size of a loop unknown: ones are made of nothing.

// CHECK-LABEL: func.func @ones
// CHECK:         linalg.generic {{.*}} ["parallel"]
// CHECK:         linalg.generic {{.*}} ["reduction"]
func.func @ones(%0: index) -> tensor<f32> {
  %one = arith.constant 1.0 : f32
  %2 = tensor.empty(%0) : tensor<?xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%2 : tensor<?xf32>) {
  ^bb0(%6: f32):
    linalg.yield %one : f32
  } -> tensor<?xf32>
  %15 = tensor.empty() : tensor<f32>
  %16 = linalg.fill ins(%one : f32) outs(%15 : tensor<f32>) -> tensor<f32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%3 : tensor<?xf32>) outs(%16 : tensor<f32>) {
  ^bb0(%18: f32, %19: f32):
    %20 = arith.addf %19, %18 : f32
    linalg.yield %20 : f32
  } -> tensor<f32>
  func.return %17 : tensor<f32>
}
kernel.signature @ones(s0) -> ([]) words 1
