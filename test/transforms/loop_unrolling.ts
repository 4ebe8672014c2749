# RUN: ts-opt %s -p ts-loop-unrolling -t torchscript | filecheck %s

# A loop of a few known trips goes away.
# CHECK-LABEL: graph @few(%x : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %1 : Tensor = aten::add(%x, %x, %0)
# CHECK-NEXT:   %2 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %3 : int = aten::add(%0, %2)
# CHECK-NEXT:   %4 : Tensor = aten::add(%1, %x, %3)
# CHECK-NEXT:   return (%4)
graph @few(%x : Tensor):
  %t : bool = prim::Constant[value=1]()
  %n : int = prim::Constant[value=2]()
  %a : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %p : Tensor):
      %1 : Tensor = aten::add(%p, %x, %i)
      -> (%t, %1)
  return (%a)

# A loop of unknown length does eight trips at once, and a second loop the rest.
# CHECK-LABEL: graph @many(%x : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %0 : int = prim::Constant[value=8]()
# CHECK-NEXT:   %1 : int = aten::__round_to_zero_floordiv(%n, %0)
# CHECK-NEXT:   %2 : int = prim::Constant[value=8]()
# CHECK-NEXT:   %3 : int = aten::mul(%1, %2)
# CHECK-NEXT:   %4 : int = aten::sub(%n, %3)
# CHECK-NEXT:   %a : Tensor = prim::Loop(%1, %t, %x)
# CHECK-NEXT:     block0(%i : int, %p : Tensor):
# CHECK-NEXT:       %5 : Tensor = aten::neg(%p)
# CHECK-NEXT:       %6 : Tensor = aten::neg(%5)
# CHECK-NEXT:       %7 : Tensor = aten::neg(%6)
# CHECK-NEXT:       %8 : Tensor = aten::neg(%7)
# CHECK-NEXT:       %9 : Tensor = aten::neg(%8)
# CHECK-NEXT:       %10 : Tensor = aten::neg(%9)
# CHECK-NEXT:       %11 : Tensor = aten::neg(%10)
# CHECK-NEXT:       %12 : Tensor = aten::neg(%11)
# CHECK-NEXT:       -> (%t, %12)
# CHECK-NEXT:   %a.1 : Tensor = prim::Loop(%4, %t, %a)
# CHECK-NEXT:     block0(%i.1 : int, %p.1 : Tensor):
# CHECK-NEXT:       %13 : Tensor = aten::neg(%p.1)
# CHECK-NEXT:       -> (%t, %13)
# CHECK-NEXT:   return (%a.1)
graph @many(%x : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %a : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %p : Tensor):
      %1 : Tensor = aten::neg(%p)
      -> (%t, %1)
  return (%a)

# A loop that a condition ends stays.
# CHECK-LABEL: graph @while(%x : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %n : int = prim::Constant[value=2]()
# CHECK-NEXT:   %a : Tensor = prim::Loop(%n, %c, %x)
# CHECK-NEXT:     block0(%i : int, %p : Tensor):
# CHECK-NEXT:       %0 : Tensor = aten::neg(%p)
# CHECK-NEXT:       -> (%c, %0)
# CHECK-NEXT:   return (%a)
graph @while(%x : Tensor, %c : bool):
  %n : int = prim::Constant[value=2]()
  %a : Tensor = prim::Loop(%n, %c, %x)
    block0(%i : int, %p : Tensor):
      %1 : Tensor = aten::neg(%p)
      -> (%c, %1)
  return (%a)

# Writes happen once a trip, in order.
# CHECK-LABEL: graph @mutated(%x : Tensor):
# CHECK-NEXT:   %one : int = prim::Constant[value=1]()
# CHECK-NEXT:   %0 : Tensor = aten::add_(%x, %one, %one)
# CHECK-NEXT:   %1 : Tensor = aten::mul_(%x, %x)
# CHECK-NEXT:   %2 : Tensor = aten::add_(%x, %one, %one)
# CHECK-NEXT:   %3 : Tensor = aten::mul_(%x, %x)
# CHECK-NEXT:   return (%x)
graph @mutated(%x : Tensor):
  %t : bool = prim::Constant[value=1]()
  %one : int = prim::Constant[value=1]()
  %n : int = prim::Constant[value=2]()
   = prim::Loop(%n, %t)
    block0(%i : int):
      %1 : Tensor = aten::add_(%x, %one, %one)
      %2 : Tensor = aten::mul_(%x, %x)
      -> (%t)
  return (%x)
