// RUN: ts-opt %s -p dce,cse,canonicalize | filecheck %s

// Operators without a kernel here, and such as no table knows.
// CHECK-LABEL: func.func @unused
func.func @unused(%x: !prim.tensor, %i: !prim.int) {
  // CHECK-NEXT: prim.TimePoint()
  // CHECK-NEXT: prim.TimePoint()
  // CHECK-NEXT: my.op(%x)
  // CHECK-NEXT: my.op(%x)
  // CHECK-NEXT: func.return
  %0 = prim.TimePoint() : () -> !prim.int
  %1 = prim.TimePoint() : () -> !prim.int
  %2 = my.op(%x) : (!prim.tensor) -> !prim.tensor
  %3 = my.op(%x) : (!prim.tensor) -> !prim.tensor
  %4 = aten.erfinv(%x) : (!prim.tensor) -> !prim.tensor
  func.return
}
