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
# CHECK-NEXT:       %4 : Function = prim::Constant[name="fallback_function", fallback=1]()
# CHECK-NEXT:       %5 : (Tensor) = prim::CallFunction(%4, %x, %y)
# CHECK-NEXT:       %6 : Tensor = prim::TupleUnpack(%5)
# CHECK-NEXT:       -> (%6)
# CHECK-NEXT:   return (%b)
# CHECK-NEXT: with prim::TensorExprGroup_0 = graph(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::add(%x, %y, %0)
# CHECK-NEXT:   %b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%a)
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
# CHECK-NEXT:       %3 : Function = prim::Constant[name="fallback_function", fallback=1]()
# CHECK-NEXT:       %4 : (Tensor) = prim::CallFunction(%3, %x)
# CHECK-NEXT:       %5 : Tensor = prim::TupleUnpack(%4)
# CHECK-NEXT:       -> (%5)
# CHECK-NEXT:   %w : Tensor = aten::add_(%x, %0, %0)
# CHECK-NEXT:   %6 : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %7 : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %8 : bool = prim::TypeCheck(%b, %x)
# CHECK-NEXT:   %d : Tensor = prim::If(%8)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %d.1 : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::TensorExprGroup_1(%6, %7)
# CHECK-NEXT:       -> (%d.1)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %9 : Function = prim::Constant[name="fallback_function", fallback=1]()
# CHECK-NEXT:       %10 : (Tensor) = prim::CallFunction(%9, %b, %x)
# CHECK-NEXT:       %11 : Tensor = prim::TupleUnpack(%10)
# CHECK-NEXT:       -> (%11)
# CHECK-NEXT:   return (%d)
# CHECK-NEXT: with prim::TensorExprGroup_0 = graph(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %a : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::neg(%x)
# CHECK-NEXT:   %b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%a)
# CHECK-NEXT:   return (%b)
# CHECK-NEXT: with prim::TensorExprGroup_1 = graph(%b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %c : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::mul(%b, %x)
# CHECK-NEXT:   %d : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%c)
# CHECK-NEXT:   return (%d)
graph @mutated(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::tanh(%a)
  %w : Tensor = aten::add_(%x, %1, %1)
  %c : Tensor = aten::mul(%b, %x)
  %d : Tensor = aten::tanh(%c)
  return (%d)

# The functions that the pass adds.
# CHECK-LABEL: graph @fallback_function_0(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Tensor = aten::add(%x, %y, %0)
# CHECK-NEXT:   %b : Tensor = aten::tanh(%a)
# CHECK-NEXT:   %1 : (Tensor) = prim::TupleConstruct(%b)
# CHECK-NEXT:   return (%1)
# CHECK-LABEL: graph @fallback_function_1(%x : Tensor):
# CHECK-NEXT:   %a : Tensor = aten::neg(%x)
# CHECK-NEXT:   %b : Tensor = aten::tanh(%a)
# CHECK-NEXT:   %0 : (Tensor) = prim::TupleConstruct(%b)
# CHECK-NEXT:   return (%0)
# CHECK-LABEL: graph @fallback_function_2(%b : Tensor,
# CHECK-NEXT:       %x : Tensor):
# CHECK-NEXT:   %c : Tensor = aten::mul(%b, %x)
# CHECK-NEXT:   %d : Tensor = aten::tanh(%c)
# CHECK-NEXT:   %0 : (Tensor) = prim::TupleConstruct(%d)
# CHECK-NEXT:   return (%0)
