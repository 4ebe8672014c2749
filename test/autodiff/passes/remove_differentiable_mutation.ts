# RUN: ts-opt %s -p ts-propagate-shapes,ts-remove-differentiable-mutation -t torchscript | filecheck %s

# What nobody has kept for the way back is a new tensor, of any size.
# CHECK-LABEL: graph @new
# CHECK:         %y : Float(*, *, device=cpu) = aten::mm(%x, %x)
# CHECK-NEXT:    %n : int = aten::dim(%y)
# CHECK-NEXT:    %a : Float(*, *, device=cpu) = aten::relu(%y)
# CHECK-NEXT:    return (%a, %n)
graph @new(%x : Float(*, *, requires_grad=1, device=cpu)):
  %y : Tensor = aten::mm(%x, %x)
  %n : int = aten::dim(%y)
  %a : Tensor = aten::relu_(%y)
  return (%y, %n)

# The way back of a sigmoid reads its result, and that of a product its operands: to write to these is an error there.
# CHECK-LABEL: graph @kept
# CHECK:         aten::relu_(%y)
# CHECK:         aten::relu_(%z)
graph @kept(%x : Float(*, *, requires_grad=1, device=cpu)):
  %y : Tensor = aten::sigmoid(%x)
  %a : Tensor = aten::relu_(%y)
  %z : Tensor = aten::mm(%x, %x)
  %p : Tensor = aten::mul(%z, %x)
  %b : Tensor = aten::relu_(%z)
  return (%a, %p, %b)

# The caller's tensors are written to, and so are views; a tensor of another size may be one that does not fit.
# CHECK-LABEL: graph @others
# CHECK:         aten::relu_(%x)
# CHECK:         aten::relu_(%v)
# CHECK:         aten::add_(%y, %x, %zero)
graph @others(%x : Float(*, *, requires_grad=0, device=cpu)):
  %zero : int = prim::Constant[value=0]()
  %a : Tensor = aten::relu_(%x)
  %v : Tensor = aten::unsqueeze(%x, %zero)
  %b : Tensor = aten::relu_(%v)
  %y : Tensor = aten::mm(%x, %x)
  %c : Tensor = aten::add_(%y, %x, %zero)
  return (%a, %b, %c)
