// RUN: ts-opt %s -p ts-map-to-gpu,ts-distribute-rows --split-input-file | filecheck %s

// A reduction: each thread adds up every n-th element, beginning with what changes nothing, and the first one writes the sum of all.

// CHECK:       %[[THREAD:.*]] = "gpu.thread_id"()
// CHECK-NEXT:  %[[SIZE:.*]] = "gpu.block_dim"()
// CHECK:       %[[IS_FIRST:.*]] = arith.cmpi eq, %[[THREAD]]
// CHECK:       %[[NEUTRAL:.*]] = arith.constant -0.000000e+00 : f32
// CHECK-NEXT:  %[[FIRST:.*]] = arith.addi %{{.*}}, %[[THREAD]] : index
// CHECK-NEXT:  %[[OWN:.*]] = scf.for %{{.*}} = %[[FIRST]] to %{{.*}} step %[[SIZE]] iter_args(%{{.*}} = %[[NEUTRAL]]) -> (f32) {
// CHECK:       %[[ALL:.*]] = "gpu.all_reduce"(%[[OWN]]) ({
// CHECK:         arith.addf
// CHECK:       %[[SUM:.*]] = arith.addf %{{.*}}, %[[ALL]] : f32
// CHECK-NEXT:  "gpu.barrier"() : () -> ()
// CHECK-NEXT:  scf.if %[[IS_FIRST]] {
// CHECK-NEXT:    memref.store %[[SUM]], %out[%begin] : memref<?xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:  "gpu.barrier"() : () -> ()
func.func @kernel(%x: memref<?xf32>, %out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = memref.load %syms[%1] : memref<?xi64>
  %3 = arith.index_cast %2 : i64 to index
  %4 = arith.constant 2.0 : f32
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

// A parallel loop that writes stands between barriers; one that goes on from the accumulator in another way is no kernel of a block.

// CHECK:       "gpu.barrier"() : () -> ()
// CHECK-NEXT:  %[[FIRST:.*]] = arith.addi
// CHECK-NEXT:  scf.for %{{.*}} = %[[FIRST]] to %{{.*}} step %{{.*}} {
// CHECK:         memref.store
// CHECK:       }
// CHECK-NEXT:  "gpu.barrier"() : () -> ()
// CHECK:       kernel.grid_entry @kernel words 2 range 0 each 1 threads 128
func.func @kernel(%x: memref<?xf32>, %out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = memref.load %syms[%1] : memref<?xi64>
  %3 = arith.index_cast %2 : i64 to index
  scf.for %4 = %begin to %end step %1 {
    %5 = arith.muli %4, %3 : index
    "scf.parallel"(%0, %3, %1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%6: index):
      %7 = arith.addi %5, %6 : index
      %8 = memref.load %x[%7] : memref<?xf32>
      memref.store %8, %out[%7] : memref<?xf32>
      scf.reduce
    }) : (index, index, index) -> ()
    scf.yield
  }
  func.return
}
kernel.entry @kernel words 2 range 0 grain 1 work 1 cost 240

// -----

// A loop whose order counts: a thread does all of the row.

// CHECK:       kernel.grid_entry @kernel words 2 range 0 threads 256
func.func @kernel(%x: memref<?xf32>, %out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = memref.load %syms[%1] : memref<?xi64>
  %3 = arith.index_cast %2 : i64 to index
  %4 = arith.constant 2.0 : f32
  scf.for %5 = %begin to %end step %1 {
    %6 = arith.muli %5, %3 : index
    %7 = scf.for %8 = %0 to %3 step %1 iter_args(%9 = %4) -> (f32) {
      %10 = arith.addi %6, %8 : index
      %11 = memref.load %x[%10] : memref<?xf32>
      %12 = arith.subf %11, %9 : f32
      scf.yield %12 : f32
    }
    memref.store %7, %out[%5] : memref<?xf32>
    scf.yield
  }
  func.return
}
kernel.entry @kernel words 2 range 0 grain 1 work 1 cost 240

// -----

// A sum by two loops. Threads do every n-th iteration of the inner one; where it has 128 at most, a warp does, and each warp every n-th
// iteration of the outer one. All add up once.

