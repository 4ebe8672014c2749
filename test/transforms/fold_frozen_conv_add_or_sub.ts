# RUN: ts-opt %s -p ts-fold-frozen-conv-add-or-sub -t torchscript | filecheck %s

# 1 + 2 - 0.5
# CHECK-LABEL: graph @folded
# CHECK:         prim::Constant[value={{.*}}00002040
# CHECK:         %[[Y:.*]] : Tensor = aten::conv1d
# CHECK-NEXT:    return (%[[Y]])
graph @folded(%x : Tensor):
  %w : Tensor = prim::Constant[value=tensor<Float, [1, 1, 1], "00004040">]()
  %b : Tensor = prim::Constant[value=tensor<Float, [1], "0000803F">]()
  %one : int[] = prim::Constant[value=[1]]()
  %zero : int[] = prim::Constant[value=[0]]()
  %groups : int = prim::Constant[value=1]()
  %two : Tensor = prim::Constant[value=tensor<Float, [1, 1], "00000040">]()
  %half : float = prim::Constant[value=0.5]()
  %y : Tensor = aten::conv1d(%x, %w, %b, %one, %zero, %one, %groups)
  %z : Tensor = aten::add(%y, %two, %groups)
  %r : Tensor = aten::sub(%z, %half, %groups)
  return (%r)

# One number for each place, and not for each channel.
# CHECK-LABEL: graph @along_another_dimension
# CHECK:         aten::add
graph @along_another_dimension(%x : Tensor):
  %w : Tensor = prim::Constant[value=tensor<Float, [1, 1, 1], "00004040">]()
  %b : Tensor = prim::Constant[value=tensor<Float, [1], "0000803F">]()
  %one : int[] = prim::Constant[value=[1]]()
  %zero : int[] = prim::Constant[value=[0]]()
  %groups : int = prim::Constant[value=1]()
  %two : Tensor = prim::Constant[value=tensor<Float, [2], "0000004000000040">]()
  %y : Tensor = aten::conv1d(%x, %w, %b, %one, %zero, %one, %groups)
  %z : Tensor = aten::add(%y, %two, %groups)
  return (%z)
