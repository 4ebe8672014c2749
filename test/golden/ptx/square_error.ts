graph(%x : Float(3, 40, strides=[40, 1], requires_grad=0, device=cpu),
      %y : Float(3, 40, strides=[40, 1], requires_grad=0, device=cpu)):
  %0 : NoneType = prim::Constant()
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::sub(%x, %y, %1)
  %3 : Tensor = aten::mul(%2, %2)
  %4 : Tensor = aten::mean(%3, %0)
  return (%4)
