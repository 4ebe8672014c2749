# RUN: ts-opt %s -p ts-propagate-shapes,ts-create-autodiff-subgraphs -t torchscript | filecheck %s

# Nodes that a gradient goes through are in one sub-graph, with those that they need.
# CHECK-LABEL: graph @together(%x : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=0, device=cpu)):
# CHECK-NEXT:   %one : int = prim::Constant[value=1]()
# CHECK-NEXT:   %y : Float(*, *, requires_grad=1, device=cpu) = prim::DifferentiableGraph_0(%x, %w)
# CHECK-NEXT:   return (%y)
# CHECK-NEXT: with prim::DifferentiableGraph_0 = graph(%x : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=0, device=cpu)):
# CHECK-NEXT:   %p : Float(*, *, device=cpu) = aten::mm(%x, %w)
# CHECK-NEXT:   %q : Float(*, *, requires_grad=0, device=cpu) = aten::exp(%w)
# CHECK-NEXT:   %one : int = prim::Constant[value=1]()
# CHECK-NEXT:   %y : Float(*, *, device=cpu) = aten::add(%p, %q, %one)
# CHECK-NEXT:   return (%y)
graph @together(%x : Float(*, *, requires_grad=1, device=cpu),
      %w : Float(*, *, requires_grad=0, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %p : Tensor = aten::mm(%x, %w)
  %q : Tensor = aten::exp(%w)
  %y : Tensor = aten::add(%p, %q, %one)
  return (%y)

# One node is left to the tape, and so is what requires no gradient.
# CHECK-LABEL: graph @small(%x : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=0, device=cpu)):
# CHECK-NEXT:   %y : Float(*, *, device=cpu) = aten::mul(%x, %w)
# CHECK-NEXT:   %q : Float(*, *, requires_grad=0, device=cpu) = aten::exp(%w)
# CHECK-NEXT:   %r : Float(*, *, requires_grad=0, device=cpu) = aten::tanh(%q)
# CHECK-NEXT:   return (%y, %r)
graph @small(%x : Float(*, *, requires_grad=1, device=cpu),
      %w : Float(*, *, requires_grad=0, device=cpu)):
  %y : Tensor = aten::mul(%x, %w)
  %q : Tensor = aten::exp(%w)
  %r : Tensor = aten::tanh(%q)
  return (%y, %r)

# A view that somebody outside sees is made outside, too: nobody may write to what the sub-graph gives.
# CHECK-LABEL: graph @views(%x : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=1, device=cpu)):
# CHECK-NEXT:   %a : Float(*, *, requires_grad=1, device=cpu), %c : Float(*, *, requires_grad=1, device=cpu) = prim::DifferentiableGraph_0(%x, %w)
# CHECK-NEXT:   %b : Float(*, *, device=cpu) = aten::t(%a)
# CHECK-NEXT:   return (%b, %c)
# CHECK-NEXT: with prim::DifferentiableGraph_0 = graph(%x : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=1, device=cpu)):
# CHECK-NEXT:   %a : Float(*, *, device=cpu) = aten::mm(%x, %w)
# CHECK-NEXT:   %b : Float(*, *, device=cpu) = aten::t(%a)
# CHECK-NEXT:   %c : Float(*, *, device=cpu) = aten::tanh(%b)
# CHECK-NEXT:   return (%a, %c)
graph @views(%x : Float(*, *, requires_grad=1, device=cpu),
      %w : Float(*, *, requires_grad=1, device=cpu)):
  %a : Tensor = aten::mm(%x, %w)
  %b : Tensor = aten::t(%a)
  %c : Tensor = aten::tanh(%b)
  return (%b, %c)

# A write to what is read ends the sub-graph, and what is written to is no part of it.
# CHECK-LABEL: graph @written(%x : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=1, device=cpu)):
# CHECK-NEXT:   %one : int = prim::Constant[value=1]()
# CHECK-NEXT:   %b : Float(*, *, requires_grad=1, device=cpu) = prim::DifferentiableGraph_0(%x, %w)
# CHECK-NEXT:   %c : Float(*, *, device=cpu) = aten::exp(%b)
# CHECK-NEXT:   %d : Float(*, *, device=cpu) = aten::add_(%c, %one, %one)
# CHECK-NEXT:   %e : Float(*, *, device=cpu) = aten::mul(%d, %w)
# CHECK-NEXT:   return (%b, %e)
# CHECK-NEXT: with prim::DifferentiableGraph_0 = graph(%x : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=1, device=cpu)):
# CHECK-NEXT:   %a : Float(*, *, device=cpu) = aten::mul(%x, %w)
# CHECK-NEXT:   %b : Float(*, *, device=cpu) = aten::tanh(%a)
# CHECK-NEXT:   return (%b)
graph @written(%x : Float(*, *, requires_grad=1, device=cpu),
      %w : Float(*, *, requires_grad=1, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::mul(%x, %w)
  %b : Tensor = aten::tanh(%a)
  %c : Tensor = aten::exp(%b)
  %d : Tensor = aten::add_(%c, %one, %one)
  %e : Tensor = aten::mul(%d, %w)
  return (%b, %e)

# Branches and loops are cut at; what is in them has sub-graphs of its own.
# CHECK-LABEL: graph @branches(%x : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %b : bool):
# CHECK-NEXT:   %q : Float(*, *, requires_grad=1, device=cpu) = prim::DifferentiableGraph_0(%x, %w)
# CHECK-NEXT:   %r : Float(*, *, device=cpu) = prim::If(%b)
# CHECK-NEXT:     block0():
# CHECK-NEXT:       %t : Float(*, *, requires_grad=1, device=cpu) = prim::DifferentiableGraph_1(%q, %w)
# CHECK-NEXT:       -> (%t)
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%q)
# CHECK-NEXT:   return (%r)
# CHECK-NEXT: with prim::DifferentiableGraph_0 = graph(%x : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=1, device=cpu)):
# CHECK-NEXT:   %p : Float(*, *, device=cpu) = aten::mm(%x, %w)
# CHECK-NEXT:   %q : Float(*, *, device=cpu) = aten::tanh(%p)
# CHECK-NEXT:   return (%q)
# CHECK-NEXT: with prim::DifferentiableGraph_1 = graph(%q : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=1, device=cpu)):
# CHECK-NEXT:   %s : Float(*, *, device=cpu) = aten::exp(%q)
# CHECK-NEXT:   %t : Float(*, *, device=cpu) = aten::mul(%s, %w)
# CHECK-NEXT:   return (%t)
graph @branches(%x : Float(*, *, requires_grad=1, device=cpu),
      %w : Float(*, *, requires_grad=1, device=cpu),
      %b : bool):
  %p : Tensor = aten::mm(%x, %w)
  %q : Tensor = aten::tanh(%p)
  %r : Tensor = prim::If(%b)
    block0():
      %s : Tensor = aten::exp(%q)
      %t : Tensor = aten::mul(%s, %w)
      -> (%t)
    block1():
      -> (%q)
  return (%r)

# An operator without a formula is none of it, and neither is a tensor of which no dtype is known.
# CHECK-LABEL: graph @unknown(%x : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %a : Float(*, *, device=cpu) = aten::tanh(%x)
# CHECK-NEXT:   %b : Float(*, *, device=cpu) = aten::exp(%a)
# CHECK-NEXT:   %c : Tensor = foreign::function(%b)
# CHECK-NEXT:   %d : Tensor = aten::tanh(%y)
# CHECK-NEXT:   %e : Tensor = aten::exp(%d)
# CHECK-NEXT:   return (%c, %e)
graph @unknown(%x : Float(*, *, requires_grad=1, device=cpu),
      %y : Tensor):
  %a : Tensor = aten::tanh(%x)
  %b : Tensor = aten::exp(%a)
  %c : Tensor = foreign::function(%b)
  %d : Tensor = aten::tanh(%y)
  %e : Tensor = aten::exp(%d)
  return (%c, %e)

# A loop that only its trip count ends is a node like any other.
# CHECK-LABEL: graph @loop(%x : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %true : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %y : Float(*, *, requires_grad=1, device=cpu) = prim::DifferentiableGraph_0(%n, %x, %w)
# CHECK-NEXT:   return (%y)
# CHECK-NEXT: with prim::DifferentiableGraph_0 = graph(%n : int,
# CHECK-NEXT:       %x : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=1, device=cpu)):
# CHECK-NEXT:   %true : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %y : Float(*, *, device=cpu) = prim::Loop(%n, %true, %x)
# CHECK-NEXT:     block0(%i : int, %h : Float(*, *, device=cpu)):
# CHECK-NEXT:       %p : Float(*, *, device=cpu) = aten::mm(%h, %w)
# CHECK-NEXT:       %q : Float(*, *, device=cpu) = aten::tanh(%p)
# CHECK-NEXT:       -> (%true, %q)
# CHECK-NEXT:   return (%y)
graph @loop(%x : Float(*, *, requires_grad=1, device=cpu),
      %w : Float(*, *, requires_grad=1, device=cpu),
      %n : int):
  %true : bool = prim::Constant[value=1]()
  %y : Tensor = prim::Loop(%n, %true, %x)
    block0(%i : int, %h : Tensor):
      %p : Tensor = aten::mm(%h, %w)
      %q : Tensor = aten::tanh(%p)
      -> (%true, %q)
  return (%y)

# One that may stop is cut at, and its body has a sub-graph of its own.
# CHECK-LABEL: graph @stopped(%x : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=1, device=cpu),
# CHECK-NEXT:       %n : int,
# CHECK-NEXT:       %stop : bool):
# CHECK-NEXT:   %true : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %y : Float(*, *, device=cpu) = prim::Loop(%n, %true, %x)
# CHECK-NEXT:     block0(%i : int, %h : Float(*, *, device=cpu)):
# CHECK-NEXT:       %q : Float(*, *, requires_grad=1, device=cpu) = prim::DifferentiableGraph_0(%h, %w)
# CHECK-NEXT:       -> (%stop, %q)
# CHECK-NEXT:   return (%y)
# CHECK-NEXT: with prim::DifferentiableGraph_0 = graph(%h : Float(*, *, device=cpu),
# CHECK-NEXT:       %w : Float(*, *, requires_grad=1, device=cpu)):
# CHECK-NEXT:   %p : Float(*, *, device=cpu) = aten::mm(%h, %w)
# CHECK-NEXT:   %q : Float(*, *, device=cpu) = aten::tanh(%p)
# CHECK-NEXT:   return (%q)
graph @stopped(%x : Float(*, *, requires_grad=1, device=cpu),
      %w : Float(*, *, requires_grad=1, device=cpu),
      %n : int,
      %stop : bool):
  %true : bool = prim::Constant[value=1]()
  %y : Tensor = prim::Loop(%n, %true, %x)
    block0(%i : int, %h : Tensor):
      %p : Tensor = aten::mm(%h, %w)
      %q : Tensor = aten::tanh(%p)
      -> (%stop, %q)
  return (%y)

# A view behind the last node of a sub-graph stays behind what it is given.
# CHECK-LABEL: graph @view_of_the_last(%x : Float(*, *, requires_grad=1, device=cpu)):
# CHECK:         %b : Float(*, *, requires_grad=1, device=cpu) = prim::DifferentiableGraph_0(%x)
# CHECK-NEXT:    %n : int = aten::size(%x, %zero)
# CHECK-NEXT:    %l : int[] = prim::ListConstruct(%n)
# CHECK-NEXT:    %v : FloatTensor(device=cpu) = aten::view(%b, %l)
# CHECK-NEXT:    return (%v)
graph @view_of_the_last(%x : Float(*, *, requires_grad=1, device=cpu)):
  %zero : int = prim::Constant[value=0]()
  %a : Float(*, *, requires_grad=1, device=cpu) = aten::tanh(%x)
  %b : Float(*, *, requires_grad=1, device=cpu) = aten::tanh(%a)
  %n : int = aten::size(%x, %zero)
  %l : int[] = prim::ListConstruct(%n)
  %v : Tensor = aten::view(%b, %l)
  return (%v)

# A check stays where it is, inside, and so does what its condition is made of; the last one is left behind.
# CHECK-LABEL: graph @checked
# CHECK:         %z : Float(*, *, requires_grad=1, device=cpu) = prim::DifferentiableGraph_0(%x)
# CHECK:         prim::If(%ends)
# CHECK:       with prim::DifferentiableGraph_0 = graph(%x : Float(*, *, requires_grad=1, device=cpu)):
# CHECK:         %y : Float(*, *, device=cpu) = aten::mm(%x, %x)
# CHECK:         %n : int = aten::size(%y, %zero)
# CHECK:         %is_none : bool = aten::eq(%n, %zero)
# CHECK:         prim::If(%is_none)
# CHECK:         %z : Float(*, *, device=cpu) = aten::tanh(%y)
# CHECK-NEXT:    return (%z)
graph @checked(%x : Float(*, *, requires_grad=1, device=cpu), %ends : bool):
  %zero : int = prim::Constant[value=0]()
  %text : str = prim::Constant[value="no rows"]()
  %class : NoneType = prim::Constant()
  %y : Tensor = aten::mm(%x, %x)
  %n : int = aten::size(%y, %zero)
  %is_none : bool = aten::eq(%n, %zero)
   = prim::If(%is_none)
    block0():
       = prim::RaiseException(%text, %class)
      -> ()
    block1():
      -> ()
  %z : Tensor = aten::tanh(%y)
   = prim::If(%ends)
    block0():
       = prim::RaiseException(%text, %class)
      -> ()
    block1():
      -> ()
  return (%z)
