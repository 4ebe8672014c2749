# RUN: ts-opt %s -p ts-insert-profiling -t torchscript | filecheck %s

# Every use of a tensor is watched, also in blocks and at the end.
# CHECK-LABEL: graph @watched(%x : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %1 : Tensor = prim::profile[profiled_type=Tensor, seen_none=0](%x)
# CHECK-NEXT:       %2 : Tensor = aten::add_(%1, %0, %0)
# CHECK-NEXT:       %3 : Tensor = prim::profile[profiled_type=Tensor, seen_none=0](%2)
# CHECK-NEXT:       -> (%3)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %4 : Tensor = prim::profile[profiled_type=Tensor, seen_none=0](%x)
# CHECK-NEXT:       -> (%4)
# CHECK-NEXT:   %5 : Tensor = prim::profile[profiled_type=Tensor, seen_none=0](%a)
# CHECK-NEXT:   return (%5)
graph @watched(%x : Tensor, %c : bool):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = prim::If(%c)
    block0():
      %2 : Tensor = aten::add_(%x, %1, %1)
      -> (%2)
    block1():
      -> (%x)
  return (%a)

# Of an optional value is counted how often it is None.
# CHECK-LABEL: graph @optional(%x : int[]?):
# CHECK-NEXT:   %0 : NoneType = prim::Constant()
# CHECK-NEXT:   %1 : int[]? = prim::profile_ivalue[seen_none=0, seen=0](%x)
# CHECK-NEXT:   %2 : bool = aten::__is__(%1, %0)
# CHECK-NEXT:   return (%2)
graph @optional(%x : int[]?):
  %1 : NoneType = prim::Constant()
  %2 : bool = aten::__is__(%x, %1)
  return (%2)
