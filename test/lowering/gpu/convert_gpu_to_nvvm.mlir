// RUN: ts-opt %s -p ts-convert-gpu-to-nvvm --split-input-file | filecheck %s
// RUN: ts-opt %s -p ts-convert-gpu-to-nvvm,ts-convert-to-llvm --split-input-file -t llvm | filecheck %s --check-prefix IR

// A kernel of a gpu.module is a function of the module, which reads special registers.

// CHECK-NOT:   gpu.
// CHECK:       func.func @kernel(%out: memref<?xi64>, %w0: i64) attributes {nvvm.kernel} {
// CHECK-NEXT:    %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:    %[[WIDE:.*]] = arith.extui %[[THREAD]] : i32 to i64
// CHECK-NEXT:    %[[I:.*]] = arith.index_cast %[[WIDE]] : i64 to index
// CHECK-NEXT:    nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK:         nvvm.read.ptx.sreg.ntid.x : i32
// CHECK:         memref.store %w0, %out[%[[I]]] : memref<?xi64>
// CHECK-NEXT:    func.return
// CHECK:       kernel.grid_entry @kernel

// IR: define ptx_kernel void @kernel(ptr noalias %{{.*}}, i64 %{{.*}})
// IR: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi64>, i64) -> (), kernel}> ({
  ^bb0(%out: memref<?xi64>, %w0: i64):
    %0 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %1 = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
    %2 = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
    memref.store %w0, %out[%0] : memref<?xi64>
    "gpu.return"() : () -> ()
  }) {sym_name = "kernel", gpu.known_block_size = array<i32: 256, 1, 1>} : () -> ()
}) : () -> ()
kernel.grid_entry @kernel words 1 range 0 threads 256 work 0 cost 72
