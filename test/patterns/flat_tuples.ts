# RUN: ts-opt %s -p ts-lower-all-tuples -t torchscript | filecheck %s

# FlattenTuples, ConstructTupleConstant
# CHECK-LABEL: graph @flat(%0 : Tensor,
# CHECK-NEXT:       %1 : int,
# CHECK-NEXT:       %2 : Tensor,
# CHECK-NEXT:       %c : bool,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %3 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %4 : float = prim::Constant[value=0.5]()
# CHECK-NEXT:   %5 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %6 : Tensor, %7 : int, %8 : Tensor = prim::Loop(%n, %t, %0, %1, %2)
# CHECK-NEXT:     block0(%i : int, %9 : Tensor, %10 : int, %11 : Tensor):
# CHECK-NEXT:       %12 : Tensor, %13 : int, %14 : Tensor = prim::If(%c)
# CHECK-NEXT:         block0():
# CHECK-NEXT:           -> (%0, %1, %2)
# CHECK-NEXT:         block1():
# CHECK-NEXT:           -> (%9, %10, %11)
# CHECK-NEXT:       -> (%t, %12, %13, %14)
# CHECK-NEXT:   return (%6, %7, %8, %3, %4, %5)
graph @flat(%p : (Tensor, (int, Tensor)), %c : bool, %n : int):
  %t : bool = prim::Constant[value=1]()
  %k : (int, (float, int)) = prim::Constant[value=(1, (0.5, 2))]()
  %a : (Tensor, (int, Tensor)) = prim::Loop(%n, %t, %p)
    block0(%i : int, %q : (Tensor, (int, Tensor))):
      %r : (Tensor, (int, Tensor)) = prim::If(%c)
        block0():
          -> (%p)
        block1():
          -> (%q)
      -> (%t, %r)
  return (%a, %k)
