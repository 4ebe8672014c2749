# RUN: ts-opt %s -p ts-peephole -t torchscript | filecheck %s

# ExpandToOwnSize, TypeAsOwnType
# CHECK-LABEL: graph @itself(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : Tensor = aten::mul(%x, %y)
# CHECK-NEXT:   return (%0)
graph @itself(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %false : bool = prim::Constant[value=0]()
  %sizes : int[] = prim::Constant[value=[4, 4]]()
  %0 : Tensor = aten::expand(%x, %sizes, %false)
  %1 : Tensor = aten::type_as(%0, %y)
  %2 : Tensor = aten::mul(%1, %y)
  return (%2)

# SizesOfKnown, SizeOfKnown, DimOfKnown, LenOfSizes
# CHECK-LABEL: graph @sizes(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(*, 3, device=cpu)):
# CHECK-NEXT:   %0 : int[] = prim::Constant[value=[4, 4]]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=3]()
# CHECK-NEXT:   %2 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %3 : int = prim::Constant[value=2]()
# CHECK-NEXT:   return (%0, %1, %2, %3)
graph @sizes(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(*, 3, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %0 : int[] = aten::size(%x)
  %1 : int = aten::size(%y, %one)
  %2 : int = aten::dim(%y)
  %3 : int[] = aten::size(%y)
  %4 : int = aten::len(%3)
  return (%0, %1, %2, %4)

# SizesOfOtherRanks: nothing is said of those of one rank.
# CHECK-LABEL: graph @ranks(%x : Float(*, *),
# CHECK-NEXT:       %y : Long(*),
# CHECK-NEXT:       %z : Long(*)):
# CHECK:         %[[NO:.*]] : bool = prim::Constant[value=0]()
# CHECK-NEXT:    %[[YES:.*]] : bool = prim::Constant[value=1]()
# CHECK-NEXT:    %[[ASKED:.*]] : bool = aten::eq(%{{.*}}, %{{.*}})
# CHECK-NEXT:    return (%[[NO]], %[[YES]], %[[ASKED]])
graph @ranks(%x : Float(*, *), %y : Long(*), %z : Long(*)):
  %0 : int[] = aten::size(%x)
  %1 : int[] = aten::size(%y)
  %5 : int[] = aten::size(%z)
  %2 : bool = aten::eq(%0, %1)
  %3 : bool = aten::ne(%0, %1)
  %4 : bool = aten::eq(%1, %5)
  return (%2, %3, %4)

# DtypeOfKnown, IsFloatingPointOfKnown, IsComplexOfKnown, DeviceOfKnown, LayoutOfKnown, IsOnDevice
# CHECK-LABEL: graph @kinds(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=6]()
# CHECK-NEXT:   %1 : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %2 : bool = prim::Constant[value=0]()
# CHECK-NEXT:   %3 : Device = prim::Constant[value="cpu"]()
# CHECK-NEXT:   %4 : bool = prim::Constant[value=0]()
# CHECK-NEXT:   %5 : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %6 : int = prim::Constant[value=0]()
# CHECK-NEXT:   return (%0, %1, %2, %3, %4, %5, %6)
graph @kinds(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::dtype(%x)
  %1 : bool = aten::is_floating_point(%x)
  %2 : bool = aten::is_complex(%x)
  %3 : Device = prim::device(%x)
  %4 : bool = prim::is_cuda(%x)
  %5 : bool = prim::is_cpu(%x)
  %6 : int = prim::layout(%x)
  return (%0, %1, %2, %3, %4, %5, %6)

# What the type does not say is asked at run time.
# CHECK-LABEL: graph @unknown(%x : Tensor,
# CHECK-NEXT:       %y : Float(*, 3, device=cpu)):
# CHECK-NEXT:   %zero : int = prim::Constant[value=0]()
# CHECK-NEXT:   %0 : int = aten::dim(%x)
# CHECK-NEXT:   %1 : int = prim::dtype(%x)
# CHECK-NEXT:   %2 : int = aten::size(%y, %zero)
# CHECK-NEXT:   %3 : int[] = aten::size(%y)
# CHECK-NEXT:   return (%0, %1, %2, %3)
graph @unknown(%x : Tensor, %y : Float(*, 3, device=cpu)):
  %zero : int = prim::Constant[value=0]()
  %0 : int = aten::dim(%x)
  %1 : int = prim::dtype(%x)
  %2 : int = aten::size(%y, %zero)
  %3 : int[] = aten::size(%y)
  return (%0, %1, %2, %3)

# A tensor may be transposed in place, and a list that somebody appends to is no constant.
# CHECK-LABEL: graph @mutated(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %zero : int = prim::Constant[value=0]()
# CHECK-NEXT:   %one : int = prim::Constant[value=1]()
# CHECK-NEXT:   %w : Tensor = aten::t_(%x)
# CHECK-NEXT:   %0 : int = aten::size(%x, %zero)
# CHECK-NEXT:   %1 : int = aten::dim(%x)
# CHECK-NEXT:   %2 : int[] = aten::size(%y)
# CHECK-NEXT:   %3 : int[] = aten::append(%2, %one)
# CHECK-NEXT:   return (%0, %1, %2)
graph @mutated(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %w : Tensor = aten::t_(%x)
  %0 : int = aten::size(%x, %zero)
  %1 : int = aten::dim(%x)
  %2 : int[] = aten::size(%y)
  %3 : int[] = aten::append(%2, %one)
  return (%0, %1, %2)

# Who writes elements alone leaves the shape, and an argument `out` may get another one.
# CHECK-LABEL: graph @elements(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %w : Tensor = aten::relu_(%x)
# CHECK-NEXT:   %0 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=6]()
# CHECK-NEXT:   return (%0, %1)
graph @elements(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %w : Tensor = aten::relu_(%x)
  %0 : int = aten::dim(%x)
  %1 : int = prim::dtype(%x)
  return (%0, %1)

# CHECK-LABEL: graph @out(
# CHECK:        aten::neg
# CHECK-NEXT:   %0 : int = aten::dim(%x)
# CHECK-NEXT:   return (%0)
graph @out(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(2, device=cpu)):
  %w : Tensor = aten::neg(%y, %x)
  %0 : int = aten::dim(%x)
  return (%0)

# What a call does with its operands nobody knows.
# CHECK-LABEL: graph @given(
# CHECK:        %1 : int = aten::dim(%x)
# CHECK-NEXT:   return (%1)
graph @given(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %g : Function = prim::Constant[name="elements"]()
  %0 : Tensor = prim::CallFunction(%g, %x)
  %1 : int = aten::dim(%x)
  return (%1)
