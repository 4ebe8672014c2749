graph(%x : Half(64, 256, strides=[256, 1], requires_grad=0, device=cpu),
      %weight : Half(128, 256, strides=[256, 1], requires_grad=0, device=cpu),
      %bias : Half(128, strides=[1], requires_grad=0, device=cpu)):
  %0 : Tensor = aten::linear(%x, %weight, %bias)
  %1 : Tensor = aten::relu(%0)
  return (%1)
