# RUN: ts-opt %s -p ts-canonicalize-outputs -t torchscript | filecheck %s

# Results in the order of their first use; what nothing uses comes last.
# CHECK-LABEL: graph @ifs(%x : Tensor,
# CHECK-NEXT:       %y : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %b : Tensor, %a : Tensor, %never : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       -> (%y, %x, %x)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %1 : Tensor = aten::neg(%y)
# CHECK-NEXT:       -> (%x, %1, %y)
# CHECK-NEXT:   %2 : Tensor = aten::add(%b, %a, %0)
# CHECK-NEXT:   return (%2)
graph @ifs(%x : Tensor, %y : Tensor, %c : bool):
  %1 : int = prim::Constant[value=1]()
  %never : Tensor, %a : Tensor, %b : Tensor = prim::If(%c)
    block0():
      -> (%x, %x, %y)
    block1():
      %2 : Tensor = aten::neg(%y)
      -> (%y, %2, %x)
  %3 : Tensor = aten::add(%b, %a, %1)
  return (%3)

# What a loop carries moves with its results, and so does what the If in it yields.
# CHECK-LABEL: graph @loops(%x : Tensor,
# CHECK-NEXT:       %y : Tensor,
# CHECK-NEXT:       %n : int,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %b : Tensor, %a : Tensor = prim::Loop(%n, %t, %y, %x)
# CHECK-NEXT:     block0(%i : int, %q : Tensor, %p : Tensor):
# CHECK-NEXT:       %e : Tensor, %d : Tensor = prim::If(%c)
# CHECK-NEXT:         block0():
# CHECK-NEXT:           -> (%q, %p)
# CHECK-NEXT:         block1():
# CHECK-NEXT:           -> (%p, %q)
# CHECK-NEXT:       -> (%t, %e, %d)
# CHECK-NEXT:   %0 : Tensor = aten::mul(%b, %a)
# CHECK-NEXT:   return (%0)
graph @loops(%x : Tensor, %y : Tensor, %n : int, %c : bool):
  %t : bool = prim::Constant[value=1]()
  %a : Tensor, %b : Tensor = prim::Loop(%n, %t, %x, %y)
    block0(%i : int, %p : Tensor, %q : Tensor):
      %d : Tensor, %e : Tensor = prim::If(%c)
        block0():
          -> (%p, %q)
        block1():
          -> (%q, %p)
      -> (%t, %d, %e)
  %1 : Tensor = aten::mul(%b, %a)
  return (%1)

# Writes stay in their order: only the results move.
# CHECK-LABEL: graph @mutated(%x : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %b : Tensor, %a : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %1 : Tensor = aten::add_(%x, %0, %0)
# CHECK-NEXT:       %2 : Tensor = aten::mul_(%x, %x)
# CHECK-NEXT:       -> (%2, %1)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%x, %x)
# CHECK-NEXT:   %3 : Tensor = aten::mul(%b, %a)
# CHECK-NEXT:   return (%3)
graph @mutated(%x : Tensor, %c : bool):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor, %b : Tensor = prim::If(%c)
    block0():
      %2 : Tensor = aten::add_(%x, %1, %1)
      %3 : Tensor = aten::mul_(%x, %x)
      -> (%2, %3)
    block1():
      -> (%x, %x)
  %4 : Tensor = aten::mul(%b, %a)
  return (%4)
