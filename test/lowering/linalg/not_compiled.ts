# RUN: ts-opt %s -p ts-convert-torch-to-linalg --split-input-file --verify-diagnostics | filecheck %s

# CHECK: the sizes of an input of the group are not known
graph(%x : Tensor):
  %a : Tensor = aten::relu(%x)
  return (%a)

# // -----
# CHECK: aten::nonzero has no rule for linalg
graph(%x : Float(4, strides=[1])):
  %a : Tensor = aten::nonzero(%x)
  return (%a)

# // -----
# CHECK: prim::Print has no rule for linalg
graph(%x : Float(4, strides=[1])):
   = prim::Print(%x)
  return (%x)

# // -----
# CHECK: an input of type str cannot be given to a kernel
graph(%x : Float(4, strides=[1]), %s : str):
  return (%x)

# // -----
# CHECK: aten::mul_ writes to what others see
graph(%x : Float(4, strides=[1])):
  %a : Float(4, strides=[1]) = aten::mul_(%x, %x)
  return (%a)

# // -----
# CHECK: aten::relu_ writes to what others see
graph(%x : Float(4, strides=[1], requires_grad=0, device=cpu)):
  %a : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::tanh(%x)
  %b : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::relu_(%a)
  return (%a)

# // -----
# CHECK: sizes 4 and 3 meet
graph(%x : Float(4, strides=[1]), %y : Float(3, strides=[1])):
  %a : Float(4, strides=[1]) = aten::mul(%x, %y)
  return (%a)

# // -----
# CHECK: a matrix product of two dtypes
graph(%x : Float(4, 4, strides=[4, 1]), %y : Double(4, 4, strides=[4, 1])):
  %a : Float(4, 4, strides=[4, 1]) = aten::mm(%x, %y)
  return (%a)

# // -----
# CHECK: a matrix product takes two matrices that fit together
graph(%x : Float(4, 3, strides=[3, 1]), %y : Float(4, 4, strides=[4, 1])):
  %a : Float(4, 4, strides=[4, 1]) = aten::mm(%x, %y)
  return (%a)

# // -----
# CHECK: a dimension of size 4 has fewer than 3 chunks
graph(%x : Float(4, strides=[1])):
  %a : Float(2, strides=[1]), %b : Float(2, strides=[1]), %c : Float(0, strides=[1]) = prim::ConstantChunk[chunks=3, dim=0](%x)
  return (%a)

# // -----
# CHECK: a result of type int is not compiled
graph(%x : Float(4, strides=[1]), %n : int):
  return (%n)

# // -----
# CHECK: the dtype of a tensor is not known
graph(%x : Float(4, strides=[1])):
  %a : Tensor = aten::relu(%x)
  return (%a)

# // -----
# CHECK: aten::sum is not compiled for operands (Float(4, strides=[1], requires_grad=0, device=cpu), int[], bool, NoneType)
graph(%x : Float(4, strides=[1], requires_grad=0, device=cpu), %dims : int[]):
  %keep : bool = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %a : Float(1, strides=[1], requires_grad=0, device=cpu) = aten::sum(%x, %dims, %keep, %none)
  return (%a)

# // -----
# CHECK: the sizes of a result of aten::t are not known: ts-propagate-shapes comes first
graph(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %a : Tensor = aten::t(%x)
  return (%a)

# // -----
# CHECK: aten::arange is not compiled for operands (int, int, NoneType, NoneType, NoneType)
graph():
  %n : int = prim::Constant[value=4]()
  %dtype : int = prim::Constant[value=6]()
  %none : NoneType = prim::Constant()
  %a : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::arange(%n, %dtype, %none, %none, %none)
  return (%a)
