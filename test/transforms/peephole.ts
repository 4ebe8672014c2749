# RUN: ts-opt %s -p ts-peephole -t torchscript | filecheck %s
# RUN: ts-opt %s -p "ts-peephole{disable_shape_peepholes=true}" -t torchscript | filecheck %s --check-prefix OFF

# Patterns are applied until none fires; each has a test of its own in ../patterns.
# CHECK-LABEL: graph @together(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %0 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %2 : Tensor = aten::sub(%x, %0, %1)
# CHECK-NEXT:   %3 : int = prim::Constant[value=4]()
# CHECK-NEXT:   %4 : int = aten::add(%n, %3)
# CHECK-NEXT:   %5 : Tensor = aten::mul(%2, %4)
# CHECK-NEXT:   return (%5)
# OFF-LABEL: graph @together
# OFF:         %2 : Tensor = aten::mul(%x, %1)
# OFF:         aten::dim(%x)
graph @together(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %n : int):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::mul(%x, %1)
  %3 : Tensor = aten::sub(%2, %0, %1)
  %4 : Tensor = aten::t(%3)
  %5 : Tensor = aten::t(%4)
  %l : Tensor[] = prim::ListConstruct(%5, %x)
  %6 : Tensor = aten::__getitem__(%l, %0)
  %7 : int = aten::dim(%x)
  %8 : int = aten::len(%l)
  %9 : int = aten::add(%7, %n)
  %10 : int = aten::add(%9, %8)
  %11 : Tensor = aten::mul(%6, %10)
  return (%11)

# A copy that is returned beside the original stays a copy, and so does one of a copy.
# CHECK-LABEL: graph @aliased(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %1 : Tensor = aten::mul(%x, %0)
# CHECK-NEXT:   %2 : Tensor = aten::mul(%1, %0)
# CHECK-NEXT:   return (%2, %1, %x)
graph @aliased(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::mul(%x, %1)
  %3 : Tensor = aten::mul(%2, %1)
  return (%3, %2, %x)
