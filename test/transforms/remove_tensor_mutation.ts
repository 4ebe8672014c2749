# RUN: ts-opt %s -p ts-propagate-shapes,ts-remove-tensor-mutation -t torchscript | filecheck %s

# What is written to a tensor of the block's own is a new tensor, one after the other.
# CHECK-LABEL: graph @own
# CHECK:         %y : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::neg(%x)
# CHECK-NEXT:    %a : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::relu(%y)
# CHECK-NEXT:    %b : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::add(%a, %x, %0)
# CHECK-NEXT:    %c : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::mul(%b, %b)
# CHECK-NEXT:    return (%b, %c)
graph @own(%x : Float(2, strides=[1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=1]()
  %y : Tensor = aten::neg(%x)
  %a : Tensor = aten::relu_(%y)
  %b : Tensor = aten::add_(%a, %x, %0)
  %c : Tensor = aten::mul(%y, %b)
  return (%y, %c)

# The caller sees what is written to an argument, and to a view of one.
# CHECK-LABEL: graph @given
# CHECK:         aten::relu_(%x)
# CHECK:         aten::relu_(%v)
graph @given(%x : Float(2, strides=[1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %a : Tensor = aten::relu_(%x)
  %v : Tensor = aten::unsqueeze(%x, %0)
  %b : Tensor = aten::relu_(%v)
  return (%a)

# A view that is looked at later sees what was written, and so does a list; one that is made later is of the new tensor.
# CHECK-LABEL: graph @seen
# CHECK:         aten::relu_(%y)
# CHECK:         aten::relu_(%z)
# CHECK:         %u : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::relu(%t)
# CHECK-NEXT:    %w : Float(1, 2, strides=[2, 1], requires_grad=0, device=cpu) = aten::unsqueeze(%u, %0)
graph @seen(%x : Float(2, strides=[1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %y : Tensor = aten::neg(%x)
  %v : Tensor = aten::unsqueeze(%y, %0)
  %a : Tensor = aten::relu_(%y)
  %z : Tensor = aten::neg(%x)
  %l : Tensor[] = prim::ListConstruct(%z)
  %b : Tensor = aten::relu_(%z)
  %t : Tensor = aten::neg(%x)
  %u : Tensor = aten::relu_(%t)
  %w : Tensor = aten::unsqueeze(%t, %0)
  return (%v, %l, %w)

# A tensor keeps its dtype, and what another block has made is written to for both.
# CHECK-LABEL: graph @kept
# CHECK:         aten::add_(%y, %d, %0)
# CHECK:         aten::relu_(%z)
graph @kept(%x : Float(2, strides=[1], requires_grad=0, device=cpu), %d : Double(2, strides=[1], requires_grad=0, device=cpu), %c : bool):
  %0 : int = prim::Constant[value=1]()
  %y : Tensor = aten::neg(%x)
  %a : Tensor = aten::add_(%y, %d, %0)
  %z : Tensor = aten::neg(%x)
   = prim::If(%c)
    block0():
      %b : Tensor = aten::relu_(%z)
      -> ()
    block1():
      -> ()
  return (%y, %z)

# What a loop carries is its own, unless somebody has the tensor that it begins with.
# CHECK-LABEL: graph @carried
# CHECK:         aten::add(%s, %x, %0)
# CHECK:         aten::add_(%t, %x, %0)
graph @carried(%x : Float(2, strides=[1], requires_grad=0, device=cpu), %n : int):
  %0 : int = prim::Constant[value=1]()
  %1 : bool = prim::Constant[value=1]()
  %y : Tensor = aten::neg(%x)
  %a : Tensor = prim::Loop(%n, %1, %y)
    block0(%i : int, %s : Tensor):
      %b : Tensor = aten::add_(%s, %x, %0)
      -> (%1, %b)
  %z : Tensor = aten::neg(%x)
  %c : Tensor = prim::Loop(%n, %1, %z)
    block0(%j : int, %t : Tensor):
      %d : Tensor = aten::add_(%t, %x, %0)
      -> (%1, %d)
  return (%a, %c, %z)

# Triangles are contiguous if they are new, and have the strides of what is written to if they are not.
# CHECK-LABEL: graph @laid_out
# CHECK:         aten::triu_(%y, %0)
# CHECK:         aten::triu(%z, %0)
graph @laid_out(%x : Float(2, 3, strides=[1, 2], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %y : Tensor = aten::neg(%x)
  %a : Tensor = aten::triu_(%y, %0)
  %z : Tensor = aten::clone(%x, %0)
  %b : Tensor = aten::triu_(%z, %0)
  return (%a, %b)
