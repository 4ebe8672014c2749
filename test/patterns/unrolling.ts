# RUN: ts-opt %s -p ts-loop-unrolling -t torchscript | filecheck %s

# UnrollLoop: a loop of a few known trips goes away.
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

# One that a condition may end stays.
# CHECK-LABEL: graph @condition(%x : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %n : int = prim::Constant[value=2]()
# CHECK-NEXT:   %a : Tensor = prim::Loop(%n, %t, %x)
# CHECK-NEXT:     block0(%i : int, %p : Tensor):
# CHECK-NEXT:       %0 : Tensor = aten::neg(%p)
# CHECK-NEXT:       -> (%c, %0)
# CHECK-NEXT:   return (%a)
graph @condition(%x : Tensor, %c : bool):
  %t : bool = prim::Constant[value=1]()
  %n : int = prim::Constant[value=2]()
  %a : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %p : Tensor):
      %1 : Tensor = aten::neg(%p)
      -> (%c, %1)
  return (%a)
