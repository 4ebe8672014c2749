// RUN: ts-opt %s -p ts-tile-products --split-input-file --verify-diagnostics | filecheck %s
// RUN: ts-opt %s -p ts-tile-products,ts-outline-kernel,ts-map-to-gpu,ts-distribute-rows --split-input-file --verify-diagnostics | filecheck %s --check-prefix MAPPED

// Tiles of 128 by 128 where these are as many as devices have processors, and of 64 by 64 elsewhere; a block does one.

// CHECK:       "memref.global"() <{sym_name = "tile_bytes", type = memref<34816xi8, 3 : i64>
// CHECK-LABEL: func.func @kernel
// CHECK:         %[[SMALL_DOWN:.*]] = arith.divui
// CHECK:         %[[SMALL_ACROSS:.*]] = arith.divui
// CHECK:         %[[SMALL:.*]] = arith.muli %[[SMALL_DOWN]], %[[SMALL_ACROSS]] : index
// CHECK:         %[[DOWN:.*]] = arith.divui
// CHECK:         %[[ACROSS:.*]] = arith.divui
// CHECK:         %[[LARGE:.*]] = arith.muli %[[DOWN]], %[[ACROSS]] : index
// CHECK:         %[[ARE_LARGE:.*]] = arith.cmpi sge, %[[LARGE]], %{{.*}} : index
// CHECK-NEXT:    %[[TILES:.*]] = arith.select %[[ARE_LARGE]], %[[LARGE]], %[[SMALL]] : index
// CHECK:         kernel.launch (%begin to %end) in %[[TILES]] step
// CHECK-NOT:       linalg
// CHECK:           %[[BYTES:.*]] = memref.get_global @tile_bytes
// CHECK:           scf.for %[[TILE:.*]] = %begin to %end
// CHECK-NEXT:        scf.if %[[ARE_LARGE]] {

// Eight rows of tiles go from left to right together, fewer at the end.

// CHECK:               %[[OF_GROUP:.*]] = arith.muli %[[ACROSS]], %[[EIGHT:.*]] : index
// CHECK-NEXT:          %[[GROUP:.*]] = arith.divui %[[TILE]], %[[OF_GROUP]] : index
// CHECK-NEXT:          %[[WITHIN:.*]] = arith.remui %[[TILE]], %[[OF_GROUP]] : index
// CHECK-NEXT:          %[[ABOVE:.*]] = arith.muli %[[GROUP]], %[[EIGHT]] : index
// CHECK-NEXT:          %[[LEFT:.*]] = arith.subi %[[DOWN]], %[[ABOVE]] : index
// CHECK-NEXT:          %[[HEIGHT:.*]] = arith.minsi %[[LEFT]], %[[EIGHT]] : index
// CHECK-NEXT:          arith.divui %[[WITHIN]], %[[HEIGHT]] : index

// Two pieces of both factors have room in shared memory, of 16 places along K. While one is multiplied, threads copy the other: chunks of
// 16 bytes, or elements where rows begin at no multiples of that; what lies beyond is 0.

// CHECK:               %[[WORDS:.*]] = memref.view %[[BYTES]][%{{.*}}][] : memref<34816xi8, 3 : i64> to memref<8704xf32, 3 : i64>
// CHECK:               %[[STAGED:.*]] = memref.view %[[BYTES]][%{{.*}}][] : memref<34816xi8, 3 : i64> to memref<8704xf32, 3 : i64>
// CHECK:               %[[THREAD:.*]] = "gpu.thread_id"()
// CHECK:               scf.if
// CHECK-NEXT:            scf.for
// CHECK:                   llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK:               "gpu.barrier"()
// CHECK:               scf.for %[[K:.*]] = %{{.*}} to %1 step %{{.*}} iter_args
// CHECK:                 scf.if
// CHECK:                   %[[CHUNK:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-NEXT:              llvm.store %[[CHUNK]], %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK:                 } else {
// CHECK:                   %[[FOUND:.*]] = memref.load %x
// CHECK-NEXT:              %[[VALUE:.*]] = arith.select %{{.*}}, %[[FOUND]], %{{.*}} : f32
// CHECK:                   memref.store %[[VALUE]], %[[WORDS]]

// A thread adds up 128 elements, four places along K at once, of eight rows, whose places along K it loads together, and 16 columns, of which
// it loads four together.

// CHECK:                 scf.for
// CHECK-COUNT-8:           memref.load %[[WORDS]][%{{.*}}] {alignment = 16 : i64}
// CHECK:                   memref.load %[[WORDS]][%{{.*}}] {alignment = 16 : i64}
// CHECK-COUNT-128:         math.fma
// CHECK:                   memref.load %[[WORDS]][%{{.*}}] {alignment = 16 : i64}
// CHECK-COUNT-384:         math.fma
// CHECK:                 "gpu.barrier"()

