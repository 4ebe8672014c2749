// RUN: ts-opt %s -p ts-peephole --split-input-file --verify-diagnostics | filecheck %s
// RUN: ts-opt %s -p ts-insert-type-checks --split-input-file --verify-diagnostics | filecheck %s --check-prefix CHECKS
// RUN: ts-opt %s -p ts-convert-to-ssa --split-input-file --verify-diagnostics | filecheck %s --check-prefix SSA
// RUN: ts-opt %s -p ts-expand-math --split-input-file --verify-diagnostics | filecheck %s --check-prefix MATH
// RUN: ts-opt %s -p ts-vectorize-loops --split-input-file --verify-diagnostics | filecheck %s --check-prefix VECTORS
// RUN: ts-opt %s -p runtime-optimizations --split-input-file --verify-diagnostics | filecheck %s --check-prefix FUSE
// RUN: ts-opt %s -p ts-exit-transforms --split-input-file --verify-diagnostics | filecheck %s --check-prefix EXITS

// CHECK: ts-peephole works on functions of TorchScript, and @linalg takes tensor<2xf32>
// CHECKS: ts-insert-type-checks works on functions of TorchScript, and @linalg takes tensor<2xf32>
// SSA: ts-convert-to-ssa works on functions of TorchScript, and @linalg takes tensor<2xf32>
// MATH: func.func @linalg
// VECTORS: ts-vectorize-loops comes after ts-outline-kernel, and @linalg is a function of tensors
func.func @linalg(%a: tensor<2xf32>) -> tensor<2xf32> {
  func.return %a : tensor<2xf32>
}

// -----

// CHECK: ts-peephole works on functions of TorchScript, and @numbers holds arith.constant
func.func @numbers() {
  %c = arith.constant 1 : i32
  func.return
}

// -----

// CHECK: ts-peephole works on functions of TorchScript, and the module has none but arith.constant
arith.constant 1 : i32

// -----

// CHECK: func.func @loads
// EXITS: ts-exit-transforms comes after ts-convert-to-ssa, and @loads still has prim::Store
// SSA: func.func @loads
// MATH: ts-expand-math comes after ts-convert-torch-to-linalg, and @loads is a function of TorchScript
func.func @loads(%x: !prim.tensor) -> !prim.tensor {
  prim.Store(%x) {name = "x"} : (!prim.tensor) -> ()
  %y = prim.Load() {name = "x"} : () -> !prim.tensor
  func.return %y : !prim.tensor
}

// -----

// FUSE: ts-fuse-tensorexprs comes after ts-propagate-shapes on functions whose arguments have sizes, and no tensor of @untyped has any
func.func @untyped(%x: !prim.tensor) -> !prim.tensor {
  %y = aten.tanh(%x) : (!prim.tensor) -> !prim.tensor
  %z = aten.tanh(%y) : (!prim.tensor) -> !prim.tensor
  func.return %z : !prim.tensor
}
