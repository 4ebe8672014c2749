// RUN: ts-opt %s -p ts-split-stages --split-input-file | filecheck %s
// RUN: ts-opt %s -p ts-split-stages --split-input-file | ts-opt --split-input-file | filecheck %s
// RUN: ts-opt %s -p ts-split-stages,ts-outline-kernel,ts-map-to-gpu,ts-distribute-rows --split-input-file | filecheck %s --check-prefix MAPPED

// A mean of squares, which are stored as well. There are as many parts as there are 8,192 elements, 1,024 at most, and one of less than
// 32,768. In stage 1 blocks go over their parts, and put their sums into scratch memory. In stage 2 the first one adds those up, and
// divides. A launch of one block does both.

// CHECK-LABEL: func.func @kernel({{.*}}) attributes {gpu.known_block_size = array<i32: 512, 1, 1>} {
// CHECK:         %[[EACH:.*]] = arith.constant 8192 : index
// CHECK:         %[[ABOVE:.*]] = arith.divui %{{.*}}, %[[EACH]] : index
// CHECK:         %[[MOST:.*]] = arith.constant 1024 : index
// CHECK-NEXT:    %[[FEW:.*]] = arith.minsi %{{.*}}, %[[MOST]] : index
// CHECK-NEXT:    %[[SHORT:.*]] = arith.constant 32767 : index
// CHECK-NEXT:    %[[IS_LONG:.*]] = arith.cmpi sgt, %{{.*}}, %[[SHORT]] : index
// CHECK-NEXT:    %[[PARTS:.*]] = arith.select %[[IS_LONG]], %[[FEW]], %{{.*}} : index
// CHECK:         %scratch = memref.alloc(%[[ALL:.*]]) : memref<?xi8>
// CHECK:         %[[SUMS:.*]] = memref.view %scratch[%{{.*}}][%[[PARTS]]] : memref<?xi8> to memref<?xf64>
// CHECK:         kernel.launch (%begin to %end at %stage of 2) in %[[PARTS]] step
// CHECK:           %[[ALL_STAGES:.*]] = arith.cmpi eq, %stage, %[[ZERO:.*]] : index
// CHECK:           %[[IS_1:.*]] = arith.cmpi eq, %stage, %{{.*}} : index
// CHECK-NEXT:      %[[DOES_1:.*]] = arith.ori %[[ALL_STAGES]], %[[IS_1]] : i1
// CHECK-NEXT:      scf.if %[[DOES_1]] {
// CHECK:             %[[FROM:.*]] = arith.muli %begin, %[[OF_PART:.*]] : index
// CHECK-NEXT:        %[[BEHIND:.*]] = arith.addi %[[FROM]], %[[OF_PART]] : index
// CHECK-NEXT:        %[[TO:.*]] = arith.minsi %[[BEHIND]], %0 : index
// CHECK-NEXT:        "scf.parallel"(%[[FROM]], %[[TO]]
// CHECK:               memref.store %{{.*}}, %out
// CHECK:             %[[NOTHING:.*]] = arith.constant -0.000000e+00 : f64
// CHECK-NEXT:        %[[SUM:.*]] = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %[[NOTHING]]) -> (f64) {
// CHECK:               memref.load %out
// CHECK:             memref.store %[[SUM]], %[[SUMS]][%begin]
// CHECK:           %[[IS_FIRST:.*]] = arith.cmpi eq, %begin, %[[ZERO]] : index
// CHECK:           %[[DOES_2:.*]] = arith.ori
// CHECK-NEXT:      %[[ENDS:.*]] = arith.andi %[[IS_FIRST]], %[[DOES_2]] : i1
// CHECK-NEXT:      scf.if %[[ENDS]] {
// CHECK-NEXT:        %[[TOTAL:.*]] = scf.for %[[PART:.*]] = %{{.*}} to %[[PARTS]] step %{{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}) -> (f64) {
// CHECK-NEXT:          %[[OF_ONE:.*]] = memref.load %[[SUMS]][%[[PART]]]
// CHECK-NEXT:          %[[NEXT:.*]] = arith.addf %[[SO_FAR]], %[[OF_ONE]] fastmath<reassoc> : f64
// CHECK:             %[[MEAN:.*]] = arith.divf %[[TOTAL]]
// CHECK-NEXT:        memref.store %[[MEAN]], %mean

// MAPPED:        scf.if
// MAPPED:        "gpu.all_reduce"
// MAPPED:        scf.if
// MAPPED:        "gpu.all_reduce"
// MAPPED:        kernel.grid_entry @kernel words 4 range 1 each 1 threads 512 work 0 cost 1 scratch 3 stage 2 of 2 sizes @sizes
func.func @kernel(%x: memref<?xf32>, %0: index, %out: memref<?xf32>, %mean: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  kernel.launch (%begin to %end) in %c1 step %c1 work %0 cost 1 {
    "scf.parallel"(%c0, %0, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%i: index):
      %1 = memref.load %x[%i] : memref<?xf32>
      %2 = arith.mulf %1, %1 : f32
      memref.store %2, %out[%i] : memref<?xf32>
      scf.reduce
    }) : (index, index, index) -> ()
    %3 = scf.for %j = %c0 to %0 step %c1 iter_args(%4 = %zero) -> (f64) {
      %5 = memref.load %out[%j] : memref<?xf32>
      %6 = arith.extf %5 : f32 to f64
      %7 = arith.addf %4, %6 fastmath<reassoc> : f64
      scf.yield %7 : f64
    }
    %8 = arith.index_cast %0 : index to i64
    %9 = arith.sitofp %8 : i64 to f64
    %10 = arith.divf %3, %9 : f64
    memref.store %10, %mean[%c0] : memref<?xf64>
  }
  func.return
}
kernel.signature @kernel([s0], s0) -> ([s0], []) words 1

