# RUN: ts-opt %s -p ts-lower-fallback-graphs -t torchscript | filecheck %s

# A fallback becomes a function and its call.
# CHECK-LABEL: graph @lowered(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %a : Tensor, %b : bool = prim::TypeCheck(%x)
# CHECK-NEXT:   %c : Tensor = prim::If(%b)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %d : Tensor = aten::mul(%a, %y)
# CHECK-NEXT:       -> (%d)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %0 : Function = prim::Constant[name="fallback_function", fallback=1]()
# CHECK-NEXT:       %1 : (Tensor) = prim::CallFunction(%0, %x, %y)
# CHECK-NEXT:       %2 : Tensor = prim::TupleUnpack(%1)
# CHECK-NEXT:       -> (%2)
# CHECK-NEXT:   return (%c)
graph @lowered(%x : Tensor, %y : Tensor):
  %a : Tensor, %b : bool = prim::TypeCheck(%x)
  %c : Tensor = prim::If(%b)
    block0():
      %d : Tensor = aten::mul(%a, %y)
      -> (%d)
    block1():
      %e : Tensor = prim::FallbackGraph_0(%x, %y)
      -> (%e)
  return (%c)
with prim::FallbackGraph_0 = graph(%x : Tensor,
      %y : Tensor):
  %a : Tensor = aten::mul(%x, %y)
  return (%a)

# A graph without fallbacks stays as it is.
# CHECK-LABEL: graph @plain(%x : Tensor):
# CHECK-NEXT:   %a : Tensor = aten::tanh(%x)
# CHECK-NEXT:   return (%a)
graph @plain(%x : Tensor):
  %a : Tensor = aten::tanh(%x)
  return (%a)

# The function that the pass adds.
# CHECK-LABEL: graph @fallback_function_0(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %a : Tensor = aten::mul(%x, %y)
# CHECK-NEXT:   %0 : (Tensor) = prim::TupleConstruct(%a)
# CHECK-NEXT:   return (%0)
