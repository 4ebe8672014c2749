# RUN: ts-opt %s -t linalg --split-input-file | filecheck %s

# The largest elements, averages, and the average of all.
# CHECK-LABEL: func.func @forward
# CHECK:         arith.maximumf
# CHECK:         arith.addf
# CHECK:         arith.divf
# CHECK:         arith.addf
# CHECK:         arith.divf
graph(%x : Float(1, 2, 4, 4, strides=[32, 16, 4, 1], requires_grad=0, device=cpu)):
  %0 : NoneType = prim::Constant()
  %1 : int[] = prim::Constant[value=[2, 2]]()
  %2 : int[] = prim::Constant[value=[0, 0]]()
  %3 : int[] = prim::Constant[value=[1, 1]]()
  %4 : bool = prim::Constant[value=0]()
  %5 : Tensor = aten::max_pool2d(%x, %1, %1, %2, %3, %4)
  %6 : Tensor = aten::avg_pool2d(%x, %1, %1, %2, %4, %4, %0)
  %7 : Tensor = aten::adaptive_avg_pool2d(%x, %3)
  %8 : (Tensor, Tensor, Tensor) = prim::TupleConstruct(%5, %6, %7)
  return (%8)
