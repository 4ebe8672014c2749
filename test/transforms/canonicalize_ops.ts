# RUN: ts-opt %s -p ts-canonicalize-ops -t torchscript | filecheck %s

# A chunk that is only unpacked becomes a ConstantChunk.
# CHECK-LABEL: graph @chunk(%x : Tensor):
# CHECK-NEXT:   %a : Tensor, %b : Tensor = prim::ConstantChunk[chunks=2, dim=1](%x)
# CHECK-NEXT:   %0 : Tensor = aten::mul(%a, %b)
# CHECK-NEXT:   return (%0)
graph @chunk(%x : Tensor):
  %0 : int = prim::Constant[value=2]()
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor[] = aten::chunk(%x, %0, %1)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%2)
  %3 : Tensor = aten::mul(%a, %b)
  return (%3)

# A constant tensor without dimensions becomes a number.
# CHECK-LABEL: graph @number(%x : Float(*)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %1 : float = prim::Constant[value=0.5]()
# CHECK-NEXT:   %2 : Tensor = aten::add(%x, %1, %0)
# CHECK-NEXT:   return (%2)
graph @number(%x : Float(*)):
  %1 : int = prim::Constant[value=1]()
  %h : Double(requires_grad=0, device=cpu) = prim::Constant[value={0.5}]()
  %3 : Tensor = aten::add(%x, %h, %1)
  return (%3)

# A list that is used in another way stays.
# CHECK-LABEL: graph @aliased(%x : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %2 : Tensor[] = aten::chunk(%x, %0, %1)
# CHECK-NEXT:   %a : Tensor, %b : Tensor = prim::ListUnpack(%2)
# CHECK-NEXT:   %3 : Tensor = aten::mul(%a, %b)
# CHECK-NEXT:   return (%3, %2)
graph @aliased(%x : Tensor):
  %0 : int = prim::Constant[value=2]()
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor[] = aten::chunk(%x, %0, %1)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%2)
  %3 : Tensor = aten::mul(%a, %b)
  return (%3, %2)

# A list that somebody appends to stays.
# CHECK-LABEL: graph @mutated(%x : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %2 : Tensor[] = aten::chunk(%x, %0, %1)
# CHECK-NEXT:   %w : Tensor[] = aten::append(%2, %x)
# CHECK-NEXT:   %a : Tensor, %b : Tensor = prim::ListUnpack(%2)
# CHECK-NEXT:   return (%a)
graph @mutated(%x : Tensor):
  %0 : int = prim::Constant[value=2]()
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor[] = aten::chunk(%x, %0, %1)
  %w : Tensor[] = aten::append(%2, %x)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%2)
  return (%a)