// -----

// What needs a sum of all elements for each of them is another stage, in which all blocks add up what parts have. The sum goes through no
// memory but that.

// CHECK-LABEL: func.func @centered
// CHECK:         kernel.launch (%begin to %end at %stage of 2) in
// CHECK:           scf.if
// CHECK:             scf.for
// CHECK:             memref.store %{{.*}}, %[[SUMS:.*]][%begin]
// CHECK:           scf.if
// CHECK:             %[[SUM:.*]] = scf.for
// CHECK-NEXT:          memref.load %[[SUMS]]
// CHECK:             %[[TWICE:.*]] = arith.addf %[[SUM]], %[[SUM]] : f32
// CHECK:             "scf.parallel"
// CHECK:               arith.subf %{{.*}}, %[[TWICE]] : f32
// CHECK-NOT:       scf.if
func.func @centered(%x: memref<?xf32>, %0: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = arith.constant 64 : index
  %scratch = memref.alloc(%bytes) : memref<?xi8>
  %number = memref.view %scratch[%c0][%c1] : memref<?xi8> to memref<?xf32>
  %zero = arith.constant 0.0 : f32
  kernel.launch (%begin to %end) in %c1 step %c1 work %0 cost 1 {
    %3 = scf.for %j = %c0 to %0 step %c1 iter_args(%4 = %zero) -> (f32) {
      %5 = memref.load %x[%j] : memref<?xf32>
      %7 = arith.addf %4, %5 fastmath<reassoc> : f32
      scf.yield %7 : f32
    }
    memref.store %3, %number[%c0] : memref<?xf32>
    %8 = memref.load %number[%c0] : memref<?xf32>
    %9 = arith.addf %8, %8 : f32
    "scf.parallel"(%c0, %0, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%i: index):
      %1 = memref.load %x[%i] : memref<?xf32>
      %2 = arith.subf %1, %9 : f32
      memref.store %2, %out[%i] : memref<?xf32>
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}
kernel.signature @centered([s0], s0) -> ([s0]) words 1

// -----

// So does what looks at an element that another part writes.

// CHECK-LABEL: func.func @neighbours
// CHECK:         kernel.launch (%begin to %end at %stage of 3) in
// CHECK:           scf.if
// CHECK:             memref.store %{{.*}}, %out
// CHECK:           scf.if
// CHECK:             memref.load %out
// CHECK:           scf.if
// CHECK:             memref.store %{{.*}}, %sum
func.func @neighbours(%x: memref<?xf32>, %0: index, %out: memref<?xf32>, %sum: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  kernel.launch (%begin to %end) in %c1 step %c1 work %0 cost 1 {
    "scf.parallel"(%c0, %0, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%i: index):
      %1 = memref.load %x[%i] : memref<?xf32>
      memref.store %1, %out[%i] : memref<?xf32>
      scf.reduce
    }) : (index, index, index) -> ()
    %2 = arith.subi %0, %c1 : index
    %3 = scf.for %j = %c0 to %0 step %c1 iter_args(%4 = %zero) -> (f32) {
      %5 = arith.subi %2, %j : index
      %6 = memref.load %out[%5] : memref<?xf32>
      %7 = arith.addf %4, %6 fastmath<reassoc> : f32
      scf.yield %7 : f32
    }
    memref.store %3, %sum[%c0] : memref<?xf32>
  }
  func.return
}
kernel.signature @neighbours([s0], s0) -> ([s0], []) words 1

// -----

// Numbers are stored in the last stage, unless a loop looks at where they are: here they are what it goes over.

// CHECK-LABEL: func.func @joined
// CHECK:         kernel.launch (%begin to %end) in
// CHECK:           memref.store %{{.*}}, %out
// CHECK:           "scf.parallel"
// CHECK:             memref.load %out
func.func @joined(%x: memref<?xf32>, %0: index, %out: memref<?xf32>, %twice: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  kernel.launch (%begin to %end) in %c1 step %c1 work %0 cost 1 {
    %1 = memref.load %x[%c0] : memref<?xf32>
    memref.store %1, %out[%c0] : memref<?xf32>
    memref.store %1, %out[%c1] : memref<?xf32>
    "scf.parallel"(%c0, %0, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%i: index):
      %2 = memref.load %out[%i] : memref<?xf32>
      %3 = arith.addf %2, %2 : f32
      memref.store %3, %twice[%i] : memref<?xf32>
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}
kernel.signature @joined([_], s0) -> ([s0], [s0]) words 1
