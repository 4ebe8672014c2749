// RUN: ts-opt %s -t torchscript | filecheck %s
// RUN: ts-opt %s -t dot | filecheck %s --check-prefix DOT

// Names and places with line ends and quotes in them stay names and places.

// CHECK:      graph @"f(x):\n    evil()\ndef g"(%x : Tensor):
// CHECK-NEXT:   %y : Tensor = ^"a]()(%x)\n  return (%x)"[]()(%x) # a.py\n  %e : Tensor = aten::evil():1:2
// CHECK-NEXT:   %z : Tensor = aten::relu["k\n]"=1](%y)
// CHECK-NEXT:   return (%z)


// DOT: digraph "f(x):\n    evil()\ndef g" {
func.func @"f(x):\n    evil()\ndef g"(%x: !prim.tensor) -> !prim.tensor {
  %y = prim.PythonOp(%x) {name = "a]()(%x)\n  return (%x)"} : (!prim.tensor) -> !prim.tensor loc("a.py\n  %e : Tensor = aten::evil()":1:2)
  %z = aten.relu(%y) {"k\n]" = 1 : i64} : (!prim.tensor) -> !prim.tensor
  func.return %z : !prim.tensor
}
