# RUN: ts-opt %s -p ts-guard-elimination -t torchscript | filecheck %s

# The sum of two tensors of shape (2, 3) is of shape (2, 3).
# CHECK-LABEL: graph @implied(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
# CHECK-NEXT:   %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%y)
# CHECK-NEXT:   %c : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%a, %b, %0)
# CHECK-NEXT:   %e : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::tanh(%c)
# CHECK-NEXT:   return (%e)
graph @implied(%x : Tensor, %y : Tensor):
  %1 : int = prim::Constant[value=1]()
  %a : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
  %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%y)
  %c : Tensor = aten::add(%a, %b, %1)
  %d : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%c)
  %e : Tensor = aten::tanh(%d)
  %f : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%e)
  return (%f)

# How many elements are not zero depends on the values: the guard stays.
# CHECK-LABEL: graph @data(%x : Tensor):
# CHECK-NEXT:   %a : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
# CHECK-NEXT:   %b : Long(*, 2, requires_grad=0, device=cpu) = aten::nonzero(%a)
# CHECK-NEXT:   %c : Long(4, 2, strides=[2, 1], requires_grad=0, device=cpu) = prim::Guard(%b)
# CHECK-NEXT:   return (%c)
graph @data(%x : Tensor):
  %a : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
  %b : Tensor = aten::nonzero(%a)
  %c : Long(4, 2, strides=[2, 1], requires_grad=0, device=cpu) = prim::Guard(%b)
  return (%c)

# A loop that keeps the shape of what it carries.
# CHECK-LABEL: graph @loop(%x : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
# CHECK-NEXT:   %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Loop(%n, %t, %a)
# CHECK-NEXT:     block0(%i : int, %c : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:       %e : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::tanh(%c)
# CHECK-NEXT:       -> (%t, %e)
# CHECK-NEXT:   return (%b)
graph @loop(%x : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %a : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
  %b : Tensor = prim::Loop(%n, %t, %a)
    block0(%i : int, %c : Tensor):
      %d : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%c)
      %e : Tensor = aten::tanh(%d)
      -> (%t, %e)
  return (%b)

# Nothing is known of what no guard is about.
# CHECK-LABEL: graph @unknown(%x : Tensor):
# CHECK-NEXT:   %a : Tensor = aten::neg(%x)
# CHECK-NEXT:   %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%a)
# CHECK-NEXT:   return (%b)
graph @unknown(%x : Tensor):
  %a : Tensor = aten::neg(%x)
  %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%a)
  return (%b)
