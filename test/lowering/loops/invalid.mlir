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
