graph(%x : Half(17, strides=[1], requires_grad=0, device=cpu),
      %y : Int(17, strides=[1], requires_grad=0, device=cpu),
      %z : Byte(17, strides=[1], requires_grad=0, device=cpu),
      %b : Bool(17, strides=[1], requires_grad=0, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %p : float = prim::Constant[value=2.5]()
  %c : Half(17, strides=[1]) = aten::exp(%x)
  %d : Float(17, strides=[1]) = aten::sin(%y)
  %g : Int(17, strides=[1]) = aten::add(%y, %z, %one)
  %h : Bool(17, strides=[1]) = aten::lt(%g, %x)
  %i : Bool(17, strides=[1]) = aten::logical_and(%h, %b)
  %j : Float(17, strides=[1]) = aten::pow(%d, %p)
  %k : Float(17, strides=[1]) = aten::where(%i, %j, %d)
  %m : Byte(17, strides=[1]) = aten::bitwise_xor(%z, %b)
  return (%c, %g, %i, %k, %m)
