// RUN: ts-opt %s -p ts-outline-kernel --split-input-file | filecheck %s

// The body of the launch is that of the function. Sizes are words: the range is one already, what there is to do is computed.

// CHECK-LABEL: func.func @f(%a: memref<?xf32>, %out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
// CHECK-NEXT:    [[PLACE:%.*]] = arith.constant 1 : index
// CHECK-NEXT:    [[WORD:%.*]] = memref.load %syms{{\[}}[[PLACE]]] : memref<?xi64>
// CHECK-NEXT:    [[N1:%.*]] = arith.index_cast [[WORD]] : i64 to index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    "scf.parallel"(%begin, %end, %c1)
// CHECK-NEXT:    ^bb0([[I:%.*]]: index):
// CHECK-NEXT:      [[AT:%.*]] = arith.muli [[I]], [[N1]] : index
// CHECK:         func.return
// CHECK: kernel.entry @f words 3 range 0 grain 1 work 2 cost 20 sizes @sizes
// CHECK: func.func @sizes([[SYMS:%.*]]: memref<?xi64>) -> i1 {
// CHECK:   [[ALL:%.*]] = arith.muli
// CHECK:   [[CAST:%.*]] = arith.index_cast [[ALL]] : index to i64
// CHECK:   [[TWO:%.*]] = arith.constant 2 : index
// CHECK:   memref.store [[CAST]], [[SYMS]]{{\[}}[[TWO]]] : memref<?xi64>
// CHECK:   func.return %{{.*}} : i1
func.func @f(%a: memref<?xf32>, %n0: index, %n1: index, %out: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %all = arith.muli %n0, %n1 : index
  kernel.launch (%begin to %end) in %n0 step %c1 work %all cost 20 {
    "scf.parallel"(%begin, %end, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%i: index):
      %at = arith.muli %i, %n1 : index
      %x = memref.load %a[%at] : memref<?xf32>
      memref.store %x, %out[%at] : memref<?xf32>
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}
kernel.signature @f([s0, s1], s0, s1) -> ([s0, s1]) words 2

// -----

// Scratch memory becomes an argument, whose bytes are a word. A function that computes words is there already: it gets one more.

// CHECK-LABEL: func.func @f(%scratch: memref<?xi8>, %syms: memref<?xi64>, %begin: index, %end: index) {
// CHECK-NOT:     memref.alloc
// CHECK:         memref.view %scratch
// CHECK: kernel.entry @f words 2 range 0 grain 8 work 0 cost 1 scratch 1 sizes @sizes
// CHECK: func.func @sizes(%syms: memref<?xi64>) -> i1 {
// CHECK-NEXT:   [[CHECKED:%.*]] = arith.constant false
// CHECK:        memref.store
// CHECK-NEXT:   func.return [[CHECKED]] : i1
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %bytes = arith.muli %n, %c4 : index
  %scratch = memref.alloc(%bytes) : memref<?xi8>
  kernel.launch (%begin to %end) in %n step %c8 work %n cost 1 {
    %x = memref.view %scratch[%c0][%c4] : memref<?xi8> to memref<?xf32>
    %y = memref.load %x[%begin] : memref<?xf32>
    memref.store %y, %x[%begin] : memref<?xf32>
  }
  func.return
}
kernel.signature @f(s0) -> () words 1
func.func @sizes(%syms: memref<?xi64>) -> i1 {
  %no = arith.constant false
  func.return %no : i1
}

// -----

// Where parts begin at multiples of what only sizes tell, the range is so many of them, and the function multiplies.

// CHECK-LABEL: func.func @f(%out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
// CHECK:         [[FROM:%.*]] = arith.muli %begin, [[STEP:%.*]] : index
// CHECK-NEXT:    [[TO:%.*]] = arith.muli %end, [[STEP]] : index
// CHECK-NEXT:    [[LAST:%.*]] = arith.minsi [[TO]], [[ROWS:%.*]] : index
// CHECK-NEXT:    memref.store %z, %out{{\[}}[[FROM]]]
// CHECK-NEXT:    memref.store %z, %out{{\[}}[[LAST]]]
// CHECK: kernel.entry @f words 3 range 2 grain 1 work 0 cost 1 sizes @sizes
// CHECK: arith.divui
func.func @f(%n: index, %m: index, %out: memref<?xf32>) {
  %z = arith.constant 0.0 : f32
  kernel.launch (%begin to %end) in %n step %m work %n cost 1 {
    memref.store %z, %out[%begin] : memref<?xf32>
    memref.store %z, %out[%end] : memref<?xf32>
  }
  func.return
}
kernel.signature @f(s0, s1) -> ([s0]) words 2

// -----

// Numbers are in words, too: an f32 as a double, an i1 as what is not 0.

// CHECK-LABEL: func.func @f
// CHECK: [[BITS:%.*]] = memref.load %syms
// CHECK: [[DOUBLE:%.*]] = arith.bitcast [[BITS]] : i64 to f64
// CHECK: [[X:%.*]] = arith.truncf [[DOUBLE]] : f64 to f32
// CHECK: [[WORD:%.*]] = memref.load %syms
// CHECK: [[B:%.*]] = arith.cmpi ne, [[WORD]], %{{.*}} : i64
// CHECK: memref.store [[X]]
// CHECK: memref.store [[B]]
// CHECK: kernel.entry @f words 3 range 2 grain 1 work 2 cost 0 sizes @sizes
func.func @f(%x: f32, %b: i1, %out: memref<?xf32>, %out_1: memref<?xi1>) {
  %c1 = arith.constant 1 : index
  kernel.launch (%begin to %end) in %c1 step %c1 work %c1 cost 0 {
    memref.store %x, %out[%begin] : memref<?xf32>
    memref.store %b, %out_1[%begin] : memref<?xi1>
  }
  func.return
}
kernel.signature @f(s0, s1) -> ([], []) words 2
