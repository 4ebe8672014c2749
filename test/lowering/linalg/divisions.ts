# RUN: ts-opt %s -t linalg --split-input-file | filecheck %s

# A remainder, a shift and a power of ints.
# CHECK-LABEL: func.func @forward
# CHECK:         arith.remsi
# CHECK:         arith.shli
# CHECK:         arith.muli
graph(%x : Long(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=3]()
  %1 : Tensor = aten::remainder(%x, %0)
  %2 : Tensor = aten::__lshift__(%1, %0)
  %3 : Tensor = aten::pow(%2, %0)
  return (%3)
