# RUN: ts-opt %s -p ts-propagate-shapes -t torchscript | filecheck %s
# RUN: ts-opt %s -p 'ts-propagate-shapes{numbers=true}' -t torchscript | filecheck %s --check-prefix=NUMBERS
# RUN: ts-opt %s -p 'ts-propagate-shapes{ranks=true}' -t torchscript | filecheck %s --check-prefix=RANKS

# Types flow through operators, lists and chunks.
# CHECK-LABEL: graph @flow(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(4, strides=[1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %a : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::add(%x, %y, %0)
# CHECK-NEXT:   %b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::mm(%a, %x)
# CHECK-NEXT:   %c : Float(4, 2, strides=[4, 1], requires_grad=0, device=cpu), %d : Float(4, 2, strides=[4, 1], requires_grad=0, device=cpu) = prim::ConstantChunk[chunks=2, dim=1](%b)
# CHECK-NEXT:   %e : Bool(4, 2, strides=[2, 1], requires_grad=0, device=cpu) = aten::gt(%c, %d)
# CHECK-NEXT:   return (%e)
graph @flow(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(4, strides=[1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=2]()
  %a : Tensor = aten::add(%x, %y, %1)
  %b : Tensor = aten::mm(%a, %x)
  %c : Tensor, %d : Tensor = prim::ConstantChunk[chunks=2, dim=1](%b)
  %e : Tensor = aten::gt(%c, %d)
  return (%e)

# Blocks of an If that disagree leave what they agree on.
# CHECK-LABEL: graph @joined(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %a : Float(*, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %0 : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::neg(%x)
# CHECK-NEXT:       -> (%0)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %1 : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::neg(%y)
# CHECK-NEXT:       -> (%1)
# CHECK-NEXT:   return (%a)
graph @joined(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu), %c : bool):
  %a : Tensor = prim::If(%c)
    block0():
      %1 : Tensor = aten::neg(%x)
      -> (%1)
    block1():
      %2 : Tensor = aten::neg(%y)
      -> (%2)
  return (%a)

# A tensor that is reshaped in place has no sizes, nor has a view of it.
# CHECK-LABEL: graph @mutated(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %a : FloatTensor(requires_grad=0, device=cpu) = aten::neg(%x)
# CHECK-NEXT:   %v : FloatTensor(requires_grad=0, device=cpu) = aten::t(%a)
# CHECK-NEXT:   %w : Tensor = aten::unsqueeze_(%a, %0)
# CHECK-NEXT:   %b : FloatTensor(requires_grad=0, device=cpu) = aten::neg(%a)
# CHECK-NEXT:   %c : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::neg(%y)
# CHECK-NEXT:   return (%b, %v, %c)
graph @mutated(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %a : Tensor = aten::neg(%x)
  %v : Tensor = aten::t(%a)
  %w : Tensor = aten::unsqueeze_(%a, %0)
  %b : Tensor = aten::neg(%a)
  %c : Tensor = aten::neg(%y)
  return (%b, %v, %c)

# A loop that changes sizes leaves only what all trips agree on.
# CHECK-LABEL: graph @loop(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %0 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %a : FloatTensor(requires_grad=0, device=cpu) = prim::Loop(%n, %t, %x)
# CHECK-NEXT:     block0(%i : int, %p : FloatTensor(requires_grad=0, device=cpu)):
# CHECK-NEXT:       %1 : FloatTensor(requires_grad=0, device=cpu) = aten::unsqueeze(%p, %0)
# CHECK-NEXT:       -> (%t, %1)
# CHECK-NEXT:   return (%a)
graph @loop(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %n : int):
  %t : bool = prim::Constant[value=1]()
  %0 : int = prim::Constant[value=0]()
  %a : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %p : Tensor):
      %1 : Tensor = aten::unsqueeze(%p, %0)
      -> (%t, %1)
  return (%a)

# What is known of a tensor beforehand is not what the first trip says of it.
# CHECK-LABEL: graph @known(
# CHECK:        %z : FloatTensor(requires_grad=0, device=cpu) = aten::unsqueeze(%p, %last)
graph @known(%x : Float(3, strides=[1], requires_grad=0, device=cpu), %n : int, %t : bool):
  %last : int = prim::Constant[value=-1]()
  %y : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %p : Tensor):
      %z : FloatTensor(requires_grad=0, device=cpu) = aten::unsqueeze(%p, %last)
      -> (%t, %z)
  return (%y)