// Sums go through shared memory, half of them at a time. What follows is computed of them, of four neighbours at once where rows begin at
// multiples of them.

// CHECK-COUNT-64:      memref.store %{{.*}}, %[[STAGED]]
// CHECK-NEXT:          "gpu.barrier"()
// CHECK:               } else {
// CHECK:                 scf.for %{{.*}} = %{{.*}} to
// CHECK:                   scf.if
// CHECK:                     %[[SUM:.*]] = memref.load %[[STAGED]]
// CHECK-NOT:                 memref.load %out
// CHECK:                     %[[BIAS:.*]] = memref.load %b
// CHECK-NEXT:                %[[ALL:.*]] = arith.addf %[[SUM]], %[[BIAS]] : f32
// CHECK-NEXT:                %[[RESULT:.*]] = math.tanh %[[ALL]] : f32
// CHECK-NEXT:                memref.store %[[RESULT]], %out
// CHECK:               "gpu.barrier"()
// CHECK-COUNT-64:      memref.store %{{.*}}, %[[STAGED]]
// CHECK-NOT:           math.fma

// Of a smaller tile, 32 elements: of four rows and eight columns.

// CHECK:             } else {
// CHECK:               arith.muli %[[SMALL_ACROSS]], %[[EIGHT]] : index
// CHECK-COUNT-128:     math.fma
// CHECK-NOT:           math.fma

