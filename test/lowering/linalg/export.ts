# RUN: ts-opt %s -t linalg --split-input-file | filecheck %s

# Dimensions in another order are read so.
# CHECK-LABEL: func.func @forward
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]
graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::transpose(%x, %0, %1)
  return (%2)

// -----

# A permutation, and what is written `.T` and `.mT`.
# CHECK-LABEL: func.func @forward
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>
graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %0 : int[] = prim::Constant[value=[1, 0]]()
  %1 : Tensor = aten::permute(%x, %0)
  %2 : Tensor = aten::numpy_T(%x)
  %3 : Tensor = aten::mT(%x)
  %4 : (Tensor, Tensor, Tensor) = prim::TupleConstruct(%1, %2, %3)
  return (%4)

// -----

# A dimension of size 1 goes, and comes back repeated.
# CHECK-LABEL: func.func @forward
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, 0)>
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>
graph(%x : Float(3, 1, strides=[1, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=1]()
  %1 : int[] = prim::Constant[value=[4, -1]]()
  %2 : bool = prim::Constant[value=0]()
  %3 : Tensor = aten::squeeze(%x, %0)
  %4 : Tensor = aten::expand(%3, %1, %2)
  return (%4)

// -----

# A copy is the tensor itself.
# CHECK-LABEL: func.func @forward
# CHECK:         func.return %x : tensor<2x3xf32>
graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %0 : Tensor = aten::detach(%x)
  return (%0)

// -----

# Dimensions are joined and cut.
# CHECK-LABEL: func.func @forward
# CHECK:         tensor.collapse_shape %x [[0 : i64, 1 : i64]] : tensor<2x3xf32> into tensor<6xf32>
# CHECK:         tensor.expand_shape {{.*}} : tensor<6xf32> into tensor<3x2xf32>
graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %0 : int[] = prim::Constant[value=[3, -1]]()
  %1 : Tensor = aten::view(%x, %0)
  return (%1)

// -----

# Parts of a dimension: the last two columns, the second row, and what is `narrow`.
# CHECK-LABEL: func.func @forward
# CHECK:         tensor.extract_slice %x[0, 1] [2, 2] [1, 1] : tensor<2x3xf32> to tensor<2x2xf32>
# CHECK:         tensor.extract_slice {{.*}}[1, 0] [1, 2] [1, 1] : tensor<2x2xf32> to tensor<2xf32>
# CHECK:         tensor.extract_slice {{.*}}[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=9223372036854775807]()
  %3 : Tensor = aten::slice(%x, %1, %1, %2, %1)
  %4 : Tensor = aten::select(%3, %0, %1)
  %5 : Tensor = aten::narrow(%4, %0, %1, %1)
  return (%5)
