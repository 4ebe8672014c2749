// RUN: ts-opt %s -p ts-matmul-to-loops --split-input-file | filecheck %s

// x @ w.t(): both contiguous along K. One row: eight columns, whose sums end up in one vector.

// CHECK-LABEL: func.func @dot_one_row
// CHECK-NOT: linalg
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>,
// CHECK-COUNT-9: vector.maskedload
// CHECK-NOT: vector.maskedload
// CHECK: vector.shuffle
// CHECK-COUNT-1: vector.maskedstore
// CHECK: func.return
func.func @dot_one_row(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %k: index, %n: index) attributes {ts.kernel} {
  %z = arith.constant 0.0 : f32
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [1, %k], strides: [%k, 1] : memref<?xf32> to memref<1x?xf32, strided<[?, 1]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [1, %k] : memref<?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [1, %n], strides: [%n, 1] : memref<?xf32> to memref<1x?xf32, strided<[?, 1]>>
  linalg.fill ins(%z : f32) outs(%y : memref<1x?xf32, strided<[?, 1]>>)
  linalg.matmul ins(%x, %w : memref<1x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[1, ?]>>) outs(%y : memref<1x?xf32, strided<[?, 1]>>)
  func.return
}

// -----

// x @ w: the elements of a row of x are broadcast. Without a fill the product is added to C.

// CHECK-LABEL: func.func @outer
// CHECK-NOT: linalg
// CHECK: vector.create_mask
// CHECK: vector.broadcast
// CHECK: vector.fma
// CHECK: vector.maskedload %c
// CHECK: arith.addf
// CHECK: vector.maskedstore %c
func.func @outer(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>, %m: index, %k: index, %n: index) attributes {ts.kernel} {
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1] : memref<?xf64> to memref<?x?xf64, strided<[?, 1]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%n, 1] : memref<?xf64> to memref<?x?xf64, strided<[?, 1]>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf64> to memref<?x?xf64, strided<[?, 1]>>
  linalg.matmul ins(%x, %w : memref<?x?xf64, strided<[?, 1]>>, memref<?x?xf64, strided<[?, 1]>>) outs(%y : memref<?x?xf64, strided<[?, 1]>>)
  func.return
}

// -----

// Strides that only the caller knows: plain loops.

// CHECK-LABEL: func.func @plain
// CHECK-NOT: vector
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args
// CHECK: func.return
func.func @plain(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %k: index, %n: index, %s: index) attributes {ts.kernel} {
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %k], strides: [%k, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%s, %k] : memref<?xf32> to memref<?x?xf32, strided<[?, ?]>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [%n, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  linalg.matmul ins(%x, %w : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, ?]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  func.return
}

// -----

// Two products of a kind call one function; what differs are its arguments.

// CHECK-LABEL: func.func @two
// CHECK: func.call @two_product_0(%a, %n, %k, %b, %c)
// CHECK: func.call @two_product_0(%a, %n, %k, %d, %c)
// CHECK: func.return
// CHECK: func.func private @two_product_0(%{{.*}}: memref<?xf32>, %{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<?xf32>, %{{.*}}: memref<?xf32>)
// CHECK: vector.fma
// CHECK-NOT: func.func
func.func @two(%a: memref<?xf32>, %b: memref<?xf32>, %d: memref<?xf32>, %c: memref<?xf32>, %n: index, %k: index) attributes {ts.kernel} {
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %k], strides: [%k, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [1, %k] : memref<?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %v = memref.reinterpret_cast %d to offset: [0], sizes: [%k, %n], strides: [1, %k] : memref<?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [%n, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  linalg.matmul ins(%x, %w : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[1, ?]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  linalg.matmul ins(%x, %v : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[1, ?]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  func.return
}
