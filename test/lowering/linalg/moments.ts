# RUN: ts-opt %s -p ts-convert-torch-to-linalg --split-input-file | filecheck %s

# Of a variance, the mean comes first; then distances from it are squared and added up.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>
# CHECK:         arith.addf
# CHECK:         arith.divf
# CHECK:         arith.subf
# CHECK:         arith.mulf
# CHECK:         arith.divf
graph(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %dim : int[] = prim::Constant[value=[1]]()
  %one : int = prim::Constant[value=1]()
  %keepdim : bool = prim::Constant[value=0]()
  %r : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::var(%x, %dim, %one, %keepdim)
  return (%r)

# // -----

# A standard deviation is its root.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>
# CHECK:         arith.mulf
# CHECK:         arith.divf
# CHECK:         math.sqrt
graph(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %dim : int[] = prim::Constant[value=[1]]()
  %one : int = prim::Constant[value=1]()
  %keepdim : bool = prim::Constant[value=0]()
  %r : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::std(%x, %dim, %one, %keepdim)
  return (%r)

# // -----

# A norm is the root of the sum of squares.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>
# CHECK:         arith.mulf
# CHECK:         arith.addf
# CHECK:         math.sqrt
graph(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %two : int = prim::Constant[value=2]()
  %dim : int[] = prim::Constant[value=[1]]()
  %keepdim : bool = prim::Constant[value=0]()
  %dtype : NoneType = prim::Constant()
  %r : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::linalg_vector_norm(%x, %two, %dim, %keepdim, %dtype)
  return (%r)

# // -----

# A layer is normalized by mean and variance, and by the root of the mean square alone.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>
# CHECK:         arith.subf
# CHECK:         arith.mulf
# CHECK:         arith.mulf
graph(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu), %w : Float(3, strides=[1], requires_grad=0, device=cpu), %b : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %shape : int[] = prim::Constant[value=[3]]()
  %eps : float = prim::Constant[value=0.001]()
  %cudnn : bool = prim::Constant[value=1]()
  %r : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::layer_norm(%x, %shape, %w, %b, %eps, %cudnn)
  %s : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::rms_norm(%x, %shape, %w, %eps)
  %t : int = prim::Constant[value=1]()
  %u : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%r, %s, %t)
  return (%u)

# // -----

# By running statistics, every channel is multiplied by a number, and another is added.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?xf32>
# CHECK:         linalg.generic {{.*}} ins(%v, %w :
# CHECK:         math.sqrt
# CHECK:         arith.divf
# CHECK:         arith.mulf
# CHECK:         linalg.generic {{.*}} ins(%m,
# CHECK:         arith.subf
# CHECK:         linalg.generic {{.*}} ins(%x,
# CHECK:         arith.mulf
# CHECK-NEXT:    arith.addf
graph(%x : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %w : Float(3, strides=[1], requires_grad=0, device=cpu), %b : Float(3, strides=[1], requires_grad=0, device=cpu), %m : Float(3, strides=[1], requires_grad=0, device=cpu), %v : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %training : bool = prim::Constant[value=0]()
  %momentum : float = prim::Constant[value=0.1]()
  %eps : float = prim::Constant[value=0.001]()
  %r : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu) = aten::batch_norm(%x, %w, %b, %m, %v, %training, %momentum, %eps, %training)
  return (%r)

# // -----

# Of a logarithm of a sum of exponentials, distances from the largest element are raised, unless that is infinite.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>
# CHECK:         arith.maximumf
# CHECK:         math.absf
# CHECK:         arith.select
# CHECK:         arith.subf
# CHECK:         math.exp
# CHECK:         math.log
# CHECK:         arith.addf
graph(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %dim : int[] = prim::Constant[value=[1]]()
  %keepdim : bool = prim::Constant[value=0]()
  %r : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::logsumexp(%x, %dim, %keepdim)
  return (%r)

# // -----

# Of groups of channels, sums are over all dimensions of a group.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?xf32>
# CHECK:         [[grouped:%.*]] = tensor.expand_shape %x {{.*}} : tensor<?x?x?xf32> into tensor<?x?x?x?xf32>
# CHECK:         iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins([[grouped]] :
# CHECK:         iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins([[grouped]],
# CHECK:         math.sqrt
# CHECK:         tensor.expand_shape %w
# CHECK:         iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins([[grouped]],
# CHECK:         tensor.collapse_shape
graph(%x : Float(2, 4, 3, strides=[12, 3, 1], requires_grad=0, device=cpu), %w : Float(4, strides=[1], requires_grad=0, device=cpu)):
  %groups : int = prim::Constant[value=2]()
  %none : NoneType = prim::Constant()
  %eps : float = prim::Constant[value=0.001]()
  %cudnn : bool = prim::Constant[value=1]()
  %r : Float(2, 4, 3, strides=[12, 3, 1], requires_grad=0, device=cpu) = aten::group_norm(%x, %groups, %w, %none, %eps, %cudnn)
  return (%r)
