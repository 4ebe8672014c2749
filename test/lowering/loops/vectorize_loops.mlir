// RUN: ts-opt %s -p ts-vectorize-loops --split-input-file | filecheck %s
// RUN: ts-opt %s -p "ts-vectorize-loops{tail=scalar}" --split-input-file | filecheck %s --check-prefix SCALAR

// f64 and f32 together: as many lanes as f64s fit. A uniform value is broadcast before the loop.

// CHECK-LABEL: func.func @mixed
// CHECK: [[STEP:%.*]] = arith.constant 8 : index
// CHECK: [[SPLAT:%.*]] = vector.broadcast %s : f64 to vector<8xf64>
// CHECK: scf.for [[I:%.*]] = %begin to %end step [[STEP]] {
// CHECK:   [[LEFT:%.*]] = arith.subi %end, [[I]] : index
// CHECK:   [[WHOLE:%.*]] = arith.cmpi sge, [[LEFT]], [[STEP]] : index
// CHECK:   [[X:%.*]], [[MASK:%.*]] = scf.if [[WHOLE]] -> (vector<8xf32>, vector<8xi1>) {
// CHECK:     vector.load %a{{\[}}[[I]]] : memref<?xf32>, vector<8xf32>
// CHECK:   } else {
// CHECK:     vector.create_mask [[LEFT]] : vector<8xi1>
// CHECK:     vector.maskedload %a{{\[}}[[I]]]
// CHECK:   }
// CHECK:   [[WIDE:%.*]] = arith.extf [[X]] : vector<8xf32> to vector<8xf64>
// CHECK:   [[R:%.*]] = arith.mulf [[WIDE]], [[SPLAT]] : vector<8xf64>
// CHECK:   vector.maskedstore %out{{\[}}[[I]]], [[MASK]], [[R]]

