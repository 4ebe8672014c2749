// RUN: ts-opt %s -p ts-tile-rows --split-input-file | filecheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A reduction between pointwise operations: one loop over rows, with a row of the temporary, and one element of the sums.

// CHECK-LABEL: func.func @reduction
// CHECK-NOT:   memref.alloc
// CHECK:       kernel.launch (%begin to %end) in %n0 step [[ONE:%.*]] {
// CHECK-NEXT:    scf.for [[I:%.*]] = %begin to %end step [[ONE]] {
// CHECK-NEXT:      [[Y:%.*]] = memref.alloc(%n1) : memref<1x?xf32>
// CHECK-NEXT:      [[S:%.*]] = memref.alloc() : memref<1xf32>
// CHECK-NEXT:      [[A:%.*]] = memref.subview %a{{\[}}[[I]], 0] [1, %n1] [1, 1] : memref<?x?xf32> to memref<1x?xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:      linalg.generic {{.*}} ins([[A]] : {{.*}}) outs([[Y]] : memref<1x?xf32>)
// CHECK:           linalg.fill ins(%z : f32) outs([[S]] : memref<1xf32>)
// CHECK-NEXT:      linalg.generic {{.*}} ins([[Y]] : {{.*}}) outs([[S]] : memref<1xf32>)
// CHECK:           [[OUT:%.*]] = memref.subview %out{{\[}}[[I]]] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
// CHECK-NEXT:      linalg.generic {{.*}} ins([[S]] : memref<1xf32>) outs([[OUT]] :
// CHECK:       func.return
func.func @reduction(%a: memref<?x?xf32>, %n0: index, %n1: index, %out: memref<?xf32>) {
  %z = arith.constant 0.0 : f32
  %y = memref.alloc(%n0, %n1) : memref<?x?xf32>
  %s = memref.alloc(%n0) : memref<?xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<?x?xf32>) outs(%y : memref<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.tanh %x : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%z : f32) outs(%s : memref<?xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%y : memref<?x?xf32>) outs(%s : memref<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %o, %x : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%s : memref<?xf32>) outs(%out : memref<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.sqrt %x : f32
    linalg.yield %r : f32
  }
  func.return
}
kernel.signature @reduction([s0, s1], s0, s1) -> ([s0]) words 2

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#bias = affine_map<(d0, d1) -> (d1)>

// A product does all rows of a part; what follows has a loop over rows of its own, of which a size that is no argument becomes one.

// CHECK-LABEL: func.func @product
// CHECK-SAME:    (%x: memref<?x?xf32>, %w: memref<?x?xf32>, %b: memref<?xf32>, %n0: index, %n2: index, [[K:%.*]]: index, %out: memref<?x?xf32>)
// CHECK:       [[GRAIN:%.*]] = arith.constant 8 : index
// CHECK:       kernel.launch (%begin to %end) in %n0 step [[GRAIN]] {
// CHECK-NEXT:    [[COUNT:%.*]] = arith.subi %end, %begin : index
// CHECK-NEXT:    [[C:%.*]] = memref.subview %out[%begin, 0] {{\[}}[[COUNT]], %n2] [1, 1]
// CHECK-NEXT:    linalg.fill {{.*}} outs([[C]] :
// CHECK-NEXT:    [[A:%.*]] = memref.subview %x[%begin, 0] {{\[}}[[COUNT]], [[K]]] [1, 1]
// CHECK-NEXT:    linalg.matmul ins([[A]], %w : {{.*}}) outs([[C]] :
// CHECK-NEXT:    "scf.parallel"(%begin, %end, {{.*}})
// CHECK-NEXT:    ^bb0([[I:%.*]]: index):
// CHECK-NEXT:      [[ROW:%.*]] = memref.subview %out{{\[}}[[I]], 0] [1, %n2] [1, 1]
// CHECK-NEXT:      linalg.generic {{.*}} ins([[ROW]], %b : {{.*}}) outs([[ROW]] :
// CHECK: kernel.signature @product([s0, s1], [s1, s2], [s2], s0, s2, s1) -> ([s0, s2]) words 3
func.func @product(%x: memref<?x?xf32>, %w: memref<?x?xf32>, %b: memref<?xf32>, %n0: index, %n2: index, %out: memref<?x?xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%out : memref<?x?xf32>)
  linalg.matmul ins(%x, %w : memref<?x?xf32>, memref<?x?xf32>) outs(%out : memref<?x?xf32>)
  linalg.generic {indexing_maps = [#id, #bias, #id], iterator_types = ["parallel", "parallel"]} ins(%out, %b : memref<?x?xf32>, memref<?xf32>) outs(%out : memref<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  }
  func.return
}
kernel.signature @product([s0, s1], [s1, s2], [s2], s0, s2) -> ([s0, s2]) words 3

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#all = affine_map<(d0, d1) -> (0, 0)>

// Where a row needs what is computed of all rows, there is nothing to tile. Nor is there in a single operation.

// CHECK-LABEL: func.func @whole
// CHECK-NOT: kernel.launch
// CHECK: func.return
func.func @whole(%a: memref<?x?xf32>, %n0: index, %n1: index, %out: memref<?x?xf32>) {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<1x1xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<1x1xf32>)
  linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction", "reduction"]} ins(%a : memref<?x?xf32>) outs(%s : memref<1x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %o, %x : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %s : memref<?x?xf32>, memref<1x1xf32>) outs(%out : memref<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.divf %x, %y : f32
    linalg.yield %r : f32
  }
  func.return
}
kernel.signature @whole([s0, s1], s0, s1) -> ([s0, s1]) words 2

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// The number of a row is that of the loop, and a slice of every row is one of the row.

