# RUN: ts-opt %s -p ts-convert-torch-to-linalg --split-input-file | filecheck %s

# The gradient of a layer's input is made of two sums of each row, those of the parameters of sums of all rows. Means and deviations are
# broadcast, whoever made them.
# CHECK-LABEL: func.func @kernel(%g: tensor<?x?xf32>, %x: tensor<?x?xf32>, %mean: tensor<?x1xf32>, %rstd: tensor<?x1xf32>
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%g, %w :
# CHECK:           arith.mulf
# CHECK-NEXT:      arith.extf
# CHECK-NEXT:      arith.addf
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%g, %w, %x, %mean, %rstd :
# CHECK:           arith.mulf
# CHECK-NEXT:      arith.subf
# CHECK-NEXT:      arith.mulf
# CHECK-NEXT:      arith.mulf
# CHECK-NEXT:      arith.extf
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%g, %rstd, %w, %x, %mean,
# CHECK:           arith.divf
# CHECK:         linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%g, %x, %mean, %rstd :
# CHECK:           arith.truncf
# CHECK:         linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%g :
# CHECK:           arith.truncf
graph(%g : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu), %x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu), %mean : Float(4, 1, strides=[1, 1], requires_grad=0, device=cpu), %rstd : Float(4, 1, strides=[1, 1], requires_grad=0, device=cpu), %w : Float(3, strides=[1], requires_grad=0, device=cpu), %b : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %shape : int[] = prim::Constant[value=[3]]()
  %wanted : bool[] = prim::Constant[value=[True, True, True]]()
  %dx : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu), %dw : Float(3, strides=[1], requires_grad=0, device=cpu), %db : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::native_layer_norm_backward(%g, %x, %shape, %mean, %rstd, %w, %b, %wanted)
  return (%dx, %dw, %db)

# // -----

# What is not wanted, of which nothing is known, is not computed; nor is a result that nobody uses, or that nothing needs.
# CHECK-LABEL: func.func @kernel(%g: tensor<?x?xf32>, %x: tensor<?x?xf32>
# CHECK:         iterator_types = ["reduction", "parallel"]} ins(%g :
# CHECK-NOT:     "reduction"
# CHECK:         func.return
graph(%g : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu), %x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu), %b : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %shape : int[] = prim::Constant[value=[3]]()
  %none : NoneType = prim::Constant()
  %eps : float = prim::Constant[value=0.001]()
  %wanted : bool[] = prim::Constant[value=[False, False, True]]()
  %y : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu), %mean : Float(4, 1, strides=[1, 1], requires_grad=0, device=cpu), %rstd : Float(4, 1, strides=[1, 1], requires_grad=0, device=cpu) = aten::native_layer_norm(%x, %shape, %none, %none, %eps)
  %dx : Tensor, %dw : Tensor, %db : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::native_layer_norm_backward(%g, %x, %shape, %mean, %rstd, %none, %b, %wanted)
  return (%db)

# // -----

