# RUN: ts-opt %s -p ts-remove-profiling -t torchscript | filecheck %s

# Values get the types that were seen; what profiles disagree on is not known.
# CHECK-LABEL: graph @seen(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(*, 5, strides=[5, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : Tensor = aten::matmul(%x, %y)
# CHECK-NEXT:   %1 : Tensor = aten::neg_(%y)
# CHECK-NEXT:   return (%0)
graph @seen(%x : Tensor, %y : Tensor):
  %1 : Tensor = prim::profile[profiled_type=Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), seen_none=0](%x)
  %2 : Tensor = prim::profile[profiled_type=Float(4, 5, strides=[5, 1], requires_grad=0, device=cpu), seen_none=0](%y)
  %3 : Tensor = aten::matmul(%1, %2)
  %4 : Tensor = prim::profile[profiled_type=Float(2, 5, strides=[5, 1], requires_grad=0, device=cpu), seen_none=0](%y)
  %5 : Tensor = aten::neg_(%4)
  return (%3)

# A profile that never ran says nothing.
# CHECK-LABEL: graph @never(%x : Tensor):
# CHECK-NEXT:   %0 : Tensor = aten::neg_(%x)
# CHECK-NEXT:   return (%0)
graph @never(%x : Tensor):
  %1 : Tensor = prim::profile[profiled_type=Tensor, seen_none=0](%x)
  %2 : Tensor = aten::neg_(%1)
  return (%2)
