// RUN: xdsl-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: range 3 is none of 3 words
func.func @f(%syms: memref<?xi64>, %begin: index, %end: index) {
  func.return
}
kernel.entry @f words 3 range 3 grain 256 work 2 cost 284

// -----

// CHECK: a grain is positive, and a cost is not negative
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
