# RUN: ts-opt %s -p ts-normalize-ops -t torchscript | filecheck %s

# Second names become first names, in place too; inside blocks too. Operators with one name stay.
# CHECK-LABEL: graph(%x : Tensor,
# CHECK:         %a : Tensor = aten::abs(%x)
# CHECK-NEXT:    %b : Tensor = aten::mul_(%a, %x)
# CHECK-NEXT:    %r : Tensor = prim::If(%c)
# CHECK-NEXT:      block0():
# CHECK-NEXT:        %d : Tensor = aten::neg(%b)
# CHECK:           block1():
# CHECK-NEXT:        %e : Tensor = aten::tanh(%b)
graph(%x : Tensor, %c : bool):
  %a : Tensor = aten::absolute(%x)
  %b : Tensor = aten::multiply_(%a, %x)
  %r : Tensor = prim::If(%c)
    block0():
      %d : Tensor = aten::negative(%b)
      -> (%d)
    block1():
      %e : Tensor = aten::tanh(%b)
      -> (%e)
  return (%r)
