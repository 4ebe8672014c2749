# RUN: ts-opt %s -p "ts-decompose-ops{all=true},ts-constant-propagation,ts-dead-code-elimination" -t torchscript | filecheck %s

# A composite becomes what its declaration says it is made of.
# CHECK-LABEL: graph @gated(
# CHECK-NOT:   = aten::glu
# CHECK:       aten::sigmoid(
# CHECK:       return (
graph @gated(%x : Tensor):
  %0 : int = prim::Constant[value=1]()
  %1 : Tensor = aten::glu(%x, %0)
  return (%1)

# All results of one that has a kernel of its own go where all are asked for.
# CHECK-LABEL: graph @statistics(
# CHECK-NOT:   = aten::native_layer_norm
# CHECK:       %mean : Tensor = aten::mean(
# CHECK:       return (%{{.*}}, %{{.*}}, %{{.*}})
graph @statistics(%x : Tensor, %shape : int[], %eps : float):
  %0 : NoneType = prim::Constant()
  %y : Tensor, %mean : Tensor, %rstd : Tensor = aten::native_layer_norm(%x, %shape, %0, %0, %eps)
  return (%y, %mean, %rstd)

# So does one that has a lowering of its own.
# CHECK-LABEL: graph @norm(%x : Tensor,
# CHECK-NOT:   = aten::layer_norm
# CHECK:       %mean : Tensor = aten::mean(
# CHECK:       %centered : Tensor = aten::sub(
# CHECK:       aten::rsqrt(
# CHECK-NOT:   = aten::layer_norm
# CHECK:       aten::tanh(
graph @norm(%x : Tensor, %w : Tensor):
  %0 : int = prim::Constant[value=4]()
  %1 : int[] = prim::ListConstruct(%0)
  %2 : NoneType = prim::Constant()
  %3 : float = prim::Constant[value=0.001]()
  %4 : bool = prim::Constant[value=1]()
  %5 : Tensor = aten::layer_norm(%x, %1, %w, %2, %3, %4)
  %6 : Tensor = aten::tanh(%5)
  return (%6)

# What is no composite stays, in blocks too; a composite in a block goes.
# CHECK-LABEL: graph @inside(
# CHECK:       prim::If(%p)
# CHECK-NOT:   = aten::layer_norm
# CHECK:       aten::rsqrt
# CHECK:       block1():
# CHECK-NEXT:    %{{.*}} : Tensor = aten::softmax(
graph @inside(%x : Tensor, %p : bool, %shape : int[], %eps : float):
  %0 : NoneType = prim::Constant()
  %1 : int = prim::Constant[value=0]()
  %2 : Tensor = prim::If(%p)
    block0():
      %3 : Tensor = aten::layer_norm(%x, %shape, %0, %0, %eps, %p)
      -> (%3)
    block1():
      %4 : Tensor = aten::softmax(%x, %1, %0)
      -> (%4)
  return (%2)
