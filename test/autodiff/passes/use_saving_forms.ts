# RUN: ts-opt %s -p ts-use-saving-forms -t torchscript | filecheck %s

# In training a dropout gives its mask, and a norm the statistics of the batch.
# CHECK-LABEL: graph @training
# CHECK:         %a : Tensor, %{{.*}} : Tensor = aten::native_dropout(%x, %p, %yes)
# CHECK-NEXT:    %b : Tensor, %{{.*}} : Tensor, %{{.*}} : Tensor, %{{.*}} : Tensor, %{{.*}} : int = aten::_batch_norm_impl_index(%a, %w, %w, %none, %none, %yes, %p, %p, %yes)
# CHECK-NEXT:    return (%b)
graph @training(%x : Tensor, %w : Tensor):
  %p : float = prim::Constant[value=0.5]()
  %yes : bool = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %a : Tensor = aten::dropout(%x, %p, %yes)
  %b : Tensor = aten::batch_norm(%a, %w, %w, %none, %none, %yes, %p, %p, %yes)
  return (%b)
