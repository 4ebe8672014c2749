// RUN: ts-opt %s 2>&1 | filecheck %s

// What no table knows passes, but not silently; a namespace of somebody's own is theirs.
// CHECK: ts-opt: warning: no operator aten::mull is known: nothing is known of what it does. Did you mean 'mul'?
// CHECK-NOT: warning
// CHECK-LABEL: func.func @unknown
func.func @unknown(%x: !prim.tensor) -> !prim.tensor {
  // CHECK-NEXT: %y = aten.mull(%x, %x)
  // CHECK-NEXT: %z = mine.mull(%y)
  %y = aten.mull(%x, %x) : (!prim.tensor, !prim.tensor) -> !prim.tensor
  %z = mine.mull(%y) : (!prim.tensor) -> !prim.tensor
  func.return %z : !prim.tensor
}
