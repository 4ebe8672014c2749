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

# The caller's tensors are written to, and so are views; and what promotes another dtype.
# CHECK-LABEL: graph @others
# CHECK:         aten::relu_(%x)
# CHECK:         aten::relu_(%v)
# CHECK:         aten::add_(%y, %d, %zero)
graph @others(%x : Float(*, *, requires_grad=0, device=cpu), %d : Double(*, *, requires_grad=0, device=cpu)):
  %zero : int = prim::Constant[value=0]()
  %a : Tensor = aten::relu_(%x)
  %v : Tensor = aten::unsqueeze(%x, %zero)
  %b : Tensor = aten::relu_(%v)
  %y : Tensor = aten::mm(%x, %x)
  %c : Tensor = aten::add_(%y, %d, %zero)
  return (%a, %b, %c)

# An operand that may be too large has to fit, or is the error that the write is.
# CHECK-LABEL: graph @fits
# CHECK:         %0 : Float(*, *, device=cpu) = aten::detach(%y)
# CHECK-NEXT:    %1 : bool = prim::Constant[value=0]()
# CHECK-NEXT:    %2 : Float(*, *, device=cpu) = aten::copy(%0, %w, %1)
# CHECK-NEXT:    %a : Float(*, *, device=cpu) = aten::add(%y, %2, %one)
# CHECK-NEXT:    %b : Float(*, *, device=cpu) = aten::relu(%a)
# CHECK-NEXT:    return (%b)
graph @fits(%x : Float(*, *, requires_grad=1, device=cpu), %w : Float(*, requires_grad=1, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %y : Tensor = aten::mm(%x, %x)
  %a : Tensor = aten::add_(%y, %w, %one)
  %b : Tensor = aten::relu_(%a)
  return (%y)

# The tensor itself, or a view of it, as the other operand is left to the write.
# CHECK-LABEL: graph @own
# CHECK:         aten::mul_(%y, %t)
# CHECK:         aten::mul_(%z, %z)
graph @own(%x : Float(*, *, requires_grad=1, device=cpu)):
  %y : Tensor = aten::mm(%x, %x)
  %t : Tensor = aten::t(%y)
  %a : Tensor = aten::mul_(%y, %t)
  %z : Tensor = aten::mm(%x, %x)
  %b : Tensor = aten::mul_(%z, %z)
  return (%a, %b)

# What a loop carries is a new tensor in each trip, unless a product of the trip before has kept it.
# CHECK-LABEL: graph @carried
# CHECK:           block0(%i : int, %s.2 : Float(*, *, device=cpu)):
# CHECK:             aten::add(%s.2,
# CHECK:         aten::add(%s.1,
# CHECK:           block0(%j : int, %r.2 : Float(*, *, device=cpu), %p.2 : Float(*, *, device=cpu)):
# CHECK:             aten::add_(%r.2,
graph @carried(%x : Float(*, *, requires_grad=1, device=cpu), %n : int):
  %one : int = prim::Constant[value=1]()
  %true : bool = prim::Constant[value=1]()
  %s : Tensor = aten::mm(%x, %x)
  %s.1 : Tensor = prim::Loop(%n, %true, %s)
    block0(%i : int, %s.2 : Tensor):
      %a : Tensor = aten::add_(%s.2, %x, %one)
      -> (%true, %a)
  %b : Tensor = aten::add_(%s.1, %x, %one)
  %r : Tensor = aten::mm(%x, %x)
  %r.1 : Tensor, %p.1 : Tensor = prim::Loop(%n, %true, %r, %x)
    block0(%j : int, %r.2 : Tensor, %p.2 : Tensor):
      %c : Tensor = aten::add_(%r.2, %x, %one)
      %d : Tensor = aten::mul(%c, %x)
      %e : Tensor = aten::add(%d, %p.2, %one)
      -> (%true, %c, %e)
  return (%b, %p.1)

# What is scattered into new zeros is a new tensor of their dtype, sizes and layout, whatever these are; of others the layout is not known.
# CHECK-LABEL: graph @scattered
# CHECK:         %z : FloatTensor(requires_grad=0, device=cpu) = aten::zeros(%size, %none, %none, %none, %none)
# CHECK-NEXT:    %a : FloatTensor(device=cpu) = aten::scatter_add(%z, %zero, %i, %x)
# CHECK-NEXT:    %b : FloatTensor(device=cpu) = aten::index_add(%a, %zero, %j, %x, %one)
# CHECK-NEXT:    %l : Tensor = aten::zeros_like(%x, %none, %none, %none, %none, %none)
# CHECK-NEXT:    %c : Tensor = aten::scatter_add_(%l, %zero, %i, %x)
# CHECK-NEXT:    return (%b, %c)
graph @scattered(%x : Tensor, %i : Tensor, %j : Tensor, %size : int[]):
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %z : Tensor = aten::zeros(%size, %none, %none, %none, %none)
  %a : Tensor = aten::scatter_add_(%z, %zero, %i, %x)
  %b : Tensor = aten::index_add_(%a, %zero, %j, %x, %one)
  %l : Tensor = aten::zeros_like(%x, %none, %none, %none, %none, %none)
  %c : Tensor = aten::scatter_add_(%l, %zero, %i, %x)
  return (%z, %c)
