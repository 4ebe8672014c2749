# RUN: ts-opt %s -p ts-erase-shape-information -t torchscript | filecheck %s

# Tensors are plain everywhere, in blocks and in other types too; nothing else changes.
# CHECK-LABEL: graph @plain(%x : Tensor,
# CHECK-NEXT:       %c : bool):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Tensor = prim::If(%c)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %1 : Tensor = aten::add_(%x, %0, %0)
# CHECK-NEXT:       -> (%1)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%x)
# CHECK-NEXT:   %t : (Tensor, int) = prim::TupleConstruct(%a, %0)
# CHECK-NEXT:   return (%t)
graph @plain(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %c : bool):
  %1 : int = prim::Constant[value=1]()
  %a : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::If(%c)
    block0():
      %2 : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::add_(%x, %1, %1)
      -> (%2)
    block1():
      -> (%x)
  %t : (Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), int) = prim::TupleConstruct(%a, %1)
  return (%t)
