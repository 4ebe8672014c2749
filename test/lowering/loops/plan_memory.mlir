// RUN: ts-opt %s -p ts-plan-memory --split-input-file | filecheck %s

// The first buffer is read for the last time before the third is written: they share a place. The second is live between.

// CHECK-LABEL: func.func @shared(%a: memref<?xf32>, %out: memref<?xf32>, %scratch: memref<?xi8>, %syms: memref<?xi64>, %begin: index, %end: index)
// CHECK:      %n = arith.index_cast
// CHECK-NEXT: [[ZERO:%.*]] = arith.constant 0 : index
// CHECK-NEXT: %x = memref.view %scratch{{\[}}[[ZERO]]][%n] : memref<?xi8> to memref<?xf32>
// CHECK:      [[BYTES:%.*]] = arith.andi
// CHECK-NEXT: [[SECOND:%.*]] = arith.addi [[ZERO]], [[BYTES]] : index
// CHECK-NEXT: %y = memref.view %scratch{{\[}}[[SECOND]]][%n]
// CHECK-NEXT: %z = memref.view %scratch{{\[}}[[ZERO]]][%n]
// CHECK-NOT:  memref.alloc
// CHECK:      func.func @sizes([[SYMS:%.*]]: memref<?xi64>) -> i1
// CHECK:        memref.load [[SYMS]]
// CHECK:        [[WORD:%.*]] = arith.constant 1 : index
// CHECK-NEXT:   memref.store %{{.*}}, [[SYMS]]{{\[}}[[WORD]]] : memref<?xi64>
// CHECK:      kernel.entry @shared words 2 range 0 grain 1 work 0 cost 20 scratch 1 sizes @sizes
func.func @shared(%a: memref<?xf32>, %out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %word = memref.load %syms[%c0] : memref<?xi64>
  %n = arith.index_cast %word : i64 to index
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %x[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %y[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %y[%i] : memref<?xf32>
    memref.store %v, %z[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %z[%i] : memref<?xf32>
    memref.store %v, %out[%i] : memref<?xf32>
  }
  func.return
}
kernel.entry @shared words 1 range 0 grain 1 work 0 cost 20

// -----

// Within a loop over rows, what comes later in a row may have the place of what came before; a buffer of another size may not, for
// other threads may be at other rows. A part of a buffer is that buffer.

// CHECK-LABEL: func.func @rows
// CHECK: %x = memref.view %scratch{{\[}}[[X:%.*]]][%n]
// CHECK: %y = memref.view %scratch{{\[}}[[Y:%.*]]][%n]
// CHECK-NEXT: %z = memref.view %scratch{{\[}}[[X]]][%n]
// CHECK: [[W:%.*]] = arith.addi [[Y]]
// CHECK-NEXT: %w = memref.view %scratch{{\[}}[[W]]][%n] : memref<?xi8> to memref<?xf64>
func.func @rows(%a: memref<?xf32>, %out: memref<?xf64>, %syms: memref<?xi64>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %word = memref.load %syms[%c0] : memref<?xi64>
  %n = arith.index_cast %word : i64 to index
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  %w = memref.alloc(%n) : memref<?xf64>
  %part = memref.reinterpret_cast %x to offset: [%begin], sizes: [%end], strides: [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  "scf.parallel"(%begin, %end, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %x[%i] : memref<?xf32>
    memref.store %v, %y[%i] : memref<?xf32>
    %p = memref.load %part[%i] : memref<?xf32, strided<[1], offset: ?>>
    %q = memref.load %y[%i] : memref<?xf32>
    %s = arith.addf %p, %q : f32
    memref.store %s, %z[%i] : memref<?xf32>
    %r = memref.load %z[%i] : memref<?xf32>
    %d = arith.extf %r : f32 to f64
    memref.store %d, %w[%i] : memref<?xf64>
    %e = memref.load %w[%i] : memref<?xf64>
    memref.store %e, %out[%i] : memref<?xf64>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}
kernel.entry @rows words 1 range 0 grain 1 work 0 cost 20

// -----

// Without temporaries there is no scratch memory.

// CHECK-LABEL: func.func @none(%a: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index)
// CHECK: kernel.entry @none words 1 range 0 grain 1 work 0 cost 20
// CHECK-NOT: scratch
func.func @none(%a: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  func.return
}
kernel.entry @none words 1 range 0 grain 1 work 0 cost 20
