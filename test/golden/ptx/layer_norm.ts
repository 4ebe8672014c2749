graph(%x : Float(3, 40, strides=[40, 1], requires_grad=0, device=cpu),
      %w : Float(40, strides=[1], requires_grad=0, device=cpu),
      %b : Float(40, strides=[1], requires_grad=0, device=cpu)):
  %0 : bool = prim::Constant[value=1]()
  %1 : float = prim::Constant[value=1.0000000000000001e-05]()
  %2 : int = prim::Constant[value=40]()
  %3 : int[] = prim::ListConstruct(%2)
  %4 : Tensor = aten::layer_norm(%x, %3, %w, %b, %1, %0)
  return (%4)
