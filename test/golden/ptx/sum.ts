graph(%x : Float(3, 40, strides=[40, 1], requires_grad=0, device=cpu),
      %y : Float(3, 40, strides=[40, 1], requires_grad=0, device=cpu)):
  %0 : NoneType = prim::Constant()
  %1 : bool = prim::Constant[value=0]()
  %4 : int[] = prim::Constant[value=[1]]()
  %3 : Tensor = aten::mul(%x, %y)
  %5 : Tensor = aten::sum(%3, %4, %1, %0)
  return (%5)
