# RUN: ts-opt %s -t linalg --split-input-file | filecheck %s

# Numbers that fill a tensor, one of which is an argument.
# CHECK-LABEL: func.func @forward
# CHECK:         linalg.fill
# CHECK:         linalg.generic
# CHECK:         linalg.yield
graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu), %n : float):
  %0 : NoneType = prim::Constant()
  %1 : Tensor = aten::ones_like(%x, %0, %0, %0, %0, %0)
  %2 : Tensor = aten::full_like(%x, %n, %0, %0, %0, %0, %0)
  %3 : (Tensor, Tensor) = prim::TupleConstruct(%1, %2)
  return (%3)
