// RUN: ts-opt %s -p ts-linalg-to-loops --split-input-file | filecheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Contiguous operands of one shape: one loop over all elements.

// CHECK-LABEL: func.func @contiguous(%a: memref<?xf32>, %n0: index, %n1: index, %out: memref<?xf32>)
// CHECK-NEXT:   [[ONE:%.*]] = arith.constant 1 : index
// CHECK-NEXT:   [[ALL:%.*]] = arith.muli %n0, %n1 : index
// CHECK-NEXT:   [[GRAIN:%.*]] = arith.constant 256 : index
// CHECK-NEXT:   kernel.launch (%begin to %end) in [[ALL]] step [[GRAIN]] work [[ALL]] cost 52 {
// CHECK-NEXT:     "scf.parallel"(%begin, %end, [[ONE]])
// CHECK-NEXT:     ^bb0([[I:%.*]]: index):
// CHECK-NEXT:       [[X:%.*]] = memref.load %a{{\[}}[[I]]] : memref<?xf32>
// CHECK-NEXT:       [[R:%.*]] = arith.addf [[X]], [[X]] : f32
// CHECK-NEXT:       memref.store [[R]], %out{{\[}}[[I]]] : memref<?xf32>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     })
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
func.func @contiguous(%a: memref<?x?xf32>, %n0: index, %n1: index, %out: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<?x?xf32>) outs(%out : memref<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %x : f32
    linalg.yield %r : f32
  }
  func.return
}
kernel.signature @contiguous([s0, s1], s0, s1) -> ([s0, s1]) words 2

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>

// A broadcast column is read once a row. A stride in a word becomes an argument.

// CHECK-LABEL: func.func @broadcast
// CHECK-SAME:    (%a: memref<?xf32>, %b: memref<?xf32>, %n0: index, %n1: index, [[STRIDE:%.*]]: index, %out: memref<?xf32>)
// CHECK: kernel.launch (%begin to %end) in %n0 step [[ONE:%.*]] work
// CHECK: "scf.parallel"(%begin, %end, [[ONE]])
// CHECK: ^bb0([[I:%.*]]: index):
// CHECK:   [[ROW:%.*]] = arith.muli [[I]], [[STRIDE]] : index
// CHECK:   [[Y:%.*]] = memref.load %b{{\[}}[[I]]] : memref<?xf32>
// CHECK:   "scf.parallel"
// CHECK:   ^bb0([[J:%.*]]: index):
// CHECK:     [[AT:%.*]] = arith.addi [[ROW]], [[J]] : index
// CHECK:     [[X:%.*]] = memref.load %a{{\[}}[[AT]]] : memref<?xf32>
// CHECK:     arith.addf [[X]], [[Y]] : f32
// CHECK: kernel.signature @broadcast([s0, s1] strides [s2, 1], [s0, _], s0, s1, s2) -> ([s0, s1]) words 3
func.func @broadcast(%a: memref<?x?xf32, strided<[?, 1]>>, %b: memref<?x1xf32>, %n0: index, %n1: index, %out: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<?x?xf32, strided<[?, 1]>>, memref<?x1xf32>) outs(%out : memref<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  }
  func.return
}
kernel.signature @broadcast([s0, s1] strides [s2, 1], [s0, _], s0, s1) -> ([s0, s1]) words 3

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A reduction keeps its running value in the loop; the fill needs no loop.

// CHECK-LABEL: func.func @sum
// CHECK: [[ZERO:%.*]] = arith.constant 0.000000e+00 : f32
// CHECK: "scf.parallel"
// CHECK:   [[R:%.*]] = scf.for {{.*}} iter_args([[S:%.*]] = [[ZERO]]) -> (f32) {
// CHECK:     arith.addf [[S]], %{{.*}} fastmath<reassoc> : f32
// CHECK:     scf.yield
// CHECK:   memref.store [[R]], %out
func.func @sum(%a: memref<?x?xf32>, %n0: index, %out: memref<?xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%out : memref<?xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<?x?xf32>) outs(%out : memref<?xf32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %s, %x : f32
    linalg.yield %r : f32
  }
  func.return
}
kernel.signature @sum([s0, s1], s0) -> ([s0]) words 2

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A fill of what the next operation reads, too, or does not add to, is a loop. What was there before is where a reduction starts.

// CHECK-LABEL: func.func @fills
// CHECK: "scf.parallel"
// CHECK:   memref.store %z, %out[
// CHECK: "scf.parallel"
// CHECK:   [[OLD:%.*]] = memref.load %out_1[
// CHECK:   scf.for {{.*}} iter_args({{.*}} = [[OLD]]) -> (f32)
// CHECK:     memref.load %out[
func.func @fills(%n0: index, %n1: index, %out: memref<?x?xf32>, %out_1: memref<?xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%out : memref<?x?xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%out : memref<?x?xf32>) outs(%out_1 : memref<?xf32>) {
  ^bb0(%x: f32, %s: f32):
    %r = arith.addf %s, %x : f32
    linalg.yield %r : f32
  }
  func.return
}
kernel.signature @fills(s0, s1) -> ([s0, s1], [s0]) words 2

// -----

// A transposed operand of a product is a stride, not a copy.

// CHECK-LABEL: func.func @product
// CHECK: kernel.launch (%begin to %end) in
// CHECK: memref.reinterpret_cast %w to {{.*}} : memref<?xf32> to memref<?x?xf32, strided<[1, ?]>>
// CHECK: linalg.fill
// CHECK: linalg.matmul
func.func @product(%x: memref<?x?xf32>, %w: memref<?x?xf32>, %m: index, %k: index, %n: index, %out: memref<?x?xf32>) {
  %z = arith.constant 0.0 : f32
  %t = memref.reinterpret_cast %w to offset: [0], sizes: [%k, %n], strides: [1, %k] : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  linalg.fill ins(%z : f32) outs(%out : memref<?x?xf32>)
  linalg.matmul ins(%x, %t : memref<?x?xf32>, memref<?x?xf32, strided<[1, ?]>>) outs(%out : memref<?x?xf32>)
  func.return
}
kernel.signature @product([s0, s1], [s2, s1], s0, s1, s2) -> ([s0, s2]) words 3

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>