// SCALAR-LABEL: func.func @mixed
// SCALAR: scf.for {{.*}} {
// SCALAR:   vector.load
// SCALAR:   vector.store
// SCALAR: }
// SCALAR: "scf.parallel"
// SCALAR:   memref.load
// SCALAR:   memref.store
// SCALAR: }
func.func @mixed(%a: memref<?xf32>, %out: memref<?xf64>, %s: f64, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  "scf.parallel"(%begin, %end, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %x = memref.load %a[%i] : memref<?xf32>
    %w = arith.extf %x : f32 to f64
    %r = arith.mulf %w, %s : f64
    memref.store %r, %out[%i] : memref<?xf64>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}

// -----

// A sum waits for its running value: four vectors an iteration while there are so many, one after that. The lanes are added at the end, as
// a tree.

// CHECK-LABEL: func.func @sum
// CHECK: [[START:%.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK: [[STEP:%.*]] = arith.constant 64 : index
// CHECK: [[COUNT:%.*]] = arith.subi %end, %begin : index
// CHECK: [[REST:%.*]] = arith.remsi [[COUNT]], [[STEP]] : index
// CHECK: [[MIDDLE:%.*]] = arith.subi %end, [[REST]] : index
// CHECK: [[FOUR:%.*]], {{.*}} = scf.for {{.*}} = %begin to [[MIDDLE]] step [[STEP]]
// CHECK-COUNT-4: arith.addf {{.*}} : vector<16xf32>
// CHECK: }
// CHECK-COUNT-3: arith.addf {{.*}} : vector<16xf32>
// CHECK: [[V:%.*]] = scf.for {{.*}} = [[MIDDLE]] to %end {{.*}} iter_args([[S:%.*]] = %{{.*}}) -> (vector<16xf32>) {
// CHECK:   [[NEW:%.*]] = arith.addf [[S]], %{{.*}} : vector<16xf32>
// CHECK:   arith_ext.select %{{.*}}, [[NEW]], [[S]] : vector<16xi1>, vector<16xf32>
// CHECK: [[ALL:%.*]] = vector.reduction <add>, [[V]] fastmath<reassoc> : vector<16xf32> into f32
// CHECK: arith.addf %z, [[ALL]] : f32
func.func @sum(%a: memref<?xf32>, %out: memref<?xf32>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %begin to %end step %c1 iter_args(%s = %z) -> (f32) {
    %x = memref.load %a[%i] : memref<?xf32>
    %t = arith.addf %s, %x fastmath<reassoc> : f32
    scf.yield %t : f32
  }
  memref.store %r, %out[%c0] : memref<?xf32>
  func.return
}

// -----

// A stride that is not one: stays scalar.

// CHECK-LABEL: func.func @strided
// CHECK-NOT: vector
// CHECK: func.return
func.func @strided(%a: memref<?xf32>, %out: memref<?xf32>, %s: index, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  "scf.parallel"(%begin, %end, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %j = arith.muli %i, %s : index
    %x = memref.load %a[%j] : memref<?xf32>
    memref.store %x, %out[%i] : memref<?xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}

// -----

// Not parallel: may depend on its order.

// CHECK-LABEL: func.func @in_order
// CHECK-NOT: vector
// CHECK: func.return
func.func @in_order(%a: memref<?xf32>, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %j = arith.addi %i, %c1 : index
    memref.store %x, %a[%j] : memref<?xf32>
  }
  func.return
}

// -----

// An idle lane could divide by zero: the rest is done by the scalar loop.

// CHECK-LABEL: func.func @division
// CHECK: arith.divsi {{.*}} : vector<8xi64>
// CHECK-NOT: mask
// CHECK: arith.divsi {{.*}} : i64
func.func @division(%a: memref<?xi64>, %b: memref<?xi64>, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  "scf.parallel"(%begin, %end, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %x = memref.load %a[%i] : memref<?xi64>
    %y = memref.load %b[%i] : memref<?xi64>
    %r = arith.divsi %x, %y : i64
    memref.store %r, %a[%i] : memref<?xi64>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}

// -----

// The loop over the whole range stores past the caches where the operands are huge and the output is aligned.

// CHECK-LABEL: func.func @streams
// CHECK: [[TOTAL:%.*]] = memref.load %syms
// CHECK: [[HUGE:%.*]] = arith.cmpi sge
// CHECK: [[POINTER:%.*]] = "memref.extract_aligned_pointer_as_index"(%out)
// CHECK: [[ALIGNED:%.*]] = arith.cmpi eq
// CHECK: [[STREAMS:%.*]] = arith.andi [[HUGE]], [[ALIGNED]] : i1
// CHECK: scf.for
// CHECK:   [[WHOLE:%.*]] = arith.cmpi sge
// CHECK:   [[PAST:%.*]] = arith.andi [[STREAMS]], [[WHOLE]] : i1
// CHECK:   scf.if [[PAST]] {
// CHECK:     vector.store %{{.*}}, %out{{.*}} {nontemporal = true}
// CHECK:   } else {
// CHECK:     vector.maskedstore
// CHECK:   }
func.func @streams(%a: memref<?xf32>, %out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  "scf.parallel"(%begin, %end, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %x = memref.load %a[%i] : memref<?xf32>
    %r = arith.addf %x, %x : f32
    memref.store %r, %out[%i] : memref<?xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}
kernel.entry @streams words 1 range 0 grain 256 work 0 cost 52

// -----

// Elements that lie apart are gathered a piece at a time where a loop computes enough; a sum alone stays scalar.

// CHECK-LABEL: func.func @apart
// CHECK: [[BUFFER:%.*]] = memref.alloca(%{{.*}}) {alignment = 64 : i64} : memref<?xf32>
// CHECK: scf.for [[C:%.*]] = %begin to %end step %{{.*}} {
// CHECK:   [[LAST:%.*]] = arith.minsi
// CHECK:   scf.for [[I:%.*]] = [[C]] to [[LAST]] step
// CHECK:     [[K:%.*]] = arith.subi [[I]], [[C]] : index
// CHECK:     [[AT:%.*]] = arith.muli [[I]], %s : index
// CHECK:     [[X:%.*]] = memref.load %a{{\[}}[[AT]]] : memref<?xf32>
// CHECK:     memref.store [[X]], [[BUFFER]]{{\[}}[[K]]] : memref<?xf32>
// CHECK:   scf.for {{.*}} = [[C]] to [[LAST]]
// CHECK:     vector.load [[BUFFER]]
// CHECK:     math.tanh {{.*}} : vector<16xf32>
// CHECK: "scf.parallel"
// CHECK:   arith.addf {{.*}} : f32

// SCALAR-LABEL: func.func @apart
// SCALAR: vector.load
func.func @apart(%a: memref<?xf32>, %out: memref<?xf32>, %s: index, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  "scf.parallel"(%begin, %end, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %p = arith.muli %i, %s : index
    %x = memref.load %a[%p] : memref<?xf32>
    %r = math.tanh %x : f32
    memref.store %r, %out[%i] : memref<?xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  "scf.parallel"(%begin, %end, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %p = arith.muli %i, %s : index
    %x = memref.load %a[%p] : memref<?xf32>
    %r = arith.addf %x, %x : f32
    memref.store %r, %out[%i] : memref<?xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}

// -----

// Pairs are loaded whole and parted by lanes, and stored the other way round. A load of one part of them is gathered: nothing may lie
// behind the last.

// CHECK-LABEL: func.func @pairs
// CHECK: vector.create_mask %{{.*}} : vector<32xi1>
// CHECK: scf.if
// CHECK:   [[BOTH:%.*]] = vector.load %a{{.*}} : memref<?xf32>, vector<32xf32>
// CHECK:   vector.shuffle [[BOTH]], [[BOTH]] [0, 2, 4,
// CHECK:   vector.shuffle [[BOTH]], [[BOTH]] [1, 3, 5,
// CHECK: vector.maskedload %a{{.*}} : memref<?xf32>, vector<32xi1>, vector<32xf32>
// CHECK: [[R:%.*]] = arith.addf {{.*}} : vector<16xf32>
// CHECK: [[S:%.*]] = vector.shuffle [[R]], %{{.*}} [0, 16, 1, 17,
// CHECK: vector.maskedstore %out{{.*}}, [[S]] : memref<?xf32>, vector<32xi1>, vector<32xf32>
// CHECK: "scf.parallel"
// CHECK:   memref.load %a

// SCALAR-LABEL: func.func @pairs
// SCALAR: vector.load %a{{.*}} : memref<?xf32>, vector<32xf32>
func.func @pairs(%a: memref<?xf32>, %out: memref<?xf32>, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  "scf.parallel"(%begin, %end, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %p = arith.muli %i, %c2 : index
    %q = arith.addi %p, %c1 : index
    %x = memref.load %a[%p] : memref<?xf32>
    %y = memref.load %a[%q] : memref<?xf32>
    %r = arith.addf %x, %y : f32
    memref.store %r, %out[%p] : memref<?xf32>
    memref.store %x, %out[%q] : memref<?xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  "scf.parallel"(%begin, %end, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %p = arith.muli %i, %c2 : index
    %x = memref.load %a[%p] : memref<?xf32>
    memref.store %x, %out[%i] : memref<?xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}