# A batch is added up twice, for all gradients: of the input's, the weight is a factor.
# CHECK-LABEL: func.func @kernel(%g: tensor<?x?x?xf32>, %x: tensor<?x?x?xf32>
# CHECK:         iterator_types = ["reduction", "parallel", "reduction"]} ins(%g :
# CHECK:         iterator_types = ["reduction", "parallel", "reduction"]} ins(%g, %x, %mean, %rstd :
# CHECK:         iterator_types = ["parallel", "parallel", "parallel"]} ins(%g, %rstd, %w, %x, %mean,
# CHECK-NOT:     "reduction"
# CHECK:         func.return
graph(%g : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %x : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %w : Float(3, strides=[1], requires_grad=0, device=cpu), %mean : Float(3, strides=[1], requires_grad=0, device=cpu), %rstd : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %none : NoneType = prim::Constant()
  %training : bool = prim::Constant[value=1]()
  %eps : float = prim::Constant[value=0.001]()
  %wanted : bool[] = prim::Constant[value=[True, True, True]]()
  %dx : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %dw : Float(3, strides=[1], requires_grad=0, device=cpu), %db : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::native_batch_norm_backward(%g, %x, %w, %none, %none, %mean, %rstd, %training, %eps, %wanted)
  return (%dx, %dw, %db)

# // -----

# By running statistics, the gradient of the input is a product.
# CHECK-LABEL: func.func @kernel(%g: tensor<?x?x?xf32>
# CHECK:         math.sqrt
# CHECK-NEXT:    arith.constant
# CHECK-NEXT:    arith.divf
# CHECK:         iterator_types = ["parallel", "parallel", "parallel"]} ins(%g,
# CHECK:           arith.mulf
# CHECK-NEXT:      arith.mulf
# CHECK-NEXT:      linalg.yield
graph(%g : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %x : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %w : Float(3, strides=[1], requires_grad=0, device=cpu), %mean : Float(3, strides=[1], requires_grad=0, device=cpu), %var : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %none : NoneType = prim::Constant()
  %training : bool = prim::Constant[value=0]()
  %eps : float = prim::Constant[value=0.001]()
  %wanted : bool[] = prim::Constant[value=[True, False, False]]()
  %dx : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %dw : Tensor, %db : Tensor = aten::native_batch_norm_backward(%g, %x, %w, %mean, %var, %none, %none, %training, %eps, %wanted)
  return (%dx)

# // -----

# A group is a row of its own: weights are factors of what is added up along it. The numbers of images, channels and elements are constraints.
# CHECK-LABEL: func.func @kernel(%g: tensor<?x?x?xf32>, %x: tensor<?x?x?xf32>, %mean: tensor<?x?xf32>, %rstd: tensor<?x?xf32>, %w: tensor<?xf32>
# CHECK-DAG:     [[G:%.*]] = tensor.expand_shape %g
# CHECK-DAG:     [[X:%.*]] = tensor.expand_shape %x
# CHECK-DAG:     [[W:%.*]] = tensor.expand_shape %w
# CHECK:         iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins([[G]], [[W]] :
# CHECK:         iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins([[G]], [[W]], [[X]], %mean, %rstd :
# CHECK:         iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins([[G]], %rstd, [[W]], [[X]], %mean,
# CHECK:         tensor.collapse_shape
# CHECK:         iterator_types = ["reduction", "parallel", "parallel", "reduction"]} ins([[G]], [[X]], %mean, %rstd :
# CHECK:         tensor.collapse_shape
# CHECK:         iterator_types = ["reduction", "parallel", "parallel", "reduction"]} ins([[G]] :
# CHECK:         tensor.collapse_shape
# CHECK:       func.func @sizes
graph(%g : Float(2, 6, 4, strides=[24, 4, 1], requires_grad=0, device=cpu), %x : Float(2, 6, 4, strides=[24, 4, 1], requires_grad=0, device=cpu), %mean : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu), %rstd : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu), %w : Float(6, strides=[1], requires_grad=0, device=cpu), %n : int, %c : int, %hw : int):
  %groups : int = prim::Constant[value=3]()
  %wanted : bool[] = prim::Constant[value=[True, True, True]]()
  %dx : Float(2, 6, 4, strides=[24, 4, 1], requires_grad=0, device=cpu), %dw : Float(6, strides=[1], requires_grad=0, device=cpu), %db : Float(6, strides=[1], requires_grad=0, device=cpu) = aten::native_group_norm_backward(%g, %x, %mean, %rstd, %w, %n, %c, %hw, %groups, %wanted)
  return (%dx, %dw, %db)

# // -----

# Means and deviations of groups, without the result.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>
# CHECK:         iterator_types = ["parallel", "parallel", "reduction"]
# CHECK:         iterator_types = ["parallel", "parallel", "reduction"]
# CHECK-NOT:     "reduction"
# CHECK:         func.return {{.*}} : tensor<?x?xf32>, tensor<?x?xf32>
graph(%x : Float(2, 6, strides=[6, 1], requires_grad=0, device=cpu), %n : int, %c : int):
  %none : NoneType = prim::Constant()
  %one : int = prim::Constant[value=1]()
  %groups : int = prim::Constant[value=3]()
  %eps : float = prim::Constant[value=0.001]()
  %y : Tensor, %mean : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu), %rstd : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::native_group_norm(%x, %none, %none, %n, %c, %one, %groups, %eps)
  return (%mean, %rstd)
