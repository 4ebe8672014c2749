# RUN: ts-opt %s -p ts-insert-bailouts -t torchscript | filecheck %s

# What stands after the guard is its tail, which takes what it needs.
# CHECK-LABEL: graph @straight(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Tensor = aten::neg(%x)
# CHECK-NEXT:   %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::BailOut_0(%y, %a, %x)
# CHECK-NEXT:   %c : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%b, %a, %0)
# CHECK-NEXT:   return (%c, %x)
# CHECK-NEXT: with prim::BailOut_0 = graph(%y : Tensor,
# CHECK-NEXT:       %a : Tensor,
# CHECK-NEXT:       %x : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %c : Tensor = aten::add(%y, %a, %0)
# CHECK-NEXT:   return (%c, %x)
graph @straight(%x : Tensor, %y : Tensor):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%y)
  %c : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%b, %a, %1)
  return (%c, %x)

# Behind a branch what it yields is its result.
# CHECK-LABEL: graph @branch(%x : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %a : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::BailOut_0(%x)
# CHECK-NEXT:       %d : Tensor = aten::neg(%b)
# CHECK-NEXT:       -> (%d)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%x)
# CHECK-NEXT:   %e : Tensor = aten::tanh(%a)
# CHECK-NEXT:   return (%e)
# CHECK-NEXT: with prim::BailOut_0 = graph(%x : Tensor):
# CHECK-NEXT:   %d : Tensor = aten::neg(%x)
# CHECK-NEXT:   %e : Tensor = aten::tanh(%d)
# CHECK-NEXT:   return (%e)
graph @branch(%x : Tensor, %c : bool):
  %a : Tensor = prim::If(%c)
    block0():
      %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%x)
      %d : Tensor = aten::neg(%b)
      -> (%d)
    block1():
      -> (%x)
  %e : Tensor = aten::tanh(%a)
  return (%e)

# Behind a body of a loop the trips that are left are a loop, which counts on.
# CHECK-LABEL: graph @loop(%x : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Tensor = prim::Loop(%n, %t, %x)
# CHECK-NEXT:     block0(%i : int, %c : Tensor):
# CHECK-NEXT:       %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::BailOut_0(%c, %i, %n)
# CHECK-NEXT:       %d : Tensor = aten::add(%b, %i, %0)
# CHECK-NEXT:       -> (%t, %d)
# CHECK-NEXT:   %e : Tensor = aten::tanh(%a)
# CHECK-NEXT:   return (%e)
# CHECK-NEXT: with prim::BailOut_0 = graph(%c : Tensor,
# CHECK-NEXT:       %i : int,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %d : Tensor = aten::add(%c, %i, %0)
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %2 : int = aten::add(%i, %1)
# CHECK-NEXT:   %3 : int = aten::sub(%n, %2)
# CHECK-NEXT:   %a : Tensor = prim::Loop(%3, %t, %d)
# CHECK-NEXT:     block0(%i.1 : int, %c.1 : Tensor):
# CHECK-NEXT:       %4 : int = aten::add(%i.1, %2)
# CHECK-NEXT:       %d.1 : Tensor = aten::add(%c.1, %4, %0)
# CHECK-NEXT:       -> (%t, %d.1)
# CHECK-NEXT:   %e : Tensor = aten::tanh(%a)
# CHECK-NEXT:   return (%e)
graph @loop(%x : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %c : Tensor):
      %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%c)
      %d : Tensor = aten::add(%b, %i, %1)
      -> (%t, %d)
  %e : Tensor = aten::tanh(%a)
  return (%e)

# No tail holds a guard, and each guard has one of its own.
# CHECK-LABEL: graph @two(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %a : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::BailOut_0(%x, %y)
# CHECK-NEXT:   %b : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::BailOut_1(%y, %x)
# CHECK-NEXT:   %c : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::mul(%a, %b)
# CHECK-NEXT:   return (%c)
# CHECK-NEXT: with prim::BailOut_0 = graph(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %c : Tensor = aten::mul(%x, %y)
# CHECK-NEXT:   return (%c)
# CHECK-NEXT: with prim::BailOut_1 = graph(%y : Tensor,
# CHECK-NEXT:       %x : Tensor):
# CHECK-NEXT:   %c : Tensor = aten::mul(%x, %y)
# CHECK-NEXT:   return (%c)
graph @two(%x : Tensor, %y : Tensor):
  %a : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Guard(%x)
  %b : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Guard(%y)
  %c : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::mul(%a, %b)
  return (%c)

# A graph without guards stays as it is.
# CHECK-LABEL: graph @none(%x : Tensor):
# CHECK-NEXT:   %a : Tensor = aten::neg(%x)
# CHECK-NEXT:   return (%a)
graph @none(%x : Tensor):
  %a : Tensor = aten::neg(%x)
  return (%a)
