# RUN: ts-opt %s -p ts-use-saving-forms -t torchscript | filecheck %s

# DropoutWithMask, NormWithStatistics: in training a dropout gives its mask, and a norm the statistics of the batch.
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

# NoDropout: so it is in evaluation, for a norm; a dropout is its operand, as it is where no element is dropped.
# CHECK-LABEL: graph @evaluation
# CHECK:         %c : Tensor, %{{.*}} : Tensor, %{{.*}} : Tensor, %{{.*}} : Tensor, %{{.*}} : int = aten::_batch_norm_impl_index(%x, %none, %none, %w, %w, %no, %p, %p, %yes)
graph @evaluation(%x : Tensor, %w : Tensor):
  %p : float = prim::Constant[value=0.5]()
  %zero : float = prim::Constant[value=0.]()
  %no : bool = prim::Constant[value=0]()
  %yes : bool = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %a : Tensor = aten::dropout(%x, %p, %no)
  %b : Tensor = aten::dropout(%a, %zero, %yes)
  %c : Tensor = aten::batch_norm(%b, %none, %none, %w, %w, %no, %p, %p, %yes)
  return (%c)

# PoolWithPlaces: a pool gives the places of what was largest, where a gradient may go to it.
# CHECK-LABEL: graph @pools
# CHECK:         %a : Tensor, %{{.*}} : Tensor = aten::max_pool2d_with_indices(%x, %two, %two, %none, %two, %no)
# CHECK-NEXT:    %b : Tensor = aten::max_pool2d(%y, %two, %two, %none, %two, %no)
graph @pools(%x : Tensor, %y : Float(1, 1, 4, 4, strides=[16, 16, 4, 1], requires_grad=0, device=cpu)):
  %two : int[] = prim::Constant[value=[2, 2]]()
  %none : int[] = prim::Constant[value=[0, 0]]()
  %no : bool = prim::Constant[value=0]()
  %a : Tensor = aten::max_pool2d(%x, %two, %two, %none, %two, %no)
  %b : Tensor = aten::max_pool2d(%y, %two, %two, %none, %two, %no)
  return (%a, %b)

# LikelihoodWithWeight: the loss of classes is the operator for that many dimensions, where they are known.
# CHECK-LABEL: graph @likelihood
# CHECK:         %a : Tensor, %{{.*}} : Tensor = aten::nll_loss_forward(%x, %t, %none, %mean, %ignored)
# CHECK-NEXT:    %b : Tensor, %{{.*}} : Tensor = aten::nll_loss2d_forward(%y, %t, %none, %mean, %ignored)
# CHECK-NEXT:    %c : Tensor = aten::nll_loss_nd(%z, %t, %none, %mean, %ignored)
graph @likelihood(%x : Float(*, *), %y : Float(*, *, *, *), %z : Tensor, %t : Tensor):
  %none : NoneType = prim::Constant()
  %mean : int = prim::Constant[value=1]()
  %ignored : int = prim::Constant[value=-100]()
  %a : Tensor = aten::nll_loss_nd(%x, %t, %none, %mean, %ignored)
  %b : Tensor = aten::nll_loss_nd(%y, %t, %none, %mean, %ignored)
  %c : Tensor = aten::nll_loss_nd(%z, %t, %none, %mean, %ignored)
  return (%a, %b, %c)

# ConstantPadding, DeviationWithCorrection: operators with formulas stand for those that are made of them.
# CHECK-LABEL: graph @formulas
# CHECK:         %a : Tensor = aten::constant_pad_nd(%x, %widths, %{{.*}})
# CHECK-NEXT:    %b : Tensor = aten::constant_pad_nd(%x, %widths, %value)
# CHECK-NEXT:    %c : Tensor = aten::pad(%x, %widths, %reflect, %none)
# CHECK:         %d : Tensor = aten::std(%x, %widths, %{{.*}}, %keeps)
graph @formulas(%x : Tensor, %widths : int[], %keeps : bool):
  %none : NoneType = prim::Constant()
  %value : float = prim::Constant[value=1.5]()
  %unbiased : bool = prim::Constant[value=1]()
  %constant : str = prim::Constant[value="constant"]()
  %reflect : str = prim::Constant[value="reflect"]()
  %a : Tensor = aten::pad(%x, %widths, %constant, %none)
  %b : Tensor = aten::pad(%x, %widths, %constant, %value)
  %c : Tensor = aten::pad(%x, %widths, %reflect, %none)
  %d : Tensor = aten::std(%x, %widths, %unbiased, %keeps)
  return (%a, %b, %c, %d)