# A size that the first trip of a loop has is not that of the others, nor is that of a tensor which is made of it.
# NUMBERS-LABEL: graph @grows(
# NUMBERS: prim::Loop
# NUMBERS:       %size : int = aten::size(%a, %0)
# NUMBERS:       %z : FloatTensor(requires_grad=0, device=cpu) = aten::zeros(%sizes,
graph @grows(%x : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu), %n : int):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=4]()
  %t : bool = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %r : Tensor, %s : Tensor = prim::Loop(%n, %t, %x, %x)
    block0(%i : int, %a : Tensor, %b : Tensor):
      %size : int = aten::size(%a, %0)
      %sizes : int[] = prim::ListConstruct(%size, %1)
      %z : Tensor = aten::zeros(%sizes, %none, %none, %none, %none)
      %two : Tensor[] = prim::ListConstruct(%a, %z)
      %c : Tensor = aten::cat(%two, %0)
      -> (%t, %c, %z)
  return (%r, %s)

# A branch that raises says nothing of the variable that it leaves uninitialized.
# CHECK-LABEL: graph @raises(
# CHECK:         %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::If(%flag)
# CHECK:         %z : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::relu(%y)
graph @raises(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %flag : bool):
  %message : str = prim::Constant[value="no"]()
  %none : NoneType = prim::Constant()
  %nothing : Tensor = prim::Uninitialized()
  %y : Tensor = prim::If(%flag)
    block0():
       = prim::RaiseException(%message, %none)
      -> (%nothing)
    block1():
      %a : Tensor = aten::tanh(%x)
      -> (%a)
  %z : Tensor = aten::relu(%y)
  return (%z)

# A result that the program asked a wider type of has the type that the operator gives.
# CHECK-LABEL: graph @narrowed(
# CHECK:         %y : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::relu(%x)
# CHECK:         %n : int = aten::len(%l)
graph @narrowed(%x : Float(2, strides=[1], requires_grad=0, device=cpu), %l : int[]):
  %y : Tensor? = aten::relu(%x)
  %n : Any = aten::len(%l)
  %ys : Tensor?[] = prim::ListConstruct(%y)
  %ns : Any[] = prim::ListConstruct(%n)
  return (%ys, %ns)

# Dtypes and numbers of dimensions follow where sizes do not, and where a part begins says nothing of its sizes; a dtype that a program
# asks for is that of the tensor.
# RANKS-LABEL: graph @parts(
# RANKS:        %a : Float(4, *, strides=[4, 1], requires_grad=0, device=cpu) = aten::slice(%x,
# RANKS-NEXT:   %b : Float(*, strides=[1], requires_grad=0, device=cpu) = aten::select(%a,
# RANKS-NEXT:   %c : Float(*, *, requires_grad=0, device=cpu) = aten::unsqueeze(%b, %n)
# RANKS-NEXT:   %d : Float(*, *, requires_grad=0, device=cpu) = aten::tanh(%c)
# RANKS-NEXT:   %t : int = prim::dtype(%d)
# RANKS-NEXT:   %e : Float(4, 4, {{.*}}requires_grad=0, device=cpu) = aten::to(%y, %t,
# RANKS-NEXT:   %l : Tensor[] = prim::ListConstruct(%d, %e)
# RANKS-NEXT:   %f : FloatTensor(requires_grad=0, device=cpu) = aten::stack(%l, %n)
# RANKS-NEXT:   return (%f)
graph @parts(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Double(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %n : int):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %false : bool = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %a : Tensor = aten::slice(%x, %1, %0, %n, %1)
  %b : Tensor = aten::select(%a, %0, %n)
  %c : Tensor = aten::unsqueeze(%b, %n)
  %d : Tensor = aten::tanh(%c)
  %t : int = prim::dtype(%d)
  %e : Tensor = aten::to(%y, %t, %false, %false, %none)
  %l : Tensor[] = prim::ListConstruct(%d, %e)
  %f : Tensor = aten::stack(%l, %n)
  return (%f)

# An empty list holds nothing that requires a gradient, but what is appended to it may.
# CHECK-LABEL: graph @filled(%x : Float(4, requires_grad=1, device=cpu)):
# CHECK:         %r : Tensor = aten::stack(%l, %0)
# CHECK:         %s : Tensor(requires_grad=0) = aten::stack(%e, %0)
graph @filled(%x : Float(4, requires_grad=1, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %l : Tensor[] = prim::ListConstruct()
  %a : Tensor[] = aten::append(%l, %x)
  %r : Tensor = aten::stack(%l, %0)
  %e : Tensor[] = prim::ListConstruct()
  %s : Tensor = aten::stack(%e, %0)
  return (%r, %s)
