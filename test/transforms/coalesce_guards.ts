# RUN: ts-opt %s -p ts-coalesce-guards -t torchscript | filecheck %s

# Guards move up to the definitions of their values, and of equal ones one stays.
# CHECK-LABEL: graph @twice(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %a : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %b : Tensor = aten::neg(%a)
# CHECK-NEXT:   %e : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%b)
# CHECK-NEXT:   %c : Tensor = aten::add(%b, %y, %0)
# CHECK-NEXT:   %f : Tensor = aten::add(%a, %e, %0)
# CHECK-NEXT:   return (%c, %f, %e)
graph @twice(%x : Tensor, %y : Tensor):
  %1 : int = prim::Constant[value=1]()
  %a : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
  %b : Tensor = aten::neg(%a)
  %c : Tensor = aten::add(%b, %y, %1)
  %d : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
  %e : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%b)
  %f : Tensor = aten::add(%d, %e, %1)
  %g : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%b)
  return (%c, %f, %g)

# The guard that promises more stays; two that promise different things do.
# CHECK-LABEL: graph @more(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %c : Float(2, requires_grad=0, device=cpu) = prim::Guard(%y)
# CHECK-NEXT:   %d : Float(3, requires_grad=0, device=cpu) = prim::Guard(%y)
# CHECK-NEXT:   %a : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
# CHECK-NEXT:   return (%a, %a, %c, %d)
graph @more(%x : Tensor, %y : Tensor):
  %a : Float(*, *, requires_grad=0, device=cpu) = prim::Guard(%x)
  %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
  %c : Float(2, requires_grad=0, device=cpu) = prim::Guard(%y)
  %d : Float(3, requires_grad=0, device=cpu) = prim::Guard(%y)
  return (%a, %b, %c, %d)

# A guard stays behind a write to its value, which may change sizes.
# CHECK-LABEL: graph @written(%x : Tensor,
# CHECK-NEXT:       %n : int[]):
# CHECK-NEXT:   %a : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
# CHECK-NEXT:   %b : Tensor = aten::neg(%a)
# CHECK-NEXT:   %none : NoneType = prim::Constant()
# CHECK-NEXT:   %c : Tensor = aten::resize_(%x, %n, %none)
# CHECK-NEXT:   %d : Float(3, 2, strides=[2, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
# CHECK-NEXT:   return (%b, %d)
graph @written(%x : Tensor, %n : int[]):
  %a : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
  %b : Tensor = aten::neg(%a)
  %none : NoneType = prim::Constant()
  %c : Tensor = aten::resize_(%x, %n, %none)
  %d : Float(3, 2, strides=[2, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
  return (%b, %d)

# Guards in a block stay in the block.
# CHECK-LABEL: graph @block(%x : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %a : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %d : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
# CHECK-NEXT:       %b : Tensor = aten::neg(%x)
# CHECK-NEXT:       %e : Tensor = aten::mul(%d, %b)
# CHECK-NEXT:       -> (%e)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%x)
# CHECK-NEXT:   return (%a)
graph @block(%x : Tensor, %c : bool):
  %a : Tensor = prim::If(%c)
    block0():
      %b : Tensor = aten::neg(%x)
      %d : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
      %e : Tensor = aten::mul(%d, %b)
      -> (%e)
    block1():
      -> (%x)
  return (%a)
