graph(%x : Float(4, 6, strides=[6, 1], requires_grad=0, device=cpu),
      %w : Float(8, 6, strides=[6, 1], requires_grad=0, device=cpu),
      %b : Float(8, strides=[1], requires_grad=0, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %t : Float(6, 8) = aten::t(%w)
  %m : Float(4, 8) = aten::mm(%x, %t)
  %a : Float(4, 8) = aten::add(%m, %b, %one)
  %p : Float(4, 4), %q : Float(4, 4) = prim::ConstantChunk[chunks=2, dim=1](%a)
  %s : Float(4, 4) = aten::sigmoid(%p)
  %r : Float(4, 4) = aten::mul(%s, %q)
  return (%r)