// In a loop over rows every operation is a nest of its own. What it reads of a row of scratch memory stays in the loop, also where the
// view of it does not; what it reads of an argument that is the same for all rows does not.

// CHECK-LABEL: func.func @rows
// CHECK:      kernel.launch (%begin to %end) in %n0 step %n2 work
// CHECK-NEXT:   [[SUM:%.*]] = memref.view %scratch[%begin]{{\[}}[[ONE:%.*]]] : memref<?xi8> to memref<?xf32>
// CHECK-NEXT:   [[ALL:%.*]] = memref.load %b
// CHECK-NEXT:   scf.for [[I:%.*]] = %begin to %end step %c1 {
// CHECK-NEXT:     [[ROW:%.*]] = arith.muli [[I]], %n1 : index
// CHECK-NEXT:     [[R:%.*]] = scf.for [[J:%.*]] = {{.*}} to %n1 {{.*}} iter_args
// CHECK-NEXT:       [[AT:%.*]] = arith.addi [[ROW]], [[J]] : index
// CHECK-NEXT:       memref.load %a{{\[}}[[AT]]]
// CHECK:          memref.store [[R]], [[SUM]]
// CHECK-NEXT:     [[S:%.*]] = memref.load [[SUM]]
// CHECK-NEXT:     "scf.parallel"
// CHECK:            memref.load %a
// CHECK-NEXT:       [[Q:%.*]] = arith.divf %{{.*}}, [[S]] : f32
// CHECK-NEXT:       arith.addf [[Q]], [[ALL]] : f32
func.func @rows(%a: memref<?x?xf32>, %b: memref<f32>, %n0: index, %n1: index, %n2: index, %out: memref<?x?xf32>) {
  %z = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %scratch = memref.alloc(%n2) : memref<?xi8>
  kernel.launch (%begin to %end) in %n0 step %n2 {
    %s = memref.view %scratch[%begin][] : memref<?xi8> to memref<1x1xf32>
    scf.for %i = %begin to %end step %c1 {
      %x = memref.subview %a[%i, 0] [1, %n1] [1, 1] : memref<?x?xf32> to memref<1x?xf32, strided<[?, 1], offset: ?>>
      %y = memref.subview %out[%i, 0] [1, %n1] [1, 1] : memref<?x?xf32> to memref<1x?xf32, strided<[?, 1], offset: ?>>
      linalg.fill ins(%z : f32) outs(%s : memref<1x1xf32>)
      linalg.generic {indexing_maps = [#id, #column], iterator_types = ["parallel", "reduction"]} ins(%x : memref<1x?xf32, strided<[?, 1], offset: ?>>) outs(%s : memref<1x1xf32>) {
      ^bb0(%p: f32, %o: f32):
        %r = arith.addf %o, %p : f32
        linalg.yield %r : f32
      }
      linalg.generic {indexing_maps = [#id, #column, affine_map<(d0, d1) -> ()>, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %b : memref<1x?xf32, strided<[?, 1], offset: ?>>, memref<1x1xf32>, memref<f32>) outs(%y : memref<1x?xf32, strided<[?, 1], offset: ?>>) {
      ^bb0(%p: f32, %q: f32, %c: f32, %o: f32):
        %r = arith.divf %p, %q : f32
        %t = arith.addf %r, %c : f32
        linalg.yield %t : f32
      }
    }
  }
  func.return
}
kernel.signature @rows([s0, s1], [], s0, s1, s2) -> ([s0, s1]) words 3

// -----

// The parts of complex numbers lie next to each other. Between operations there are no others: what took them apart is gone.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @complex(%a: memref<?xf32>, %n0: index, %n1: index, %out: memref<?xf32>)
// CHECK-DAG:   [[ONE:%.*]] = arith.constant 1 : index
// CHECK-DAG:   [[TWO:%.*]] = arith.constant 2 : index
// CHECK:         ^bb0([[I:%.*]]: index):
// CHECK-NEXT:       [[AT:%.*]] = arith.muli [[I]], [[TWO]] : index
// CHECK-NEXT:       [[RE:%.*]] = memref.load %a{{\[}}[[AT]]] : memref<?xf32>
// CHECK-NEXT:       [[BEHIND:%.*]] = arith.addi [[AT]], [[ONE]] : index
// CHECK-NEXT:       [[IM:%.*]] = memref.load %a{{\[}}[[BEHIND]]] : memref<?xf32>
// CHECK-NEXT:       memref.store [[IM]], %out{{\[}}[[AT]]] : memref<?xf32>
// CHECK-NEXT:       memref.store [[RE]], %out{{\[}}[[BEHIND]]] : memref<?xf32>
// CHECK-NEXT:       scf.reduce
func.func @complex(%a: memref<?x?xcomplex<f32>>, %n0: index, %n1: index, %out: memref<?x?xcomplex<f32>>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<?x?xcomplex<f32>>) outs(%out : memref<?x?xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %o: complex<f32>):
    %re = complex.re %x : complex<f32>
    %im = complex.im %x : complex<f32>
    %r = complex.create %im, %re : complex<f32>
    linalg.yield %r : complex<f32>
  }
  func.return
}
kernel.signature @complex([s0, s1], s0, s1) -> ([s0, s1]) words 2
