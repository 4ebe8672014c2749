# RUN: ts-opt %s -t torchscript | filecheck %s
# RUN: ts-opt %s | ts-opt -t torchscript | filecheck %s

# The shape of a graph that the profiling executor of PyTorch 1.7 optimized ('Optimizing models using the PyTorch JIT'):
# a check of the types, a fusion group, and a function to fall back to.

# CHECK:      graph(%w1.1 : Tensor,
# CHECK-NEXT:       %h1.1 : Tensor):
# CHECK-NEXT:   %0 : Float(100, 1000, strides=[1000, 1], requires_grad=0, device=cuda:0), %1 : Float(100, 1000, strides=[1000, 1], requires_grad=0, device=cuda:0), %2 : bool = prim::TypeCheck(%w1.1, %h1.1)
# CHECK-NEXT:   %3 : Tensor = prim::If(%2)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %4 : Float(100, 1000, strides=[1000, 1], requires_grad=0, device=cuda:0) = prim::TensorExprGroup_0(%0, %1)
# CHECK-NEXT:       -> (%4)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %5 : Function = prim::Constant[name="fallback_function", fallback=1]()
# CHECK-NEXT:       %6 : (Tensor) = prim::CallFunction(%5, %w1.1, %h1.1)
# CHECK-NEXT:       %7 : Tensor = prim::TupleUnpack(%6)
# CHECK-NEXT:       -> (%7)
# CHECK-NEXT:   %8 : int[] = prim::BroadcastSizes(%3, %3)
# CHECK-NEXT:   return (%3)
# CHECK-NEXT: with prim::TensorExprGroup_0 = graph(%w : Float(100, 1000, strides=[1000, 1], requires_grad=0, device=cuda:0),
# CHECK-NEXT:       %h : Float(100, 1000, strides=[1000, 1], requires_grad=0, device=cuda:0)):
# CHECK-NEXT:   %one : int = prim::Constant[value=1]()
# CHECK-NEXT:   %area.1 : Float(100, 1000, strides=[1000, 1], requires_grad=0, device=cuda:0) = aten::mul(%w, %h)
# CHECK-NEXT:   return (%area.1)
graph(%w1.1 : Tensor,
      %h1.1 : Tensor):
  %118 : Float(100, 1000, strides=[1000, 1], requires_grad=0, device=cuda:0), %119 : Float(100, 1000, strides=[1000, 1], requires_grad=0, device=cuda:0), %120 : bool = prim::TypeCheck(%w1.1, %h1.1)
  %121 : Tensor = prim::If(%120)
    block0():
      %68 : Float(100, 1000, strides=[1000, 1], requires_grad=0, device=cuda:0) = prim::TensorExprGroup_0(%118, %119)
      -> (%68)
    block1():
      %146 : Function = prim::Constant[name="fallback_function", fallback=1]()
      %147 : (Tensor) = prim::CallFunction(%146, %w1.1, %h1.1)
      %148 : Tensor = prim::TupleUnpack(%147)
      -> (%148)
  %900 : int[] = prim::BroadcastSizes(%121, %121)
  return (%121)
with prim::TensorExprGroup_0 = graph(%w : Float(100, 1000, strides=[1000, 1], requires_grad=0, device=cuda:0),
      %h : Float(100, 1000, strides=[1000, 1], requires_grad=0, device=cuda:0)):
  %one : int = prim::Constant[value=1]()
  %area.1 : Float(100, 1000, strides=[1000, 1], requires_grad=0, device=cuda:0) = aten::mul(%w, %h) # <ipython-input-12>:5:13
  return (%area.1)
