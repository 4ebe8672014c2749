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

# Constants of a body do not count.
# CHECK-LABEL: graph @constants(%x : Tensor):
# CHECK-NOT:    prim::Loop
# CHECK:        return
graph @constants(%x : Tensor):
  %t : bool = prim::Constant[value=1]()
  %n : int = prim::Constant[value=2]()
  %y : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %z0 : Tensor):
      %c1 : int = prim::Constant[value=1]()
      %z1 : Tensor = aten::add(%z0, %c1, %c1)
      %c2 : int = prim::Constant[value=2]()
      %z2 : Tensor = aten::add(%z1, %c2, %c2)
      %c3 : int = prim::Constant[value=3]()
      %z3 : Tensor = aten::add(%z2, %c3, %c3)
      %c4 : int = prim::Constant[value=4]()
      %z4 : Tensor = aten::add(%z3, %c4, %c4)
      %c5 : int = prim::Constant[value=5]()
      %z5 : Tensor = aten::add(%z4, %c5, %c5)
      %c6 : int = prim::Constant[value=6]()
      %z6 : Tensor = aten::add(%z5, %c6, %c6)
      %c7 : int = prim::Constant[value=7]()
      %z7 : Tensor = aten::add(%z6, %c7, %c7)
      %c8 : int = prim::Constant[value=8]()
      %z8 : Tensor = aten::add(%z7, %c8, %c8)
      %c9 : int = prim::Constant[value=9]()
      %z9 : Tensor = aten::add(%z8, %c9, %c9)
      %c10 : int = prim::Constant[value=10]()
      %z10 : Tensor = aten::add(%z9, %c10, %c10)
      %c11 : int = prim::Constant[value=11]()
      %z11 : Tensor = aten::add(%z10, %c11, %c11)
      %c12 : int = prim::Constant[value=12]()
      %z12 : Tensor = aten::add(%z11, %c12, %c12)
      %c13 : int = prim::Constant[value=13]()
      %z13 : Tensor = aten::add(%z12, %c13, %c13)
      %c14 : int = prim::Constant[value=14]()
      %z14 : Tensor = aten::add(%z13, %c14, %c14)
      %c15 : int = prim::Constant[value=15]()
      %z15 : Tensor = aten::add(%z14, %c15, %c15)
      %c16 : int = prim::Constant[value=16]()
      %z16 : Tensor = aten::add(%z15, %c16, %c16)
      %c17 : int = prim::Constant[value=17]()
      %z17 : Tensor = aten::add(%z16, %c17, %c17)
      %c18 : int = prim::Constant[value=18]()
      %z18 : Tensor = aten::add(%z17, %c18, %c18)
      %c19 : int = prim::Constant[value=19]()
      %z19 : Tensor = aten::add(%z18, %c19, %c19)
      %c20 : int = prim::Constant[value=20]()
      %z20 : Tensor = aten::add(%z19, %c20, %c20)
      -> (%t, %z20)
  return (%y)
