# RUN: ts-opt %s -p ts-lower-all-tuples -t torchscript | filecheck %s

# Tuples in arguments, results, blocks and constants become their elements.
# CHECK-LABEL: graph @flat(%0 : Tensor,
# CHECK-NEXT:       %1 : int,
# CHECK-NEXT:       %2 : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %3 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %4 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %5 : int, %6 : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       -> (%1, %2)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%4, %0)
# CHECK-NEXT:   return (%5, %6, %3)
graph @flat(%p : (Tensor, (int, Tensor)), %c : bool):
  %k : (int, int) = prim::Constant[value=(1, 2)]()
  %one : int, %two : int = prim::TupleUnpack(%k)
  %a : Tensor, %q : (int, Tensor) = prim::TupleUnpack(%p)
  %r : (int, Tensor) = prim::If(%c)
    block0():
      -> (%q)
    block1():
      %s : (int, Tensor) = prim::TupleConstruct(%two, %a)
      -> (%s)
  return (%r, %one)

# Writes to an element stay in their place.
# CHECK-LABEL: graph @mutated(%0 : Tensor,
# CHECK-NEXT:       %1 : Tensor):
# CHECK-NEXT:   %2 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %w : Tensor = aten::add_(%0, %2, %2)
# CHECK-NEXT:   return (%0, %1)
graph @mutated(%p : (Tensor, Tensor)):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor, %b : Tensor = prim::TupleUnpack(%p)
  %w : Tensor = aten::add_(%a, %1, %1)
  return (%p)
