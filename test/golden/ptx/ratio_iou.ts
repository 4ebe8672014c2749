graph(%x1 : Float(10, 10, strides=[10, 1], requires_grad=0, device=cpu),
      %y1 : Float(10, 10, strides=[10, 1], requires_grad=0, device=cpu),
      %w1 : Float(10, 10, strides=[10, 1], requires_grad=0, device=cpu),
      %h1 : Float(10, 10, strides=[10, 1], requires_grad=0, device=cpu),
      %x2 : Float(10, 10, strides=[10, 1], requires_grad=0, device=cpu),
      %y2 : Float(10, 10, strides=[10, 1], requires_grad=0, device=cpu),
      %w2 : Float(10, 10, strides=[10, 1], requires_grad=0, device=cpu),
      %h2 : Float(10, 10, strides=[10, 1], requires_grad=0, device=cpu)):
  %0 : NoneType = prim::Constant()
  %1 : int = prim::Constant[value=1]()
  %2 : float = prim::Constant[value=0.]()
  %3 : float = prim::Constant[value=1.0000000000000001e-05]()
  %xi : Tensor = aten::max(%x1, %x2)
  %yi : Tensor = aten::max(%y1, %y2)
  %4 : Tensor = aten::add(%x1, %w1, %1)
  %5 : Tensor = aten::add(%x2, %w2, %1)
  %6 : Tensor = aten::min(%4, %5)
  %7 : Tensor = aten::sub(%6, %xi, %1)
  %wi : Tensor = aten::clamp(%7, %2, %0)
  %8 : Tensor = aten::add(%y1, %h1, %1)
  %9 : Tensor = aten::add(%y2, %h2, %1)
  %10 : Tensor = aten::min(%8, %9)
  %11 : Tensor = aten::sub(%10, %yi, %1)
  %hi : Tensor = aten::clamp(%11, %2, %0)
  %area_i : Tensor = aten::mul(%wi, %hi)
  %12 : Tensor = aten::mul(%w1, %h1)
  %13 : Tensor = aten::mul(%w2, %h2)
  %14 : Tensor = aten::add(%12, %13, %1)
  %15 : Tensor = aten::mul(%wi, %hi)
  %area_u : Tensor = aten::sub(%14, %15, %1)
  %16 : Tensor = aten::clamp(%area_u, %3, %0)
  %17 : Tensor = aten::div(%area_i, %16)
  return (%17)
