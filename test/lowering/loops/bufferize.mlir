// RUN: ts-opt %s -p ts-bufferize --split-input-file | filecheck %s

#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>

// The result is written into the last argument. A pointwise operation writes over an operand that nothing reads after it: all three
// tensors are in one buffer. What a reduction starts from is a fill of its buffer.

// CHECK-LABEL: func.func @in_place(%a: memref<?xf32>, %n: index, %out: memref<?xf32>) {
// CHECK:      [[ZERO:%.*]] = arith.constant 0.000000e+00 : f32
// CHECK:      linalg.generic {{.*}} ins(%a : memref<?xf32>) outs(%out : memref<?xf32>)
// CHECK:      [[SUM:%.*]] = memref.alloc() : memref<f32>
// CHECK-NEXT: linalg.fill ins([[ZERO]] : f32) outs([[SUM]] : memref<f32>)
// CHECK-NEXT: linalg.generic {{.*}}["reduction"]} ins(%out : memref<?xf32>) outs([[SUM]] : memref<f32>)
// CHECK:      linalg.generic {{.*}} ins(%out, [[SUM]] : memref<?xf32>, memref<f32>) outs(%out : memref<?xf32>)
// CHECK:      func.return
// CHECK-NEXT: }
// CHECK-NEXT: kernel.signature @in_place([s0], s0) -> ([s0]) words 1
func.func @in_place(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %e0 = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.exp %x : f32
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
kernel.signature @in_place([s0]) -> ([s0]) words 1

// -----

#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>

// The first tensor is read again after the second is computed: it has a buffer of its own. So has the second, which is of another type
// than the result.

// CHECK-LABEL: func.func @read_later
// CHECK:      [[P:%.*]] = memref.alloc(%n) : memref<?xf32>
// CHECK-NEXT: linalg.generic {{.*}} ins(%a : memref<?xf32>) outs([[P]] : memref<?xf32>)
// CHECK:      [[Q:%.*]] = memref.alloc(%n) : memref<?xf64>
// CHECK-NEXT: linalg.generic {{.*}} ins([[P]] : memref<?xf32>) outs([[Q]] : memref<?xf64>)
// CHECK:      linalg.generic {{.*}} ins([[P]], [[Q]] : memref<?xf32>, memref<?xf64>) outs(%out : memref<?xi1>)
func.func @read_later(%a: tensor<?xf32>) -> tensor<?xi1> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %e2 = tensor.empty(%n) : tensor<?xf64>
  %e3 = tensor.empty(%n) : tensor<?xi1>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%p : tensor<?xf32>) outs(%e2 : tensor<?xf64>) {
  ^bb0(%x: f32, %o: f64):
    %r = arith.extf %x : f32 to f64
    linalg.yield %r : f64
  } -> tensor<?xf64>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%p, %q : tensor<?xf32>, tensor<?xf64>) outs(%e3 : tensor<?xi1>) {
  ^bb0(%x: f32, %y: f64, %o: i1):
    %w = arith.extf %x : f32 to f64
    %r = arith.cmpf olt, %w, %y : f64
    linalg.yield %r : i1
  } -> tensor<?xi1>
  func.return %s : tensor<?xi1>
}
kernel.signature @read_later([s0]) -> ([s0]) words 1

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// What is read at other places than those that are written is not written over.

// CHECK-LABEL: func.func @turned
// CHECK: [[P:%.*]] = memref.alloc(%n, %n) : memref<?x?xf32>
// CHECK: linalg.generic {{.*}} ins([[P]], [[P]] : {{.*}}) outs(%out :
func.func @turned(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %q = linalg.generic {indexing_maps = [#id, #turned, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %p : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  func.return %q : tensor<?x?xf32>
}
kernel.signature @turned([s0, s0]) -> ([s0, s0]) words 1

// -----

#id = affine_map<(d0) -> (d0)>

// The halves of a result are computed in their places, a part of an argument is a view of it, and what is given back as it came is
// copied.

// CHECK-LABEL: func.func @slices(%a: memref<?xf32>, %n: index, %m: index, %out: memref<?xf32>, %out_1: memref<?xf32>)
// CHECK:      [[FIRST:%.*]] = memref.subview %a[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT: [[LEFT:%.*]] = memref.subview %out[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT: linalg.generic {{.*}} ins([[FIRST]] : {{.*}}) outs([[LEFT]] :
// CHECK:        math.exp
// CHECK:      [[RIGHT:%.*]] = memref.subview %out[%n] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT: linalg.generic {{.*}} ins([[FIRST]] : {{.*}}) outs([[RIGHT]] :
// CHECK:        math.tanh
// CHECK:      linalg.generic {{.*}} ins(%a : memref<?xf32>) outs(%out_1 : memref<?xf32>)
// CHECK-NOT:  linalg.generic
// CHECK:      func.return
func.func @slices(%a: tensor<?xf32>, %n: index, %m: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %part = tensor.extract_slice %a[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%part : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%part : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.tanh %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %w = tensor.empty(%m) : tensor<?xf32>
  %w1 = tensor.insert_slice %p into %w[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  %w2 = tensor.insert_slice %q into %w1[%n] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  func.return %w2, %a : tensor<?xf32>, tensor<?xf32>
}
kernel.signature @slices([s1], s0, s1) -> ([s1], [s1]) words 2

// -----

// A transposed operand is another view, and an argument with strides shows them.

// CHECK-LABEL: func.func @product(%x: memref<?x?xf32, strided<[?, 1]>>, %w: memref<?x?xf32>,
// CHECK: [[T:%.*]] = memref.reinterpret_cast %w to offset: [0], sizes: [%k, %n], strides: [1, %k] : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
// CHECK: linalg.fill {{.*}} outs(%out : memref<?x?xf32>)
// CHECK-NEXT: linalg.matmul ins(%x, [[T]] : {{.*}}) outs(%out : memref<?x?xf32>)
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
kernel.signature @product([s0, s1] strides [s3, 1], [s2, s1]) -> ([s0, s2]) words 4

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

// -----

#id = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>

// A result may be read in another shape.

// CHECK-LABEL: func.func @reshaped
// CHECK: [[FLAT:%.*]] = memref.reinterpret_cast %out to offset: [0], sizes: [{{.*}}], strides: [1]
// CHECK: linalg.generic {{.*}} ins([[FLAT]] : {{.*}}) outs(%out_1 : memref<?xf32>)
func.func @reshaped(%a: tensor<?x?xf32>, %n: index, %m: index, %k: index) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %p = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %flat = tensor.collapse_shape %p [[0 : i64, 1 : i64]] : tensor<?x?xf32> into tensor<?xf32>
  %f = tensor.empty(%k) : tensor<?xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%flat : tensor<?xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.tanh %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  func.return %p, %q : tensor<?x?xf32>, tensor<?xf32>
}
kernel.signature @reshaped([s0, s1], s0, s1, s2) -> ([s0, s1], [s2]) words 3
