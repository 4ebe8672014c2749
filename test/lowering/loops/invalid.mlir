// RUN: ts-opt %s -p ts-bufferize --split-input-file --verify-diagnostics | filecheck %s
// RUN: ts-opt %s -p ts-outline-kernel --split-input-file --verify-diagnostics | filecheck %s --check-prefix OUTLINE

// What `ts.to_linalg` gives is for other compilers.
// CHECK: ts-bufferize works on kernels that are functions with a kernel.signature (lowering/kernel.py); the module has @forward
func.func @forward(%a: tensor<2xf32>) -> tensor<2xf32> {
  func.return %a : tensor<2xf32>
}

// -----

// OUTLINE: ts-outline-kernel works on functions with one kernel.launch
func.func @no_launch(%n: index) {
  func.return
}
kernel.signature @no_launch(s0) -> () words 1

// -----

// OUTLINE: ts-outline-kernel comes after ts-linalg-to-loops
func.func @no_work(%n: index) {
  kernel.launch (%begin to %end) in %n step %n {
  }
  func.return
}
kernel.signature @no_work(s0) -> () words 1

// -----

// OUTLINE: ts-outline-kernel comes after ts-plan-memory
func.func @no_plan(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  kernel.launch (%begin to %end) in %n step %n work %n cost 0 {
    %x = memref.load %a[%begin] : memref<?xf32>
    memref.store %x, %a[%begin] : memref<?xf32>
  }
  func.return
}
kernel.signature @no_plan(s0) -> () words 1
