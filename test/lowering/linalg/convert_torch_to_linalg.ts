# RUN: ts-opt %s -p ts-convert-torch-to-linalg | filecheck %s

# Sizes that broadcast are static, equal ones share a word of syms, strides that are not dense have words of their own.
# CHECK:      func.func @kernel_0(%x: tensor<?x1xf32> {ts.dims = array<i64: 0, -1>}, %y: tensor<?xf32> {ts.dims = array<i64: 1>}, %0: i64 {ts.sym = 2 : i64}, %1: index {ts.sym = 0 : i64}, %2: index {ts.sym = 1 : i64}) -> (tensor<?x?xf32> {ts.dims = array<i64: 0, 1>}) attributes {ts.kernel, ts.syms = 3 : i64} {
# CHECK-NEXT:   [[out:%.*]] = tensor.empty(%1, %2) : tensor<?x?xf32>
# CHECK-NEXT:   [[sum:%.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<?x1xf32>, tensor<?xf32>) outs([[out]] : tensor<?x?xf32>) {
# CHECK:          [[alpha:%.*]] = arith.sitofp %0 : i64 to f32
# CHECK-NEXT:     [[scaled:%.*]] = arith.mulf [[alpha]], %{{.*}} : f32
# CHECK-NEXT:     [[added:%.*]] = arith.addf %{{.*}}, [[scaled]] : f32
# CHECK-NEXT:     linalg.yield [[added]] : f32
# CHECK:        func.return [[sum]] : tensor<?x?xf32>
graph @broadcast(%g : Tensor):
  %r : Float(4, 6, strides=[6, 1]) = prim::TensorExprGroup_0(%g, %g, %g)
  return (%r)
