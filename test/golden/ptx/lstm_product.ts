graph(%x : Float(3, 10, strides=[10, 1], requires_grad=0, device=cpu),
      %w : Float(32, 10, strides=[10, 1], requires_grad=0, device=cpu),
      %b : Float(32, strides=[1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=1]()
  %1 : Tensor = aten::t(%w)
  %2 : Tensor = aten::mm(%x, %1)
  %3 : Tensor = aten::add(%2, %b, %0)
  return (%3)
