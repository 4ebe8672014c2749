# RUN: ts-opt %s -p ts-fold-frozen-conv-bn,ts-fold-frozen-conv-add-or-sub,ts-fold-frozen-conv-mul-or-div,ts-dead-code-elimination -t torchscript | filecheck %s

# FoldBatchNorm, FoldShift, FoldScale: weight 3 and bias 1, of variance 1 and mean 3, then plus 2, then times 0.5.
# CHECK-LABEL: graph @folded(%x : Tensor):
# CHECK-DAG:     tensor<Float, [1, 1, 1], "0000C03F">
# CHECK-DAG:     tensor<Float, [1], "00000000">
# CHECK:         %[[Y:.*]] : Tensor = aten::conv1d
# CHECK-NEXT:    %[[D:.*]] : int = aten::dim(%[[Y]])
# CHECK-NEXT:    return (%[[Y]], %[[D]])
graph @folded(%x : Tensor):
  %w : Tensor = prim::Constant[value=tensor<Float, [1, 1, 1], "00004040">]()
  %b : Tensor = prim::Constant[value=tensor<Float, [1], "0000803F">]()
  %none : NoneType = prim::Constant()
  %mean : Tensor = prim::Constant[value=tensor<Float, [1], "00004040">]()
  %var : Tensor = prim::Constant[value=tensor<Float, [1], "0000803F">]()
  %ones : int[] = prim::Constant[value=[1]]()
  %zeros : int[] = prim::Constant[value=[0]]()
  %one : int = prim::Constant[value=1]()
  %off : bool = prim::Constant[value=0]()
  %eps : float = prim::Constant[value=0.]()
  %two : int = prim::Constant[value=2]()
  %half : float = prim::Constant[value=0.5]()
  %0 : Tensor = aten::conv1d(%x, %w, %b, %ones, %zeros, %ones, %one)
  %rank : int = aten::dim(%0)
  %1 : Tensor = aten::batch_norm(%0, %none, %none, %mean, %var, %off, %eps, %eps, %off)
  %2 : Tensor = aten::add(%1, %two, %one)
  %3 : Tensor = aten::mul(%2, %half)
  return (%3, %rank)

# A convolution that is written to in place is no longer what its weights say.
# CHECK-LABEL: graph @written(%x : Tensor):
# CHECK:         aten::relu_
# CHECK:         aten::mul
graph @written(%x : Tensor):
  %w : Tensor = prim::Constant[value=tensor<Float, [1, 1, 1], "00004040">]()
  %b : Tensor = prim::Constant[value=tensor<Float, [1], "0000803F">]()
  %ones : int[] = prim::Constant[value=[1]]()
  %zeros : int[] = prim::Constant[value=[0]]()
  %one : int = prim::Constant[value=1]()
  %half : float = prim::Constant[value=0.5]()
  %0 : Tensor = aten::conv1d(%x, %w, %b, %ones, %zeros, %ones, %one)
  %1 : Tensor = aten::relu_(%0)
  %2 : Tensor = aten::mul(%0, %half)
  return (%2)
