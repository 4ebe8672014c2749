# RUN: ts-opt %s -p ts-lower-grad-of -t torchscript | filecheck %s

# Whether the gradient is defined is asked at run time.
# CHECK-LABEL: graph @asked(%g : Tensor,
# CHECK-NEXT:       %x : Tensor):
# CHECK-NEXT:   %0 : bool = prim::AutogradAnyNonZero(%g)
# CHECK-NEXT:   %p : Tensor, %r : Tensor = prim::If(%0)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %q : Tensor = aten::mul(%g, %x)
# CHECK-NEXT:       -> (%q, %g)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %1 : Tensor = prim::AutogradZero()
# CHECK-NEXT:       -> (%1, %1)
# CHECK-NEXT:   return (%p, %r)
graph @asked(%g : Tensor,
      %x : Tensor):
  %p : Tensor, %r : Tensor = prim::GradOf[name="aten::mul"](%g)
    block0():
      %q : Tensor = aten::mul(%g, %x)
      -> (%q, %g)
  return (%p, %r)
