# RUN: ts-opt %s -p ts-canonicalize-ops -t torchscript | filecheck %s

# ConstantChunk: a chunk whose list is only unpacked, or read at constant places.
# CHECK-LABEL: graph @chunk(%x : Tensor):
# CHECK-NEXT:   %a : Tensor, %b : Tensor = prim::ConstantChunk[chunks=2, dim=1](%x)
# CHECK-NEXT:   %0 : Tensor = aten::mul(%a, %b)
# CHECK-NEXT:   %1 : Tensor = aten::mul(%0, %b)
# CHECK-NEXT:   return (%1)
graph @chunk(%x : Tensor):
  %0 : int = prim::Constant[value=2]()
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor[] = aten::chunk(%x, %0, %1)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%2)
  %3 : Tensor = aten::mul(%a, %b)
  %4 : Tensor = aten::select(%2, %1)
  %5 : Tensor = aten::mul(%3, %4)
  return (%5)

# NumberForTensor
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

# Without dimensions, or without floats, the constant decides the dtype of the result; of a tensor of unknown dtype nothing is known.
# CHECK-LABEL: graph @no_dimensions(%x : BFloat16()):
# CHECK:          aten::div(%x, %h)
graph @no_dimensions(%x : BFloat16()):
  %h : Float(requires_grad=0, device=cpu) = prim::Constant[value={7}]()
  %3 : Tensor = aten::div(%x, %h)
  return (%3)

# CHECK-LABEL: graph @ints(%x : Long(*)):
# CHECK:          aten::mul(%x, %h)
graph @ints(%x : Long(*)):
  %h : Double(requires_grad=0, device=cpu) = prim::Constant[value={0.5}]()
  %3 : Tensor = aten::mul(%x, %h)
  return (%3)

# CHECK-LABEL: graph @unknown(%x : Tensor):
# CHECK:          aten::mul(%x, %h)
graph @unknown(%x : Tensor):
  %h : Double(requires_grad=0, device=cpu) = prim::Constant[value={0.5}]()
  %3 : Tensor = aten::mul(%x, %h)
  return (%3)

# A tensor with dimensions decides the shape of the result.
# CHECK-LABEL: graph @vector(%x : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %h : Double(1, requires_grad=0, device=cpu) = prim::Constant[value={0.5}]()
# CHECK-NEXT:   %1 : Tensor = aten::add(%x, %h, %0)
# CHECK-NEXT:   return (%1)
graph @vector(%x : Tensor):
  %1 : int = prim::Constant[value=1]()
  %h : Double(1, requires_grad=0, device=cpu) = prim::Constant[value={0.5}]()
  %3 : Tensor = aten::add(%x, %h, %1)
  return (%3)

# A list that is used in another way stays, and one that somebody appends to.
# CHECK-LABEL: graph @aliased(%x : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %2 : Tensor[] = aten::chunk(%x, %0, %1)
# CHECK-NEXT:   %a : Tensor, %b : Tensor = prim::ListUnpack(%2)
# CHECK-NEXT:   return (%a, %2)
graph @aliased(%x : Tensor):
  %0 : int = prim::Constant[value=2]()
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor[] = aten::chunk(%x, %0, %1)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%2)
  return (%a, %2)

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
