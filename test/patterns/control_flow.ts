# RUN: ts-opt %s -p ts-constant-propagation -t torchscript | filecheck %s

# InlineDecidedIf, DropLoopThatNeverRuns
# CHECK-LABEL: graph @decided(%x : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %0 : Tensor = aten::tanh(%x)
# CHECK-NEXT:   return (%0)
graph @decided(%x : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %f : bool = prim::Constant[value=0]()
  %zero : int = prim::Constant[value=0]()
  %a : Tensor = prim::If(%f)
    block0():
      %0 : Tensor = aten::neg(%x)
      -> (%0)
    block1():
      %1 : Tensor = aten::tanh(%x)
      -> (%1)
  %b : Tensor = prim::Loop(%zero, %t, %a)
    block0(%i : int, %c : Tensor):
      %2 : Tensor = aten::neg(%c)
      -> (%t, %2)
  %d : Tensor = prim::Loop(%n, %f, %b)
    block0(%j : int, %e : Tensor):
      %3 : Tensor = aten::neg(%e)
      -> (%t, %3)
  return (%d)

# DropEqualResults, DropUnchangedCarriedValues
# CHECK-LABEL: graph @unchanged(%x : Tensor,
# CHECK-NEXT:       %y : Tensor,
# CHECK-NEXT:       %c : bool,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %0 : int = prim::Constant[value=7]()
# CHECK-NEXT:   %d : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       -> (%x)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%y)
# CHECK-NEXT:   %f : Tensor = prim::Loop(%n, %t, %d)
# CHECK-NEXT:     block0(%i : int, %h : Tensor):
# CHECK-NEXT:       %1 : Tensor = aten::mul(%x, %h)
# CHECK-NEXT:       -> (%t, %1)
# CHECK-NEXT:   return (%x, %f, %0)
graph @unchanged(%x : Tensor, %y : Tensor, %c : bool, %n : int):
  %t : bool = prim::Constant[value=1]()
  %a : Tensor, %b : int, %d : Tensor = prim::If(%c)
    block0():
      %0 : int = prim::Constant[value=7]()
      -> (%x, %0, %x)
    block1():
      %1 : int = prim::Constant[value=7]()
      -> (%x, %1, %y)
  %e : Tensor, %f : Tensor = prim::Loop(%n, %t, %a, %d)
    block0(%i : int, %g : Tensor, %h : Tensor):
      %2 : Tensor = aten::mul(%g, %h)
      -> (%t, %g, %2)
  return (%e, %f, %b)

# `-0.0` is not `0.0`, and what a loop changes is carried.
# CHECK-LABEL: graph @changed(%x : Tensor,
# CHECK-NEXT:       %c : bool,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Scalar = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %0 : float = prim::Constant[value=0.]()
# CHECK-NEXT:       -> (%0)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %1 : float = prim::Constant[value=-0.]()
# CHECK-NEXT:       -> (%1)
# CHECK-NEXT:   %b : Tensor = prim::Loop(%n, %t, %x)
# CHECK-NEXT:     block0(%i : int, %d : Tensor):
# CHECK-NEXT:       -> (%t, %x)
# CHECK-NEXT:   return (%a, %b)
graph @changed(%x : Tensor, %c : bool, %n : int):
  %t : bool = prim::Constant[value=1]()
  %a : Scalar = prim::If(%c)
    block0():
      %0 : float = prim::Constant[value=0.]()
      -> (%0)
    block1():
      %1 : float = prim::Constant[value=-0.]()
      -> (%1)
  %b : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %d : Tensor):
      -> (%t, %x)
  return (%a, %b)
