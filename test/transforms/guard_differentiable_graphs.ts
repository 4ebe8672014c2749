# RUN: ts-opt %s -p ts-guard-differentiable-graphs -t torchscript | filecheck %s

# What requires gradients is checked; otherwise the nodes run as they stand.
# CHECK-LABEL: graph @guarded(%x : Float(3, strides=[1], requires_grad=1, device=cpu),
# CHECK-NEXT:       %y : Float(3, strides=[1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : Float(3, strides=[1], requires_grad=1, device=cpu), %1 : Float(3, strides=[1], requires_grad=0, device=cpu), %2 : bool = prim::RequiresGradCheck(%x, %y)
# CHECK-NEXT:   %z : Tensor = prim::If(%2)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %z.1 : Float(3, strides=[1], requires_grad=1, device=cpu) = prim::DifferentiableGraph_0(%0, %1)
# CHECK-NEXT:       -> (%z.1)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %3 : Tensor = prim::FallbackGraph_0(%x, %y)
# CHECK-NEXT:       -> (%3)
# CHECK-NEXT:   return (%z)
# CHECK-NEXT: with prim::DifferentiableGraph_0 = graph(%x : Float(3, strides=[1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(3, strides=[1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %a : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::mul(%x, %y)
# CHECK-NEXT:   %b : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::tanh(%a)
# CHECK-NEXT:   return (%b)
# CHECK-NEXT: with prim::FallbackGraph_0 = graph(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %a : Tensor = aten::mul(%x, %y)
# CHECK-NEXT:   %b : Tensor = aten::tanh(%a)
# CHECK-NEXT:   return (%b)
graph @guarded(%x : Float(3, strides=[1], requires_grad=1, device=cpu), %y : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %z : Float(3, strides=[1], requires_grad=1, device=cpu) = prim::DifferentiableGraph_0(%x, %y)
  return (%z)
with prim::DifferentiableGraph_0 = graph(%x : Float(3, strides=[1], requires_grad=0, device=cpu),
      %y : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %a : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::mul(%x, %y)
  %b : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::tanh(%a)
  return (%b)

# A graph without differentiable graphs stays as it is.
# CHECK-LABEL: graph @plain(%x : Tensor):
# CHECK-NEXT:   %a : Tensor = aten::tanh(%x)
# CHECK-NEXT:   return (%a)
graph @plain(%x : Tensor):
  %a : Tensor = aten::tanh(%x)
  return (%a)
