graph(%x : Long(4, 6, strides=[6, 1], requires_grad=0, device=cpu),
      %y : Double(4, 1, strides=[1, 1], requires_grad=0, device=cpu),
      %f : float):
  %one : int = prim::Constant[value=1]()
  %a : Double(4, 6, strides=[6, 1]) = aten::add(%x, %y, %one)
  %l : Tensor[] = prim::ListConstruct(%a, %a)
  %c : Double(4, 12, strides=[12, 1]) = aten::cat(%l, %one)
  %u : Double(4, 1, 12, strides=[12, 12, 1]) = aten::unsqueeze(%c, %one)
  %v : Double(4, 1, 12, strides=[12, 12, 1]) = aten::mul(%u, %f)
  %w : Bool(4, 1, 12, strides=[12, 12, 1]) = aten::isnan(%v)
  return (%v, %w)
