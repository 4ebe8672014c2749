# RUN: ts-opt %s -p ts-outline-scalar-loops -t torchscript | filecheck %s

# A loop of ints goes into a group, with the constants that it uses; the list is an operand.
# CHECK-LABEL: graph @sum(%x : int[]):
# CHECK:         %n : int = aten::len(%x)
# CHECK-NEXT:    %s : int = prim::ScalarGroup_0(%n, %x)
# CHECK-NEXT:    return (%s)
# CHECK-NEXT:  with prim::ScalarGroup_0 = graph(%n : int,
# CHECK-NEXT:        %x : int[]):
# CHECK-NEXT:    %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:    %zero : int = prim::Constant[value=0]()
# CHECK-NEXT:    %s : int = prim::Loop(%n, %t, %zero)
# CHECK-NEXT:      block0(%i : int, %p : int):
# CHECK-NEXT:        %v : int = aten::__getitem__(%x, %i)
# CHECK-NEXT:        %q : int = aten::add(%p, %v)
# CHECK-NEXT:        -> (%t, %q)
# CHECK-NEXT:    return (%s)
graph @sum(%x : int[]):
  %t : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %n : int = aten::len(%x)
  %s : int = prim::Loop(%n, %t, %zero)
    block0(%i : int, %p : int):
      %v : int = aten::__getitem__(%x, %i)
      %q : int = aten::add(%p, %v)
      -> (%t, %q)
  return (%s)

# The outermost loop that computes nothing but numbers is taken, where another has tensors.
# CHECK-LABEL: graph @nested(%x : Tensor,
# CHECK:         %r : Tensor = prim::Loop(%n, %t, %x)
# CHECK-NEXT:      block0(%i : int, %p : Tensor):
# CHECK-NEXT:        %s : int = prim::ScalarGroup_0(%n)
# CHECK-NEXT:        %q : Tensor = aten::add(%p, %s, %one)
graph @nested(%x : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %r : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %p : Tensor):
      %s : int = prim::Loop(%n, %t, %zero)
        block0(%j : int, %a : int):
          %b : int = prim::Loop(%j, %t, %a)
            block0(%k : int, %c : int):
              %d : int = aten::mul(%c, %k)
              -> (%t, %d)
          -> (%t, %b)
      %q : Tensor = aten::add(%p, %s, %one)
      -> (%t, %q)
  return (%r)

# A loop that appends to a list, and one that gives nothing, stay as they are.
# CHECK-LABEL: graph @others(%x : int[],
# CHECK-NOT:     prim::ScalarGroup
# CHECK:         return (%x)
graph @others(%x : int[], %n : int):
  %t : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %s : int = prim::Loop(%n, %t, %zero)
    block0(%i : int, %p : int):
      %l : int[] = aten::append(%x, %p)
      %q : int = aten::add(%p, %i)
      -> (%t, %q)
   = prim::Loop(%n, %t)
    block0(%j : int):
      %r : int = aten::add(%j, %j)
      -> (%t)
  return (%x)
