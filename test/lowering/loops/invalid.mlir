// RUN: ts-opt %s -p ts-linalg-to-loops --split-input-file --verify-diagnostics | filecheck %s

// What `ts.to_linalg` gives is for other compilers.
// CHECK: ts-linalg-to-loops works on kernels in input form (lowering/kernel.py), which are functions with a kernel.signature; the module has @forward
func.func @forward(%a: tensor<2xf32>) -> tensor<2xf32> {
  func.return %a : tensor<2xf32>
}