// MAPPED:      kernel.grid_entry @kernel words 5 range 3 each 1 threads 128 work 4 cost 1 sizes @sizes
func.func @kernel(%x: memref<?xf32>, %y: memref<?xf32>, %b: memref<?xf32>, %0: index, %1: index, %2: index, %out: memref<?xf32>) {
  %3 = arith.constant 0.000000e+00 : f32
  %4 = arith.constant 0 : index
  %5 = arith.constant 1 : index
  %6 = arith.constant 12 : index
  %7 = arith.muli %6, %0 : index
  %8 = arith.muli %7, %1 : index
  %9 = arith.muli %8, %2 : index
  %10 = arith.constant 272 : index
  %11 = arith.muli %10, %0 : index
  %12 = arith.muli %11, %2 : index
  %13 = arith.addi %9, %12 : index
  kernel.launch (%begin to %end) in %5 step %5 work %13 cost 1 {
    %14 = memref.reinterpret_cast %x to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %15 = memref.reinterpret_cast %y to offset: [0], sizes: [%1, %2], strides: [%2, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %16 = memref.reinterpret_cast %out to offset: [0], sizes: [%0, %2], strides: [%2, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    linalg.fill ins(%3 : f32) outs(%16 : memref<?x?xf32, strided<[?, 1]>>)
    linalg.matmul ins(%14, %15 : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>) outs(%16 : memref<?x?xf32, strided<[?, 1]>>)
    "scf.parallel"(%4, %0, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%17: index):
      %18 = arith.muli %17, %2 : index
      "scf.parallel"(%4, %2, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
      ^bb0(%19: index):
        %20 = arith.addi %18, %19 : index
        %21 = memref.load %out[%20] : memref<?xf32>
        %22 = memref.load %b[%19] : memref<?xf32>
        %23 = arith.addf %21, %22 : f32
        %24 = math.tanh %23 : f32
        memref.store %24, %out[%20] : memref<?xf32>
        scf.reduce
      }) : (index, index, index) -> ()
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}
kernel.signature @kernel([s0, s1], [s1, s2], [s2], s0, s1, s2) -> ([s0, s2]) words 3
// -----

// A product for each matrix of a batch, and what goes over the elements of all of them.

// CHECK-LABEL: func.func @kernel
// CHECK-COUNT-3: arith.divui
// CHECK:         %[[ACROSS:.*]] = arith.divui
// CHECK:         %[[OF_ONE:.*]] = arith.muli %{{.*}}, %[[ACROSS]] : index
// CHECK-NEXT:    %[[LARGE:.*]] = arith.muli %0, %[[OF_ONE]] : index
// CHECK:         %[[TILES:.*]] = arith.select %{{.*}}, %[[LARGE]], %{{.*}} : index
// CHECK:         kernel.launch (%begin to %end) in %[[TILES]] step
// CHECK:           scf.for %[[TILE:.*]] = %begin to %end
// CHECK:             %[[MATRIX:.*]] = arith.divui %[[TILE]]
// CHECK-NEXT:        %[[REST:.*]] = arith.remui %[[TILE]]
// CHECK:             arith.divui %[[REST]]
// CHECK:             arith.muli %[[MATRIX]]
// CHECK:             math.exp
// CHECK:        memref.store %{{.*}}, %out
func.func @kernel(%x: memref<?xf32>, %y: memref<?xf32>, %0: index, %1: index, %2: index, %3: index, %out: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %of_x = arith.muli %1, %2 : index
  %of_y = arith.muli %2, %3 : index
  %of_out = arith.muli %1, %3 : index
  %all = arith.muli %0, %of_out : index
  kernel.launch (%begin to %end) in %c1 step %c1 work %all cost 1 {
    "scf.parallel"(%c0, %0, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%i: index):
      %at_x = arith.muli %i, %of_x : index
      %at_y = arith.muli %i, %of_y : index
      %at = arith.muli %i, %of_out : index
      %a = memref.reinterpret_cast %x to offset: [%at_x], sizes: [%1, %2], strides: [%2, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
      %b = memref.reinterpret_cast %y to offset: [%at_y], sizes: [%2, %3], strides: [%3, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
      %c = memref.reinterpret_cast %out to offset: [%at], sizes: [%1, %3], strides: [%3, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
      linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32, strided<[?, 1], offset: ?>>)
      linalg.matmul ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%c : memref<?x?xf32, strided<[?, 1], offset: ?>>)
      scf.reduce
    }) : (index, index, index) -> ()
    "scf.parallel"(%c0, %all, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%e: index):
      %v = memref.load %out[%e] : memref<?xf32>
      %w = math.exp %v : f32
      memref.store %w, %out[%e] : memref<?xf32>
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}
kernel.signature @kernel([s0, s1, s2], [s0, s2, s3], s0, s1, s2, s3) -> ([s0, s1, s3]) words 4

// -----

// CHECK: a loop behind a product looks at other elements of it
func.func @kernel(%x: memref<?xf32>, %y: memref<?xf32>, %0: index, %out: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = arith.muli %0, %0 : index
  kernel.launch (%begin to %end) in %c1 step %c1 work %all cost 1 {
    %a = memref.reinterpret_cast %x to offset: [0], sizes: [%0, %0], strides: [%0, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %b = memref.reinterpret_cast %y to offset: [0], sizes: [%0, %0], strides: [%0, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %c = memref.reinterpret_cast %out to offset: [0], sizes: [%0, %0], strides: [%0, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32, strided<[?, 1]>>)
    linalg.matmul ins(%a, %b : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>) outs(%c : memref<?x?xf32, strided<[?, 1]>>)
    "scf.parallel"(%c0, %0, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%i: index):
      "scf.parallel"(%c0, %0, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
      ^bb0(%j: index):
        %row = arith.muli %i, %0 : index
        %at = arith.addi %row, %j : index
        %column = arith.muli %j, %0 : index
        %other = arith.addi %column, %i : index
        %v = memref.load %out[%other] : memref<?xf32>
        memref.store %v, %out[%at] : memref<?xf32>
        scf.reduce
      }) : (index, index, index) -> ()
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}
kernel.signature @kernel([s0, s0], [s0, s0], s0) -> ([s0, s0]) words 1

// -----

// CHECK: a loop behind a product goes over something else
func.func @kernel(%x: memref<?xf32>, %y: memref<?xf32>, %0: index, %out: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = arith.muli %0, %0 : index
  kernel.launch (%begin to %end) in %c1 step %c1 work %all cost 1 {
    %a = memref.reinterpret_cast %x to offset: [0], sizes: [%0, %0], strides: [%0, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %b = memref.reinterpret_cast %y to offset: [0], sizes: [%0, %0], strides: [%0, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %c = memref.reinterpret_cast %out to offset: [0], sizes: [%0, %0], strides: [%0, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32, strided<[?, 1]>>)
    linalg.matmul ins(%a, %b : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>) outs(%c : memref<?x?xf32, strided<[?, 1]>>)
    "scf.parallel"(%c0, %0, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%i: index):
      %v = memref.load %out[%i] : memref<?xf32>
      memref.store %v, %out[%i] : memref<?xf32>
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}
kernel.signature @kernel([s0, s0], [s0, s0], s0) -> ([s0, s0]) words 1

// -----

// CHECK: 'linalg.matmul' behind a product is no loop over the elements of it
func.func @kernel(%x: memref<?xf32>, %y: memref<?xf32>, %0: index, %out: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = arith.muli %0, %0 : index
  kernel.launch (%begin to %end) in %c1 step %c1 work %all cost 1 {
    %a = memref.reinterpret_cast %x to offset: [0], sizes: [%0, %0], strides: [%0, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %b = memref.reinterpret_cast %y to offset: [0], sizes: [%0, %0], strides: [%0, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %c = memref.reinterpret_cast %out to offset: [0], sizes: [%0, %0], strides: [%0, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32, strided<[?, 1]>>)
    linalg.matmul ins(%a, %b : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>) outs(%c : memref<?x?xf32, strided<[?, 1]>>)
    linalg.matmul ins(%a, %b : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>) outs(%c : memref<?x?xf32, strided<[?, 1]>>)
  }
  func.return
}
kernel.signature @kernel([s0, s0], [s0, s0], s0) -> ([s0, s0]) words 1
