# RUN: ts-opt %s -p ts-propagate-shapes,ts-create-autodiff-subgraphs{threshold=1},ts-differentiate,ts-inline-autodiff-subgraphs -t torchscript | filecheck %s

# A node alone goes back where it came from.
# CHECK-LABEL: graph @small(%x : Float(*, *, requires_grad=1, device=cpu)):
# CHECK-NEXT:   %a : Float(*, *, device=cpu) = aten::tanh(%x)
# CHECK-NEXT:   %n : int = aten::dim(%x)
# CHECK-NEXT:   return (%a, %n)
graph @small(%x : Float(*, *, requires_grad=1, device=cpu)):
  %a : Tensor = aten::tanh(%x)
  %n : int = aten::dim(%x)
  return (%a, %n)

# One that is all of the function stays: calls of it are native.
# CHECK-LABEL: graph @whole(%x : Float(*, *, requires_grad=1, device=cpu)):
# CHECK-NEXT:   %a : Float(*, *, requires_grad=1, device=cpu) = prim::DifferentiableGraph_0(%x)
# CHECK-NEXT:   return (%a)
graph @whole(%x : Float(*, *, requires_grad=1, device=cpu)):
  %a : Tensor = aten::tanh(%x)
  return (%a)

# Two stay.
# CHECK-LABEL: graph @large(%x : Float(*, *, requires_grad=1, device=cpu)):
# CHECK-NEXT:   %b : Float(*, *, requires_grad=1, device=cpu) = prim::DifferentiableGraph_0(%x)
# CHECK-NEXT:   return (%b)
# CHECK-NEXT: with prim::DifferentiableGraph_0 = graph(%x : Float(*, *, requires_grad=0, device=cpu)):
# CHECK-NEXT:   %a : Float(*, *, requires_grad=0, device=cpu) = aten::tanh(%x)
# CHECK-NEXT:   %b : Float(*, *, requires_grad=0, device=cpu) = aten::exp(%a)
# CHECK-NEXT:   return (%b, %a)
graph @large(%x : Float(*, *, requires_grad=1, device=cpu)):
  %a : Tensor = aten::tanh(%x)
  %b : Tensor = aten::exp(%a)
  return (%b)