# What requires no gradient, or is not known to be in training, stays; and so does an error.
# CHECK-LABEL: graph @others
# CHECK:         %a : Tensor = aten::dropout(%x, %p, %yes)
# CHECK-NEXT:    %b : Tensor = aten::dropout(%y, %p, %train)
# CHECK-NEXT:    %c : Tensor = aten::batch_norm(%y, %none, %none, %y, %y, %train, %p, %p, %yes)
# CHECK:         %d : Tensor = aten::dropout(%y, %two, %no)
graph @others(%x : Float(*, *, requires_grad=0, device=cpu), %y : Tensor, %train : bool):
  %p : float = prim::Constant[value=0.5]()
  %yes : bool = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %a : Tensor = aten::dropout(%x, %p, %yes)
  %b : Tensor = aten::dropout(%y, %p, %train)
  %c : Tensor = aten::batch_norm(%y, %none, %none, %y, %y, %train, %p, %p, %yes)
  %two : float = prim::Constant[value=2.]()
  %no : bool = prim::Constant[value=0]()
  %d : Tensor = aten::dropout(%y, %two, %no)
  return (%a, %b, %c, %d)

# FusedAttention: attention without dropout, of tensors of four dimensions with equally many heads, has a formula.
# CHECK-LABEL: graph @attention
# CHECK:         %a : Tensor, %{{.*}} : Tensor = aten::_scaled_dot_product_flash_attention_for_cpu(%q, %q, %q, %zero, %yes, %none, %none)
# CHECK-NEXT:    %b : Tensor, %{{.*}} : Tensor = aten::_scaled_dot_product_flash_attention_for_cpu(%q, %q, %q, %zero, %no, %fixed, %scale)
# CHECK-NEXT:    %c : Tensor = aten::scaled_dot_product_attention(%q, %q, %q, %mask, %zero, %no, %none, %no)
# CHECK-NEXT:    %d : Tensor = aten::scaled_dot_product_attention(%q, %q, %q, %none, %p, %no, %none, %no)
# CHECK-NEXT:    %e : Tensor = aten::scaled_dot_product_attention(%q, %q, %q, %none, %zero, %no, %none, %yes)
# CHECK-NEXT:    %f : Tensor = aten::scaled_dot_product_attention(%q, %q, %r, %none, %zero, %no, %none, %no)
# CHECK-NEXT:    %g : Tensor = aten::scaled_dot_product_attention(%s, %s, %s, %none, %zero, %no, %none, %no)
graph @attention(%q : Float(*, *, *, *, device=cpu), %r : Tensor, %s : Float(*, *, *, *, requires_grad=0, device=cpu), %mask : Tensor,
      %fixed : Bool(*, *, requires_grad=0, device=cpu), %p : float, %scale : float):
  %zero : float = prim::Constant[value=0.]()
  %no : bool = prim::Constant[value=0]()
  %yes : bool = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %a : Tensor = aten::scaled_dot_product_attention(%q, %q, %q, %none, %zero, %yes, %none, %no)
  %b : Tensor = aten::scaled_dot_product_attention(%q, %q, %q, %fixed, %zero, %no, %scale, %no)
  %c : Tensor = aten::scaled_dot_product_attention(%q, %q, %q, %mask, %zero, %no, %none, %no)
  %d : Tensor = aten::scaled_dot_product_attention(%q, %q, %q, %none, %p, %no, %none, %no)
  %e : Tensor = aten::scaled_dot_product_attention(%q, %q, %q, %none, %zero, %no, %none, %yes)
  %f : Tensor = aten::scaled_dot_product_attention(%q, %q, %r, %none, %zero, %no, %none, %no)
  %g : Tensor = aten::scaled_dot_product_attention(%s, %s, %s, %none, %zero, %no, %none, %no)
  return (%a, %b, %c, %d, %e, %f, %g)
