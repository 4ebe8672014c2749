graph(%x : Float(300, 70, strides=[70, 1], requires_grad=0, device=cpu),
      %y : Float(70, 200, strides=[200, 1], requires_grad=0, device=cpu)):
  %0 : Tensor = aten::mm(%x, %y)
  return (%0)
