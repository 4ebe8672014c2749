// RUN: ts-opt %s -p ts-convert-to-llvm | filecheck %s

// Scratch memory is bytes; a view of it begins at a number of bytes, a moved start at a number of elements.
// CHECK-LABEL: llvm.func @views(%s: !llvm.ptr {llvm.noalias}, %i: i64, %n: i64)
// CHECK:       [[V:%.*]] = llvm.getelementptr inbounds %s[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK:       [[M:%.*]] = llvm.getelementptr inbounds [[V]][%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK:       llvm.ptrtoint [[M]] : !llvm.ptr to i64
func.func @views(%s: memref<?xi8>, %i: index, %n: index) {
  %v = memref.view %s[%i][%n] : memref<?xi8> to memref<?xf32>
  %m = memref.reinterpret_cast %v to offset: [%n], sizes: [%n], strides: [1] : memref<?xf32> to memref<?xf32>
  %p = "memref.extract_aligned_pointer_as_index"(%m) : (memref<?xf32>) -> index
  func.return
}

// -----

// A buffer on the stack; fetching a cache line says whether it will be written.

// CHECK-LABEL: llvm.func @stack
// CHECK: %[[BUFFER:.*]] = llvm.alloca {{.*}} x f32 {alignment = 64 : i64}
// CHECK: llvm.call_intrinsic "llvm.prefetch"(%[[BUFFER]], %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i32, i32, i32) -> ()
func.func @stack(%n: index) {
  %zero = arith.constant 0 : index
  %a = memref.alloca(%n) {alignment = 64 : i64} : memref<?xf32>
  memref_ext.prefetch %a[%zero], write, locality<3>, data : memref<?xf32>
  func.return
}

// -----

// What threads of a device combine in memory, and what several may write at the same time.

// CHECK-LABEL: llvm.func @atomic
// CHECK: [[P:%.*]] = llvm.getelementptr inbounds %a[%{{i.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm_ext.atomicrmw "fadd" [[P]], %x : !llvm.ptr, f32 -> f32
// CHECK: llvm.store %x, {{.*}} {alignment = 4 : i64{{.*}}} : f32, !llvm.ptr
func.func @atomic(%a: memref<?xf32>, %i: index, %x: f32) {
  %0 = "memref.atomic_rmw"(%x, %a, %i) <{kind = 0 : i64}> : (f32, memref<?xf32>, index) -> f32
  "memref.store"(%x, %a, %i) {relaxed} : (f32, memref<?xf32>, index) -> ()
  func.return
}

// -----

// The address of an element in the space that instructions of a device ask for.

// CHECK-LABEL: llvm.func @pointer
// CHECK: [[E:%.*]] = llvm.getelementptr inbounds %m[%{{i.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f16
// CHECK: [[S:%.*]] = llvm_ext.addrspacecast [[E]] : !llvm.ptr to !llvm.ptr<1>
// CHECK: nvvm.cp.async.shared.global %to, [[S]], 16, cache = cg, %{{n.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
func.func @pointer(%m: memref<?xf16>, %i: index, %to: !llvm.ptr<3>, %n: i32) {
  %p = memref_ext.pointer %m[%i] of f16 : memref<?xf16> to !llvm.ptr<1>
  nvvm.cp.async.shared.global %to, %p, 16, cache = cg, %n : !llvm.ptr<3>, !llvm.ptr<1>, i32
  func.return
}
