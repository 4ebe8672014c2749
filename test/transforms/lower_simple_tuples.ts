# RUN: ts-opt %s -p ts-lower-simple-tuples -t torchscript | filecheck %s

# What comes out of a tuple made in sight is what went in.
# CHECK-LABEL: graph @taken_apart(%x : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %e : Tensor = aten::add(%x, %x, %n)
# CHECK-NEXT:   %f : Tensor = aten::mul(%e, %x)
# CHECK-NEXT:   return (%f)
graph @taken_apart(%x : Tensor, %n : int):
  %0 : int = prim::Constant[value=-1]()
  %t : (int, Tensor) = prim::TupleConstruct(%n, %x)
  %a : int, %b : Tensor = prim::TupleUnpack(%t)
  %c : Tensor = prim::TupleIndex(%t, %0)
  %s : (Tensor) = prim::TupleSlice[beg=1, end=2](%t)
  %d : Tensor = prim::TupleUnpack(%s)
  %e : Tensor = aten::add(%b, %c, %a)
  %f : Tensor = aten::mul(%e, %d)
  return (%f)

# A tuple that comes from elsewhere stays, and so does an index that is not known.
# CHECK-LABEL: graph @stays(%p : (Tensor, Tensor),
# CHECK-NEXT:       %x : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %a : Tensor, %b : Tensor = prim::TupleUnpack(%p)
# CHECK-NEXT:   %t : (Tensor, Tensor) = prim::TupleConstruct(%a, %x)
# CHECK-NEXT:   %c : Tensor = prim::TupleIndex(%t, %n)
# CHECK-NEXT:   %d : Tensor = aten::mul(%b, %c)
# CHECK-NEXT:   return (%d)
graph @stays(%p : (Tensor, Tensor), %x : Tensor, %n : int):
  %a : Tensor, %b : Tensor = prim::TupleUnpack(%p)
  %t : (Tensor, Tensor) = prim::TupleConstruct(%a, %x)
  %c : Tensor = prim::TupleIndex(%t, %n)
  %d : Tensor = aten::mul(%b, %c)
  return (%d)

# The element of a tuple is the tensor that was written to.
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
