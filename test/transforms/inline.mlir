// RUN: ts-opt %s -p ts-inline --print-debuginfo | filecheck %s

// What is inlined tells the place of the call beside its own, and so does what is inlined within it.
// CHECK-LABEL: func.func @outer
// CHECK:         aten.exp{{.*}} loc(callsite(callsite("a.py":1:4 at "inner"("a.py":3:8)) at "middle"("a.py":6:2)))
// CHECK-NEXT:    aten.relu{{.*}} loc(callsite("a.py":4:4 at "middle"("a.py":6:2)))
// CHECK-NEXT:    aten.neg{{.*}} loc("a.py":7:4)
builtin.module {
  func.func @inner(%x: !prim.tensor) -> !prim.tensor {
    %0 = aten.exp(%x) : (!prim.tensor) -> !prim.tensor loc("a.py":1:4)
    func.return %0 : !prim.tensor
  }
  func.func @middle(%x: !prim.tensor) -> !prim.tensor {
    %f = prim.Constant() {name = "inner"} : () -> !prim.function<"inner">
    %0 = prim.CallFunction(%f, %x) : (!prim.function<"inner">, !prim.tensor) -> !prim.tensor loc("a.py":3:8)
    %1 = aten.relu(%0) : (!prim.tensor) -> !prim.tensor loc("a.py":4:4)
    func.return %1 : !prim.tensor
  }
  func.func @outer(%x: !prim.tensor) -> !prim.tensor {
    %f = prim.Constant() {name = "middle"} : () -> !prim.function<"middle">
    %0 = prim.CallFunction(%f, %x) : (!prim.function<"middle">, !prim.tensor) -> !prim.tensor loc("a.py":6:2)
    %1 = aten.neg(%0) : (!prim.tensor) -> !prim.tensor loc("a.py":7:4)
    func.return %1 : !prim.tensor
  }
}
