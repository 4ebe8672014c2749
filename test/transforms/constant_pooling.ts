# RUN: ts-opt %s -p ts-constant-pooling -t torchscript | filecheck %s

# Constants go to the front, the last one first; equal ones become one.
# CHECK-LABEL: graph @pooled(%x : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %f : float = prim::Constant[value=1.]()
# CHECK-NEXT:   %0 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %z : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %2 : Tensor = aten::add(%x, %x, %1)
# CHECK-NEXT:       -> (%2)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %3 : Tensor = aten::add(%x, %x, %0)
# CHECK-NEXT:       -> (%3)
# CHECK-NEXT:   %4 : Tensor = aten::add(%z, %f, %1)
# CHECK-NEXT:   return (%4)
graph @pooled(%x : Tensor, %c : bool):
  %1 : int = prim::Constant[value=1]()
  %z : Tensor = prim::If(%c)
    block0():
      %2 : int = prim::Constant[value=1]()
      %3 : Tensor = aten::add(%x, %x, %2)
      -> (%3)
    block1():
      %4 : int = prim::Constant[value=2]()
      %5 : Tensor = aten::add(%x, %x, %4)
      -> (%5)
  %f : float = prim::Constant[value=1.]()
  %6 : Tensor = aten::add(%z, %f, %1)
  return (%6)

# A tensor that somebody writes to stays apart from an equal one.
# CHECK-LABEL: graph @mutated(%x : Tensor):
# CHECK-NEXT:   %a : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=tensor<Float, [2], "0000803F00000040">]()
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %b : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=tensor<Float, [2], "0000803F00000040">]()
# CHECK-NEXT:   %w : Tensor = aten::add_(%a, %x, %0)
# CHECK-NEXT:   %r : Tensor = aten::mul(%w, %b)
# CHECK-NEXT:   return (%r)
graph @mutated(%x : Tensor):
  %1 : int = prim::Constant[value=1]()
  %a : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=tensor<Float, [2], "0000803F00000040">]()
  %b : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=tensor<Float, [2], "0000803F00000040">]()
  %w : Tensor = aten::add_(%a, %x, %1)
  %r : Tensor = aten::mul(%w, %b)
  return (%r)

# Two equal tensors that are both returned stay two.
# CHECK-LABEL: graph @aliased():
# CHECK-NEXT:   %a : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=tensor<Float, [2], "0000803F00000040">]()
# CHECK-NEXT:   %b : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=tensor<Float, [2], "0000803F00000040">]()
# CHECK-NEXT:   return (%a, %b)
graph @aliased():
  %a : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=tensor<Float, [2], "0000803F00000040">]()
  %b : Float(2, strides=[1], requires_grad=0, device=cpu) = prim::Constant[value=tensor<Float, [2], "0000803F00000040">]()
  return (%a, %b)
