# RUN: ts-opt %s -t torchscript | filecheck %s
# RUN: ts-opt %s --print-debuginfo | ts-opt -t torchscript | filecheck %s

# The text is canonical: what goes in comes out, through MLIR as well.

# CHECK:       graph(%x.1 : Tensor,
# CHECK-NEXT:        %n : int):
# CHECK-NEXT:    %0 : bool = prim::Constant[value=1]() # prog.py:17:4
# CHECK-NEXT:    %1 : int = prim::Constant[value=0]() # prog.py:17:26
# CHECK-NEXT:    %z : Tensor = prim::Loop(%n, %0, %x.1) # prog.py:17:4
# CHECK-NEXT:      block0(%i : int, %z.11 : Tensor):
# CHECK-NEXT:        %z.5 : Tensor = aten::mul(%z.11, %z.11) # prog.py:18:12
# CHECK-NEXT:        %c : bool = aten::lt(%i, %1)
# CHECK-NEXT:        %z.7 : Tensor = prim::If(%c) # a file with spaces.py:19:0
# CHECK-NEXT:          block0():
# CHECK-NEXT:            %m : str = prim::Constant[value="no\n"]()
# CHECK-NEXT:             = prim::RaiseException(%m) # prog.py:20:3
# CHECK-NEXT:            -> (%z.5)
# CHECK-NEXT:          block1():
# CHECK-NEXT:            -> (%z.11)
# CHECK-NEXT:        -> (%0, %z.7)
# CHECK-NEXT:    %t : (Tensor, int) = prim::TupleConstruct(%z, %n)
# CHECK-NEXT:    return (%t)
graph(%x.1 : Tensor,
      %n : int):
  %0 : bool = prim::Constant[value=1]() # prog.py:17:4
  %1 : int = prim::Constant[value=0]() # prog.py:17:26
  %z : Tensor = prim::Loop(%n, %0, %x.1) # prog.py:17:4
    block0(%i : int, %z.11 : Tensor):
      %z.5 : Tensor = aten::mul(%z.11, %z.11) # prog.py:18:12
      %c : bool = aten::lt(%i, %1)
      %z.7 : Tensor = prim::If(%c) # a file with spaces.py:19:0
        block0():
          %m : str = prim::Constant[value="no\n"]()
           = prim::RaiseException(%m) # prog.py:20:3
          -> (%z.5)
        block1():
          -> (%z.11)
      -> (%0, %z.7)
  %t : (Tensor, int) = prim::TupleConstruct(%z, %n)
  return (%t)

# Several functions have names, and sub-graphs of their own under the same names.
# CHECK-NEXT:  graph @g(%x : Tensor):
# CHECK-NEXT:    %y : Tensor = prim::TensorExprGroup_0(%x)
# CHECK-NEXT:    return (%y)
# CHECK-NEXT:  with prim::TensorExprGroup_0 = graph(%a : Tensor):
# CHECK-NEXT:    %b : Tensor = aten::tanh(%a)
# CHECK-NEXT:    return (%b)
graph @g(%x : Tensor):
  %y : Tensor = prim::TensorExprGroup_0(%x)
  return (%y)
with prim::TensorExprGroup_0 = graph(%a : Tensor):
  %b : Tensor = aten::tanh(%a)
  return (%b)

# CHECK-NEXT:  graph @h(%x : Tensor):
# CHECK-NEXT:    %y : Tensor = prim::DifferentiableGraph_0(%x)
# CHECK-NEXT:    %z : Tensor = prim::TensorExprGroup_0(%y)
# CHECK-NEXT:    return (%z)
# CHECK-NEXT:  with prim::DifferentiableGraph_0 = graph(%a : Tensor):
# CHECK-NEXT:    %b : Tensor = prim::TensorExprGroup_1(%a)
# CHECK-NEXT:    return (%b)
# CHECK-NEXT:  with prim::TensorExprGroup_1 = graph(%c : Tensor):
# CHECK-NEXT:    %d : Tensor = aten::relu(%c)
# CHECK-NEXT:    return (%d)
# CHECK-NEXT:  with prim::TensorExprGroup_0 = graph(%e : Tensor):
# CHECK-NEXT:    %f : Tensor = aten::sigmoid(%e)
# CHECK-NEXT:    return (%f)
graph @h(%x : Tensor):
  %y : Tensor = prim::DifferentiableGraph_0(%x)
  %z : Tensor = prim::TensorExprGroup_0(%y)
  return (%z)
with prim::DifferentiableGraph_0 = graph(%a : Tensor):
  %b : Tensor = prim::TensorExprGroup_1(%a)
  return (%b)
with prim::TensorExprGroup_1 = graph(%c : Tensor):
  %d : Tensor = aten::relu(%c)
  return (%d)
with prim::TensorExprGroup_0 = graph(%e : Tensor):
  %f : Tensor = aten::sigmoid(%e)
  return (%f)

# Scopes of a tracer stay, signs after the results are read over; calls of functions keep their names.
# CHECK-NEXT:  graph @traced(%x : Float(2, strides=[1], requires_grad=0, device=cpu)):
# CHECK-NEXT:    %0 : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::relu(%x), scope: __module.fc # t.py:1:2
# CHECK-NEXT:    %f : Function = prim::Constant[name="g"]()
# CHECK-NEXT:    %1 : Tensor = prim::CallFunction(%f, %0)
# CHECK-NEXT:    %2 : Tensor = foo::custom[level=3, names=["a", "b"], scale=0.5, types=int[]](%1)
# CHECK-NEXT:    return (%2)
graph @traced(%x : Float(2, strides=[1], requires_grad=0, device=cpu)):
  %0 : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::relu(%x), scope: __module.fc # t.py:1:2
  %f : Function = prim::Constant[name="g"]()
  %1 : Tensor = prim::CallFunction(%f, %0)
  %2 : Tensor = foo::custom[level=3, names=["a", "b"], scale=0.5, types=int[]](%1)
  return (%2);
