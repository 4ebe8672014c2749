# RUN: ts-opt %s -p ts-common-subexpression-elimination -t torchscript | filecheck %s

# The second of two equal nodes goes, also in a block further in.
# CHECK-LABEL: graph @common(%x : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %1 : Tensor = aten::add(%x, %x, %0)
# CHECK-NEXT:   %2 : Tensor = aten::mul(%1, %1)
# CHECK-NEXT:   %z : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %3 : Tensor = aten::mul(%1, %2)
# CHECK-NEXT:       -> (%3)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%2)
# CHECK-NEXT:   return (%z)
graph @common(%x : Tensor, %c : bool):
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::add(%x, %x, %1)
  %3 : Tensor = aten::add(%x, %x, %1)
  %4 : Tensor = aten::mul(%2, %3)
  %z : Tensor = prim::If(%c)
    block0():
      %5 : Tensor = aten::add(%x, %x, %1)
      %6 : Tensor = aten::mul(%5, %4)
      -> (%6)
    block1():
      -> (%4)
  return (%z)

# Nodes on memory that somebody writes to stay, also through a view.
# CHECK-LABEL: graph @mutated(%x : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Tensor = aten::neg(%x)
# CHECK-NEXT:   %row : Tensor = aten::select(%a, %0, %0)
# CHECK-NEXT:   %2 : Tensor = aten::exp(%a)
# CHECK-NEXT:   %w : Tensor = aten::add_(%row, %1, %1)
# CHECK-NEXT:   %3 : Tensor = aten::exp(%a)
# CHECK-NEXT:   %4 : Tensor = aten::mul(%2, %3)
# CHECK-NEXT:   return (%4)
graph @mutated(%x : Tensor):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %row : Tensor = aten::select(%a, %0, %0)
  %2 : Tensor = aten::exp(%a)
  %w : Tensor = aten::add_(%row, %1, %1)
  %3 : Tensor = aten::exp(%a)
  %4 : Tensor = aten::mul(%2, %3)
  return (%4)

# Two results that the caller gets stay two.
# CHECK-LABEL: graph @aliased(%x : Tensor):
# CHECK-NEXT:   %0 : Tensor = aten::neg(%x)
# CHECK-NEXT:   %1 : Tensor = aten::neg(%x)
# CHECK-NEXT:   return (%0, %1)
graph @aliased(%x : Tensor):
  %1 : Tensor = aten::neg(%x)
  %2 : Tensor = aten::neg(%x)
  return (%1, %2)

# Chance is never the same twice.
# CHECK-LABEL: graph @random(%x : Tensor):
# CHECK-NEXT:   %p : float = prim::Constant[value=0.5]()
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %0 : Tensor = aten::dropout(%x, %p, %t)
# CHECK-NEXT:   %1 : Tensor = aten::dropout(%x, %p, %t)
# CHECK-NEXT:   %2 : Tensor = aten::mul(%0, %1)
# CHECK-NEXT:   return (%2)
graph @random(%x : Tensor):
  %p : float = prim::Constant[value=0.5]()
  %t : bool = prim::Constant[value=1]()
  %1 : Tensor = aten::dropout(%x, %p, %t)
  %2 : Tensor = aten::dropout(%x, %p, %t)
  %3 : Tensor = aten::mul(%1, %2)
  return (%3)

# What comes out of a tuple is the same object each time, whoever sees it.
# CHECK-LABEL: graph @elements(%t : (Tensor, int)):
# CHECK-NEXT:   %a : Tensor, %i : int = prim::TupleUnpack(%t)
# CHECK-NEXT:   return (%a, %a)
graph @elements(%t : (Tensor, int)):
  %a : Tensor, %i : int = prim::TupleUnpack(%t)
  %b : Tensor, %j : int = prim::TupleUnpack(%t)
  return (%a, %b)
