// RUN: ts-opt %s -p ts-convert-to-llvm --split-input-file | filecheck %s

// Both parts give a value to the block behind.
// CHECK-LABEL: llvm.func @choose
// CHECK:       llvm.cond_br %c, [[THEN:\^.*]], [[ELSE:\^.*]]
// CHECK:       [[THEN]]:
// CHECK-NEXT:    [[S:%.*]] = llvm.fadd %x, %x : f32
// CHECK-NEXT:    llvm.br [[AFTER:\^.*]]([[S]] : f32)
// CHECK:       [[ELSE]]:
// CHECK-NEXT:    llvm.br [[AFTER]](%x : f32)
// CHECK:       [[AFTER]]([[R:%.*]]: f32):
// CHECK-NEXT:    llvm.return [[R]] : f32
func.func @choose(%c: i1, %x: f32) -> f32 {
  %r = scf.if %c -> (f32) {
    %s = arith.addf %x, %x : f32
    scf.yield %s : f32
  } else {
    scf.yield %x : f32
  }
  func.return %r : f32
}

// -----

// Without an else-part the branch goes behind it; a loop in a loop carries its sum along.
// CHECK-LABEL: llvm.func @nested
// CHECK:       llvm.cond_br %c, [[THEN:\^[a-z0-9]*]], [[END:\^[a-z0-9]*]]
// CHECK:       [[THEN]]:
// CHECK:         llvm.cond_br %{{.*}}, [[OUTER:\^[a-z0-9]*]]([[ZERO:%[0-9]*]], [[ZERO]] : i64, i64), [[OUT:\^[a-z0-9]*]]([[ZERO]] : i64)
// CHECK:       [[OUTER]](%i: i64, %s: i64):
// CHECK:         llvm.cond_br %{{.*}}, [[INNER:\^[a-z0-9]*]]([[ZERO]], %s : i64, i64), [[BACK:\^[a-z0-9]*]](%s : i64)
// CHECK:       [[INNER]](%j: i64, %t: i64):
// CHECK:         [[U:%.*]] = llvm.add %t, %{{.*}} overflow<nsw> : i64
// CHECK:         llvm.cond_br %{{.*}}, [[INNER]](%{{.*}}, [[U]] : i64, i64), [[BACK]]([[U]] : i64)
// CHECK:       [[BACK]]([[V:%.*]]: i64):
// CHECK:         llvm.cond_br %{{.*}}, [[OUTER]](%{{.*}}, [[V]] : i64, i64), [[OUT]]([[V]] : i64)
// CHECK:       [[OUT]]([[W:%.*]]: i64):
// CHECK:         llvm.store [[W]]
// CHECK:         llvm.br [[END]]
// CHECK:       [[END]]:
// CHECK-NEXT:    llvm.return
func.func @nested(%c: i1, %a: memref<?xi64>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.if %c {
    %r = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> (index) {
      %q = scf.for %j = %zero to %i step %one iter_args(%t = %s) -> (index) {
        %u = arith.addi %t, %j : index
        scf.yield %u : index
      }
      scf.yield %q : index
    }
    %w = arith.index_cast %r : index to i64
    memref.store %w, %a[%zero] : memref<?xi64>
  }
  func.return
}

// -----

// A `while` asks before each trip; what it passes on is what it gives at the end.
// CHECK-LABEL: llvm.func @halve
// CHECK:         llvm.br [[BEFORE:\^.*]](%x : i64)
// CHECK:       [[BEFORE]]([[A:%.*]]: i64):
// CHECK-NEXT:    [[C:%.*]] = llvm.icmp "sgt" [[A]], %y : i64
// CHECK-NEXT:    llvm.cond_br [[C]], [[BODY:\^.*]]([[A]] : i64), [[AFTER:\^.*]]([[A]] : i64)
// CHECK:       [[BODY]]([[B:%.*]]: i64):
// CHECK-NEXT:    [[H:%.*]] = llvm.sdiv [[B]], %z : i64
// CHECK-NEXT:    llvm.br [[BEFORE]]([[H]] : i64)
// CHECK:       [[AFTER]]([[R:%.*]]: i64):
// CHECK-NEXT:    llvm.return [[R]] : i64
func.func @halve(%x: i64, %y: i64, %z: i64) -> i64 {
  %r = scf.while (%a = %x) : (i64) -> (i64) {
    %c = arith.cmpi sgt, %a, %y : i64
    scf.condition(%c) %a : i64
  } do {
  ^bb0(%b: i64):
    %h = arith.divsi %b, %z : i64
    scf.yield %h : i64
  }
  func.return %r : i64
}
