graph(%x : Float(4, 6, strides=[6, 1], requires_grad=0, device=cpu),
      %y : Float(6, strides=[1], requires_grad=0, device=cpu),
      %s : int):
  %one : int = prim::Constant[value=1]()
  %zero : float = prim::Constant[value=0.]()
  %a : Float(4, 6) = aten::add(%x, %y, %s)
  %b : Float(4, 6) = aten::tanh(%a)
  %c : Float(4, 6) = aten::relu(%b)
  %d : Bool(4, 6) = aten::gt(%c, %zero)
  %e : Float(4, 6) = aten::where(%d, %b, %a)
  %f : Float(4, 6) = aten::sigmoid(%e)
  return (%f, %d)
