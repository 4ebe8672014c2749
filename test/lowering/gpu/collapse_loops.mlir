// RUN: ts-opt %s -p ts-collapse-loops --split-input-file | filecheck %s

// A row of x by y, which broadcasts: one loop over all elements, whose number is divided into row and column.

// CHECK-LABEL: func.func @kernel
// CHECK:         arith.muli %0, %1 : index
// CHECK-NEXT:    %[[ALL:.*]] = arith.muli %0, %[[COLUMNS:.*]] : index
// CHECK-NEXT:    kernel.launch (%begin to %end) in %[[ALL]] step
// CHECK-NEXT:      "scf.parallel"(%begin, %end, %{{.*}})
// CHECK-NEXT:      ^bb0(%[[ELEMENT:.*]]: index):
// CHECK-NEXT:        %[[ROW:.*]] = arith.divui %[[ELEMENT]], %[[COLUMNS]] : index
// CHECK-NEXT:        %[[COLUMN:.*]] = arith.remui %[[ELEMENT]], %[[COLUMNS]] : index
// CHECK-NEXT:        %[[START:.*]] = arith.muli %[[ROW]], %[[COLUMNS]] : index
// CHECK-NEXT:        arith.addi %[[START]], %[[COLUMN]] : index
// CHECK:             memref.load %y[%[[COLUMN]]]
// CHECK-NOT:     scf.parallel
// CHECK:         kernel.signature
func.func @kernel(%x: memref<?xf32>, %y: memref<?xf32>, %0: index, %1: index, %out: memref<?xf32>) {
  %2 = arith.constant 0 : index
  %3 = arith.constant 1 : index
  %4 = arith.muli %0, %1 : index
  kernel.launch (%begin to %end) in %0 step %3 work %4 cost 72 {
    "scf.parallel"(%begin, %end, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%5: index):
      %6 = arith.muli %5, %1 : index
      "scf.parallel"(%2, %1, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
      ^bb0(%7: index):
        %8 = arith.addi %6, %7 : index
        %9 = memref.load %x[%8] : memref<?xf32>
        %10 = memref.load %y[%7] : memref<?xf32>
        %11 = arith.mulf %9, %10 : f32
        memref.store %11, %out[%8] : memref<?xf32>
        scf.reduce
      }) : (index, index, index) -> ()
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}
kernel.signature @kernel([s0, s1], [s1], s0, s1) -> ([s0, s1]) words 2

// -----

// Two loops for a row, of which the second reads what the first has written, stay in the loop over rows.

// CHECK-LABEL: func.func @kernel
// CHECK:         kernel.launch (%begin to %end) in %0 step
// CHECK:           "scf.parallel"(%begin, %end,
// CHECK:             "scf.parallel"(%{{.*}}, %1,
// CHECK:             "scf.parallel"(%{{.*}}, %1,
func.func @kernel(%x: memref<?xf32>, %0: index, %1: index, %out: memref<?xf32>) {
  %2 = arith.constant 0 : index
  %3 = arith.constant 1 : index
  %4 = arith.muli %0, %1 : index
  kernel.launch (%begin to %end) in %0 step %3 work %4 cost 72 {
    "scf.parallel"(%begin, %end, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%5: index):
      %6 = arith.muli %5, %1 : index
      "scf.parallel"(%2, %1, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
      ^bb0(%7: index):
        %8 = arith.addi %6, %7 : index
        %9 = memref.load %x[%8] : memref<?xf32>
        memref.store %9, %out[%8] : memref<?xf32>
        scf.reduce
      }) : (index, index, index) -> ()
      "scf.parallel"(%2, %1, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
      ^bb0(%10: index):
        %11 = arith.addi %6, %10 : index
        %12 = memref.load %out[%6] : memref<?xf32>
        memref.store %12, %out[%11] : memref<?xf32>
        scf.reduce
      }) : (index, index, index) -> ()
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}
kernel.signature @kernel([s0, s1], s0, s1) -> ([s0, s1]) words 2

// -----

// What is loaded once for a row is loaded for each element, if nothing is written there.

// CHECK-LABEL: func.func @kernel
// CHECK:         "scf.parallel"(%begin, %end,
// CHECK-NEXT:    ^bb0(%[[ELEMENT:.*]]: index):
// CHECK-NEXT:      %[[ROW:.*]] = arith.divui %[[ELEMENT]], %1 : index
// CHECK:           memref.load %y[%[[ROW]]]
// CHECK-NOT:     scf.parallel
// CHECK:         kernel.signature
func.func @kernel(%x: memref<?xf32>, %y: memref<?xf32>, %0: index, %1: index, %out: memref<?xf32>) {
  %2 = arith.constant 0 : index
  %3 = arith.constant 1 : index
  %4 = arith.muli %0, %1 : index
  kernel.launch (%begin to %end) in %0 step %3 work %4 cost 52 {
    "scf.parallel"(%begin, %end, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%5: index):
      %6 = arith.muli %5, %1 : index
      %7 = memref.load %y[%5] : memref<?xf32>
      "scf.parallel"(%2, %1, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
      ^bb0(%8: index):
        %9 = arith.addi %6, %8 : index
        %10 = memref.load %x[%9] : memref<?xf32>
        %11 = arith.subf %10, %7 : f32
        memref.store %11, %out[%9] : memref<?xf32>
        scf.reduce
      }) : (index, index, index) -> ()
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}
kernel.signature @kernel([s0, s1], [s0, _], s0, s1) -> ([s0, s1]) words 2
