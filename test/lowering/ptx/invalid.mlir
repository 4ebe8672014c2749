// RUN: not ts-opt %s -t ptx 2>&1 | filecheck %s
// RUN: not ts-opt %s -t "ptx{sm=70}" 2>&1 | filecheck %s --check-prefix OLD

// What LLVM's NVPTX target would approximate is refused before it sees it.

// CHECK: a GPU has no instruction for 'llvm.exp2'
// OLD: there is no PTX for sm_70: the oldest is sm_75
llvm.func @kernel(%x: !llvm.ptr, %v: f32) attributes {nvvm.kernel} {
  %y = llvm.call_intrinsic "llvm.exp2"(%v) : (f32) -> f32
  llvm.store %y, %x {alignment = 4 : i64} : f32, !llvm.ptr
  llvm.return
}
