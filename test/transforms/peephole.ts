# RUN: ts-opt %s -p ts-peephole -t torchscript | filecheck %s

# What types say of tensors.
# CHECK-LABEL: graph @types(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=4]()
# CHECK-NEXT:   %2 : int = prim::Constant[value=6]()
# CHECK-NEXT:   %3 : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %4 : Tensor = aten::mul(%x, %y)
# CHECK-NEXT:   return (%0, %1, %2, %3, %4)
graph @types(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %1 : int = aten::dim(%x)
  %2 : int = aten::size(%x, %0)
  %3 : int = prim::dtype(%x)
  %4 : bool = aten::is_floating_point(%x)
  %5 : Tensor = aten::type_as(%x, %y)
  %6 : Tensor = aten::t(%5)
  %7 : Tensor = aten::t(%6)
  %8 : Tensor = aten::mul(%7, %y)
  return (%1, %2, %3, %4, %8)

# Arithmetic with neutral numbers, where the result is the same to the bit and in memory.
# CHECK-LABEL: graph @neutral(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %0 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %2 : Tensor = aten::sub(%x, %0, %1)
# CHECK-NEXT:   %3 : Tensor = aten::neg(%2)
# CHECK-NEXT:   %4 : Tensor = aten::add(%3, %0, %1)
# CHECK-NEXT:   %5 : Tensor = aten::mul(%y, %1)
# CHECK-NEXT:   %6 : Tensor = aten::mul(%4, %5)
# CHECK-NEXT:   %7 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %8 : int = aten::add(%n, %7)
# CHECK-NEXT:   return (%6, %8)
graph @neutral(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Tensor, %n : int):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::mul(%x, %1)
  %3 : Tensor = aten::sub(%2, %0, %1)
  %4 : Tensor = aten::neg(%3)
  %5 : Tensor = aten::add(%4, %0, %1)
  %6 : Tensor = aten::mul(%y, %1)
  %7 : Tensor = aten::mul(%5, %6)
  %8 : int = aten::add(%n, %1)
  %9 : int = aten::add(%8, %1)
  return (%7, %9)

# None, lists made in sight, conditions.
# CHECK-LABEL: graph @values(%x : Tensor,
# CHECK-NEXT:       %y : Tensor,
# CHECK-NEXT:       %c : bool,
# CHECK-NEXT:       %o : Tensor?):
# CHECK-NEXT:   %none : NoneType = prim::Constant()
# CHECK-NEXT:   %0 : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %1 : bool = aten::__is__(%o, %none)
# CHECK-NEXT:   %2 : int = prim::Constant[value=2]()
# CHECK-NEXT:   return (%0, %1, %2, %x, %c)
graph @values(%x : Tensor, %y : Tensor, %c : bool, %o : Tensor?):
  %none : NoneType = prim::Constant()
  %t : bool = prim::Constant[value=1]()
  %f : bool = prim::Constant[value=0]()
  %0 : int = prim::Constant[value=0]()
  %1 : bool = aten::__isnot__(%x, %none)
  %2 : bool = aten::__is__(%o, %none)
  %l : Tensor[] = prim::ListConstruct(%x, %y)
  %n : int = aten::len(%l)
  %3 : Tensor = aten::__getitem__(%l, %0)
  %4 : bool = prim::If(%c)
    block0():
      -> (%t)
    block1():
      -> (%f)
  return (%1, %2, %n, %3, %4)

# A list that changes is not looked into; neither are the sizes of a tensor that somebody writes to.
# CHECK-LABEL: graph @mutated(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %l : Tensor[] = prim::ListConstruct(%y)
# CHECK-NEXT:   %m : Tensor[] = aten::append(%l, %y)
# CHECK-NEXT:   %n : int = aten::len(%l)
# CHECK-NEXT:   %w : Tensor = aten::add_(%x, %1, %1)
# CHECK-NEXT:   %d : int = aten::dim(%x)
# CHECK-NEXT:   return (%n, %d)
graph @mutated(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Tensor):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %l : Tensor[] = prim::ListConstruct(%y)
  %m : Tensor[] = aten::append(%l, %y)
  %n : int = aten::len(%l)
  %w : Tensor = aten::add_(%x, %1, %1)
  %d : int = aten::dim(%x)
  return (%n, %d)

# A copy that is returned beside the original stays a copy.
# CHECK-LABEL: graph @aliased(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %1 : Tensor = aten::mul(%x, %0)
# CHECK-NEXT:   return (%1, %x)
graph @aliased(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::mul(%x, %1)
  return (%2, %x)
