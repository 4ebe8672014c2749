# RUN: ts-opt %s -p ts-specialize-autogradzero -t torchscript | filecheck %s

# All gradients are defined.
# CHECK-LABEL: graph @defined(%g : Float(*, *, requires_grad=0, device=cpu),
# CHECK-NEXT:       %h : Float(*, *, requires_grad=0, device=cpu),
# CHECK-NEXT:       %x : Float(*, *, requires_grad=0, device=cpu)):
# CHECK-NEXT:   %q : Tensor = aten::mul(%g, %x)
# CHECK-NEXT:   %0 : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %2 : Tensor = aten::add(%q, %h, %1)
# CHECK-NEXT:   %u : Tensor = aten::mul(%2, %x)
# CHECK-NEXT:   return (%u, %0)
graph @defined(%g : Float(*, *, requires_grad=0, device=cpu),
      %h : Float(*, *, requires_grad=0, device=cpu),
      %x : Float(*, *, requires_grad=0, device=cpu)):
  %p : Tensor = prim::GradOf[name="aten::mul"](%g)
    block0():
      %q : Tensor = aten::mul(%g, %x)
      -> (%q)
  %any : bool = prim::AutogradAnyNonZero(%h)
  %s : Tensor = prim::AutogradAdd(%p, %h)
  %t : Tensor = prim::GradOf[name="aten::tanh"](%s)
    block0():
      %u : Tensor = aten::mul(%s, %x)
      -> (%u)
  return (%t, %any)

# One is not: the sum is the other.
# CHECK-LABEL: graph @one_undefined(%g : NoneType,
# CHECK-NEXT:       %h : Float(*, *, requires_grad=0, device=cpu),
# CHECK-NEXT:       %x : Float(*, *, requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : Tensor = prim::AutogradZero()
# CHECK-NEXT:   %1 : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %u : Tensor = aten::mul(%h, %x)
# CHECK-NEXT:   return (%u, %1)
graph @one_undefined(%g : NoneType,
      %h : Float(*, *, requires_grad=0, device=cpu),
      %x : Float(*, *, requires_grad=0, device=cpu)):
  %p : Tensor = prim::GradOf[name="aten::mul"](%g)
    block0():
      %q : Tensor = aten::mul(%g, %x)
      -> (%q)
  %any : bool = prim::AutogradAnyNonZero(%h)
  %s : Tensor = prim::AutogradAdd(%p, %h)
  %t : Tensor = prim::GradOf[name="aten::tanh"](%s)
    block0():
      %u : Tensor = aten::mul(%s, %x)
      -> (%u)
  return (%t, %any)

# None is: neither is what is computed of them.
# CHECK-LABEL: graph @undefined(%g : NoneType,
# CHECK-NEXT:       %h : NoneType,
# CHECK-NEXT:       %x : Float(*, *, requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : Tensor = prim::AutogradZero()
# CHECK-NEXT:   %1 : bool = prim::Constant[value=0]()
# CHECK-NEXT:   %2 : Tensor = prim::AutogradZero()
# CHECK-NEXT:   return (%2, %1)
graph @undefined(%g : NoneType,
      %h : NoneType,
      %x : Float(*, *, requires_grad=0, device=cpu)):
  %p : Tensor = prim::GradOf[name="aten::mul"](%g)
    block0():
      %q : Tensor = aten::mul(%g, %x)
      -> (%q)
  %any : bool = prim::AutogradAnyNonZero(%h)
  %s : Tensor = prim::AutogradAdd(%p, %h)
  %t : Tensor = prim::GradOf[name="aten::tanh"](%s)
    block0():
      %u : Tensor = aten::mul(%s, %x)
      -> (%u)
  return (%t, %any)