// CHECK-LABEL: func.func @indices
// CHECK:    scf.for [[I:%.*]] = %begin to %end
// CHECK:      [[T:%.*]] = memref.alloc(%n1) : memref<1x?xi64>
// CHECK:      [[PART:%.*]] = memref.subview [[T]][0, %n2] [1, %n2] [1, 1]
// CHECK:      linalg.generic {{.*}} outs([[T]] :
// CHECK-NOT:    linalg.index 0
// CHECK:        linalg.index 1
// CHECK:        arith.index_cast [[I]] : index to i64
// CHECK:      linalg.generic {{.*}} ins([[PART]] :
func.func @indices(%n0: index, %n1: index, %n2: index, %out: memref<?x1xi64>) {
  %z = arith.constant 0 : i64
  %t = memref.alloc(%n0, %n1) : memref<?x?xi64>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%t : memref<?x?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.index_cast %i : index to i64
    %y = arith.index_cast %j : index to i64
    %r = arith.addi %x, %y : i64
    linalg.yield %r : i64
  }
  %part = memref.subview %t[0, %n2] [%n0, %n2] [1, 1] : memref<?x?xi64> to memref<?x?xi64, strided<[?, 1], offset: ?>>
  linalg.fill ins(%z : i64) outs(%out : memref<?x1xi64>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%part : memref<?x?xi64, strided<[?, 1], offset: ?>>) outs(%out : memref<?x1xi64>) {
  ^bb0(%x: i64, %o: i64):
    %r = arith.addi %o, %x : i64
    linalg.yield %r : i64
  }
  func.return
}
kernel.signature @indices(s0, s1, s2) -> ([s0, _]) words 3

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A column of every row: the dimension of the column goes, that of the row stays.

// CHECK-LABEL: func.func @column
// CHECK:      [[T:%.*]] = memref.alloc(%n1, %n2) : memref<1x?x?xf32>
// CHECK:      memref.subview [[T]][0, 0, 1] [1, %n1, 1] [1, 1, 1] : memref<1x?x?xf32> to memref<1x?xf32, strided<[?, ?], offset: 1>>
#deep = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#sum = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @column(%a: memref<?x?x?xf32>, %n0: index, %n1: index, %n2: index, %out: memref<?x?xf32>) {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc(%n0, %n1) : memref<?x?x1xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<?x?x1xf32>)
  linalg.generic {indexing_maps = [#deep, #sum], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a : memref<?x?x?xf32>) outs(%s : memref<?x?x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %o, %x : f32
    linalg.yield %r : f32
  }
  %t = memref.alloc(%n0, %n1, %n2) : memref<?x?x?xf32>
  linalg.generic {indexing_maps = [#deep, #sum, #deep], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %s : memref<?x?x?xf32>, memref<?x?x1xf32>) outs(%t : memref<?x?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.divf %x, %y : f32
    linalg.yield %r : f32
  }
  %c = memref.subview %t[0, 0, 1] [%n0, %n1, 1] [1, 1, 1] : memref<?x?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: 1>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : memref<?x?xf32, strided<[?, ?], offset: 1>>) outs(%out : memref<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  }
  func.return
}
kernel.signature @column([s0, s1, s2], s0, s1, s2) -> ([s0, s1]) words 3

// -----

// The rows of this convolution are its filters, each of which meets all windows: they are not gathered once a row.

// CHECK-LABEL: func.func @filters
// CHECK-NOT:   kernel.launch
// CHECK:       func.return
func.func @filters(%x: memref<?x?xf32>, %w: memref<?x?x?xf32>, %out: memref<?x?xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%out : memref<?x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d1 + d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : memref<?x?xf32>, memref<?x?x?xf32>) outs(%out : memref<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  }
  func.return
}
kernel.signature @filters([s0, s1], [s2, s0, s3]) -> ([s2, s4]) words 5
