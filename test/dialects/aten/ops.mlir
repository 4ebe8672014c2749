// RUN: ts-opt %s | filecheck %s
// RUN: ts-opt %s --print-op-generic | ts-opt | filecheck %s
// RUN: ts-opt %s -t torchscript | ts-opt -f torchscript | filecheck %s

// CHECK-LABEL: func.func @overloads
func.func @overloads(%x: !prim.tensor, %i: !prim.int, %f: !prim.float, %none: !prim.none) -> !prim.tensor {
  // CHECK-NEXT: %a = aten.add.Tensor(%x, %x, %i) : (!prim.tensor, !prim.tensor, !prim.int) -> !prim.tensor
  %a = aten.add.Tensor(%x, %x, %i) : (!prim.tensor, !prim.tensor, !prim.int) -> !prim.tensor
  // CHECK-NEXT: %b = aten.add.Scalar(%a, %f, %i) : (!prim.tensor, !prim.float, !prim.int) -> !prim.tensor
  %b = aten.add.Scalar(%a, %f, %i) : (!prim.tensor, !prim.float, !prim.int) -> !prim.tensor
  // CHECK-NEXT: %c = aten.add.int(%i, %i) : (!prim.int, !prim.int) -> !prim.int
  %c = aten.add.int(%i, %i) : (!prim.int, !prim.int) -> !prim.int
  // CHECK-NEXT: %g = prim.Constant() {value = true} : () -> !prim.bool
  // CHECK-NEXT: %d, %e = aten.max.dim(%b, %c, %g) : (!prim.tensor, !prim.int, !prim.bool) -> (!prim.tensor, !prim.tensor)
  %g = prim.Constant() {value = true} : () -> !prim.bool
  %d, %e = aten.max.dim(%b, %c, %g) : (!prim.tensor, !prim.int, !prim.bool) -> (!prim.tensor, !prim.tensor)
  // CHECK-NEXT: %h = aten.clamp(%d, %f, %none) : (!prim.tensor, !prim.float, !prim.none) -> !prim.tensor
  %h = aten.clamp(%d, %f, %none) : (!prim.tensor, !prim.float, !prim.none) -> !prim.tensor
  // CHECK-NEXT: %k = aten.mul_.Tensor(%h, %x) : (!prim.tensor, !prim.tensor) -> !prim.tensor
  %k = aten.mul_.Tensor(%h, %x) : (!prim.tensor, !prim.tensor) -> !prim.tensor
  func.return %k : !prim.tensor
}

// Lists of type variables, refined tensors, results of any type.
// CHECK-LABEL: func.func @types
func.func @types(%l: !prim.list<!prim.str>, %s: !prim.str, %x: !prim.tensor<Float, sizes = [2, 3]>) -> !prim.int {
  // CHECK-NEXT: %a = aten.append.t(%l, %s) : (!prim.list<!prim.str>, !prim.str) -> !prim.list<!prim.str>
  %a = aten.append.t(%l, %s) : (!prim.list<!prim.str>, !prim.str) -> !prim.list<!prim.str>
  // CHECK-NEXT: %b = aten.len.t(%a) : (!prim.list<!prim.str>) -> !prim.int
  %b = aten.len.t(%a) : (!prim.list<!prim.str>) -> !prim.int
  // CHECK-NEXT: %c = aten.tanh(%x) : (!prim.tensor<Float, sizes = [2, 3]>) -> !prim.tensor<Float, sizes = [2, 3]>
  %c = aten.tanh(%x) : (!prim.tensor<Float, sizes = [2, 3]>) -> !prim.tensor<Float, sizes = [2, 3]>
  func.return %b : !prim.int
}

// Operators that no table knows, and known ones whose operands fit no overload.
// CHECK-LABEL: func.func @unknown
func.func @unknown(%x: !prim.tensor, %s: !prim.str) -> !prim.tensor {
  // CHECK-NEXT: %a = aten.no_such_thing(%x, %s) {level = 3 : i64} : (!prim.tensor, !prim.str) -> !prim.tensor
  %a = aten.no_such_thing(%x, %s) {level = 3 : i64} : (!prim.tensor, !prim.str) -> !prim.tensor
  // CHECK-NEXT: %b = aten.tanh.unresolved(%s) : (!prim.str) -> !prim.tensor
  %b = aten.tanh.unresolved(%s) : (!prim.str) -> !prim.tensor
  // CHECK-NEXT: %c = otherlib.suppress(%b) : (!prim.tensor) -> !prim.tensor
  %c = otherlib.suppress(%b) : (!prim.tensor) -> !prim.tensor
  func.return %c : !prim.tensor
}
