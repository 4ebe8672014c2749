# RUN: ts-opt %s -p ts-peephole -t torchscript | filecheck %s

# LenOfListConstruct, ItemOfListConstruct
# CHECK-LABEL: graph @looked_into(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %b : Tensor = aten::mul(%y, %0)
# CHECK-NEXT:   return (%b)
graph @looked_into(%x : Tensor, %y : Tensor):
  %0 : int = prim::Constant[value=-1]()
  %l : Tensor[] = prim::ListConstruct(%x, %y)
  %n : int = aten::len(%l)
  %a : Tensor = aten::__getitem__(%l, %0)
  %b : Tensor = aten::mul(%a, %n)
  return (%b)

# UnpackListConstruct, ConcatenateListConstructs
# CHECK-LABEL: graph @taken_apart(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %c : Tensor = aten::mul(%y, %x)
# CHECK-NEXT:   return (%c)
graph @taken_apart(%x : Tensor, %y : Tensor):
  %l : Tensor[] = prim::ListConstruct(%x)
  %m : Tensor[] = prim::ListConstruct(%y)
  %n : Tensor[] = aten::add(%l, %m)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%n)
  %c : Tensor = aten::mul(%b, %a)
  return (%c)

# A list of another length fails when the program comes there.
# CHECK-LABEL: graph @another_length(%x : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %l : Tensor[] = prim::ListConstruct(%x)
# CHECK-NEXT:   %a : Tensor, %b : Tensor = prim::ListUnpack(%l)
# CHECK-NEXT:   %c : Tensor = aten::__getitem__(%l, %0)
# CHECK-NEXT:   return (%a, %b, %c)
graph @another_length(%x : Tensor):
  %0 : int = prim::Constant[value=1]()
  %l : Tensor[] = prim::ListConstruct(%x)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%l)
  %c : Tensor = aten::__getitem__(%l, %0)
  return (%a, %b, %c)

# A list that somebody appends to is not looked into, and neither is one that comes from elsewhere.
# CHECK-LABEL: graph @mutated(%x : Tensor,
# CHECK-NEXT:       %o : Tensor[]):
# CHECK-NEXT:   %0 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %l : Tensor[] = prim::ListConstruct(%x)
# CHECK-NEXT:   %n : Tensor[] = aten::slice(%l, %0, %0, %0)
# CHECK-NEXT:   %w : Tensor[] = aten::append(%l, %x)
# CHECK-NEXT:   %a : Tensor = aten::__getitem__(%l, %0)
# CHECK-NEXT:   %m : int = aten::len(%o)
# CHECK-NEXT:   %k : Tensor[] = prim::ListConstruct(%x)
# CHECK-NEXT:   %b : Tensor[] = aten::add(%l, %k)
# CHECK-NEXT:   return (%n, %a, %m, %b)
graph @mutated(%x : Tensor, %o : Tensor[]):
  %0 : int = prim::Constant[value=0]()
  %l : Tensor[] = prim::ListConstruct(%x)
  %n : Tensor[] = aten::slice(%l, %0, %0, %0)
  %w : Tensor[] = aten::append(%l, %x)
  %a : Tensor = aten::__getitem__(%l, %0)
  %m : int = aten::len(%o)
  %k : Tensor[] = prim::ListConstruct(%x)
  %b : Tensor[] = aten::add(%l, %k)
  return (%n, %a, %m, %b)

# The list that two make is another list where it is written to.
# CHECK-LABEL: graph @written_later(%x : Tensor):
# CHECK-NEXT:   %l : Tensor[] = prim::ListConstruct(%x)
# CHECK-NEXT:   %m : Tensor[] = prim::ListConstruct(%x)
# CHECK-NEXT:   %n : Tensor[] = aten::add(%l, %m)
# CHECK-NEXT:   %s : int = aten::len(%n)
# CHECK-NEXT:   %w : Tensor[] = aten::append(%n, %x)
# CHECK-NEXT:   return (%n, %s)
graph @written_later(%x : Tensor):
  %l : Tensor[] = prim::ListConstruct(%x)
  %m : Tensor[] = prim::ListConstruct(%x)
  %n : Tensor[] = aten::add(%l, %m)
  %s : int = aten::len(%n)
  %w : Tensor[] = aten::append(%n, %x)
  return (%n, %s)

# SliceListConstruct: a part of a list, unless it is written to.
# CHECK-LABEL: graph @sliced(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK:        %m : Tensor[] = prim::ListConstruct(%y)
# CHECK-NEXT:   %n : Tensor[] = aten::slice(%l, %1, %0, %1)
# CHECK-NEXT:   %o : int = aten::len(%n)
# CHECK-NEXT:   %w : Tensor[] = aten::append(%n, %x)
# CHECK-NEXT:   return (%m, %n, %o)
graph @sliced(%x : Tensor, %y : Tensor):
  %0 : NoneType = prim::Constant()
  %1 : int = prim::Constant[value=1]()
  %l : Tensor[] = prim::ListConstruct(%x, %y)
  %m : Tensor[] = aten::slice(%l, %1, %0, %1)
  %n : Tensor[] = aten::slice(%l, %1, %0, %1)
  %o : int = aten::len(%n)
  %w : Tensor[] = aten::append(%n, %x)
  return (%m, %n, %o)

# A part whose bounds are not known stays: no bound is None.
# CHECK-LABEL: graph @sliced_somewhere(%x : Tensor,
# CHECK-NEXT:      %i : int):
# CHECK:        %m : Tensor[] = aten::slice(%l, %i, %0, %1)
# CHECK-NEXT:   return (%m)
graph @sliced_somewhere(%x : Tensor, %i : int):
  %0 : NoneType = prim::Constant()
  %1 : int = prim::Constant[value=1]()
  %l : Tensor[] = prim::ListConstruct(%x, %x)
  %m : Tensor[] = aten::slice(%l, %i, %0, %1)
  return (%m)
