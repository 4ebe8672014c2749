// RUN: xdsl-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: s1 is none of 1 words
func.func @f(%a: tensor<?xf32>) {
  func.return
}
kernel.signature @f([s0] strides [s1]) -> () words 1

// -----

// CHECK: @f has 1 arguments, not 0
func.func @f(%a: tensor<?xf32>) {
  func.return
}
kernel.signature @f() -> () words 1

// -----

// CHECK: s0 does not describe tensor<?xf32>
func.func @f(%a: tensor<?xf32>) {
  func.return
}
kernel.signature @f(s0) -> () words 1

// -----

// CHECK: [s0] does not describe f64
func.func @f(%a: f64) {
  func.return
}
kernel.signature @f([s0]) -> () words 1

// -----

// CHECK: [s0, s1] has not 1 entries, for tensor<?xf32>
func.func @f(%a: tensor<?xf32>) {
  func.return
}
kernel.signature @f([s0, s1]) -> () words 2

// -----

// CHECK: [s0] must have _ exactly at the static sizes of tensor<1xf32>
func.func @f(%a: tensor<1xf32>) {
  func.return
}
kernel.signature @f([s0]) -> () words 2

// -----

// CHECK: there is no function @f
kernel.signature @f([s0]) -> () words 2

// -----

// CHECK: 't0' is no word: s0, s1, ...
func.func @f(%a: tensor<1xf32>) {
  func.return
}
kernel.signature @f([t0]) -> () words 2

// -----

// CHECK: range 3 is none of 3 words
func.func @f(%syms: memref<?xi64>, %begin: index, %end: index) {
  func.return
}
kernel.entry @f words 3 range 3 grain 256 work 2 cost 284

// -----

// CHECK: a grain is positive
func.func @f(%syms: memref<?xi64>, %begin: index, %end: index) {
  func.return
}
kernel.entry @f words 3 range 0 grain 0 work 2 cost 284

// -----

// CHECK: @g is no function that takes buffers, words and a range
kernel.entry @g words 3 range 0 grain 1 work 2 cost 284

// -----

// CHECK: @f must take its buffers, and then memref<?xi8>, memref<?xi64>, index, index
func.func @f(%a: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  func.return
}
kernel.entry @f words 3 range 0 grain 1 work 2 cost 284 scratch 1

// -----

// CHECK: there is no function @sizes
func.func @f(%syms: memref<?xi64>, %begin: index, %end: index) {
  func.return
}
kernel.entry @f words 3 range 0 grain 1 work 2 cost 284 sizes @sizes

// -----

// CHECK: @f has 1 results, not 0
func.func @f(%a: memref<?xf32>) {
  func.return
}
kernel.signature @f() -> () words 1

// -----

// CHECK: @f has 1 arguments, not 2
func.func @f(%a: memref<?xf32>) {
  func.return
}
kernel.signature @f([s0], s0) -> () words 1

// -----

// CHECK: the body takes begin and end, and its stage if it has some
%n = arith.constant 1 : index
"kernel.launch"(%n, %n) ({
^bb0(%begin: index):
}) : (index, index) -> ()

// -----

// CHECK: what is to be done has a cost, and what costs is to be done
%n = arith.constant 1 : index
"kernel.launch"(%n, %n, %n) ({
^bb0(%begin: index, %end: index):
}) : (index, index, index) -> ()

// -----

// CHECK: a cost is not negative
%n = arith.constant 1 : index
kernel.launch (%begin to %end) in %n step %n work %n cost -1 {
}

// -----

// CHECK: rows and columns have 4 sizes and steps each
func.func @digits(%a: memref<?x?xf64>, %x: memref<?xf64>, %c: memref<?x?xf64>, %n: index) {
  kernel.im2col_matmul %a, %x[%n] rows %n, %n by %n, %n, %n, %n columns %n, %n, %n, %n by %n, %n, %n, %n into %c : memref<?x?xf64>, memref<?xf64>, memref<?x?xf64>
  func.return
}

// -----

// CHECK: the factor and the result are matrices, the image is flat
func.func @ranks(%x: memref<?xf64>, %n: index) {
  kernel.im2col_matmul %x, %x[%n] rows %n, %n, %n, %n by %n, %n, %n, %n columns %n, %n, %n, %n by %n, %n, %n, %n into %x : memref<?xf64>, memref<?xf64>, memref<?xf64>
  func.return
}

// -----

// CHECK: elements are floats of 32 or 64 bits, all of one type, or factors have 16 bits and the result 32
func.func @elements(%a: memref<?x?xf64>, %x: memref<?xf32>, %n: index) {
  kernel.im2col_matmul %a, %x[%n] rows %n, %n, %n, %n by %n, %n, %n, %n columns %n, %n, %n, %n by %n, %n, %n, %n into %a : memref<?x?xf64>, memref<?xf32>, memref<?x?xf64>
  func.return
}
