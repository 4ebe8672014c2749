# RUN: ts-opt %s -p ts-peephole -t torchscript | filecheck %s

# IntOfInt, EqualToItself
# CHECK-LABEL: graph @itself(%i : int,
# CHECK-NEXT:       %b : bool,
# CHECK-NEXT:       %l : int[]):
# CHECK-NEXT:   %0 : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %1 : bool = prim::Constant[value=0]()
# CHECK-NEXT:   %2 : bool = prim::Constant[value=1]()
# CHECK-NEXT:   return (%i, %0, %1, %2)
graph @itself(%i : int, %b : bool, %l : int[]):
  %0 : int = aten::Int(%i)
  %1 : int = aten::ceil(%0)
  %2 : bool = aten::eq(%i, %i)
  %3 : bool = aten::ne(%b, %b)
  %4 : bool = aten::eq(%l, %l)
  return (%1, %2, %3, %4)

# A NaN does not equal itself, and other numbers are rounded.
# CHECK-LABEL: graph @not_itself(%f : float,
# CHECK-NEXT:       %i : int,
# CHECK-NEXT:       %j : int):
# CHECK-NEXT:   %0 : bool = aten::eq(%f, %f)
# CHECK-NEXT:   %1 : int = aten::Int(%f)
# CHECK-NEXT:   %2 : bool = aten::eq(%i, %j)
# CHECK-NEXT:   return (%0, %1, %2)
graph @not_itself(%f : float, %i : int, %j : int):
  %0 : bool = aten::eq(%f, %f)
  %1 : int = aten::Int(%f)
  %2 : bool = aten::eq(%i, %j)
  return (%0, %1, %2)

# ConstantToTheRight, IntTimesOne, IntPlusZero, AddIntConstants
# CHECK-LABEL: graph @neutral(%i : int):
# CHECK-NEXT:   %three : int = prim::Constant[value=3]()
# CHECK-NEXT:   %0 : int = prim::Constant[value=-2]()
# CHECK-NEXT:   %1 : int = aten::sub(%i, %0)
# CHECK-NEXT:   %2 : int = aten::mul(%i, %three)
# CHECK-NEXT:   return (%1, %2)
graph @neutral(%i : int):
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %three : int = prim::Constant[value=3]()
  %0 : int = aten::mul(%one, %i)
  %1 : int = aten::floordiv(%0, %one)
  %2 : int = aten::sub(%1, %zero)
  %3 : int = aten::add(%three, %2)
  %4 : int = aten::sub(%3, %one)
  %5 : int = aten::mul(%three, %i)
  return (%4, %5)

# `i / 1` is a float, `-0.0 + 0.0` is no `-0.0`, `1 - i` is no `i - 1`, and constants that together are no int of 64 bits stay apart.
# CHECK-LABEL: graph @stays(%i : int,
# CHECK-NEXT:       %f : float):
# CHECK-NEXT:   %one : int = prim::Constant[value=1]()
# CHECK-NEXT:   %zero : float = prim::Constant[value=0.]()
# CHECK-NEXT:   %most : int = prim::Constant[value=9223372036854775807]()
# CHECK-NEXT:   %0 : float = aten::div(%i, %one)
# CHECK-NEXT:   %1 : float = aten::add(%f, %zero)
# CHECK-NEXT:   %2 : int = aten::sub(%one, %i)
# CHECK-NEXT:   %3 : int = aten::add(%i, %most)
# CHECK-NEXT:   %4 : int = aten::add(%3, %one)
# CHECK-NEXT:   return (%0, %1, %2, %4)
graph @stays(%i : int, %f : float):
  %one : int = prim::Constant[value=1]()
  %zero : float = prim::Constant[value=0.]()
  %most : int = prim::Constant[value=9223372036854775807]()
  %0 : float = aten::div(%i, %one)
  %1 : float = aten::add(%f, %zero)
  %2 : int = aten::sub(%one, %i)
  %3 : int = aten::add(%i, %most)
  %4 : int = aten::add(%3, %one)
  return (%0, %1, %2, %4)
