# RUN: ts-opt %s -p ts-fold-frozen-conv-bn -t torchscript | filecheck %s

# Weights are doubled: gamma 2, variance 1; the bias is (1 - 3) * 2 + 4.
# CHECK-LABEL: graph @folded
# CHECK:         aten::conv1d(%x, %{{.*}}, %{{.*}}, %{{.*}})
# CHECK-NOT:     aten::batch_norm
# CHECK:         return
graph @folded(%x : Tensor):
  %w : Tensor = prim::Constant[value=tensor<Float, [1, 1, 1], "00004040">]()
  %b : Tensor = prim::Constant[value=tensor<Float, [1], "0000803F">]()
  %gamma : Tensor = prim::Constant[value=tensor<Float, [1], "00000040">]()
  %beta : Tensor = prim::Constant[value=tensor<Float, [1], "00008040">]()
  %mean : Tensor = prim::Constant[value=tensor<Float, [1], "00004040">]()
  %var : Tensor = prim::Constant[value=tensor<Float, [1], "0000803F">]()
  %one : int[] = prim::Constant[value=[1]]()
  %zero : int[] = prim::Constant[value=[0]]()
  %groups : int = prim::Constant[value=1]()
  %off : bool = prim::Constant[value=0]()
  %momentum : float = prim::Constant[value=0.1]()
  %eps : float = prim::Constant[value=0.]()
  %y : Tensor = aten::conv1d(%x, %w, %b, %one, %zero, %one, %groups)
  %z : Tensor = aten::batch_norm(%y, %gamma, %beta, %mean, %var, %off, %momentum, %eps, %off)
  return (%z)

# The result of the convolution is used, or the weights are not constant.
# CHECK-LABEL: graph @used
# CHECK:         aten::conv1d
# CHECK:         aten::batch_norm
graph @used(%x : Tensor):
  %w : Tensor = prim::Constant[value=tensor<Float, [1, 1, 1], "00004040">]()
  %none : NoneType = prim::Constant()
  %mean : Tensor = prim::Constant[value=tensor<Float, [1], "00004040">]()
  %one : int[] = prim::Constant[value=[1]]()
  %zero : int[] = prim::Constant[value=[0]]()
  %groups : int = prim::Constant[value=1]()
  %off : bool = prim::Constant[value=0]()
  %eps : float = prim::Constant[value=0.]()
  %y : Tensor = aten::conv1d(%x, %w, %none, %one, %zero, %one, %groups)
  %z : Tensor = aten::batch_norm(%y, %none, %none, %mean, %mean, %off, %eps, %eps, %off)
  %r : (Tensor, Tensor) = prim::TupleConstruct(%y, %z)
  return (%r)

# CHECK-LABEL: graph @weights_of_the_caller
# CHECK:         aten::batch_norm
graph @weights_of_the_caller(%x : Tensor, %w : Tensor):
  %none : NoneType = prim::Constant()
  %mean : Tensor = prim::Constant[value=tensor<Float, [1], "00004040">]()
  %one : int[] = prim::Constant[value=[1]]()
  %zero : int[] = prim::Constant[value=[0]]()
  %groups : int = prim::Constant[value=1]()
  %off : bool = prim::Constant[value=0]()
  %eps : float = prim::Constant[value=0.]()
  %y : Tensor = aten::conv1d(%x, %w, %none, %one, %zero, %one, %groups)
  %z : Tensor = aten::batch_norm(%y, %none, %none, %mean, %mean, %off, %eps, %eps, %off)
  return (%z)
