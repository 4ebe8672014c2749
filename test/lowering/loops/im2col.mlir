// RUN: ts-opt %s -p ts-linalg-to-loops --split-input-file | filecheck %s
// RUN: ts-opt %s -p ts-linalg-to-loops,ts-outline-kernel,ts-outline-matmul --split-input-file | filecheck %s --check-prefix=OUTLINED
// RUN: ts-opt %s -p ts-linalg-to-loops,ts-outline-kernel,ts-outline-matmul,ts-matmul-to-loops --split-input-file | filecheck %s --check-prefix=TILES

// A convolution is a product for each image, whose right factor has a row for each channel and tap, and a column for each place.

// CHECK-LABEL: func.func @convolution(
// CHECK:         "scf.parallel"
// CHECK:           %[[IMAGE:.*]] = arith.muli
// CHECK:           %[[W:.*]] = memref.reinterpret_cast %w to offset: [0]
// CHECK:           linalg.fill
// CHECK-NEXT:      kernel.im2col_matmul %[[W]], %x[%[[IMAGE]]] rows {{.*}} by {{.*}} columns {{.*}} by {{.*}} into
// CHECK:       kernel.signature
// OUTLINED:      func.call @im2col_matmul_f32(%w,
// OUTLINED:    func.func private @im2col_matmul_f32(
// OUTLINED:      linalg.fill
// OUTLINED-NEXT: kernel.im2col_matmul
// TILES:       func.func private @im2col_matmul_f32(
// TILES-NOT:     kernel.im2col_matmul
// TILES:         memref.alloca{{.*}} : memref<?xi64>
// TILES:         memref.alloca{{.*}} : memref<?xi64>
// TILES:         memref.alloca{{.*}} : memref<?xf32>
// TILES:         arith.cmpi eq
// TILES:         scf.if
// TILES:           vector.load %
// TILES:         } else {
// TILES-COUNT-16:  memref.store %{{.*}} : memref<?xf32, strided<[1], offset: ?>>
// TILES:         vector.fma
func.func @convolution(%x: memref<?x?x?xf32>, %w: memref<?x?x?xf32>, %out: memref<?x?x?xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%out : memref<?x?x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(n, o, h, c, r) -> (n, c, h * 2 + r)>, affine_map<(n, o, h, c, r) -> (o, c, r)>, affine_map<(n, o, h, c, r) -> (n, o, h)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%out : memref<?x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  func.return
}
kernel.signature @convolution([s0, s1, s2], [s3, s1, s4]) -> ([s0, s3, s5]) words 6

// -----

// Filters of one element make windows that are a matrix in memory: the product is one of matrices.

// CHECK-LABEL: func.func @one_element(
// CHECK:         linalg.matmul
// CHECK-NOT:     im2col
// OUTLINED:      func.call @matmul_f32_nnn(%w,
func.func @one_element(%x: memref<?x?x?xf32>, %w: memref<?x?x1xf32>, %out: memref<?x?x?xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%out : memref<?x?x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(n, o, h, c, r) -> (n, c, h + r)>, affine_map<(n, o, h, c, r) -> (o, c, r)>, affine_map<(n, o, h, c, r) -> (n, o, h)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : memref<?x?x?xf32>, memref<?x?x1xf32>) outs(%out : memref<?x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  func.return
}
kernel.signature @one_element([s0, s1, s2], [s3, s1, _]) -> ([s0, s3, s2]) words 4

// -----

// The gradient of filters adds up along the batch, too: products are added to a result that is zero before the loop.

// CHECK-LABEL: func.func @filters(
// CHECK:         memref.store
// CHECK:         scf.for
// CHECK-NOT:     linalg.fill
// CHECK:           kernel.im2col_matmul
// OUTLINED:      func.call @im2col_matmul_f32_added(
func.func @filters(%x: memref<?x?x?xf32>, %g: memref<?x?x?xf32>, %out: memref<?x?x?xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%out : memref<?x?x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(o, c, r, n, h) -> (n, c, h + r)>, affine_map<(o, c, r, n, h) -> (n, o, h)>, affine_map<(o, c, r, n, h) -> (o, c, r)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %g : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%out : memref<?x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  func.return
}
kernel.signature @filters([s0, s1, s2], [s0, s3, s4]) -> ([s3, s1, s5]) words 6
