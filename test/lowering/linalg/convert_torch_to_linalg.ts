# RUN: ts-opt %s -p ts-convert-torch-to-linalg | filecheck %s
# RUN: ts-opt %S/Inputs/matmul.ts -p ts-convert-torch-to-linalg | filecheck %s --check-prefix=MATMUL
# RUN: ts-opt %S/Inputs/cat.ts -p ts-convert-torch-to-linalg | filecheck %s --check-prefix=CAT

# A size of 1 that meets another is static, equal sizes share a word of syms, a scalar has a word of its own.
# CHECK:      func.func @kernel(%x: tensor<?x1xf32>, %y: tensor<?xf32>, %z: tensor<?x?xf32>, %0: i64, %1: index, %2: index) -> tensor<?x?xf32> {
# CHECK-NEXT:   [[out:%.*]] = tensor.empty(%1, %2) : tensor<?x?xf32>
# CHECK-NEXT:   [[sum:%.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<?x1xf32>, tensor<?xf32>) outs([[out]] : tensor<?x?xf32>) {
# CHECK:          [[alpha:%.*]] = arith.sitofp %0 : i64 to f32
# CHECK-NEXT:     [[scaled:%.*]] = arith.mulf [[alpha]], %{{.*}} : f32
# CHECK-NEXT:     [[added:%.*]] = arith.addf %{{.*}}, [[scaled]] : f32
# CHECK-NEXT:     linalg.yield [[added]] : f32
# CHECK:        [[product:%.*]] = linalg.generic {{.*}} ins([[sum]], %z : tensor<?x?xf32>, tensor<?x?xf32>)
# CHECK:        func.return [[product]] : tensor<?x?xf32>
# CHECK:      kernel.signature @kernel([s0, _], [s1], [s0, s1] strides [s2, s3], s4, s0, s1) -> ([s0, s1]) words 5
graph(%x : Float(4, 1, strides=[1, 1], requires_grad=0, device=cpu),
      %y : Float(6, strides=[1], requires_grad=0, device=cpu),
      %z : Float(4, 6, strides=[12, 2], requires_grad=0, device=cpu),
      %s : int):
  %a : Float(4, 6, strides=[6, 1], requires_grad=0, device=cpu) = aten::add(%x, %y, %s)
  %b : Float(4, 6, strides=[6, 1], requires_grad=0, device=cpu) = aten::mul(%a, %z)
  return (%b)

# `mm(x, w.t()) + b` in two chunks: the inner sizes of the product are one word, and @sizes computes that of a chunk.
# MATMUL:      func.func @kernel(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %b: tensor<?xf32>,
# MATMUL-SAME: -> tensor<?x?xf32> {
# MATMUL:        [[t:%.*]] = linalg.transpose ins(%w:tensor<?x?xf32>) outs(%{{.*}}:tensor<?x?xf32>) permutation = [1, 0]
# MATMUL:        [[zeros:%.*]] = linalg.fill
# MATMUL-NEXT:   [[product:%.*]] = linalg.matmul ins(%x, [[t]] : tensor<?x?xf32>, tensor<?x?xf32>) outs([[zeros]] : tensor<?x?xf32>) -> tensor<?x?xf32>
# MATMUL:        [[sum:%.*]] = linalg.generic {{.*}} ins([[product]], %b :
# MATMUL:        tensor.extract_slice [[sum]][0, %{{.*}}] [%0, %3] [1, 1]
# MATMUL-NEXT:   tensor.extract_slice [[sum]][0, %3] [%0, %3] [1, 1]
# MATMUL:      func.func @sizes(%0: memref<?xi64>) -> i1 {
# MATMUL:        [[part:%.*]] = arith.divsi %{{.*}}, %{{.*}} : i64
# MATMUL:        [[fits:%.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i64
# MATMUL:        memref.store [[part]], %0[%{{.*}}] : memref<?xi64>

# Parts are inserted one after the other; the size of the whole is the sum of theirs.
# CAT:         func.func @kernel(%x: tensor<?x?xi64>, %y: tensor<?x1xf64>, %0: f64,
# CAT-SAME:    -> (tensor<?x1x?xf64>, tensor<?x1x?xi1>)
# CAT:           [[first:%.*]] = tensor.insert_slice [[part:%.*]] into %{{.*}}[0, %{{.*}}] [%1, %2] [1, 1]
# CAT-NEXT:      [[at:%.*]] = arith.addi %{{.*}}, %2 : index
# CAT-NEXT:      tensor.insert_slice [[part]] into [[first]][0, [[at]]] [%1, %2] [1, 1]
# CAT:           linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
# CAT:           arith.mulf %{{.*}}, %0 : f64
# CAT:         func.func @sizes(%0: memref<?xi64>) -> i1 {
# CAT:           arith.addi
