// RUN: ts-opt %s -p ts-fuse-elementwise --split-input-file | filecheck %s

#id = affine_map<(d0) -> (d0)>

// A producer that nothing else uses disappears; one that does stays as a second result.

// CHECK-LABEL: func.func @chain
// CHECK: %{{.*}}, %{{.*}} = linalg_ext.generic {{.*}} ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e, %e : tensor<?xf32>, tensor<?xf32>)
// CHECK-NEXT: ^bb0(%x: f32, %y: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK-NEXT:   [[SUM:%.*]] = arith.addf %x, %y : f32
// CHECK-NEXT:   [[PRODUCT:%.*]] = arith.mulf [[SUM]], %y : f32
// CHECK-NEXT:   [[SQUARE:%.*]] = arith.mulf [[PRODUCT]], [[PRODUCT]] : f32
// CHECK-NEXT:   linalg.yield [[PRODUCT]], [[SQUARE]] : f32, f32
// CHECK-NOT: linalg.generic
// CHECK: func.return
func.func @chain(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%p, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.mulf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%q : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.mulf %x, %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  func.return %q, %s : tensor<?xf32>, tensor<?xf32>
}
kernel.signature @chain([s0], [s0]) -> ([s0], [s0]) words 1

// -----

#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>

// A reduction between the two needs the whole of the first, and the second needs the reduction.

// CHECK-LABEL: func.func @across_a_reduction
// CHECK: linalg.generic {{.*}}["parallel"]
// CHECK: linalg.generic {{.*}}["reduction"]
// CHECK: linalg.generic {{.*}}["parallel"]
// CHECK: func.return
func.func @across_a_reduction(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %e0 = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.mulf %x, %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%p : tensor<?xf32>) outs(%f : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %o, %x : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %q = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel"]} ins(%p, %s : tensor<?xf32>, tensor<f32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.divf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  func.return %q : tensor<?xf32>
}
kernel.signature @across_a_reduction([s0]) -> ([s0]) words 1

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// Not the same element of the producer: the two stay apart.

// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-2: linalg.generic
// CHECK: func.return
func.func @transposed(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.mulf %x, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %q = linalg.generic {indexing_maps = [#swap, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  func.return %q : tensor<?x?xf32>
}
kernel.signature @transposed([s0, s0]) -> ([s0, s0]) words 1

// -----

#id = affine_map<(d0) -> (d0)>

// Without a signature, a function beside a kernel is not this pass's business.

// CHECK-LABEL: func.func @no_kernel
// CHECK-COUNT-2: linalg.generic
func.func @kernel(%a: tensor<?xf32>) -> tensor<?xf32> {
  func.return %a : tensor<?xf32>
}
kernel.signature @kernel([s0]) -> ([s0]) words 1
func.func @no_kernel(%a: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<?xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%p : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<?xf32>
  func.return %q : tensor<?xf32>
}
