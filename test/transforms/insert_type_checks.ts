# RUN: ts-opt %s -p ts-propagate-shapes,ts-fuse-tensorexprs,ts-insert-type-checks -t torchscript | filecheck %s

# A group runs where its types fit, its nodes elsewhere.
# CHECK-LABEL: graph @guarded(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %1 : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %2 : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %3 : bool = prim::TypeCheck(%x, %y)
# CHECK-NEXT:   %b : Tensor = prim::If(%3)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %b.1 : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::TensorExprGroup_0(%1, %2)
# CHECK-NEXT:       -> (%b.1)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %4 : Tensor = prim::FallbackGraph_0(%x, %y)
# CHECK-NEXT:       -> (%4)
# CHECK-NEXT:   return (%b)
# CHECK-NEXT: with prim::TensorExprGroup_0 = graph(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::add(%x, %y, %0)
# CHECK-NEXT:   %b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%a)
# CHECK-NEXT:   return (%b)
# CHECK-NEXT: with prim::FallbackGraph_0 = graph(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Tensor = aten::add(%x, %y, %0)
# CHECK-NEXT:   %b : Tensor = aten::tanh(%a)
# CHECK-NEXT:   return (%b)
graph @guarded(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %y, %1)
  %b : Tensor = aten::tanh(%a)
  return (%b)

# A write between two groups stays between their guards.
# CHECK-LABEL: graph @mutated(%x : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %1 : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %2 : bool = prim::TypeCheck(%x)
# CHECK-NEXT:   %b : Tensor = prim::If(%2)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %b.1 : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::TensorExprGroup_0(%1)
# CHECK-NEXT:       -> (%b.1)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %3 : Tensor = prim::FallbackGraph_0(%x)
# CHECK-NEXT:       -> (%3)
# CHECK-NEXT:   %w : Tensor = aten::add_(%x, %0, %0)
# CHECK-NEXT:   %4 : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %5 : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %6 : bool = prim::TypeCheck(%b, %x)
# CHECK-NEXT:   %d : Tensor = prim::If(%6)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %d.1 : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::TensorExprGroup_1(%4, %5)
# CHECK-NEXT:       -> (%d.1)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %7 : Tensor = prim::FallbackGraph_1(%b, %x)
# CHECK-NEXT:       -> (%7)
# CHECK-NEXT:   return (%d)
# CHECK-NEXT: with prim::TensorExprGroup_0 = graph(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %a : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::neg(%x)
# CHECK-NEXT:   %b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%a)
# CHECK-NEXT:   return (%b)
# CHECK-NEXT: with prim::FallbackGraph_0 = graph(%x : Tensor):
# CHECK-NEXT:   %a : Tensor = aten::neg(%x)
# CHECK-NEXT:   %b : Tensor = aten::tanh(%a)
# CHECK-NEXT:   return (%b)
# CHECK-NEXT: with prim::TensorExprGroup_1 = graph(%b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %c : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::mul(%b, %x)
# CHECK-NEXT:   %d : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%c)
# CHECK-NEXT:   return (%d)
# CHECK-NEXT: with prim::FallbackGraph_1 = graph(%b : Tensor,
# CHECK-NEXT:       %x : Tensor):
# CHECK-NEXT:   %c : Tensor = aten::mul(%b, %x)
# CHECK-NEXT:   %d : Tensor = aten::tanh(%c)
# CHECK-NEXT:   return (%d)
graph @mutated(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::tanh(%a)
  %w : Tensor = aten::add_(%x, %1, %1)
  %c : Tensor = aten::mul(%b, %x)
  %d : Tensor = aten::tanh(%c)
  return (%d)
