# RUN: ts-opt %s -p ts-fold-frozen-conv-mul-or-div -t torchscript | filecheck %s

# Weight 3 and bias 1, times 2, by 4.
# CHECK-LABEL: graph @folded
# CHECK-DAG:     0000C03F
# CHECK-DAG:     0000003F
# CHECK:         %[[Y:.*]] : Tensor = aten::conv1d
# CHECK-NEXT:    return (%[[Y]])
graph @folded(%x : Tensor):
  %w : Tensor = prim::Constant[value=tensor<Float, [1, 1, 1], "00004040">]()
  %b : Tensor = prim::Constant[value=tensor<Float, [1], "0000803F">]()
  %one : int[] = prim::Constant[value=[1]]()
  %zero : int[] = prim::Constant[value=[0]]()
  %groups : int = prim::Constant[value=1]()
  %two : Tensor = prim::Constant[value=tensor<Float, [], "00000040">]()
  %four : float = prim::Constant[value=4.]()
  %y : Tensor = aten::conv1d(%x, %w, %b, %one, %zero, %one, %groups)
  %z : Tensor = aten::mul(%y, %two)
  %r : Tensor = aten::div(%z, %four)
  return (%r)

# CHECK-LABEL: graph @by_zero
# CHECK:         aten::div
graph @by_zero(%x : Tensor):
  %w : Tensor = prim::Constant[value=tensor<Float, [1, 1, 1], "00004040">]()
  %b : Tensor = prim::Constant[value=tensor<Float, [1], "0000803F">]()
  %one : int[] = prim::Constant[value=[1]]()
  %zero : int[] = prim::Constant[value=[0]]()
  %groups : int = prim::Constant[value=1]()
  %none : float = prim::Constant[value=0.]()
  %y : Tensor = aten::conv1d(%x, %w, %b, %one, %zero, %one, %groups)
  %z : Tensor = aten::div(%y, %none)
  return (%z)
