# RUN: ts-opt %s -p ts-normalize-ops -t torchscript | filecheck %s

# UseFirstName, SubtractTheOtherWay, CompareBools

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

# `rsub` of two tensors is `sub` the other way around; of a number it stays, as in PyTorch.
# CHECK-LABEL: graph @reversed(%x : Tensor,
# CHECK:         %a : Tensor = aten::sub(%y, %x, %one)
# CHECK-NEXT:    %b : Tensor = aten::rsub(%a, %one, %one)
graph @reversed(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::rsub(%x, %y, %one)
  %b : Tensor = aten::rsub(%a, %one, %one)
  return (%b)

# Two bools are one if they are equal; of tensors, `is` asks whether they are one object.
# CHECK-LABEL: graph @same(%a : bool,
# CHECK:         %0 : bool = aten::eq(%a, %b)
# CHECK-NEXT:    %1 : bool = aten::ne(%a, %b)
# CHECK-NEXT:    %2 : bool = aten::__is__(%x, %x)
graph @same(%a : bool, %b : bool, %x : Tensor):
  %0 : bool = aten::__is__(%a, %b)
  %1 : bool = aten::__isnot__(%a, %b)
  %2 : bool = aten::__is__(%x, %x)
  return (%0, %1, %2)
