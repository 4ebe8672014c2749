# RUN: ts-opt %s -p ts-convert-torch-to-linalg --split-input-file | filecheck %s

# A mean is accumulated in float64, divided by the number of elements and rounded once.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>
# CHECK:         [[start:%.*]] = arith.constant 0.000000e+00 : f64
# CHECK:         [[total:%.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x :
# CHECK:           [[wide:%.*]] = arith.extf
# CHECK-NEXT:      arith.addf %{{.*}}, [[wide]] : f64
# CHECK:         linalg.generic {{.*}} ins([[total]] :
# CHECK:           [[mean:%.*]] = arith.divf
# CHECK-NEXT:      arith.truncf [[mean]] : f64 to f32
graph(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %dim : int[] = prim::Constant[value=[1]]()
  %keepdim : bool = prim::Constant[value=0]()
  %dtype : NoneType = prim::Constant()
  %r : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::mean(%x, %dim, %keepdim, %dtype)
  return (%r)

# // -----
# A maximum begins with the lowest number, and a call with empty rows is left to the operator, which raises.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xi64>
# CHECK:         arith.constant -9223372036854775808 : i64
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%x :
# CHECK:           arith.cmpi sge
# CHECK:         func.return
# CHECK:       func.func @sizes
# CHECK:         arith.cmpi sge
graph(%x : Long(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %dim : int[] = prim::Constant[value=[-1]]()
  %keepdim : bool = prim::Constant[value=1]()
  %r : Long(4, 1, strides=[1, 1], requires_grad=0, device=cpu) = aten::amax(%x, %dim, %keepdim)
  return (%r)

# // -----
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>
# CHECK:         [[highest:%.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%x :
# CHECK:           arith.maximumf
# CHECK:         [[powers:%.*]] = linalg.generic {{.*}} ins(%x, [[highest]] :
# CHECK:           math.exp
# CHECK:         [[total:%.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins([[powers]] :
# CHECK:         linalg.generic {{.*}} ins([[powers]], [[total]] :
# CHECK:           arith.divf
graph(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %dim : int = prim::Constant[value=1]()
  %dtype : NoneType = prim::Constant()
  %r : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::softmax(%x, %dim, %dtype)
  return (%r)

# // -----
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>
# CHECK:           math.exp
# CHECK:           math.log
graph(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %dim : int = prim::Constant[value=-1]()
  %dtype : NoneType = prim::Constant()
  %r : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::log_softmax(%x, %dim, %dtype)
  return (%r)

# // -----
# What undoes a broadcast sums the dimensions that it added.
# CHECK-LABEL: func.func @kernel(%g: tensor<?x?xf32>
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%g :
# CHECK:           [[wide:%.*]] = arith.extf
# CHECK-NEXT:      arith.addf %{{.*}}, [[wide]] : f64
graph(%g : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu),
      %b : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %size : int[] = aten::size(%b)
  %r : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::_grad_sum_to_size(%g, %size)
  return (%r)

# // -----
# The sizes are the same in every call: a kernel serves no others.
# CHECK-LABEL: func.func @kernel(%g: tensor<?x?xf32>
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0, 0)>], iterator_types = ["reduction", "reduction"]} ins(%g :
# CHECK:         kernel.signature @kernel([s0, s1], s0, s1) -> ([_, _])
graph(%g : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %one : int[] = prim::Constant[value=[1, 1]]()
  %given : int[] = aten::size(%g)
  %size : int[]? = aten::_size_if_not_equal(%one, %given)
  %r : Float(1, 1, strides=[1, 1], requires_grad=0, device=cpu) = aten::_grad_sum_to_size(%g, %size)
  return (%r)
