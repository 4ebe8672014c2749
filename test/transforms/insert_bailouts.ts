# RUN: ts-opt %s -p ts-insert-bailouts -t torchscript | filecheck %s

# The program is carried once, without promises; at the point of the guard stands what is alive.
# CHECK-LABEL: graph @straight(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %0 : int = prim::BailoutTemplate_0()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Tensor = aten::neg(%x)
# CHECK-NEXT:   %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::BailOut[index=0](%0, %y, %x, %a)
# CHECK-NEXT:   %c : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%b, %a, %1)
# CHECK-NEXT:   return (%c, %x)
# CHECK-NEXT: with prim::BailoutTemplate_0 = graph(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Tensor = aten::neg(%x)
# CHECK-NEXT:    = prim::BailOutPoint[index=0](%y, %x, %a)
# CHECK-NEXT:   %c : Tensor = aten::add(%y, %a, %0)
# CHECK-NEXT:   return (%c, %x)
graph @straight(%x : Tensor, %y : Tensor):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::Guard(%y)
  %c : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%b, %a, %1)
  return (%c, %x)

# A point in a branch takes nothing that only the other branch uses.
# CHECK-LABEL: graph @branch(%x : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %0 : int = prim::BailoutTemplate_0()
# CHECK-NEXT:   %a : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::BailOut[index=0](%0, %x)
# CHECK-NEXT:       %d : Tensor = aten::neg(%b)
# CHECK-NEXT:       -> (%d)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%x)
# CHECK-NEXT:   %e : Tensor = aten::tanh(%a)
# CHECK-NEXT:   return (%e)
# CHECK-NEXT: with prim::BailoutTemplate_0 = graph(%x : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %a : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:        = prim::BailOutPoint[index=0](%x)
# CHECK-NEXT:       %d : Tensor = aten::neg(%x)
# CHECK-NEXT:       -> (%d)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%x)
# CHECK-NEXT:   %e : Tensor = aten::tanh(%a)
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

# A point in a loop takes what the trips that are left need: the limit and the number of the trip.
# CHECK-LABEL: graph @loop(%x : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %0 : int = prim::BailoutTemplate_0()
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Tensor = prim::Loop(%n, %t, %x)
# CHECK-NEXT:     block0(%i : int, %c : Tensor):
# CHECK-NEXT:       %b : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::BailOut[index=0](%0, %c, %n, %i)
# CHECK-NEXT:       %d : Tensor = aten::add(%b, %i, %1)
# CHECK-NEXT:       -> (%t, %d)
# CHECK-NEXT:   %e : Tensor = aten::tanh(%a)
# CHECK-NEXT:   return (%e)
# CHECK-NEXT: with prim::BailoutTemplate_0 = graph(%x : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Tensor = prim::Loop(%n, %t, %x)
# CHECK-NEXT:     block0(%i : int, %c : Tensor):
# CHECK-NEXT:        = prim::BailOutPoint[index=0](%c, %n, %i)
# CHECK-NEXT:       %d : Tensor = aten::add(%c, %i, %0)
# CHECK-NEXT:       -> (%t, %d)
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

# Guards share the template, and have an index each.
# CHECK-LABEL: graph @two(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %0 : int = prim::BailoutTemplate_0()
# CHECK-NEXT:   %a : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::BailOut[index=0](%0, %x, %y)
# CHECK-NEXT:   %b : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::BailOut[index=1](%0, %y, %x)
# CHECK-NEXT:   %c : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::mul(%a, %b)
# CHECK-NEXT:   return (%c)
# CHECK-NEXT: with prim::BailoutTemplate_0 = graph(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:    = prim::BailOutPoint[index=0](%x, %y)
# CHECK-NEXT:    = prim::BailOutPoint[index=1](%y, %x)
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
