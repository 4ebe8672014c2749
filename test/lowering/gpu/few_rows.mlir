// RUN: ts-opt %s -p "ts-attach-gpu-target{sm=80},ts-tile-products" | filecheck %s
// RUN: ts-opt %s -p "ts-attach-gpu-target{sm=80},ts-tile-products" | ts-opt | filecheck %s

// A product of at most four rows and a factor whose columns lie along K. Each warp of a block does a column, and no block anything where
// there are no rows.

// CHECK-LABEL: func.func @kernel
// CHECK:         %[[ARE_FEW:.*]] = arith.cmpi sge, %{{.*}}, %0 : index
// CHECK:         %[[BLOCKS:.*]] = arith.divui
// CHECK:         %[[SOME:.*]] = arith.minsi %0, %{{.*}} : index
// CHECK-NEXT:    %[[OF_COLUMNS:.*]] = arith.muli %[[BLOCKS]], %[[SOME]] : index
// CHECK:         %[[RANGE:.*]] = arith.select %[[ARE_FEW]], %[[OF_COLUMNS]], %{{.*}} : index
// CHECK-NEXT:    kernel.launch (%begin to %end) in %[[RANGE]] step
// CHECK:           scf.for
// CHECK-NEXT:        scf.if %[[ARE_FEW]] {

// Groups of four neighbours at a time where rows and columns begin at multiples of them: four such of a column and of four rows are on their
// way at once. Then one by one.

// CHECK:               "memref.extract_aligned_pointer_as_index"(%x)
// CHECK:               "memref.extract_aligned_pointer_as_index"(%w)
// CHECK:               scf.for
// CHECK-COUNT-4:         memref.load %x[%{{.*}}] {alignment = 8 : i64}
// CHECK:                 memref.load %w[%{{.*}}] {alignment = 8 : i64}
// CHECK-COUNT-12:        memref.load %x[%{{.*}}] {alignment = 8 : i64}
// CHECK-COUNT-64:        math.fma
// CHECK-NEXT:            scf.yield
// CHECK:               scf.for
// CHECK-COUNT-4:         memref.load %x[%{{.*}}] {alignment = 8 : i64}
// CHECK-COUNT-16:        math.fma
// CHECK-NEXT:            scf.yield
// CHECK:               scf.for
// CHECK-COUNT-4:         memref.load %x
// CHECK:                 memref.load %w
// CHECK-COUNT-4:         math.fma
// CHECK-NEXT:            scf.yield

// The threads of a warp add up what they have. The first four compute what follows, of a row each.

// CHECK-COUNT-20:      nvvm.shfl.sync bfly
// CHECK:               scf.if
// CHECK:                 %[[BIAS:.*]] = memref.load %b
// CHECK-NEXT:            %[[SUM:.*]] = arith.addf %{{.*}}, %[[BIAS]] : f32
// CHECK-NEXT:            memref.store %[[SUM]], %out
// CHECK:             } else {
// CHECK:               nvvm.mma.sync
func.func @kernel(%x: memref<?xf16>, %w: memref<?xf16>, %b: memref<?xf32>, %0: index, %1: index, %2: index, %out: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = arith.muli %0, %2 : index
  kernel.launch (%begin to %end) in %c1 step %c1 work %all cost 1 {
    %3 = memref.reinterpret_cast %x to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?xf16> to memref<?x?xf16, strided<[?, 1]>>
    %4 = memref.reinterpret_cast %w to offset: [0], sizes: [%1, %2], strides: [1, %1] : memref<?xf16> to memref<?x?xf16, strided<[1, ?]>>
    %5 = memref.reinterpret_cast %out to offset: [0], sizes: [%0, %2], strides: [%2, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    linalg.fill ins(%zero : f32) outs(%5 : memref<?x?xf32, strided<[?, 1]>>)
    linalg_ext.matmul ins(%3, %4 : memref<?x?xf16, strided<[?, 1]>>, memref<?x?xf16, strided<[1, ?]>>) outs(%5 : memref<?x?xf32, strided<[?, 1]>>)
    "scf.parallel"(%c0, %0, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%i: index):
      %row = arith.muli %i, %2 : index
      "scf.parallel"(%c0, %2, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
      ^bb0(%j: index):
        %at = arith.addi %row, %j : index
        %v = memref.load %out[%at] : memref<?xf32>
        %bias = memref.load %b[%j] : memref<?xf32>
        %sum = arith.addf %v, %bias : f32
        memref.store %sum, %out[%at] : memref<?xf32>
        scf.reduce
      }) : (index, index, index) -> ()
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}
kernel.signature @kernel([s0, s1], [s2, s1], [s2], s0, s1, s2) -> ([s0, s2]) words 3
