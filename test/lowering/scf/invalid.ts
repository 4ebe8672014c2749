# RUN: not ts-opt %s -p ts-convert-scalars-to-scf 2>&1 | filecheck %s

# CHECK: aten::append has no form in a loop over numbers
graph(%x : int[], %n : int):
  %t : bool = prim::Constant[value=1]()
  %s : int = prim::Loop(%n, %t, %n)
    block0(%i : int, %p : int):
      %l : int[] = aten::append(%x, %p)
      -> (%t, %p)
  return (%s)
