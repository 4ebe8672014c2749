# RUN: ts-opt %s -p ts-propagate-shapes,ts-fuse-tensorexprs,ts-convert-torch-to-linalg,linalg-to-ptx -t ptx | filecheck %s
# RUN: ts-opt %s -p ts-propagate-shapes,ts-fuse-tensorexprs,ts-convert-torch-to-linalg,linalg-to-ptx -t "ptx{sm=90}" | filecheck %s --check-prefix SM90

# Multiplication and addition stay two roundings, as on the CPU; threads beyond the last element branch to the end.

# SM90: .target sm_90
# CHECK: .target sm_80
# CHECK: .visible .entry kernel(
# CHECK: mov.u32 %[[THREAD:.*]], %tid.x;
# CHECK: mov.u32 %{{.*}}, %ctaid.x;
# CHECK: setp.ge.s64 %[[BEYOND:.*]], %{{.*}}, %{{.*}};
# CHECK: @%[[BEYOND]] bra $L__[[END:.*]];
# CHECK: ld.global.b32
# CHECK: ld.global.b32
# CHECK: mul.rn.f32
# CHECK-NOT: fma
# CHECK: add.rn.f32
# CHECK: st.global.b32
# CHECK: $L__[[END]]:
# CHECK: ret;
graph(%x : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu),
      %y : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=1]()
  %1 : Tensor = aten::mul(%x, %y)
  %2 : Tensor = aten::add(%1, %y, %0)
  return (%2)
