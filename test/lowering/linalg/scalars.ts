# RUN: ts-opt %s -p ts-convert-torch-to-linalg | filecheck %s

# A size is read where it is, and numbers are computed from it beside tensors.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>
# CHECK:         [[size:%.*]] = arith.index_cast %{{.*}} : index to i64
# CHECK:         [[three:%.*]] = arith.constant 3 : i64
# CHECK:         [[number:%.*]] = arith.muli [[size]], [[three]] : i64
# CHECK:         linalg.generic
# CHECK:           arith.sitofp [[number]] : i64 to f32
graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %1 : int = aten::size(%x, %0)
  %2 : int = prim::Constant[value=3]()
  %3 : int = aten::mul(%1, %2)
  %4 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::mul(%x, %3)
  return (%4)
