# RUN: ts-opt %s -p ts-peephole -t torchscript | filecheck %s

# UseConditionOfIf
# CHECK-LABEL: graph @condition(%x : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %f : bool = prim::Constant[value=0]()
# CHECK-NEXT:   %0 : bool = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       -> (%f)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%t)
# CHECK-NEXT:   return (%c, %0)
graph @condition(%x : Tensor, %c : bool):
  %t : bool = prim::Constant[value=1]()
  %f : bool = prim::Constant[value=0]()
  %0 : bool = prim::If(%c)
    block0():
      -> (%t)
    block1():
      -> (%f)
  %1 : bool = prim::If(%c)
    block0():
      -> (%f)
    block1():
      -> (%t)
  return (%0, %1)

# RefineOptionalResults: what both blocks give is a tensor, so it is not None.
# CHECK-LABEL: graph @refined(%x : Tensor,
# CHECK-NEXT:       %y : Tensor,
# CHECK-NEXT:       %o : Tensor?,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %0 : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       -> (%x)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%y)
# CHECK-NEXT:   %1 : bool = prim::Constant[value=0]()
# CHECK-NEXT:   %2 : Tensor? = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       -> (%x)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%o)
# CHECK-NEXT:   return (%0, %1, %2)
graph @refined(%x : Tensor, %y : Tensor, %o : Tensor?, %c : bool):
  %none : NoneType = prim::Constant()
  %0 : Tensor? = prim::If(%c)
    block0():
      -> (%x)
    block1():
      -> (%y)
  %1 : bool = aten::__is__(%0, %none)
  %2 : Tensor? = prim::If(%c)
    block0():
      -> (%x)
    block1():
      -> (%o)
  return (%0, %1, %2)
