// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt %s --print-op-generic | xdsl-opt | filecheck %s

// CHECK: kernel.signature @tensors([s0, _], [s0, s1] strides [s2, 1], [s1, s0] strides [0, s2], s3, []) -> ([s0, s1]) words 4
func.func @tensors(%a: tensor<?x1xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %d: f64, %e: tensor<f32>) -> tensor<?x?xf32> {
  func.return %b : tensor<?x?xf32>
}
kernel.signature @tensors([s0, _], [s0, s1] strides [s2, 1], [s1, s0] strides [0, s2], s3, []) -> ([s0, s1]) words 4

// Over buffers, which are shaped or flat, those of results are the last arguments.
// CHECK: kernel.signature @buffers([s0, s1], [s0, s1] strides [s2, 1], s0) -> ([s0, _]) words 3
func.func @buffers(%a: memref<?x?xf32>, %b: memref<?xf32>, %n: index, %out: memref<?x1xf32>) {
  func.return
}
kernel.signature @buffers([s0, s1], [s0, s1] strides [s2, 1], s0) -> ([s0, _]) words 3

// CHECK: kernel.launch (%begin to %end) in %n step %m {
// CHECK-NEXT: memref.load %a[%begin]
// CHECK: kernel.launch (%{{.*}} to %{{.*}}) in %n step %m work %n cost 12 {
// CHECK-NEXT: } attributes {kept}
func.func @launches(%a: memref<?xf32>, %n: index, %m: index) {
  kernel.launch (%begin to %end) in %n step %m {
    %x = memref.load %a[%begin] : memref<?xf32>
    memref.store %x, %a[%end] : memref<?xf32>
  }
  kernel.launch (%begin to %end) in %n step %m work %n cost 12 {
  } attributes {kept}
  func.return
}

// CHECK: kernel.entry @plain words 3 range 0 grain 256 work 2 cost 284
func.func @plain(%a: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  func.return
}
kernel.entry @plain words 3 range 0 grain 256 work 2 cost 284

// CHECK: kernel.entry @with_scratch words 5 range 0 grain 8 work 2 cost 1 scratch 4 sizes @sizes
func.func @with_scratch(%a: memref<?xf32>, %scratch: memref<?xi8>, %syms: memref<?xi64>, %begin: index, %end: index) {
  func.return
}
func.func @sizes(%syms: memref<?xi64>) -> i1 {
  %true = arith.constant true
  func.return %true : i1
}
kernel.entry @with_scratch words 5 range 0 grain 8 work 2 cost 1 scratch 4 sizes @sizes

// CHECK: kernel.entry @native words 1 range 0 grain 1 work 0 cost 20
llvm.func @native(%buffers: !llvm.ptr, %syms: !llvm.ptr, %begin: i64, %end: i64) {
  llvm.return
}
kernel.entry @native words 1 range 0 grain 1 work 0 cost 20

// CHECK: kernel.im2col_matmul %a, %x[%n] rows %n, %n, %n, %n by %n, %n, %n, %n columns %n, %n, %n, %n by %n, %n, %n, %n into %c : memref<?x?xf64>, memref<?xf64>, memref<?x?xf64>
func.func @gathered(%a: memref<?x?xf64>, %x: memref<?xf64>, %c: memref<?x?xf64>, %n: index) {
  kernel.im2col_matmul %a, %x[%n] rows %n, %n, %n, %n by %n, %n, %n, %n columns %n, %n, %n, %n by %n, %n, %n, %n into %c : memref<?x?xf64>, memref<?xf64>, memref<?x?xf64>
  func.return
}
