// RUN: ts-opt %s -p ts-plan-memory --split-input-file | filecheck %s

#id = affine_map<(d0) -> (d0)>

// The first buffer is read for the last time before the third is written: they share a place. The second is live between.

// CHECK-LABEL: func.func @shared(%a: memref<?xf32>, %n: index, %out: memref<?xf32>)
// CHECK-NEXT: [[ZERO:%.*]] = arith.constant 0 : index
// CHECK:      [[BYTES:%.*]] = arith.andi
// CHECK-NEXT: [[END:%.*]] = arith.addi [[BYTES]], [[BYTES]] : index
// CHECK-NEXT: %scratch = memref.alloc([[END]]) : memref<?xi8>
// CHECK-NEXT: %x = memref.view %scratch{{\[}}[[ZERO]]][%n] : memref<?xi8> to memref<?xf32>
// CHECK-NEXT: %y = memref.view %scratch{{\[}}[[BYTES]]][%n]
// CHECK-NEXT: %z = memref.view %scratch{{\[}}[[ZERO]]][%n]
// CHECK-NOT:  memref.alloc
func.func @shared(%a: memref<?xf32>, %n: index, %out: memref<?xf32>) {
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<?xf32>) outs(%x : memref<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : memref<?xf32>) outs(%z : memref<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%z : memref<?xf32>) outs(%out : memref<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  func.return
}
kernel.signature @shared([s0], s0) -> ([s0]) words 1

// -----

#id = affine_map<(d0) -> (d0)>

// A buffer of another size has a place of its own, for other threads may be at other rows. A part of a buffer is that buffer. A size
// that is a number is known.

// CHECK-LABEL: func.func @sizes
// CHECK:      [[ZERO:%.*]] = arith.constant 0 : index
// CHECK:      [[TWO:%.*]] = arith.constant 128 : index
// CHECK:      %scratch = memref.alloc(
// CHECK-NEXT: %x = memref.view %scratch{{\[}}[[ZERO]]][%n]
// CHECK-NEXT: %y = memref.view %scratch{{\[}}[[Y:%.*]]][] : memref<?xi8> to memref<20xf32>
// CHECK-NEXT: %z = memref.view %scratch{{\[}}[[Z:%.*]]][%n]
func.func @sizes(%a: memref<?xf32>, %n: index, %out: memref<?xf32>) {
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc() : memref<20xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  %part = memref.subview %x[0] [20] [1] : memref<?xf32> to memref<20xf32, strided<[1]>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<?xf32>) outs(%x : memref<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<?xf32>) outs(%z : memref<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%part : memref<20xf32, strided<[1]>>) outs(%y : memref<20xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%z, %y : memref<?xf32>, memref<20xf32>) outs(%out : memref<?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    linalg.yield %p : f32
  }
  func.return
}
kernel.signature @sizes([s0], s0) -> ([s0]) words 1

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Note [Scratch memory of a part]: the rows of a part share the memory that begins where the number of the part says.

// CHECK-LABEL: func.func @rows
// CHECK:      [[STEP:%.*]] = arith.maxsi
// CHECK:      [[SIZE:%.*]] = arith.andi
// CHECK:      [[PARTS:%.*]] = arith.divui {{.*}}, [[STEP]] : index
// CHECK:      [[ALL:%.*]] = arith.muli [[PARTS]], [[SIZE]] : index
// CHECK:      %scratch = memref.alloc([[ALL]]) : memref<?xi8>
// CHECK:      kernel.launch (%begin to %end) in %n0 step [[STEP]] {
// CHECK-NEXT:   [[PART:%.*]] = arith.divui %begin, [[STEP]] : index
// CHECK-NEXT:   [[START:%.*]] = arith.muli [[PART]], [[SIZE]] : index
// CHECK-NEXT:   scf.for
// CHECK-NEXT:     memref.view %scratch{{\[}}[[START]]][%n1] : memref<?xi8> to memref<1x?xf32>
// CHECK-NOT:  memref.alloc
func.func @rows(%a: memref<?x?xf32>, %n0: index, %n1: index, %out: memref<?x?xf32>) {
  %c1 = arith.constant 1 : index
  kernel.launch (%begin to %end) in %n0 step %c1 {
    scf.for %i = %begin to %end step %c1 {
      %t = memref.alloc(%n1) : memref<1x?xf32>
      %x = memref.subview %a[%i, 0] [1, %n1] [1, 1] : memref<?x?xf32> to memref<1x?xf32, strided<[?, 1], offset: ?>>
      %y = memref.subview %out[%i, 0] [1, %n1] [1, 1] : memref<?x?xf32> to memref<1x?xf32, strided<[?, 1], offset: ?>>
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<1x?xf32, strided<[?, 1], offset: ?>>) outs(%t : memref<1x?xf32>) {
      ^bb0(%p: f32, %o: f32):
        linalg.yield %p : f32
      }
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : memref<1x?xf32>) outs(%y : memref<1x?xf32, strided<[?, 1], offset: ?>>) {
      ^bb0(%p: f32, %o: f32):
        linalg.yield %p : f32
      }
    }
  }
  func.return
}
kernel.signature @rows([s0, s1], s0, s1) -> ([s0, s1]) words 2

// -----

// Without temporaries there is no scratch memory.

// CHECK-LABEL: func.func @none(%a: memref<?xf32>, %n: index)
// CHECK-NEXT: func.return
func.func @none(%a: memref<?xf32>, %n: index) {
  func.return
}
kernel.signature @none([s0], s0) -> () words 1
