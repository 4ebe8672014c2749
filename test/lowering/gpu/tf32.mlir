// RUN: ts-opt %s -p "ts-attach-gpu-target{sm=80 tf32=true},ts-tile-products" | filecheck %s
// RUN: ts-opt %s -p "ts-attach-gpu-target{sm=80 tf32=true},ts-tile-products" | ts-opt | filecheck %s
// RUN: ts-opt %s -p "ts-attach-gpu-target{sm=75 tf32=true},ts-tile-products" | filecheck %s --check-prefix EXACT
// RUN: ts-opt %s -p "ts-attach-gpu-target{sm=80},ts-tile-products" | filecheck %s --check-prefix EXACT

// Where a program lets factors of float32 be rounded to tf32, and devices have tensor cores for that, a warp multiplies 16 by 8 by 8 elements
// at once, which are rounded on the way from shared memory. Small matrices of words that lie across K are not turned as they are loaded.

// CHECK:       builtin.module attributes {nvvm.sm = 80 : i32, nvvm.allow_tf32} {
// CHECK:           %[[WORDS:.*]] = memref.view %{{.*}}[%{{.*}}][] : memref<49152xi8, 3 : i64> to memref<12288xf32, 3 : i64>
// CHECK:             %[[LOADED:.*]] = nvvm.ldmatrix %{{.*}} {layout = #nvvm.mma_layout<row>, num = 4 : i32}
// CHECK-NEXT:        %[[BITS:.*]] = llvm.extractvalue %[[LOADED]][0]
// CHECK:             %[[FOUND:.*]] = llvm.bitcast %[[BITS]] : i32 to f32
// CHECK:             nvvm.convert.float.to.tf32 %[[FOUND]] {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK:             %[[WORD:.*]] = memref.load %[[WORDS]]
// CHECK:             nvvm.convert.float.to.tf32 %[[WORD]] {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK:             nvvm.mma.sync A[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] B[%{{.*}}, %{{.*}}] C[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-COUNT-31:    nvvm.mma.sync

// EXACT-NOT:   nvvm.mma.sync
// EXACT:       math.fma
func.func @kernel(%x: memref<?xf32>, %y: memref<?xf32>, %b: memref<?xf32>, %0: index, %1: index, %2: index, %out: memref<?xf32>) {
  %3 = arith.constant 0.000000e+00 : f32
  %4 = arith.constant 0 : index
  %5 = arith.constant 1 : index
  %6 = arith.constant 12 : index
  %7 = arith.muli %6, %0 : index
  %8 = arith.muli %7, %1 : index
  %9 = arith.muli %8, %2 : index
  %10 = arith.constant 272 : index
  %11 = arith.muli %10, %0 : index
  %12 = arith.muli %11, %2 : index
  %13 = arith.addi %9, %12 : index
  kernel.launch (%begin to %end) in %5 step %5 work %13 cost 1 {
    %14 = memref.reinterpret_cast %x to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %15 = memref.reinterpret_cast %y to offset: [0], sizes: [%1, %2], strides: [%2, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %16 = memref.reinterpret_cast %out to offset: [0], sizes: [%0, %2], strides: [%2, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    linalg.fill ins(%3 : f32) outs(%16 : memref<?x?xf32, strided<[?, 1]>>)
    linalg.matmul ins(%14, %15 : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>) outs(%16 : memref<?x?xf32, strided<[?, 1]>>)
    "scf.parallel"(%4, %0, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%17: index):
      %18 = arith.muli %17, %2 : index
      "scf.parallel"(%4, %2, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
      ^bb0(%19: index):
        %20 = arith.addi %18, %19 : index
        %21 = memref.load %out[%20] : memref<?xf32>
        %22 = memref.load %b[%19] : memref<?xf32>
        %23 = arith.addf %21, %22 : f32
        %24 = math.tanh %23 : f32
        memref.store %24, %out[%20] : memref<?xf32>
        scf.reduce
      }) : (index, index, index) -> ()
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}
kernel.signature @kernel([s0, s1], [s1, s2], [s2], s0, s1, s2) -> ([s0, s2]) words 3
