// RUN: ts-opt %s -p ts-convert-to-llvm | filecheck %s

// Vectors are aligned as their elements are.
// CHECK-LABEL: llvm.func @memory(%a: !llvm.ptr {llvm.noalias}, %i: i64)
// CHECK:       [[P:%.*]] = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK:       [[X:%.*]] = llvm.load [[P]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK:       [[Q:%.*]] = llvm.getelementptr inbounds %a[%i]
// CHECK:       llvm.store [[X]], [[Q]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
func.func @memory(%a: memref<?xf32>, %i: index) {
  %x = vector.load %a[%i] : memref<?xf32>, vector<8xf32>
  vector.store %x, %a[%i] : memref<?xf32>, vector<8xf32>
  func.return
}

// CHECK-LABEL: llvm.func @broadcast(%x: f32)
// CHECK:       [[EMPTY:%.*]] = llvm.mlir.undef : vector<4xf32>
// CHECK:       [[FIRST:%.*]] = llvm.insertelement %x, [[EMPTY]]
// CHECK:       [[ALL:%.*]] = llvm.shufflevector [[FIRST]], [[EMPTY]] [0, 0, 0, 0]
// CHECK:       llvm.bitcast [[ALL]] : vector<4xf32> to vector<4xi32>
func.func @broadcast(%x: f32) -> vector<4xi32> {
  %0 = vector.broadcast %x : f32 to vector<4xf32>
  %1 = vector.bitcast %0 : vector<4xf32> to vector<4xi32>
  func.return %1 : vector<4xi32>
}

// Masked lanes of bf16 are loaded as bits.
// CHECK-LABEL: llvm.func @masked_bf16(
// CHECK:       [[IDLE:%.*]] = llvm.bitcast %z : vector<8xbf16> to vector<8xi16>
// CHECK:       [[BITS:%.*]] = llvm.call_intrinsic "llvm.masked.load"({{%.*}}, %m, [[IDLE]]) {{.*}} -> vector<8xi16>
// CHECK:       llvm.bitcast [[BITS]] : vector<8xi16> to vector<8xbf16>
func.func @masked_bf16(%a: memref<?xbf16>, %i: index, %m: vector<8xi1>, %z: vector<8xbf16>) -> vector<8xbf16> {
  %x = vector.maskedload %a[%i], %m, %z : memref<?xbf16>, vector<8xi1>, vector<8xbf16> into vector<8xbf16>
  func.return %x : vector<8xbf16>
}
