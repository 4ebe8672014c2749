# RUN: ts-opt %s -p ts-propagate-shapes,ts-create-autodiff-subgraphs,ts-differentiate,ts-inline-autodiff-subgraphs{threshold=3} -t torchscript | filecheck %s

# Two nodes go back where they came from.
# CHECK-LABEL: graph @small(%x : Float(*, *, requires_grad=1, device=cpu)):
# CHECK-NEXT:   %a : Float(*, *, device=cpu) = aten::tanh(%x)
# CHECK-NEXT:   %b : Float(*, *, device=cpu) = aten::exp(%a)
# CHECK-NEXT:   return (%b)
graph @small(%x : Float(*, *, requires_grad=1, device=cpu)):
  %a : Tensor = aten::tanh(%x)
  %b : Tensor = aten::exp(%a)
  return (%b)

# Three stay.
# CHECK-LABEL: graph @large(%x : Float(*, *, requires_grad=1, device=cpu)):
# CHECK-NEXT:   %c : Float(*, *, requires_grad=1, device=cpu) = prim::DifferentiableGraph_0(%x)
# CHECK-NEXT:   return (%c)
# CHECK-NEXT: with prim::DifferentiableGraph_0 = graph(%x : Float(*, *, requires_grad=0, device=cpu)):
# CHECK-NEXT:   %a : Float(*, *, requires_grad=0, device=cpu) = aten::tanh(%x)
# CHECK-NEXT:   %b : Float(*, *, requires_grad=0, device=cpu) = aten::exp(%a)
# CHECK-NEXT:   %c : Float(*, *, requires_grad=0, device=cpu) = aten::sin(%b)
# CHECK-NEXT:   return (%c, %b, %a)
graph @large(%x : Float(*, *, requires_grad=1, device=cpu)):
  %a : Tensor = aten::tanh(%x)
  %b : Tensor = aten::exp(%a)
  %c : Tensor = aten::sin(%b)
  return (%c)
