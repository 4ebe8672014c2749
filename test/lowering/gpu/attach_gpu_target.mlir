// RUN: ts-opt %s -p "ts-attach-gpu-target{sm=90}" | filecheck %s
// RUN: ts-opt %s -p ts-attach-gpu-target | filecheck %s --check-prefix OLDEST

// Passes behind it find the devices in an attribute of the module.

// CHECK:      builtin.module attributes {nvvm.sm = 90 : i32} {
// OLDEST:     builtin.module attributes {nvvm.sm = 75 : i32} {
// CHECK-NEXT:   func.func @kernel
func.func @kernel(%x: memref<?xf16>) {
  func.return
}
