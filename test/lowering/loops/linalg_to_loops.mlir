// RUN: ts-opt %s -p ts-linalg-to-loops --split-input-file | filecheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Contiguous operands of one shape: one loop over [begin, end), whose length @sizes computes.

// CHECK-LABEL: func.func @contiguous(%a: memref<?xf32>, %out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index)
// CHECK-NEXT:   [[ONE:%.*]] = arith.constant 1 : index
// CHECK-NEXT:   "scf.parallel"(%begin, %end, [[ONE]])
// CHECK-NEXT:   ^bb0([[I:%.*]]: index):
// CHECK-NEXT:     [[X:%.*]] = memref.load %a{{\[}}[[I]]] : memref<?xf32>
// CHECK-NEXT:     [[R:%.*]] = arith.addf [[X]], [[X]] : f32
// CHECK-NEXT:     memref.store [[R]], %out{{\[}}[[I]]] : memref<?xf32>
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   })
// CHECK-NEXT:   func.return
// CHECK: kernel.entry @contiguous words 3 range 2 grain 256 work 2 cost 52 sizes @sizes
// CHECK: func.func @sizes
// CHECK: arith.muli
// CHECK: memref.store
func.func @contiguous(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n0, %n1) : tensor<?x?xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  func.return %p : tensor<?x?xf32>
}
kernel.signature @contiguous([s0, s1]) -> ([s0, s1]) words 2

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>

// A broadcast column is read once a row; strides come from syms.

// CHECK-LABEL: func.func @broadcast
// CHECK: "scf.parallel"(%begin, %end,
// CHECK: ^bb0([[I:%.*]]: index):
// CHECK:   [[ROW:%.*]] = arith.muli [[I]], %{{.*}} : index
// CHECK:   [[Y:%.*]] = memref.load %b{{\[}}[[I]]] : memref<?xf32>
// CHECK:   "scf.parallel"
// CHECK:   ^bb0([[J:%.*]]: index):
// CHECK:     [[AT:%.*]] = arith.addi [[ROW]], [[J]] : index
// CHECK:     [[X:%.*]] = memref.load %a{{\[}}[[AT]]] : memref<?xf32>
// CHECK:     arith.addf [[X]], [[Y]] : f32
// CHECK: kernel.entry @broadcast words 4 range 0 grain 1 work 3
func.func @broadcast(%a: tensor<?x?xf32>, %b: tensor<?x1xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n0, %n1) : tensor<?x?xf32>
  %p = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<?x?xf32>, tensor<?x1xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  func.return %p : tensor<?x?xf32>
}
kernel.signature @broadcast([s0, s1] strides [s2, 1], [s0, _]) -> ([s0, s1]) words 3

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A reduction keeps its running value in the loop; the fill needs no loop.

// CHECK-LABEL: func.func @sum
// CHECK: [[ZERO:%.*]] = arith.constant 0.000000e+00 : f32
// CHECK: "scf.parallel"
// CHECK:   [[R:%.*]] = scf.for {{.*}} iter_args([[S:%.*]] = [[ZERO]]) -> (f32) {
// CHECK:     arith.addf [[S]], %{{.*}} fastmath<reassoc> : f32
// CHECK:     scf.yield
// CHECK:   memref.store [[R]], %out
func.func @sum(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%n0) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %p = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %s, %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  func.return %p : tensor<?xf32>
}
kernel.signature @sum([s0, s1]) -> ([s0]) words 2

// -----

// A transposed operand of a product is a stride, not a copy.

// CHECK-LABEL: func.func @product
// CHECK: memref.reinterpret_cast %w to {{.*}} : memref<?xf32> to memref<?x?xf32, strided<[1, ?]>>
// CHECK: linalg.fill
// CHECK: linalg.matmul
func.func @product(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %k = tensor.dim %x, %c1 : tensor<?x?xf32>
  %n = tensor.dim %w, %c0 : tensor<?x?xf32>
  %et = tensor.empty(%k, %n) : tensor<?x?xf32>
  %t = linalg.transpose ins(%w : tensor<?x?xf32>) outs(%et : tensor<?x?xf32>) permutation = [1, 0]
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.matmul ins(%x, %t : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  func.return %p : tensor<?x?xf32>
}
kernel.signature @product([s0, s1], [s2, s1]) -> ([s0, s2]) words 3

// -----

// A function beside a kernel is not this pass's business.

// CHECK-LABEL: func.func @no_kernel(%a: tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: func.return %a : tensor<?xf32>
func.func @kernel(%a: tensor<?xf32>) -> tensor<?xf32> {
  func.return %a : tensor<?xf32>
}
kernel.signature @kernel([s0]) -> ([s0]) words 1
func.func @no_kernel(%a: tensor<?xf32>) -> tensor<?xf32> {
  func.return %a : tensor<?xf32>
}
