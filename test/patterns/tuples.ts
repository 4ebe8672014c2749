# RUN: ts-opt %s -p ts-lower-simple-tuples -t torchscript | filecheck %s

# UnpackTupleConstruct, IndexTupleConstruct
# CHECK-LABEL: graph @taken_apart(%x : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %d : Tensor = aten::add(%x, %x, %n)
# CHECK-NEXT:   return (%d)
graph @taken_apart(%x : Tensor, %n : int):
  %0 : int = prim::Constant[value=-1]()
  %t : (int, Tensor) = prim::TupleConstruct(%n, %x)
  %a : int, %b : Tensor = prim::TupleUnpack(%t)
  %c : Tensor = prim::TupleIndex(%t, %0)
  %d : Tensor = aten::add(%b, %c, %a)
  return (%d)

# SliceTupleConstruct: what is taken from the slice is what went into the tuple.
# CHECK-LABEL: graph @sliced(%x : Tensor,
# CHECK-NEXT:       %y : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %0 : (Tensor, Tensor) = prim::TupleConstruct(%x, %y)
# CHECK-NEXT:   return (%y, %0)
graph @sliced(%x : Tensor, %y : Tensor, %n : int):
  %0 : int = prim::Constant[value=1]()
  %t : (int, Tensor, Tensor) = prim::TupleConstruct(%n, %x, %y)
  %s : (Tensor, Tensor) = prim::TupleSlice[beg=1, end=3](%t)
  %a : Tensor = prim::TupleIndex(%s, %0)
  return (%a, %s)

# What a function returns may be of a more refined type than the tuple said.
# CHECK-LABEL: graph @refined(%x : Tensor):
# CHECK-NEXT:   return (%x)
graph @refined(%x : Tensor):
  %t : (Tensor?) = prim::TupleConstruct(%x)
  %a : Tensor? = prim::TupleUnpack(%t)
  return (%a)

# A tuple that comes from elsewhere stays, and so does an index that is not known.
# CHECK-LABEL: graph @stays(%p : (Tensor, Tensor),
# CHECK-NEXT:       %x : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %a : Tensor, %b : Tensor = prim::TupleUnpack(%p)
# CHECK-NEXT:   %t : (Tensor, Tensor) = prim::TupleConstruct(%a, %x)
# CHECK-NEXT:   %c : Tensor = prim::TupleIndex(%t, %n)
# CHECK-NEXT:   return (%b, %c)
graph @stays(%p : (Tensor, Tensor), %x : Tensor, %n : int):
  %a : Tensor, %b : Tensor = prim::TupleUnpack(%p)
  %t : (Tensor, Tensor) = prim::TupleConstruct(%a, %x)
  %c : Tensor = prim::TupleIndex(%t, %n)
  return (%b, %c)

# An element that somebody writes to is still that element.
# CHECK-LABEL: graph @mutated(%x : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %w : Tensor = aten::add_(%x, %0, %0)
# CHECK-NEXT:   return (%x)
graph @mutated(%x : Tensor):
  %1 : int = prim::Constant[value=1]()
  %t : (Tensor, int) = prim::TupleConstruct(%x, %1)
  %w : Tensor = aten::add_(%x, %1, %1)
  %a : Tensor, %b : int = prim::TupleUnpack(%t)
  return (%a)