// CHECK:       %[[THREAD:.*]] = "gpu.thread_id"()
// CHECK-NEXT:  %[[SIZE:.*]] = "gpu.block_dim"()
// CHECK:       %[[NEUTRAL:.*]] = arith.constant -0.000000e+00 : f32
// CHECK:       %[[IS_SHORT:.*]] = arith.cmpi sge, %{{.*}}, %[[INNER:.*]] : index
// CHECK:       %[[WARP:.*]] = arith.divui %[[THREAD]], %{{.*}} : index
// CHECK-NEXT:  %[[LANE:.*]] = arith.remui %[[THREAD]], %{{.*}} : index
// CHECK:       %[[DOWN:.*]] = arith.select %[[IS_SHORT]], %[[WARP]], %{{.*}} : index
// CHECK:       %[[STEP_DOWN:.*]] = arith.select %[[IS_SHORT]], %{{.*}}, %{{.*}} : index
// CHECK-NEXT:  %[[ACROSS:.*]] = arith.select %[[IS_SHORT]], %[[LANE]], %[[THREAD]] : index
// CHECK-NEXT:  %[[STEP_ACROSS:.*]] = arith.select %[[IS_SHORT]], %{{.*}}, %[[SIZE]] : index
// CHECK-NEXT:  %[[TOP:.*]] = arith.addi %{{.*}}, %[[DOWN]] : index
// CHECK-NEXT:  %[[OWN:.*]] = scf.for %{{.*}} = %[[TOP]] to %{{.*}} step %[[STEP_DOWN]] iter_args(%[[SO_FAR:.*]] = %[[NEUTRAL]]) -> (f32) {
// CHECK:         %[[LEFT:.*]] = arith.addi %{{.*}}, %[[ACROSS]] : index
// CHECK-NEXT:    scf.for %{{.*}} = %[[LEFT]] to %[[INNER]] step %[[STEP_ACROSS]] iter_args(%{{.*}} = %[[SO_FAR]]) -> (f32) {
// CHECK:       "gpu.all_reduce"(%[[OWN]]) ({
// CHECK-NOT:   gpu.all_reduce
func.func @kernel(%x: memref<?xf32>, %out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = memref.load %syms[%1] : memref<?xi64>
  %3 = arith.index_cast %2 : i64 to index
  %4 = arith.constant 2.0 : f32
  scf.for %5 = %begin to %end step %1 {
    %6 = arith.muli %5, %3 : index
    %7 = scf.for %i = %0 to %3 step %1 iter_args(%so_far = %4) -> (f32) {
      %row = arith.muli %i, %6 : index
      %8 = scf.for %j = %0 to %3 step %1 iter_args(%9 = %so_far) -> (f32) {
        %10 = arith.addi %row, %j : index
        %11 = memref.load %x[%10] : memref<?xf32>
        %12 = arith.addf %9, %11 : f32
        scf.yield %12 : f32
      }
      scf.yield %8 : f32
    }
    memref.store %7, %out[%5] : memref<?xf32>
    scf.yield
  }
  func.return
}
kernel.entry @kernel words 2 range 0 grain 1 work 1 cost 240

// -----

// With @sizes, a word says how many threads a row takes: 32 up to 256 elements, and 512 of more than 16,384.

// CHECK:       func.func @sizes(%[[SYMS:.*]]: memref<?xi64>) -> i1 {
// CHECK:         %[[WORD:.*]] = memref.load %[[SYMS]]
// CHECK-NEXT:    %[[LENGTH:.*]] = arith.index_cast %[[WORD]] : i64 to index
// CHECK:         arith.cmpi sgt, %[[LENGTH]], %{{.*}} : index
// CHECK:         arith.cmpi sgt, %[[LENGTH]], %{{.*}} : index
// CHECK:         arith.cmpi sgt, %[[LENGTH]], %{{.*}} : index
// CHECK:         %[[THREADS:.*]] = arith.select
// CHECK:         %[[CHOSEN:.*]] = arith.index_cast %[[THREADS]] : index to i64
// CHECK:         memref.store %[[CHOSEN]], %[[SYMS]]
// CHECK:       nvvm.maxnreg = 128 : i32
// CHECK:       kernel.grid_entry @kernel words 3 range 0 each 1 threads 512 chosen 2 work 1 cost 240 sizes @sizes
func.func @kernel(%x: memref<?xf32>, %out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = memref.load %syms[%1] : memref<?xi64>
  %3 = arith.index_cast %2 : i64 to index
  %4 = arith.constant 2.0 : f32
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
kernel.entry @kernel words 2 range 0 grain 1 work 1 cost 240 sizes @sizes
func.func @sizes(%0: memref<?xi64>) -> i1 {
  %1 = arith.constant true
  func.return %1 : i1
}
