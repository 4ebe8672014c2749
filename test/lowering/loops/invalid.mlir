// RUN: ts-opt %s -p ts-linalg-to-loops --split-input-file --verify-diagnostics | filecheck %s

// CHECK: ts.dims with 1 entries expected for tensor<?xf32>
func.func @no_dims(%a: tensor<?xf32>) -> (tensor<?xf32> {ts.dims = array<i64: 0>}) attributes {ts.kernel, ts.syms = 1 : i64} {
  func.return %a : tensor<?xf32>
}

// -----

// CHECK: a scalar argument of a kernel needs ts.sym
func.func @no_sym(%a: f64) attributes {ts.kernel, ts.syms = 1 : i64} {
  func.return
}

// -----

// What `ts.to_linalg` gives is for other compilers.
// CHECK: ts-linalg-to-loops works on kernels in input form (lowering/kernel.py), which are functions with the attribute ts.kernel; the module has @forward
func.func @forward(%a: tensor<2xf32>) -> tensor<2xf32> {
  func.return %a : tensor<2xf32>
}

// -----

// CHECK: ts-linalg-to-loops works on kernels in input form, and @done takes memref<?xf32>
func.func @done(%a: memref<?xf32>) attributes {ts.kernel, ts.syms = 1 : i64} {
  func.return
}
