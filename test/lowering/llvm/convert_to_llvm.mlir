// RUN: ts-opt %s -p ts-convert-to-llvm --split-input-file | filecheck %s
// RUN: ts-opt %s -p ts-convert-to-llvm --split-input-file -t llvm | filecheck %s --check-prefix IR

// The native signature; bools are bytes in memory; a loop tests at the bottom, behind a guard. Its variable is opaque,
// so that the code generator does not reduce strengths.

// CHECK-LABEL: llvm.func @kernel(%buffers: !llvm.ptr {llvm.noalias, llvm.readonly}, %syms: !llvm.ptr {llvm.noalias, llvm.readonly}, %begin: i64, %end: i64)
// CHECK: llvm.getelementptr inbounds %buffers
// CHECK: [[ENTER:%.*]] = llvm.icmp "slt" %begin, %end : i64
// CHECK: llvm.cond_br [[ENTER]], ^bb1(%begin : i64), ^bb2
// CHECK: ^bb1([[PHI:%.*]]: i64):
// CHECK: [[I:%.*]] = llvm.inline_asm asm_dialect = att "", "=r,0" [[PHI]] : (i64) -> i64
// CHECK: [[P:%.*]] = llvm.getelementptr inbounds %a{{\[}}[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: [[X:%.*]] = llvm.load [[P]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK: [[B:%.*]] = llvm.fcmp "olt" [[X]], %{{.*}} : f32
// CHECK: [[BYTE:%.*]] = llvm.zext [[B]] : i1 to i8
// CHECK: llvm.store [[BYTE]]
// CHECK: llvm.cond_br %{{.*}}, ^bb1(%{{.*}} : i64), ^bb2

// IR: define void @kernel(ptr noalias readonly %{{.*}}, ptr noalias readonly %{{.*}}, i64 %{{.*}}, i64 %{{.*}}) nounwind "no-builtins" {
// IR: [[PHI:%.*]] = phi i64
// IR: call i64 asm "", "=r,0"(i64 [[PHI]])
// IR: fcmp olt float %{{.*}}, 0x3FF0000000000000
// IR: store i8
func.func @kernel(%a: memref<?xf32>, %out: memref<?xi1>, %syms: memref<?xi64>, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %begin to %end step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %r = arith.cmpf olt, %x, %one : f32
    memref.store %r, %out[%i] : memref<?xi1>
  }
  func.return
}
kernel.entry @kernel words 1 range 0 grain 256 work 0 cost 52

// -----

// CHECK-LABEL: llvm.func @scalars
// CHECK: llvm.call_intrinsic "llvm.maximum"(%{{.*}}, %{{.*}}) {fastmathFlags = #llvm.fastmath<nsz>} : (f64, f64) -> f64
// CHECK: llvm.call_intrinsic "llvm.floor"
// CHECK-NOT: fastmathFlags
// CHECK: llvm.return

// IR-LABEL: define double @scalars
// IR: call nsz double @llvm.maximum.f64(double
// IR: call double @llvm.floor.f64(double
func.func @scalars(%a: f64, %b: f64) -> f64 {
  %m = arith.maximumf %a, %b : f64
  %f = math.floor %m : f64
  %r = arith.divf %f, %a : f64
  func.return %r : f64
}

// -----

// CHECK-LABEL: llvm.func @vectors
// CHECK: llvm.icmp "slt" %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK: llvm.call_intrinsic "llvm.masked.load"
// CHECK: llvm.call_intrinsic "llvm.fma"
// CHECK: llvm.shufflevector
// CHECK: llvm.call_intrinsic "llvm.masked.store"
// CHECK: llvm.call_intrinsic "llvm.vector.reduce.fadd"(%{{.*}}, %{{.*}}) {fastmathFlags = #llvm.fastmath<reassoc>}

// IR-LABEL: define float @vectors
// IR: call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4
// IR: call <16 x float> @llvm.fma.v16f32
// IR: call void @llvm.masked.store.v16f32.p0(<16 x float> %{{.*}}, ptr align 4
// IR: call reassoc float @llvm.vector.reduce.fadd.v16f32(float 0x8000000000000000, <16 x float>
func.func @vectors(%a: memref<?xf32>, %i: index, %n: index) -> f32 {
  %z = arith.constant dense<0.0> : vector<16xf32>
  %m = vector.create_mask %n : vector<16xi1>
  %x = vector.maskedload %a[%i], %m, %z : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %y = vector.fma %x, %x, %z : vector<16xf32>
  %s = vector.shuffle %y, %x [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23] : vector<16xf32>, vector<16xf32>
  vector.maskedstore %a[%i], %m, %s : memref<?xf32>, vector<16xi1>, vector<16xf32>
  %r = vector.reduction <add>, %s fastmath<reassoc> : vector<16xf32> into f32
  func.return %r : f32
}

// -----

// CHECK-LABEL: llvm.func @sizes(%{{.*}}: !llvm.ptr {llvm.noalias}) -> (i1 {llvm.zeroext})
// IR: define zeroext i1 @sizes(ptr noalias
func.func @sizes(%syms: memref<?xi64>) -> i1 {
  %true = arith.constant true
  func.return %true : i1
}

// -----

// A routine that another object defines is declared.

// CHECK-LABEL: llvm.func @matmul_f32_ntn(!llvm.ptr, i64)
// IR: declare void @matmul_f32_ntn(ptr, i64)
// IR: define void @caller(
// IR: call void @matmul_f32_ntn(ptr %{{.*}}, i64 %{{.*}})
func.func private @matmul_f32_ntn(memref<?xf32>, index)
func.func @caller(%a: memref<?xf32>, %n: index) {
  func.call @matmul_f32_ntn(%a, %n) : (memref<?xf32>, index) -> ()
  func.return
}
