// RUN: ts-opt %s -p "ts-attach-gpu-target{sm=80},ts-tile-products" | filecheck %s
// RUN: ts-opt %s -p "ts-attach-gpu-target{sm=80},ts-tile-products" | ts-opt | filecheck %s
// RUN: ts-opt %s -p "ts-attach-gpu-target{sm=75},ts-tile-products" | filecheck %s --check-prefix OLD

// A tile of 128 by 128, which four warps share; one of 64 by 64 follows, for products that have few of these. Three pieces of both factors have room in shared memory, of 32 places along K. While one is
// multiplied, the others are on their way, in chunks of 16 bytes where rows begin at multiples of them, and element by element otherwise; of
// what reaches beyond a factor, only what there is. Chunks of the first factor lie along K, those of the second one across it, which turns
// as it is loaded. A warp multiplies 16 by 16 by 8 elements at once, 64 times a piece. Its sums, of float32, go through shared memory 32
// rows at a time. Four neighbours are stored at once where rows begin at multiples of them.

// CHECK:       builtin.module attributes {nvvm.sm = 80 : i32} {
// CHECK-NEXT:    "memref.global"() <{sym_name = "tile_bytes", type = memref<49152xi8, 3 : i64>
// CHECK:           %[[BYTES:.*]] = memref.get_global @tile_bytes
// CHECK:           %[[HALVES:.*]] = memref.view %[[BYTES]][%{{.*}}][] : memref<49152xi8, 3 : i64> to memref<24576xf16, 3 : i64>
// CHECK-NEXT:      %[[STAGED:.*]] = memref.view %[[BYTES]][%{{.*}}][] : memref<49152xi8, 3 : i64> to memref<8704xf32, 3 : i64>
// CHECK:           "memref.extract_aligned_pointer_as_index"(%x)
// CHECK:           "memref.extract_aligned_pointer_as_index"(%y)
// CHECK:           scf.if
// CHECK-NEXT:          scf.for
// CHECK-COUNT-16:      nvvm.cp.async.shared.global
// CHECK:               nvvm.cp.async.commit.group
// CHECK:             nvvm.cp.async.wait.group 1
// CHECK-NEXT:        "gpu.barrier"()
// CHECK:           scf.for
// CHECK:             scf.if
// CHECK:               %[[FROM:.*]] = memref_ext.pointer %x[%{{.*}}] of f16 : memref<?xf16> to !llvm.ptr<1>
// CHECK:               %[[TO:.*]] = memref_ext.pointer %[[BYTES]][%{{.*}}] of i8 : memref<49152xi8, 3 : i64> to !llvm.ptr<3>
// CHECK-NEXT:          nvvm.cp.async.shared.global %[[TO]], %[[FROM]], 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NEXT:          llvm.getelementptr %[[FROM]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK:             } else {
// CHECK:               scf.if
// CHECK:                 nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK:             } else {
// CHECK:               memref.load %x
// CHECK-NEXT:          arith.select
// CHECK:               memref.store %{{.*}}, %[[HALVES]]
// CHECK:             nvvm.cp.async.commit.group
// CHECK:             %[[ROWS:.*]] = nvvm.ldmatrix %{{.*}} {layout = #nvvm.mma_layout<row>, num = 4 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK:             nvvm.ldmatrix %{{.*}} {layout = #nvvm.mma_layout<col>, num = 4 : i32}
// CHECK:             %[[SUM:.*]] = nvvm.mma.sync A[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] B[%{{.*}}, %{{.*}}] C[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:        llvm.extractvalue %[[SUM]][0]
// CHECK-COUNT-63:    nvvm.mma.sync
// CHECK:             nvvm.cp.async.wait.group 1
// CHECK-NEXT:        "gpu.barrier"()
// CHECK:             scf.yield
// CHECK:           nvvm.cp.async.wait.group 0
// CHECK-NEXT:      "gpu.barrier"()
// CHECK:           memref.store %{{.*}}, %[[STAGED]]
// CHECK:           "gpu.barrier"()
// CHECK:           scf.if
// CHECK:             memref.load %[[STAGED]][%{{.*}}] {alignment = 16 : i64}
// CHECK-COUNT-3:     memref.load %[[STAGED]]
// CHECK:             memref.store %{{.*}}, %out[%{{.*}}] {alignment = 8 : i64}
// CHECK-COUNT-3:     memref.store %{{.*}}, %out
// CHECK:           } else {
// CHECK:             %[[TOTAL:.*]] = memref.load %[[STAGED]]
// CHECK:             %[[ROUNDED:.*]] = arith.truncf %[[TOTAL]] : f32 to f16
// CHECK-NEXT:        memref.store %[[ROUNDED]], %out

// sm_75 multiplies 8 places along K at once, and copies nothing meanwhile.
// OLD-NOT:       nvvm.cp.async
// OLD:           llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// OLD-COUNT-128: nvvm.mma.sync {{.*}} k = 8>

func.func @kernel(%x: memref<?xf16>, %y: memref<?xf16>, %0: index, %1: index, %2: index, %out: memref<?xf16>) {
  %3 = arith.constant 0 : index
  %4 = arith.muli %0, %2 : index
  %5 = arith.constant 4 : index
  %6 = arith.muli %4, %5 : index
  %7 = arith.constant 63 : index
  %8 = arith.addi %6, %7 : index
  %9 = arith.constant -64 : index
  %10 = arith.andi %8, %9 : index
  %scratch = memref.alloc(%10) : memref<?xi8>
  %11 = arith.constant 0.000000e+00 : f32
  %12 = arith.muli %0, %2 : index
  %13 = memref.view %scratch[%3][%12] : memref<?xi8> to memref<?xf32>
  %14 = arith.constant 0 : index
  %15 = arith.constant 1 : index
  %16 = arith.constant 12 : index
  %17 = arith.muli %16, %0 : index
  %18 = arith.muli %17, %1 : index
  %19 = arith.muli %18, %2 : index
  %20 = arith.constant 52 : index
  %21 = arith.muli %20, %0 : index
  %22 = arith.muli %21, %2 : index
  %23 = arith.addi %19, %22 : index
  kernel.launch (%begin to %end) in %15 step %15 work %23 cost 1 {
    %24 = memref.reinterpret_cast %x to offset: [0], sizes: [%0, %1], strides: [%1, 1] : memref<?xf16> to memref<?x?xf16, strided<[?, 1]>>
    %25 = memref.reinterpret_cast %y to offset: [0], sizes: [%1, %2], strides: [%2, 1] : memref<?xf16> to memref<?x?xf16, strided<[?, 1]>>
    %26 = memref.reinterpret_cast %13 to offset: [0], sizes: [%0, %2], strides: [%2, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    linalg.fill ins(%11 : f32) outs(%26 : memref<?x?xf32, strided<[?, 1]>>)
    linalg_ext.matmul ins(%24, %25 : memref<?x?xf16, strided<[?, 1]>>, memref<?x?xf16, strided<[?, 1]>>) outs(%26 : memref<?x?xf32, strided<[?, 1]>>)
    "scf.parallel"(%14, %12, %15) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%27: index):
      %28 = memref.load %13[%27] : memref<?xf32>
      %29 = arith.truncf %28 : f32 to f16
      memref.store %29, %out[%27] : memref<?xf16>
      scf.reduce
    }) : (index, index, index) -> ()
  }
  func.return
}
kernel.signature @kernel([s0, s1], [s1, s2], s0, s1, s2) -> ([s0, s2]) words 3
