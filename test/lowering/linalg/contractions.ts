# RUN: ts-opt %s -t linalg --split-input-file | filecheck %s

# Matrices with a batch, times matrices with one.
# CHECK-LABEL: func.func @forward
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
graph(%x : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %y : Float(2, 4, 5, strides=[20, 5, 1], requires_grad=0, device=cpu)):
  %0 : Tensor = aten::matmul(%x, %y)
  return (%0)

// -----

# A vector times a vector.
# CHECK-LABEL: func.func @forward
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
graph(%x : Float(4, strides=[1], requires_grad=0, device=cpu), %y : Float(4, strides=[1], requires_grad=0, device=cpu)):
  %0 : Tensor = aten::matmul(%x, %y)
  return (%0)
