graph(%x : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu),
      %y : Float(3, 5, strides=[5, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=2]()
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::exp(%x)
  %3 : Tensor = aten::mul(%y, %0)
  %4 : Tensor[] = prim::ListConstruct(%2, %3)
  %5 : Tensor = aten::cat(%4, %1)
  return (%5)
