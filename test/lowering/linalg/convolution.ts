# RUN: ts-opt %s -t linalg --split-input-file | filecheck %s

# Windows that move by two, of a tensor with borders.
# CHECK-LABEL: func.func @forward
# CHECK:         tensor.insert_slice %x into {{.*}}[0, 0, 1, 1] [1, 2, 4, 4]
# CHECK:         affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, ((d2 * 2) + d5), ((d3 * 2) + d6))>
graph(%x : Float(1, 2, 4, 4, strides=[32, 16, 4, 1], requires_grad=0, device=cpu), %w : Float(3, 2, 3, 3, strides=[18, 9, 3, 1], requires_grad=0, device=cpu)):
  %0 : NoneType = prim::Constant()
  %1 : int[] = prim::Constant[value=[2, 2]]()
  %2 : int[] = prim::Constant[value=[1, 1]]()
  %3 : int = prim::Constant[value=1]()
  %4 : Tensor = aten::conv2d(%x, %w, %0, %1, %2, %2, %3)
  return (%4)

// -----

# Groups are loops of their own.
# CHECK-LABEL: func.func @forward
# CHECK:         tensor.expand_shape %x {{\[\[0 : i64\], \[1 : i64, 2 : i64\], \[3 : i64\]\]}}
# CHECK:         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
# CHECK:         tensor.collapse_shape
graph(%x : Float(1, 4, 5, strides=[20, 5, 1], requires_grad=0, device=cpu), %w : Float(2, 2, 2, strides=[4, 2, 1], requires_grad=0, device=cpu)):
  %0 : NoneType = prim::Constant()
  %1 : int[] = prim::Constant[value=[1]]()
  %2 : int[] = prim::Constant[value=[0]]()
  %3 : int = prim::Constant[value=2]()
  %4 : Tensor = aten::conv1d(%x, %w, %0, %1, %2, %1, %3)
  return (%4)
