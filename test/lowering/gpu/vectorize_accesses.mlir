// RUN: ts-opt %s -p ts-vectorize-accesses --split-input-file | filecheck %s
// RUN: ts-opt %s -p ts-vectorize-accesses,ts-expand-math,ts-convert-gpu-to-nvvm,ts-convert-to-llvm --split-input-file -t "ptx{sm=80}" | filecheck %s --check-prefix PTX

// Four elements of a row and a column each: what is walked element by element is loaded and stored at once, if all of it is aligned.

// CHECK:       %[[FIRST:.*]] = arith.muli %begin, %{{.*}} : index
// CHECK-NEXT:  arith.cmpi slt, %[[FIRST]], %[[RANGE:.*]] : index
// CHECK-NEXT:  scf.if
// CHECK:         %[[END:.*]] = arith.addi %[[FIRST]], %{{.*}} : index
// CHECK-NEXT:    %[[ARE_FOUR:.*]] = arith.cmpi sge, %[[RANGE]], %[[END]] : index
// CHECK-NEXT:    %[[X:.*]] = "memref.extract_aligned_pointer_as_index"(%x)
// CHECK-NEXT:    %[[OUT:.*]] = "memref.extract_aligned_pointer_as_index"(%out)
// CHECK-NEXT:    %[[BOTH:.*]] = arith.ori %[[X]], %[[OUT]] : index
// CHECK:         %[[REST:.*]] = arith.andi %[[BOTH]], %{{.*}} : index
// CHECK:         %[[ARE_ALIGNED:.*]] = arith.cmpi eq, %[[REST]], %{{.*}} : index
// CHECK-NEXT:    %[[TOGETHER:.*]] = arith.andi %[[ARE_FOUR]], %[[ARE_ALIGNED]] : i1
// CHECK:         scf.if %[[TOGETHER]] {
// CHECK:           memref.load %x[%[[FIRST]]] {alignment = 16 : i64} : memref<?xf32>
// CHECK-COUNT-3:   memref.load %x
// CHECK-COUNT-4:   memref.load %y
// CHECK:           memref.store %{{.*}}, %out[%[[FIRST]]] {alignment = 16 : i64} : memref<?xf32>
// CHECK-COUNT-3:   memref.store %{{.*}}, %out
// CHECK:         } else {
// CHECK:           %[[LAST:.*]] = arith.minsi %[[END]], %[[RANGE]] : index
// CHECK-NEXT:      scf.for %{{.*}} = %[[FIRST]] to %[[LAST]] step
// CHECK:             memref.load %x
// CHECK:             memref.store
// CHECK:       kernel.grid_entry @kernel words 2 range 0 each 1024 threads 256

// PTX:         ld.global.v4.b32
// PTX:         st.global.v4.b32
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>, memref<?xf32>, i64, i64) -> (), kernel}> ({
  ^bb0(%x: memref<?xf32>, %y: memref<?xf32>, %out: memref<?xf32>, %w0: i64, %w1: i64):
    %0 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %1 = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
    %2 = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
    %3 = arith.muli %1, %2 : index
    %begin = arith.addi %3, %0 : index
    %range = arith.index_cast %w0 : i64 to index
    %4 = arith.cmpi slt, %begin, %range : index
    scf.if %4 {
      %columns = arith.index_cast %w1 : i64 to index
      %row = arith.divui %begin, %columns : index
      %column = arith.remui %begin, %columns : index
      %start = arith.muli %row, %columns : index
      %at = arith.addi %start, %column : index
      %5 = memref.load %x[%at] : memref<?xf32>
      %6 = memref.load %y[%column] : memref<?xf32>
      %7 = arith.addf %5, %6 : f32
      memref.store %7, %out[%at] : memref<?xf32>
    }
    "gpu.return"() : () -> ()
  }) {sym_name = "kernel", gpu.known_block_size = array<i32: 256, 1, 1>} : () -> ()
}) : () -> ()
kernel.grid_entry @kernel words 2 range 0 threads 256 work 0 cost 72

// -----

// A result that is read again: a thread does one element.

// CHECK-NOT:   arith.muli %begin
// CHECK:       kernel.grid_entry @kernel words 2 range 0 threads 256

// PTX-NOT:     .v4
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>, i64, i64) -> (), kernel}> ({
  ^bb0(%x: memref<?xf32>, %out: memref<?xf32>, %w0: i64, %w1: i64):
    %0 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %1 = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
    %2 = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
    %3 = arith.muli %1, %2 : index
    %begin = arith.addi %3, %0 : index
    %range = arith.index_cast %w0 : i64 to index
    %4 = arith.cmpi slt, %begin, %range : index
    scf.if %4 {
      %5 = memref.load %x[%begin] : memref<?xf32>
      memref.store %5, %out[%begin] : memref<?xf32>
      %6 = memref.load %out[%begin] : memref<?xf32>
      %7 = arith.addf %6, %6 : f32
      memref.store %7, %out[%begin] : memref<?xf32>
    }
    "gpu.return"() : () -> ()
  }) {sym_name = "kernel", gpu.known_block_size = array<i32: 256, 1, 1>} : () -> ()
}) : () -> ()
kernel.grid_entry @kernel words 2 range 0 threads 256 work 0 cost 72
