graph(%x : BFloat16(64, 256, strides=[256, 1], requires_grad=0, device=cpu),
      %y : BFloat16(256, 128, strides=[128, 1], requires_grad=0, device=cpu)):
  %0 : Tensor = aten::mm(%x, %y)
  return (%0)
