# RUN: ts-opt %s -t linalg --split-input-file | filecheck %s

# One column in front, two behind.
# CHECK-LABEL: func.func @forward
# CHECK:         linalg.fill
# CHECK:         tensor.insert_slice %x into {{.*}}[0, 1] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x6xf32>
graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %0 : int[] = prim::Constant[value=[1, 2]]()
  %1 : float = prim::Constant[value=0.5]()
  %2 : Tensor = aten::constant_pad_nd(%x, %0, %1)
  return (%2)
