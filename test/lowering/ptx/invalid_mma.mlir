// RUN: ts-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: no device multiplies f16 in such pieces
%a, %b, %c = "test.op"() : () -> (vector<2xf16>, vector<2xf16>, f32)
%0 = nvvm.mma.sync A[%a, %a] B[%b] C[%c, %c, %c, %c] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 4>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>

// -----

// CHECK: a thread has (4, 2) registers of the factors, and 4 of the sum
%a, %b, %c = "test.op"() : () -> (vector<2xf16>, vector<2xf16>, f32)
%0 = nvvm.mma.sync A[%a, %a] B[%b] C[%c, %c, %c, %c] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>

// -----

// CHECK: registers of factors of bf16 are i32
%a, %b, %c = "test.op"() : () -> (vector<2xf16>, vector<2xf16>, f32)
%0 = nvvm.mma.sync A[%a, %a, %a, %a] B[%b, %b] C[%c, %c, %c, %c] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>

// -----

// CHECK: rows of the first factor lie in registers, and columns of the second
%a, %b, %c = "test.op"() : () -> (vector<2xf16>, vector<2xf16>, f32)
%0 = nvvm.mma.sync A[%a, %a] B[%b] C[%c, %c, %c, %c] {layoutA = #nvvm.mma_layout<col>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>

// -----

// CHECK: float32 is rounded to tf32 by 'rna' here, not 'rn'
%a = "test.op"() : () -> f32
%0 = nvvm.convert.float.to.tf32 %a {rnd = #nvvm.fp_rnd_mode<rn>}

// -----

// CHECK: small matrices are loaded from shared memory
%p = "test.op"() : () -> !llvm.ptr
%0 = nvvm.ldmatrix %p {layout = #nvvm.mma_layout<row>, num = 4 : i32} : (!llvm.ptr) -> !llvm.struct<(i32, i32, i32, i32)>

// -----

// CHECK: four small matrices are loaded at once here
%p = "test.op"() : () -> !llvm.ptr<3>
%0 = nvvm.ldmatrix %p {layout = #nvvm.mma_layout<row>, num = 2 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>

// -----

// CHECK: what is copied comes from global memory, to shared memory
%p, %n = "test.op"() : () -> (!llvm.ptr<3>, i32)
nvvm.cp.async.shared.global %p, %p, 16, cache = cg, %n : !llvm.ptr<3>, !llvm.ptr<3>, i32

// -----

// CHECK: 16 bytes are copied at once here, past the first-level cache
%p, %q, %n = "test.op"() : () -> (!llvm.ptr<3>, !llvm.ptr<1>, i32)
nvvm.cp.async.shared.global %p, %q, 8, cache = ca, %n : !llvm.ptr<3>, !llvm.ptr<1>, i32

// -----

// CHECK: the buffer has no elements of f16
%m, %i = "test.op"() : () -> (memref<?xf32>, index)
%p = memref_ext.pointer %m[%i] of f16 : memref<?xf32> to !llvm.ptr<1>
