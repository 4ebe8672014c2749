# RUN: ts-opt %s -p ts-loop-invariant-code-motion -t torchscript | filecheck %s

# A product of what the loop does not change is computed before it, with the transposition that it takes; a sum is not worth it.
# CHECK-LABEL: graph @cell(%x : Tensor,
# CHECK:        %n : int = prim::Constant[value=50]()
# CHECK-NEXT:   %0 : Tensor = aten::t(%w)
# CHECK-NEXT:   %1 : Tensor = aten::mm(%x, %0)
# CHECK-NEXT:   %h.1 : Tensor = prim::Loop(%n, %t, %h)
# CHECK-NEXT:     block0(%i : int, %p : Tensor):
# CHECK-NEXT:       %2 : Tensor = aten::mm(%p, %w)
# CHECK-NEXT:       %3 : Tensor = aten::add(%1, %2, %one)
# CHECK-NEXT:       %4 : Tensor = aten::add(%x, %x, %one)
# CHECK-NEXT:       %5 : Tensor = aten::add(%3, %4, %one)
# CHECK-NEXT:       -> (%t, %5)
graph @cell(%x : Tensor, %h : Tensor, %w : Tensor):
  %one : int = prim::Constant[value=1]()
  %t : bool = prim::Constant[value=1]()
  %n : int = prim::Constant[value=50]()
  %h.1 : Tensor = prim::Loop(%n, %t, %h)
    block0(%i : int, %p : Tensor):
      %1 : Tensor = aten::t(%w)
      %2 : Tensor = aten::mm(%x, %1)
      %3 : Tensor = aten::mm(%p, %w)
      %4 : Tensor = aten::add(%2, %3, %one)
      %5 : Tensor = aten::add(%x, %x, %one)
      %6 : Tensor = aten::add(%4, %5, %one)
      -> (%t, %6)
  return (%h.1)

# A loop that may make no trip keeps its products, which may not be possible.
# CHECK-LABEL: graph @unknown(%x : Tensor,
# CHECK:          block0(%i : int, %p : Tensor):
# CHECK-NEXT:       %0 : Tensor = aten::mm(%x, %x)
graph @unknown(%x : Tensor, %n : int):
  %one : int = prim::Constant[value=1]()
  %t : bool = prim::Constant[value=1]()
  %h : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %p : Tensor):
      %1 : Tensor = aten::mm(%x, %x)
      %2 : Tensor = aten::add(%1, %p, %one)
      -> (%t, %2)
  return (%h)

# So does one that writes to an operand, or prints before.
# CHECK-LABEL: graph @written(%x : Tensor,
# CHECK:          block0(%i : int, %p : Tensor):
# CHECK-NEXT:       %0 : Tensor = aten::mm(%y, %y)
# CHECK-NEXT:       %1 : Tensor = aten::add_(%y, %0, %one)
# CHECK-NEXT:        = prim::Print(%i)
# CHECK-NEXT:       %2 : Tensor = aten::mm(%x, %x)
graph @written(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %t : bool = prim::Constant[value=1]()
  %n : int = prim::Constant[value=50]()
  %h : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %p : Tensor):
      %1 : Tensor = aten::mm(%y, %y)
      %2 : Tensor = aten::add_(%y, %1, %one)
      = prim::Print(%i)
      %3 : Tensor = aten::mm(%x, %x)
      %4 : Tensor = aten::add(%3, %p, %one)
      -> (%t, %4)
  return (%h)

# What the loop gives back must be new in each trip.
# CHECK-LABEL: graph @given(%x : Tensor):
# CHECK:          block0(%i : int, %p : Tensor):
# CHECK-NEXT:       %0 : Tensor = aten::mm(%x, %x)
graph @given(%x : Tensor):
  %t : bool = prim::Constant[value=1]()
  %n : int = prim::Constant[value=50]()
  %h : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %p : Tensor):
      %1 : Tensor = aten::mm(%x, %x)
      -> (%t, %1)
  return (%h)

# What may raise in a branch raises before the product does.
# CHECK-LABEL: graph @raises(%x : Tensor,
# CHECK:          block0(%i : int, %p : Tensor):
# CHECK-NEXT:        = prim::If(%c)
# CHECK:            %0 : Tensor = aten::mm(%x, %x)
graph @raises(%x : Tensor, %c : bool):
  %one : int = prim::Constant[value=1]()
  %t : bool = prim::Constant[value=1]()
  %s : str = prim::Constant[value="no"]()
  %no : NoneType = prim::Constant()
  %n : int = prim::Constant[value=50]()
  %h : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %p : Tensor):
       = prim::If(%c)
        block0():
           = prim::RaiseException(%s, %no)
          -> ()
        block1():
          -> ()
      %1 : Tensor = aten::mm(%x, %x)
      %2 : Tensor = aten::add(%1, %p, %one)
      -> (%t, %2)
  return (%h)
