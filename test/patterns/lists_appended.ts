# RUN: ts-opt %s -p ts-remove-list-mutation -t torchscript | filecheck %s

# AppendToListConstruct: what is appended before anybody looks stands in the list from the beginning; what a branch appends may not.
# CHECK-LABEL: graph @appended(%x : Tensor,
# CHECK-NEXT:      %b : bool):
# CHECK-NEXT:   %y : Tensor = aten::neg(%x)
# CHECK-NEXT:   %0 : Tensor[] = prim::ListConstruct(%x, %y, %x)
# CHECK-NEXT:    = prim::If(%b)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %v : Tensor[] = aten::append(%0, %y)
# CHECK-NEXT:       -> ()
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> ()
# CHECK-NEXT:   %w : Tensor[] = aten::append(%0, %y)
# CHECK-NEXT:   return (%0)
graph @appended(%x : Tensor, %b : bool):
  %l : Tensor[] = prim::ListConstruct(%x)
  %y : Tensor = aten::neg(%x)
  %t : Tensor[] = aten::append(%l, %y)
  %u : Tensor[] = aten::append(%t, %x)
   = prim::If(%b)
    block0():
      %v : Tensor[] = aten::append(%l, %y)
      -> ()
    block1():
      -> ()
  %w : Tensor[] = aten::append(%l, %y)
  return (%l)
