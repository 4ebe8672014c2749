# RUN: ts-opt %s -p ts-peephole -t torchscript | filecheck %s

# DoubleTranspose, NumberOfNumToTensor
# CHECK-LABEL: graph @undone(%x : Tensor,
# CHECK-NEXT:       %i : int):
# CHECK-NEXT:   %0 : Tensor = aten::mul(%x, %i)
# CHECK-NEXT:   return (%0)
graph @undone(%x : Tensor, %i : int):
  %0 : Tensor = aten::t(%x)
  %1 : Tensor = aten::t(%0)
  %2 : Tensor = prim::NumToTensor(%i)
  %3 : int = aten::Int(%2)
  %4 : Tensor = aten::mul(%1, %3)
  return (%4)

# A tensor that is transposed in place has other sizes afterwards.
# CHECK-LABEL: graph @mutated(%x : Tensor,
# CHECK-NEXT:       %i : int):
# CHECK-NEXT:   %one : int = prim::Constant[value=1]()
# CHECK-NEXT:   %0 : Tensor = aten::t(%x)
# CHECK-NEXT:   %1 : Tensor = aten::t_(%x)
# CHECK-NEXT:   %2 : Tensor = aten::t(%0)
# CHECK-NEXT:   %3 : Tensor = prim::NumToTensor(%i)
# CHECK-NEXT:   %4 : Tensor = aten::add_(%3, %one, %one)
# CHECK-NEXT:   %5 : int = aten::Int(%3)
# CHECK-NEXT:   return (%2, %5)
graph @mutated(%x : Tensor, %i : int):
  %one : int = prim::Constant[value=1]()
  %0 : Tensor = aten::t(%x)
  %1 : Tensor = aten::t_(%x)
  %2 : Tensor = aten::t(%0)
  %3 : Tensor = prim::NumToTensor(%i)
  %4 : Tensor = aten::add_(%3, %one, %one)
  %5 : int = aten::Int(%3)
  return (%2, %5)

# CatOfOne, TensorPlusZero, TensorTimesOne: the same to the bit and in memory.
# CHECK-LABEL: graph @neutral(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %z : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : Tensor = aten::neg(%x)
# CHECK-NEXT:   %1 : Tensor = aten::mul(%0, %y)
# CHECK-NEXT:   %2 : Tensor = aten::mul(%1, %z)
# CHECK-NEXT:   return (%2)
graph @neutral(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %z : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %l : Tensor[] = prim::ListConstruct(%x)
  %0 : Tensor = aten::cat(%l, %zero)
  %1 : Tensor = aten::neg(%0)
  %2 : Tensor = aten::sub(%y, %zero, %one)
  %3 : Tensor = aten::mul(%1, %2)
  %4 : Tensor = aten::mul(%z, %one)
  %5 : Tensor = aten::mul(%3, %4)
  return (%5)

# Division by one, and adding a negative zero.
# CHECK-LABEL: graph @neutral_floats(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : Tensor = aten::neg(%x)
# CHECK-NEXT:   %1 : Tensor = aten::mul(%0, %y)
# CHECK-NEXT:   return (%1)
graph @neutral_floats(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %zero : float = prim::Constant[value=-0.]()
  %one : int = prim::Constant[value=1]()
  %0 : Tensor = aten::div(%x, %one)
  %1 : Tensor = aten::neg(%0)
  %2 : Tensor = aten::add(%y, %zero, %one)
  %3 : Tensor = aten::mul(%1, %2)
  return (%3)

# `-0.0 + 0` is `0.0`; a bool plus 0 is an int; strides that are not known, or are not dense, would be others.
# CHECK-LABEL: graph @stays(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %b : Bool(2, strides=[1], device=cpu),
# CHECK-NEXT:       %u : Tensor,
# CHECK-NEXT:       %s : Float(2, strides=[2], device=cpu),
# CHECK-NEXT:       %l : Long(2, strides=[1], device=cpu)):
# CHECK-NEXT:   %zero : int = prim::Constant[value=0]()
# CHECK-NEXT:   %one : int = prim::Constant[value=1]()
# CHECK-NEXT:   %0 : Tensor = aten::add(%x, %zero, %one)
# CHECK-NEXT:   %1 : Tensor = aten::add(%b, %zero, %one)
# CHECK-NEXT:   %2 : Tensor = aten::mul(%u, %one)
# CHECK-NEXT:   %3 : Tensor = aten::mul(%s, %one)
# CHECK-NEXT:   %4 : Tensor = aten::div(%l, %one)
# CHECK-NEXT:   return (%0, %1, %2, %3, %4)
graph @stays(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %b : Bool(2, strides=[1], device=cpu), %u : Tensor, %s : Float(2, strides=[2], device=cpu), %l : Long(2, strides=[1], device=cpu)):
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %0 : Tensor = aten::add(%x, %zero, %one)
  %1 : Tensor = aten::add(%b, %zero, %one)
  %2 : Tensor = aten::mul(%u, %one)
  %3 : Tensor = aten::mul(%s, %one)
  %4 : Tensor = aten::div(%l, %one)
  return (%0, %1, %2, %3, %4)

# A copy stays a copy where somebody can tell: it is returned beside the original, or one of the two is written to.
# CHECK-LABEL: graph @aliased(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %one : int = prim::Constant[value=1]()
# CHECK-NEXT:   %0 : Tensor = aten::mul(%x, %one)
# CHECK-NEXT:   return (%0, %x)
graph @aliased(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %0 : Tensor = aten::mul(%x, %one)
  return (%0, %x)

# CHECK-LABEL: graph @written(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %one : int = prim::Constant[value=1]()
# CHECK-NEXT:   %0 : Tensor = aten::mul(%x, %one)
# CHECK-NEXT:   %w : Tensor = aten::add_(%0, %one, %one)
# CHECK-NEXT:   return (%0)
graph @written(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %0 : Tensor = aten::mul(%x, %one)
  %w : Tensor = aten::add_(%0, %one, %one)
  return (%0)
