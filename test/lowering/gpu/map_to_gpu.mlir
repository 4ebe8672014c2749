// RUN: ts-opt %s -p ts-map-to-gpu --split-input-file | filecheck %s

// A thread does one of the range, if there is that one: words are arguments, and the loop over a part runs once.

// CHECK-NOT:   func.func @kernel
// CHECK:       "gpu.module"() <{sym_name = "kernels"}> ({
// CHECK-NEXT:    "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>, i64, i64) -> (), kernel}> ({
// CHECK-NEXT:    ^bb0(%x: memref<?xf32>, %out: memref<?xf32>, %w0: i64, %w1: i64):
// CHECK-NEXT:      %[[THREAD:.*]] = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
// CHECK-NEXT:      %[[BLOCK:.*]] = "gpu.block_id"()
// CHECK-NEXT:      %[[SIZE:.*]] = "gpu.block_dim"()
// CHECK-NEXT:      %[[FIRST:.*]] = arith.muli %[[BLOCK]], %[[SIZE]] : index
// CHECK-NEXT:      %begin = arith.addi %[[FIRST]], %[[THREAD]] : index
// CHECK-NEXT:      %[[RANGE:.*]] = arith.index_cast %w1 : i64 to index
// CHECK:           %[[IS_INSIDE:.*]] = arith.cmpi slt, %begin, %[[RANGE]] : index
// CHECK:           scf.if %[[IS_INSIDE]] {
// CHECK-NOT:         scf.parallel
// CHECK:             %[[X:.*]] = memref.load %x[%begin] : memref<?xf32>
// CHECK-NEXT:        math.tanh %[[X]] : f32
// CHECK:           }
// CHECK-NEXT:      "gpu.return"() : () -> ()
// CHECK-NEXT:    }) {sym_name = "kernel", gpu.known_block_size = array<i32: 256, 1, 1>} : () -> ()
// CHECK:       kernel.grid_entry @kernel words 2 range 1 threads 256 work 1 cost 240
func.func @kernel(%x: memref<?xf32>, %out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  %0 = arith.constant 1 : index
  "scf.parallel"(%begin, %end, %0) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%1: index):
    %2 = memref.load %x[%1] : memref<?xf32>
    %3 = math.tanh %2 : f32
    memref.store %3, %out[%1] : memref<?xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}
kernel.entry @kernel words 2 range 1 grain 256 work 1 cost 240

// -----

// A row by a block: there is a loop in it that threads can share.

// CHECK:       "gpu.func"()
// CHECK-NOT:     gpu.thread_id
// CHECK:         %begin = "gpu.block_id"()
// CHECK:         scf.if
// CHECK:           %[[SUM:.*]] = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args
// CHECK:           memref.store %[[SUM]], %out[%begin] : memref<?xf32>
// CHECK:         "gpu.return"
// CHECK:       kernel.grid_entry @kernel words 2 range 0 each 1 threads 128 work 1 cost 240
func.func @kernel(%x: memref<?xf32>, %out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = memref.load %syms[%1] : memref<?xi64>
  %3 = arith.index_cast %2 : i64 to index
  %4 = arith.constant 0.0 : f32
  scf.for %5 = %begin to %end step %1 {
    %6 = arith.muli %5, %3 : index
    %7 = scf.for %8 = %0 to %3 step %1 iter_args(%9 = %4) -> (f32) {
      %10 = arith.addi %6, %8 : index
      %11 = memref.load %x[%10] : memref<?xf32>
      %12 = arith.addf %9, %11 : f32
      scf.yield %12 : f32
    }
    memref.store %7, %out[%5] : memref<?xf32>
    scf.yield
  }
  func.return
}
kernel.entry @kernel words 2 range 0 grain 1 work 1 cost 240

// -----

// All elements are reduced: a block does what is there once, and its threads share the loop.

// CHECK:       "gpu.module"
// CHECK:         "gpu.block_id"
// CHECK-NOT:     "gpu.thread_id"
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK:       gpu.known_block_size = array<i32: 512, 1, 1>
// CHECK:       kernel.grid_entry @kernel words 2 range 1 each 1 threads 512 work 1 cost 240
func.func @kernel(%x: memref<?xf32>, %out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = memref.load %syms[%0] : memref<?xi64>
  %3 = arith.index_cast %2 : i64 to index
  %4 = arith.constant 0.0 : f32
  %5 = scf.for %6 = %0 to %3 step %1 iter_args(%7 = %4) -> (f32) {
    %8 = memref.load %x[%6] : memref<?xf32>
    %9 = arith.addf %7, %8 : f32
    scf.yield %9 : f32
  }
  memref.store %5, %out[%0] : memref<?xf32>
  func.return
}
kernel.entry @kernel words 2 range 1 grain 1 work 1 cost 240
