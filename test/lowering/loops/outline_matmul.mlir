// RUN: ts-opt %s -p ts-outline-matmul --split-input-file | filecheck %s

// Two products of one kind call one function; what differs are its arguments. The zero that a product begins with is in it.

// CHECK-LABEL: func.func @two(
// CHECK-SAME: %a: memref<?xf32>, %b: memref<?xf32>, %d: memref<?xf32>, %c: memref<?xf32>, %n: index, %k: index, %at: index)
// CHECK-NOT: linalg
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: func.call @matmul_f32_ntn(%a, %[[ZERO]], %k, %b, %[[ZERO]], %k, %c, %[[ZERO]], %n, %n, %k, %n)
// CHECK: func.call @matmul_f32_ntn(%a, %{{.*}}, %k, %d, %at, %k, %c, %{{.*}}, %n, %n, %k, %n)
// CHECK-NEXT: func.return
// CHECK: func.func private @matmul_f32_ntn(
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[A_AT:.*]]: index, %[[A_STEP:.*]]: index, %[[B:.*]]: memref<?xf32>, %[[B_AT:.*]]: index, %[[B_STEP:.*]]: index, %[[C:.*]]: memref<?xf32>, %[[C_AT:.*]]: index, %[[C_STEP:.*]]: index, %[[M:.*]]: index, %[[K:.*]]: index, %[[N:.*]]: index)
// CHECK-NEXT: %[[X:.*]] = memref.reinterpret_cast %[[A]] to offset: [%[[A_AT]]], sizes: [%[[M]], %[[K]]], strides: [%[[A_STEP]], 1]
// CHECK-NEXT: %[[W:.*]] = memref.reinterpret_cast %[[B]] to offset: [%[[B_AT]]], sizes: [%[[K]], %[[N]]], strides: [1, %[[B_STEP]]]
// CHECK-NEXT: %[[Y:.*]] = memref.reinterpret_cast %[[C]] to offset: [%[[C_AT]]], sizes: [%[[M]], %[[N]]], strides: [%[[C_STEP]], 1]
// CHECK-NEXT: %[[START:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: linalg.fill ins(%[[START]]
// CHECK-NEXT: linalg.matmul ins(%[[X]], %[[W]]
// CHECK-NEXT: func.return
// CHECK-NOT: func.func
func.func @two(%a: memref<?xf32>, %b: memref<?xf32>, %d: memref<?xf32>, %c: memref<?xf32>, %n: index, %k: index, %at: index) {
  %z = arith.constant 0.0 : f32
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %k], strides: [%k, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [1, %k] : memref<?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %v = memref.reinterpret_cast %d to offset: [%at], sizes: [%k, %n], strides: [1, %k] : memref<?xf32> to memref<?x?xf32, strided<[1, ?], offset: ?>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [%n, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  linalg.fill ins(%z : f32) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  linalg.matmul ins(%x, %w : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[1, ?]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  linalg.fill ins(%z : f32) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  linalg.matmul ins(%x, %v : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[1, ?], offset: ?>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  func.return
}

// -----

// One row, strides that nothing is known of, and a product that is added to what is there: all of that is in the name.

// CHECK-LABEL: func.func @row(
// CHECK: func.call @matmul_f64_nsn_row_added(%a, %{{.*}}, %k, %b, %{{.*}}, %k, %s, %c, %{{.*}}, %n, %k, %n)
// CHECK: func.func private @matmul_f64_nsn_row_added(
// CHECK: sizes: [1, %{{.*}}], strides: [%{{.*}}, 1] : memref<?xf64> to memref<1x?xf64, strided<[?, 1], offset: ?>>
// CHECK-NOT: linalg.fill
// CHECK: linalg.matmul
func.func @row(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>, %n: index, %k: index, %s: index) {
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [1, %k], strides: [%k, 1] : memref<?xf64> to memref<1x?xf64, strided<[?, 1]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%k, %s] : memref<?xf64> to memref<?x?xf64, strided<[?, ?]>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [1, %n], strides: [%n, 1] : memref<?xf64> to memref<1x?xf64, strided<[?, 1]>>
  linalg.matmul ins(%x, %w : memref<1x?xf64, strided<[?, 1]>>, memref<?x?xf64, strided<[?, ?]>>) outs(%y : memref<1x?xf64, strided<[?, 1]>>)
  func.return
}

// -----

// Factors of 16 bits that are added up in 32: both types are in the name.

// CHECK-LABEL: func.func @halves(
// CHECK: func.call @matmul_bf16_f32_nnn(
// CHECK: func.func private @matmul_bf16_f32_nnn(
// CHECK-SAME: %{{.*}}: memref<?xbf16>, %{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<?xbf16>, %{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<?xf32>,
// CHECK: linalg_ext.matmul ins(
func.func @halves(%a: memref<?xbf16>, %b: memref<?xbf16>, %c: memref<?xf32>, %n: index) {
  %z = arith.constant 0.0 : f32
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %n], strides: [%n, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%n, %n], strides: [%n, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [%n, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  linalg.fill ins(%z : f32) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  linalg_ext.matmul ins(%x, %w : memref<?x?xbf16, strided<[?, 1]>>, memref<?x?xbf16, strided<[?, 1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  func.return
}

// -----

// A kernel without products stays as it is.

// CHECK-LABEL: func.func @none(
// CHECK-NEXT: func.return
// CHECK-NOT: func.func
func.func @none(%a: memref<?xf32>) {
  func.return
}
