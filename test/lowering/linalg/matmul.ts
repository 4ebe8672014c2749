# RUN: ts-opt %s -p ts-convert-torch-to-linalg --split-input-file | filecheck %s

# CHECK-LABEL: func.func @kernel(%s: tensor<?xf32>
# CHECK:         [[zeros:%.*]] = linalg.fill
# CHECK-NEXT:    [[product:%.*]] = linalg.matmul ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs([[zeros]] :
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], {{.*}} ins(%s, [[product]] :
# CHECK:           [[alpha:%.*]] = arith.constant 3.000000e+00 : f32
# CHECK-NEXT:      [[scaled:%.*]] = arith.mulf %{{.*}}, [[alpha]] : f32
# CHECK-NEXT:      [[beta:%.*]] = arith.constant 2.000000e+00 : f32
# CHECK-NEXT:      [[start:%.*]] = arith.mulf %{{.*}}, [[beta]] : f32
# CHECK-NEXT:      [[sum:%.*]] = arith.addf [[start]], [[scaled]] : f32
# CHECK-NEXT:      linalg.yield [[sum]] : f32
graph(%s : Float(6, strides=[1]), %x : Float(4, 3, strides=[3, 1]), %y : Float(3, 6, strides=[6, 1])):
  %beta : int = prim::Constant[value=2]()
  %alpha : int = prim::Constant[value=3]()
  %r : Float(4, 6, strides=[6, 1]) = aten::addmm(%s, %x, %y, %beta, %alpha)
  return (%r)

# // -----
# A beta of 0 takes no look at what it scales, an alpha of 1 scales nothing.
# CHECK-LABEL: func.func @kernel(%s: tensor<?xf32>
# CHECK:         [[product:%.*]] = linalg.matmul
# CHECK-NEXT:    func.return [[product]]
graph(%s : Float(6, strides=[1]), %x : Float(4, 3, strides=[3, 1]), %y : Float(3, 6, strides=[6, 1])):
  %beta : int = prim::Constant[value=0]()
  %alpha : int = prim::Constant[value=1]()
  %r : Float(4, 6, strides=[6, 1]) = aten::addmm(%s, %x, %y, %beta, %alpha)
  return (%r)

# // -----
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %b: tensor<?xf32>
# CHECK:         [[turned:%.*]] = linalg.transpose ins(%w:tensor<?x?xf32>)
# CHECK:         [[product:%.*]] = linalg.matmul ins(%x, [[turned]] :
# CHECK:         linalg.generic {{.*}} ins(%b, [[product]] :
# CHECK:           arith.addf
graph(%x : Float(4, 3, strides=[3, 1]), %w : Float(6, 3, strides=[3, 1]), %b : Float(6, strides=[1])):
  %r : Float(4, 6, strides=[6, 1]) = aten::linear(%x, %w, %b)
  return (%r)

# // -----
# Rows that have several dimensions are those of one matrix.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?xf32>, %w: tensor<?x?xf32>, %b: tensor<?xf32>
# CHECK:         [[turned:%.*]] = linalg.transpose ins(%w:tensor<?x?xf32>)
# CHECK:         [[rows:%.*]] = tensor.collapse_shape %x {{\[\[}}0 : i64, 1 : i64], [2 : i64]] : tensor<?x?x?xf32> into tensor<?x?xf32>
# CHECK:         [[product:%.*]] = linalg.matmul ins([[rows]], [[turned]] :
# CHECK:         [[sum:%.*]] = linalg.generic {{.*}} ins(%b, [[product]] :
# CHECK:         tensor.expand_shape [[sum]] {{\[\[}}0 : i64, 1 : i64], [2 : i64]] output_shape
graph(%x : Float(2, 4, 3, strides=[12, 3, 1]), %w : Float(6, 3, strides=[3, 1]), %b : Float(6, strides=[1])):
  %r : Float(2, 4, 6, strides=[24, 6, 1]) = aten::linear(%x, %w, %b)
  return (%r)

# // -----
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?x?xf32>, %y: tensor<?x?xf32>
# CHECK:         [[rows:%.*]] = tensor.collapse_shape %x
# CHECK:         [[product:%.*]] = linalg.matmul ins([[rows]], %y :
# CHECK:         tensor.expand_shape [[product]]
graph(%x : Float(2, 5, 4, 3, strides=[60, 12, 3, 1]), %y : Float(3, 6, strides=[6, 1])):
  %r : Float(2, 5, 4, 6, strides=[120, 24, 6, 1]) = aten::matmul(%x, %y)
  return (%r)

# // -----
# A product of batches has a loop over them, beside those of a product.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?xf32>, %y: tensor<?x?x?xf32>
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
# CHECK:         arith.mulf
# CHECK-NEXT:    arith.addf
graph(%x : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %y : Float(2, 4, 5, strides=[20, 5, 1], requires_grad=0, device=cpu)):
  %r : Float(2, 3, 5, strides=[15, 5, 1], requires_grad=0, device=cpu) = aten::bmm(%x, %y)
  return (%r)

# // -----
# Each element of a vector by each of another; 16-bit floats are multiplied in float32.
# CHECK-LABEL: func.func @kernel(%x: tensor<?xbf16>, %y: tensor<?xbf16>
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y :
# CHECK:           [[product:%.*]] = arith.mulf {{.*}} : f32
# CHECK-NEXT:      [[rounded:%.*]] = arith.truncf [[product]] : f32 to bf16
# CHECK-NEXT:      linalg.yield [[rounded]] : bf16
graph(%x : BFloat16(4, strides=[1]), %y : BFloat16(6, strides=[1])):
  %r : BFloat16(4, 6, strides=[6, 1]) = aten::outer(%x, %y)
  return (%r)
