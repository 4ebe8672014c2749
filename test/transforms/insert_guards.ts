# RUN: ts-opt %s -p ts-insert-guards -t torchscript | filecheck %s

# What was seen is promised behind each use.
# CHECK-LABEL: graph @seen(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
# CHECK-NEXT:   %b : Float(*, 3, requires_grad=0, device=cpu) = prim::Guard(%y)
# CHECK-NEXT:   %c : Tensor = aten::add(%a, %b, %0)
# CHECK-NEXT:   return (%c)
graph @seen(%x : Tensor, %y : Tensor):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = prim::profile[profiled_type=Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu), seen_none=0](%x)
  %b : Tensor = prim::profile[profiled_type=Float(*, 3, requires_grad=0, device=cpu), seen_none=0](%y)
  %c : Tensor = aten::add(%a, %b, %1)
  return (%c)

# Nothing is promised of what was never seen, or was None at times.
# CHECK-LABEL: graph @unseen(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %c : Tensor = aten::mul(%x, %y)
# CHECK-NEXT:   return (%c)
graph @unseen(%x : Tensor, %y : Tensor):
  %a : Tensor = prim::profile[profiled_type=Tensor, seen_none=0](%x)
  %b : Tensor = prim::profile[profiled_type=Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu), seen_none=1](%y)
  %c : Tensor = aten::mul(%a, %b)
  return (%c)

# An optional value that was always None is None, one that never was is not; of one that was both nothing is known.
# CHECK-LABEL: graph @optional(%x : int[]?,
# CHECK-NEXT:       %y : int[]?,
# CHECK-NEXT:       %z : int[]?):
# CHECK-NEXT:   %n : NoneType = prim::Constant()
# CHECK-NEXT:   %a : NoneType = prim::Guard(%x)
# CHECK-NEXT:   %b : int[] = prim::Guard(%y)
# CHECK-NEXT:   %d : bool = aten::__is__(%a, %n)
# CHECK-NEXT:   %e : bool = aten::__is__(%b, %n)
# CHECK-NEXT:   %f : bool = aten::__is__(%z, %n)
# CHECK-NEXT:   return (%d, %e, %f)
graph @optional(%x : int[]?, %y : int[]?, %z : int[]?):
  %n : NoneType = prim::Constant()
  %a : int[]? = prim::profile_ivalue[seen_none=2, seen=0](%x)
  %b : int[]? = prim::profile_ivalue[seen_none=0, seen=2](%y)
  %c : int[]? = prim::profile_ivalue[seen_none=1, seen=1](%z)
  %d : bool = aten::__is__(%a, %n)
  %e : bool = aten::__is__(%b, %n)
  %f : bool = aten::__is__(%c, %n)
  return (%d, %e, %f)
