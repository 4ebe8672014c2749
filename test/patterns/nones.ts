# RUN: ts-opt %s -p ts-peephole -t torchscript | filecheck %s

# DecideIsNone: a tensor is not None, and a constant None is.
# CHECK-LABEL: graph @decided(%x : Tensor,
# CHECK-NEXT:       %o : Tensor?):
# CHECK-NEXT:   %0 : bool = prim::Constant[value=0]()
# CHECK-NEXT:   %1 : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %2 : bool = prim::Constant[value=0]()
# CHECK-NEXT:   return (%0, %1, %2)
graph @decided(%x : Tensor, %o : Tensor?):
  %none : NoneType = prim::Constant()
  %n : Tensor? = prim::Constant()
  %0 : bool = aten::__is__(%x, %none)
  %1 : bool = aten::__isnot__(%none, %x)
  %2 : bool = aten::__is__(%n, %x)
  return (%0, %1, %2)

# An optional may be either; two Nones are left to constant propagation.
# CHECK-LABEL: graph @undecided(%o : Tensor?):
# CHECK-NEXT:   %none : NoneType = prim::Constant()
# CHECK-NEXT:   %0 : bool = aten::__is__(%o, %none)
# CHECK-NEXT:   %1 : bool = aten::__isnot__(%none, %none)
# CHECK-NEXT:   return (%0, %1)
graph @undecided(%o : Tensor?):
  %none : NoneType = prim::Constant()
  %0 : bool = aten::__is__(%o, %none)
  %1 : bool = aten::__isnot__(%none, %none)
  return (%0, %1)

# UnwrapPresentValue, DropUncheckedCast
# CHECK-LABEL: graph @present(%x : Tensor,
# CHECK-NEXT:       %o : Tensor?):
# CHECK-NEXT:   return (%x, %x, %x)
graph @present(%x : Tensor, %o : Tensor?):
  %0 : Tensor = aten::_unwrap_optional(%x)
  %1 : Tensor = prim::unchecked_unwrap_optional(%x)
  %2 : Tensor? = prim::unchecked_cast(%x)
  return (%0, %1, %2)

# What may be missing is unwrapped at run time, and a cast to less is needed.
# CHECK-LABEL: graph @missing(%o : Tensor?):
# CHECK-NEXT:   %0 : Tensor = aten::_unwrap_optional(%o)
# CHECK-NEXT:   %1 : Tensor = prim::unchecked_cast(%o)
# CHECK-NEXT:   return (%0, %1)
graph @missing(%o : Tensor?):
  %0 : Tensor = aten::_unwrap_optional(%o)
  %1 : Tensor = prim::unchecked_cast(%o)
  return (%0, %1)

# UseNoneForResult: the call stays, and what it gives is None.
# CHECK-LABEL: graph @called(%f : Function,
# CHECK-NEXT:       %x : Tensor):
# CHECK-NEXT:   %0 : NoneType = prim::Constant()
# CHECK-NEXT:   %n : NoneType = prim::CallFunction(%f, %x)
# CHECK-NEXT:   %t : (Tensor, NoneType) = prim::TupleConstruct(%x, %0)
# CHECK-NEXT:   return (%t)
graph @called(%f : Function, %x : Tensor):
  %n : NoneType = prim::CallFunction(%f, %x)
  %t : (Tensor, NoneType) = prim::TupleConstruct(%x, %n)
  return (%t)
