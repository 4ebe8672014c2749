# RUN: ts-opt %s -p ts-constant-propagation -t torchscript | filecheck %s

# Arithmetic of constants, an If with a constant condition, a loop that never runs.
# CHECK-LABEL: graph @folds(%x : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=7]()
# CHECK-NEXT:   %1 : Tensor = aten::add(%x, %x, %0)
# CHECK-NEXT:   return (%1)
graph @folds(%x : Tensor):
  %1 : int = prim::Constant[value=3]()
  %2 : int = prim::Constant[value=4]()
  %0 : int = prim::Constant[value=0]()
  %t : bool = prim::Constant[value=1]()
  %3 : int = aten::add(%1, %2)
  %4 : bool = aten::lt(%1, %2)
  %5 : Tensor = prim::If(%4)
    block0():
      %6 : Tensor = aten::add(%x, %x, %3)
      -> (%6)
    block1():
      -> (%x)
  %7 : Tensor = prim::Loop(%0, %t, %5)
    block0(%i : int, %a : Tensor):
      %8 : Tensor = aten::neg(%a)
      -> (%t, %8)
  return (%7)

# Results that both blocks yield alike, and values that a loop leaves alone.
# CHECK-LABEL: graph @extra(%x : Tensor,
# CHECK-NEXT:       %c : bool,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %0 : int = prim::Constant[value=7]()
# CHECK-NEXT:   %y : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %1 : Tensor = aten::neg(%x)
# CHECK-NEXT:       -> (%1)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%x)
# CHECK-NEXT:   %e : Tensor = prim::Loop(%n, %t, %y)
# CHECK-NEXT:     block0(%i : int, %q : Tensor):
# CHECK-NEXT:       %2 : Tensor = aten::add(%x, %q, %0)
# CHECK-NEXT:       -> (%t, %2)
# CHECK-NEXT:   %3 : Tensor = aten::mul(%x, %e)
# CHECK-NEXT:   return (%3)
graph @extra(%x : Tensor, %c : bool, %n : int):
  %t : bool = prim::Constant[value=1]()
  %a : Tensor, %b : int, %y : Tensor = prim::If(%c)
    block0():
      %1 : int = prim::Constant[value=7]()
      %2 : Tensor = aten::neg(%x)
      -> (%x, %1, %2)
    block1():
      %3 : int = prim::Constant[value=7]()
      -> (%x, %3, %x)
  %d : Tensor, %e : Tensor = prim::Loop(%n, %t, %a, %y)
    block0(%i : int, %p : Tensor, %q : Tensor):
      %4 : Tensor = aten::add(%p, %q, %b)
      -> (%t, %p, %4)
  %5 : Tensor = aten::mul(%d, %e)
  return (%5)

# What fails stays: the program may never come to it.
# CHECK-LABEL: graph @fails(%c : bool):
# CHECK-NEXT:   %0 : int = prim::Constant[value=3]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %2 : int = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %3 : int = aten::floordiv(%0, %1)
# CHECK-NEXT:       -> (%3)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%0)
# CHECK-NEXT:   return (%2)
graph @fails(%c : bool):
  %1 : int = prim::Constant[value=3]()
  %0 : int = prim::Constant[value=0]()
  %2 : int = prim::If(%c)
    block0():
      %3 : int = aten::floordiv(%1, %0)
      -> (%3)
    block1():
      -> (%1)
  return (%2)

# A list that somebody appends to is no constant.
# CHECK-LABEL: graph @mutated():
# CHECK-NEXT:   %0 : int = prim::Constant[value=3]()
# CHECK-NEXT:   %l : int[] = prim::ListConstruct(%0)
# CHECK-NEXT:   %m : int[] = aten::append(%l, %0)
# CHECK-NEXT:   %n : int = aten::len(%l)
# CHECK-NEXT:   return (%n)
graph @mutated():
  %1 : int = prim::Constant[value=3]()
  %l : int[] = prim::ListConstruct(%1)
  %m : int[] = aten::append(%l, %1)
  %n : int = aten::len(%l)
  return (%n)

# The same through another name of the list.
# CHECK-LABEL: graph @aliased(%c : bool):
# CHECK-NEXT:   %0 : int = prim::Constant[value=3]()
# CHECK-NEXT:   %l : int[] = prim::ListConstruct(%0)
# CHECK-NEXT:   %k : int[] = prim::ListConstruct(%0, %0)
# CHECK-NEXT:   %a : int[] = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       -> (%l)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%k)
# CHECK-NEXT:   %m : int[] = aten::append(%a, %0)
# CHECK-NEXT:   %n : int = aten::len(%l)
# CHECK-NEXT:   return (%n)
graph @aliased(%c : bool):
  %1 : int = prim::Constant[value=3]()
  %l : int[] = prim::ListConstruct(%1)
  %k : int[] = prim::ListConstruct(%1, %1)
  %a : int[] = prim::If(%c)
    block0():
      -> (%l)
    block1():
      -> (%k)
  %m : int[] = aten::append(%a, %1)
  %n : int = aten::len(%l)
  return (%n)

# A list is itself, and not another one that holds the same.
# CHECK-LABEL: graph @identity():
# CHECK-NEXT:   %0 : (bool, bool) = prim::Constant[value=(True, False)]()
# CHECK-NEXT:   return (%0)
graph @identity():
  %a : int[] = prim::Constant[value=[1, 2]]()
  %b : int[] = prim::Constant[value=[1, 2]]()
  %c : bool = aten::__is__(%a, %a)
  %d : bool = aten::__is__(%a, %b)
  %e : (bool, bool) = prim::TupleConstruct(%c, %d)
  return (%e)

# What is None in a tuple is of no other type, unless the tuple has names; PyTorch's kernel for devices with a number fails on constants.
# CHECK-LABEL: graph @nones():
# CHECK-NEXT:   %one : int = prim::Constant[value=1]()
# CHECK-NEXT:   %cpu : str = prim::Constant[value="cpu"]()
# CHECK-NEXT:   %0 : NamedTuple(x : int?) = prim::Constant[value=(None,)]()
# CHECK-NEXT:   %1 : (NoneType, int) = prim::Constant[value=(None, 1)]()
# CHECK-NEXT:   %device : Device = aten::device(%cpu, %one)
# CHECK-NEXT:   return (%0, %1, %device)
graph @nones():
  %none : int? = prim::Constant()
  %one : int = prim::Constant[value=1]()
  %cpu : str = prim::Constant[value="cpu"]()
  %named : NamedTuple(x : int?) = prim::TupleConstruct(%none)
  %tuple : (int?, int) = prim::TupleConstruct(%none, %one)
  %device : Device = aten::device(%cpu, %one)
  return (%named, %tuple, %device)
