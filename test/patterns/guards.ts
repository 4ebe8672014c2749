# RUN: ts-opt %s -p ts-insert-guards,ts-guard-elimination -t torchscript | filecheck %s

# GuardProfile and GuardProfileIValue: what was seen is promised.
# CHECK-LABEL: graph @seen(%x : Tensor,
# CHECK-NEXT:       %y : int[]?):
# CHECK-NEXT:   %a : Float(2, requires_grad=0, device=cpu) = prim::Guard(%x)
# CHECK-NEXT:   %b : int[] = prim::Guard(%y)
# CHECK-NEXT:   return (%a, %b)
graph @seen(%x : Tensor, %y : int[]?):
  %a : Tensor = prim::profile[profiled_type=Float(2, requires_grad=0, device=cpu), seen_none=0](%x)
  %b : int[]? = prim::profile_ivalue[seen_none=0, seen=3](%y)
  return (%a, %b)

# ImpliedGuard: a promise that the type keeps already.
# CHECK-LABEL: graph @implied(%x : Tensor):
# CHECK-NEXT:   %a : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Guard(%x)
# CHECK-NEXT:   %b : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::tanh(%a)
# CHECK-NEXT:   return (%b)
graph @implied(%x : Tensor):
  %a : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Guard(%x)
  %b : Tensor = aten::tanh(%a)
  %c : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Guard(%b)
  return (%c)
