# RUN: ts-opt %s -p ts-use-numbers -t torchscript | filecheck %s

# A constant tensor without dimensions becomes a number, whatever dtype results.
# CHECK-LABEL: graph @number(%x : Tensor,
# CHECK:        %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %h : Double(requires_grad=0, device=cpu) = prim::Constant[value={0.5}]()
# CHECK-NEXT:   %1 : Tensor = prim::If(%b)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %2 : float = prim::Constant[value=0.5]()
# CHECK-NEXT:       %3 : Tensor = aten::add(%x, %2, %0)
# CHECK-NEXT:       -> (%3)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %4 : float = prim::Constant[value=0.5]()
# CHECK-NEXT:       %5 : Tensor = aten::div(%x, %4)
# CHECK-NEXT:       -> (%5)
# CHECK-NEXT:   return (%1, %h)
graph @number(%x : Tensor, %b : bool):
  %1 : int = prim::Constant[value=1]()
  %h : Double(requires_grad=0, device=cpu) = prim::Constant[value={0.5}]()
  %3 : Tensor = prim::If(%b)
    block0():
      %4 : Tensor = aten::add(%x, %h, %1)
      -> (%4)
    block1():
      %5 : Tensor = aten::div(%x, %h)
      -> (%5)
  return (%3, %h)

# The first operand stays, and one with dimensions, one of another operator, and one that the program makes.
# CHECK-LABEL: graph @others(%x : Tensor):
# CHECK:          aten::mul(%h, %x)
# CHECK:          aten::mul(%x, %v)
# CHECK:          aten::pow(%x, %h)
# CHECK:          aten::mul(%x, %m)
graph @others(%x : Tensor):
  %n : NoneType = prim::Constant()
  %l : int[] = prim::ListConstruct()
  %h : Double(requires_grad=0, device=cpu) = prim::Constant[value={0.5}]()
  %v : Double(1, requires_grad=0, device=cpu) = prim::Constant[value={0.5}]()
  %m : Tensor = aten::ones(%l, %n, %n, %n, %n)
  %1 : Tensor = aten::mul(%h, %x)
  %2 : Tensor = aten::mul(%x, %v)
  %3 : Tensor = aten::pow(%x, %h)
  %4 : Tensor = aten::mul(%x, %m)
  return (%1, %2, %3, %4)

# No operator takes a bool for a number.
# CHECK-LABEL: graph @truth(%x : Tensor):
# CHECK:          aten::add(%x, %t, %0)
graph @truth(%x : Tensor):
  %1 : int = prim::Constant[value=1]()
  %t : Bool(requires_grad=0, device=cpu) = prim::Constant[value={1}]()
  %2 : Tensor = aten::add(%x, %t, %1)
  return (%2)
