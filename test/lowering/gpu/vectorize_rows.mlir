// RUN: ts-opt %s -p ts-vectorize-rows | filecheck %s
// RUN: ts-opt %s -p ts-vectorize-rows | ts-opt | filecheck %s

// A reduction of a row: four neighbours at a time where rows begin at multiples of them, in order, and then one by one what is left.

// CHECK:       %[[START:.*]] = arith.addi %first, %c0 : index
// CHECK:       %[[ADDRESS:.*]] = "memref.extract_aligned_pointer_as_index"(%x)
// CHECK:       %[[IS_ALIGNED:.*]] = arith.cmpi eq
// CHECK:       %[[GROUPS:.*]] = arith.select %[[IS_ALIGNED]]
// CHECK-NEXT:  %[[END:.*]] = arith.addi %c0, %[[GROUPS]] : index
// CHECK:       %[[STEP:.*]] = arith.muli %threads
// CHECK:       %[[SUMS:.*]] = scf.for %{{.*}} = %{{.*}} to %[[END]] step %[[STEP]] iter_args(%{{.*}} = %zero) -> (f32) {
// CHECK:         memref.load %x[%{{.*}}] {alignment = 8 : i64} : memref<?xf16>
// CHECK-COUNT-3: memref.load %x[%{{.*}}] : memref<?xf16>
// CHECK-COUNT-4: arith.addf
// CHECK-NEXT:    scf.yield
// CHECK:       %[[REST:.*]] = arith.addi %[[END]], %thread : index
// CHECK-NEXT:  %total = scf.for %{{.*}} = %[[REST]] to %n step %threads iter_args(%{{.*}} = %[[SUMS]]) -> (f32) {

// What is stored stands behind what is computed; what is no element of a row is loaded as it was.

// CHECK:       "memref.extract_aligned_pointer_as_index"(%out)
// CHECK:       scf.for
// CHECK-COUNT-4: memref.load %bias[%c0] : memref<?xf32>
// CHECK:         memref.store %{{.*}}, %out[%{{.*}}] {alignment = 16 : i64} : memref<?xf32>
// CHECK-COUNT-3: memref.store %{{.*}}, %out[%{{.*}}] : memref<?xf32>
// CHECK:       scf.for
// CHECK:         memref.store %{{.*}}, %out[%{{.*}}] : memref<?xf32>
// CHECK:       scf.for

// Nothing is done at once where an iteration reads what it wrote.

// CHECK-NEXT:    memref.store %total, %out[%[[I:.*]]]
// CHECK-NEXT:    memref.load %out[%[[I]]]
// CHECK-NOT:   scf.for
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xf16>, memref<?xf32>, memref<?xf32>, i64, i64) -> (), kernel}> ({
  ^bb0(%x: memref<?xf16>, %bias: memref<?xf32>, %out: memref<?xf32>, %w0: i64, %w1: i64):
    %thread = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %threads = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
    %row = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
    %n = arith.index_cast %w1 : i64 to index
    %c0 = arith.constant 0 : index
    %first = arith.muli %row, %n : index
    %start = arith.addi %c0, %thread : index
    %zero = arith.constant 0.0 : f32
    %total = scf.for %i = %start to %n step %threads iter_args(%so_far = %zero) -> (f32) {
      %at = arith.addi %first, %i : index
      %v = memref.load %x[%at] : memref<?xf16>
      %wide = arith.extf %v : f16 to f32
      %sum = arith.addf %so_far, %wide : f32
      scf.yield %sum : f32
    }
    %other = arith.addi %c0, %thread : index
    scf.for %i = %other to %n step %threads {
      %b = memref.load %bias[%c0] : memref<?xf32>
      %at = arith.addi %first, %i : index
      %s = arith.addf %total, %b : f32
      memref.store %s, %out[%at] : memref<?xf32>
    }
    %third = arith.addi %c0, %thread : index
    scf.for %i = %third to %n step %threads {
      memref.store %total, %out[%i] : memref<?xf32>
      %again = memref.load %out[%i] : memref<?xf32>
      memref.store %again, %bias[%i] : memref<?xf32>
    }
    "gpu.return"() : () -> ()
  }) {sym_name = "kernel"} : () -> ()
}) : () -> ()
kernel.grid_entry @kernel words 2 range 0 each 1 threads 128 work 1 cost 1
