# RUN: ts-opt %s -p ts-propagate-shapes,ts-convert-torch-to-linalg --split-input-file | filecheck %s

# The gradient of softmax: a product that the result takes the place of, its sum along rows, and what is left.
# CHECK-LABEL: func.func @kernel(%g: tensor<?x?xf32>, %y: tensor<?x?xf32>
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%g, %y :
# CHECK:           arith.mulf
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<?x?xf32>) outs({{.*}} : tensor<?x1xf64>)
# CHECK:           arith.extf
# CHECK-NEXT:      arith.addf
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%3, %y, %11 :
# CHECK:           arith.truncf
# CHECK-NEXT:      arith.mulf
# CHECK-NEXT:      arith.subf
graph(%g : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %dim : int = prim::Constant[value=-1]()
  %dtype : int = prim::Constant[value=6]()
  %r : Tensor = aten::_softmax_backward_data(%g, %y, %dim, %dtype)
  return (%r)

# // -----

# That of its logarithm needs no product: the gradient itself is added up. 16 bits are widened where they are read, and rounded once.
# CHECK-LABEL: func.func @kernel(%g: tensor<?x?xbf16>, %y: tensor<?x?xbf16>
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%g :
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%g, %y, %5 :
# CHECK:           math.exp {{.*}} : f32
# CHECK-NEXT:      arith.mulf
# CHECK-NEXT:      arith.subf
# CHECK-NEXT:      arith.truncf {{.*}} : f32 to bf16
graph(%g : BFloat16(3, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : BFloat16(3, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %dim : int = prim::Constant[value=-1]()
  %dtype : int = prim::Constant[value=15]()
  %r : Tensor = aten::_log_softmax_backward_data(%g, %y, %dim, %dtype)
  return (%r)

# // -----

# Sums of 16 bits along the last dimension, and their logarithms, are rounded as PyTorch's are.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xbf16>
# CHECK:         math.exp
# CHECK:         arith.truncf {{.*}} : f64 to f32
# CHECK-NEXT:    arith.truncf {{.*}} : f32 to bf16
# CHECK-NEXT:    arith.extf {{.*}} : bf16 to f32
# CHECK-NEXT:    math.log
# CHECK-NEXT:    arith.truncf {{.*}} : f32 to bf16
graph(%x : BFloat16(3, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %dim : int = prim::Constant[value=-1]()
  %none : NoneType = prim::Constant()
  %r : Tensor = aten::log_softmax(%x, %dim, %none)
  return (%r)
