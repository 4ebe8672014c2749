# RUN: ts-opt %s -p ts-convert-torch-to-linalg --split-input-file | filecheck %s

# In training, the mean and the variance of channels are sums over all other dimensions. Distances are computed in the dtype of elements,
# from what that can hold of the mean. What is written to is a result; `@sizes` keeps it apart from all other arguments.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?xf32>, %w: tensor<?xf32>, %m: tensor<?xf32>, %v: tensor<?xf32>
# CHECK:         iterator_types = ["reduction", "parallel", "reduction"]} ins(%x :
# CHECK:           arith.extf
# CHECK-NEXT:      arith.addf
# CHECK:           arith.divf
# CHECK:         iterator_types = ["reduction", "parallel", "reduction"]} ins(%x,
# CHECK:           arith.truncf
# CHECK-NEXT:      arith.subf
# CHECK-NEXT:      arith.mulf
# CHECK-NEXT:      arith.extf
# CHECK-NEXT:      arith.addf
# CHECK:           math.sqrt
# CHECK:         iterator_types = ["parallel", "parallel", "parallel"]} ins(%x,
# CHECK:           arith.mulf
# CHECK-NEXT:      arith.addf
# CHECK-NEXT:      linalg.yield
# CHECK-NOT:     "reduction"
# CHECK:         iterator_types = ["parallel"]} ins(%m,
# CHECK:         iterator_types = ["parallel"]} ins(%v,
# CHECK:         func.return {{.*}} : tensor<?x?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
# CHECK:       func.func @sizes(%0: memref<?xi64>, %1: memref<?xi64>) -> i1
# CHECK:         memref.load %1
graph(%x : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %w : Float(3, strides=[1], requires_grad=0, device=cpu), %m : Float(3, strides=[1], requires_grad=0, device=cpu), %v : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %training : bool = prim::Constant[value=1]()
  %momentum : float = prim::Constant[value=0.1]()
  %eps : float = prim::Constant[value=0.001]()
  %y : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %mean : Float(3, strides=[1], requires_grad=0, device=cpu), %rstd : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::native_batch_norm(%x, %w, %w, %m, %v, %training, %momentum, %eps)
  return (%y, %mean, %rstd, %m, %v)

# // -----

# Without running statistics nothing is written to, and a result that nobody uses is not computed.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?xf64>
# CHECK:         iterator_types = ["reduction", "parallel", "reduction"]} ins(%x :
# CHECK-NOT:     "reduction"
# CHECK:         func.return {{.*}} : tensor<?xf64>
# CHECK:       func.func @sizes(%0: memref<?xi64>) -> i1
graph(%x : Double(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu)):
  %none : NoneType = prim::Constant()
  %training : bool = prim::Constant[value=1]()
  %momentum : float = prim::Constant[value=0.1]()
  %eps : float = prim::Constant[value=0.001]()
  %y : Tensor, %mean : Double(3, strides=[1], requires_grad=0, device=cpu), %rstd : Tensor = aten::native_batch_norm(%x, %none, %none, %none, %none, %training, %momentum, %eps)
  return (%mean)

# // -----

# By running statistics, what a differentiated graph has of a batch norm is what others have.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>, %m: tensor<?xf32>, %v: tensor<?xf32>
# CHECK:         iterator_types = ["parallel"]} ins(%v :
# CHECK:         iterator_types = ["parallel", "parallel"]} ins(%x,
# CHECK-NOT:     "reduction"
# CHECK:         func.return
graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu), %m : Float(3, strides=[1], requires_grad=0, device=cpu), %v : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %none : NoneType = prim::Constant()
  %training : bool = prim::Constant[value=0]()
  %momentum : float = prim::Constant[value=0.1]()
  %eps : float = prim::Constant[value=0.001]()
  %y : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu), %mean : Tensor, %rstd : Tensor, %room : Tensor, %n : int = aten::_batch_norm_impl_index(%x, %none, %none, %m, %v, %training, %momentum, %eps, %training)
  return (%y)

# // -----
# Each channel of each image has a mean and a variance of its own, and a scale and a shift of these.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?x?xf32>, %w: tensor<?xf32>
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x :
# CHECK:           arith.addf {{.*}} : f64
# CHECK:         [[mean:%.*]] = linalg.generic
# CHECK:           arith.divf {{.*}} : f64
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, [[mean]] :
# CHECK:           arith.mulf [[distance:%.*]], [[distance]] : f64
# CHECK:         [[scale:%.*]] = linalg.generic {{.*}} ins({{%.*}}, %w :
# CHECK:           math.sqrt
# CHECK:         [[shift:%.*]] = linalg.generic {{.*}} ins([[mean]], [[scale]] :
# CHECK:           arith.negf
# CHECK:         [[result:%.*]] = linalg.generic {{.*}} ins(%x, [[scale]], [[shift]] :
# CHECK:         func.return [[result]]
graph(%x : Float(2, 3, 4, 5, strides=[60, 20, 5, 1]), %w : Float(3, strides=[1])):
  %n : NoneType = prim::Constant()
  %t : bool = prim::Constant[value=1]()
  %m : float = prim::Constant[value=0.10000000000000001]()
  %e : float = prim::Constant[value=0.001]()
  %r : Float(2, 3, 4, 5, strides=[60, 20, 5, 1]) = aten::instance_norm(%x, %w, %n, %n, %n, %t, %m, %e, %t)
  return (%r)
