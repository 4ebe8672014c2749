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

// -----

#id = affine_map<(d0) -> (d0)>

// Equal constants are one, zeros of two signs are not, and a constant may be all that an operation gives.

// CHECK-LABEL: func.func @constants
// CHECK: ^bb0(%x: f32, %{{.*}}: f32):
// CHECK-NEXT:   [[ZERO:%.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   [[MINUS:%.*]] = arith.constant -0.000000e+00 : f32
// CHECK-NEXT:   [[SUM:%.*]] = arith.addf [[ZERO]], [[MINUS]] : f32
// CHECK-NEXT:   [[TOTAL:%.*]] = arith.addf [[SUM]], %x : f32
// CHECK-NEXT:   [[RESULT:%.*]] = arith.mulf [[TOTAL]], [[ZERO]] : f32
// CHECK-NEXT:   linalg.yield [[RESULT]] : f32
func.func @constants(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %p = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %zero = arith.constant 0.0 : f32
    linalg.yield %zero : f32
  } -> tensor<?xf32>
  %q = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %unused = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    linalg.yield %zero : f32
  } -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%p, %q, %a : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%y: f32, %z: f32, %x: f32, %o: f32):
    %minus = arith.constant -0.0 : f32
    %sum = arith.addf %y, %minus : f32
    %total = arith.addf %sum, %x : f32
    %r = arith.mulf %total, %z : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  func.return %s : tensor<?xf32>
}
kernel.signature @constants([s0]) -> ([s0]) words 1

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>

// What is merged later reads the results of what was merged before.

// CHECK-LABEL: func.func @two_groups
// CHECK: [[COLUMN:%.*]] = linalg.generic {{.*}} ins(%a : tensor<?x1xf32>)
// CHECK: linalg.generic {{.*}} ins({{%.*}}, [[COLUMN]] : tensor<?x?xf32>, tensor<?x1xf32>)
func.func @two_groups(%a: tensor<?x1xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %b, %c0 : tensor<?x?xf32>
  %m = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e1 = tensor.empty(%n) : tensor<?x1xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x1xf32>) outs(%e1 : tensor<?x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.mulf %x, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x1xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<?x1xf32>) outs(%e1 : tensor<?x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x1xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.mulf %x, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %t = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %q : tensor<?x?xf32>, tensor<?x1xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  func.return %t : tensor<?x?xf32>
}
kernel.signature @two_groups([s0, _], [s0, s1]) -> ([s0, s1]) words 2
