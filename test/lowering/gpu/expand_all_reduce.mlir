// RUN: ts-opt %s -p ts-map-to-gpu,ts-distribute-rows,ts-expand-all-reduce | filecheck %s
// RUN: ts-opt %s -p ts-map-to-gpu,ts-distribute-rows,ts-expand-all-reduce,ts-convert-gpu-to-nvvm,ts-convert-to-llvm | filecheck %s --check-prefix LLVM
// RUN: ts-opt %s -p ts-map-to-gpu,ts-distribute-rows,ts-expand-all-reduce,ts-convert-gpu-to-nvvm,ts-convert-to-llvm -t ptx --sm 80 | filecheck %s --check-prefix PTX

// Five shuffles add up a warp; the first thread of each warp writes what it has, and all add up that of all warps.

// CHECK:       "memref.global"() <{sym_name = "reduction_f32", type = memref<32xf32, 3 : i64>
// CHECK:       %[[A:.*]] = nvvm.shfl.sync bfly %{{.*}}, %[[OWN:.*]], %{{.*}}, %{{.*}} : f32 -> f32
// CHECK-NEXT:  arith.addf %[[OWN]], %[[A]] : f32
// CHECK:       nvvm.shfl.sync bfly
// CHECK:       nvvm.shfl.sync bfly
// CHECK:       nvvm.shfl.sync bfly
// CHECK:       nvvm.shfl.sync bfly
// CHECK-NEXT:  %[[WARP:.*]] = arith.addf
// CHECK-NEXT:  %[[SHARED:.*]] = memref.get_global @reduction_f32 : memref<32xf32, 3 : i64>
// CHECK:       scf.if
// CHECK-NEXT:    memref.store %[[WARP]], %[[SHARED]]
// CHECK:       "gpu.barrier"() : () -> ()
// CHECK:       scf.for
// CHECK:       "gpu.barrier"() : () -> ()

// LLVM:       llvm.mlir.global internal @reduction_f32() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x f32>
// LLVM:       nvvm.shfl.sync bfly
// LLVM:       llvm.mlir.addressof @reduction_f32 : !llvm.ptr
// LLVM:       nvvm.barrier0

// PTX:        .shared .align 16 .b8 reduction_f32[128];
// PTX:        shfl.sync.bfly.b32
// PTX:        st.shared.b32
// PTX:        bar.sync 0;
// PTX:        ld.shared.b32
func.func @kernel(%x: memref<?xf32>, %out: memref<?xf32>, %syms: memref<?xi64>, %begin: index, %end: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = memref.load %syms[%1] : memref<?xi64>
  %3 = arith.index_cast %2 : i64 to index
  %4 = arith.constant 2.0 : f32
  scf.for %5 = %begin to %end step %1 {
    %6 = arith.muli %5, %3 : index
    %7 = scf.for %8 = %0 to %3 step %1 iter_args(%9 = %4) -> (f32) {
      %10 = arith.addi %6, %8 : index
      %11 = memref.load %x[%10] : memref<?xf32>
      %12 = arith.addf %9, %11 : f32
      scf.yield %12 : f32
    }
    memref.store %7, %out[%5] : memref<?xf32>
    scf.yield
  }
  func.return
}
kernel.entry @kernel words 2 range 0 grain 1 work 1 cost 240
