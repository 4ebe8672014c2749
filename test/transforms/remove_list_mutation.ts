# RUN: ts-opt %s -p ts-remove-list-mutation -t torchscript | filecheck %s

# A list that is filled before anybody looks is made full.
# CHECK-LABEL: graph @filled(%x : Tensor,
# CHECK-NEXT:      %y : Tensor):
# CHECK:        %0 : Tensor[] = prim::ListConstruct(%x, %y)
# CHECK-NEXT:   %c : Tensor = aten::stack(%0, %zero)
graph @filled(%x : Tensor, %y : Tensor):
  %zero : int = prim::Constant[value=0]()
  %l : Tensor[] = prim::ListConstruct()
  %t : Tensor[] = aten::append(%l, %x)
  %u : Tensor[] = aten::append(%l, %y)
  %c : Tensor = aten::stack(%l, %zero)
  return (%c)
