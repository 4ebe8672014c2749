# RUN: ts-opt %s -p ts-dead-code-elimination -t torchscript | filecheck %s

# Nodes that nothing uses go, and so do writes that nobody sees.
# CHECK-LABEL: graph @unused(%x : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %z : Tensor = prim::Loop(%n, %t, %x)
# CHECK-NEXT:     block0(%i : int, %a : Tensor):
# CHECK-NEXT:       %h : Tensor = aten::neg(%a)
# CHECK-NEXT:       -> (%t, %h)
# CHECK-NEXT:   return (%z)
graph @unused(%x : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %unused : Tensor = aten::mul(%x, %x)
  %outputs : Tensor[] = prim::ListConstruct()
  %z : Tensor, %dead : int = prim::Loop(%n, %t, %x, %n)
    block0(%i : int, %a : Tensor, %k : int):
      %h : Tensor = aten::neg(%a)
      %o : Tensor[] = aten::append(%outputs, %h)
      -> (%t, %h, %i)
  return (%z)

# A write to an argument stays, also through a view, and so does a print.
# CHECK-LABEL: graph @mutated(%x : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %row : Tensor = aten::select(%x, %0, %0)
# CHECK-NEXT:   %w : Tensor = aten::add_(%row, %1, %1)
# CHECK-NEXT:    = prim::Print(%1)
# CHECK-NEXT:   return (%1)
graph @mutated(%x : Tensor):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %row : Tensor = aten::select(%x, %0, %0)
  %w : Tensor = aten::add_(%row, %1, %1)
   = prim::Print(%1)
  return (%1)

# A write to memory that the next trip of the loop reads stays.
# CHECK-LABEL: graph @aliased(%x : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %0 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Tensor = aten::mul(%x, %x)
# CHECK-NEXT:   %r : Tensor = prim::Loop(%n, %t, %x)
# CHECK-NEXT:     block0(%i : int, %total : Tensor):
# CHECK-NEXT:       %b : Tensor = aten::select(%a, %0, %0)
# CHECK-NEXT:       %new : Tensor = aten::add(%total, %b, %1)
# CHECK-NEXT:       %b2 : Tensor = aten::select(%a, %0, %0)
# CHECK-NEXT:       %w : Tensor = aten::add_(%b2, %1, %1)
# CHECK-NEXT:       -> (%t, %new)
# CHECK-NEXT:   return (%r)
graph @aliased(%x : Tensor, %n : int):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %t : bool = prim::Constant[value=1]()
  %a : Tensor = aten::mul(%x, %x)
  %r : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %total : Tensor):
      %b : Tensor = aten::select(%a, %0, %0)
      %new : Tensor = aten::add(%total, %b, %1)
      %b2 : Tensor = aten::select(%a, %0, %0)
      %w : Tensor = aten::add_(%b2, %1, %1)
      -> (%t, %new)
  return (%r)

# What a loop carries is memory of the trip before: the write may be to what is in the list.
# CHECK-LABEL: graph @carried(%x : Tensor,
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %t : bool = prim::Constant[value=1]()
# CHECK-NEXT:   %first : Tensor = aten::mul(%x, %x)
# CHECK-NEXT:   %seen : Tensor[] = prim::ListConstruct()
# CHECK-NEXT:   %r : Tensor = prim::Loop(%n, %t, %first)
# CHECK-NEXT:     block0(%i : int, %a : Tensor):
# CHECK-NEXT:       %w : Tensor = aten::add_(%a, %0, %0)
# CHECK-NEXT:       %b : Tensor = aten::neg(%x)
# CHECK-NEXT:       %o : Tensor[] = aten::append(%seen, %b)
# CHECK-NEXT:       -> (%t, %b)
# CHECK-NEXT:   return (%seen)
graph @carried(%x : Tensor, %n : int):
  %1 : int = prim::Constant[value=1]()
  %t : bool = prim::Constant[value=1]()
  %first : Tensor = aten::mul(%x, %x)
  %seen : Tensor[] = prim::ListConstruct()
  %r : Tensor = prim::Loop(%n, %t, %first)
    block0(%i : int, %a : Tensor):
      %w : Tensor = aten::add_(%a, %1, %1)
      %b : Tensor = aten::neg(%x)
      %o : Tensor[] = aten::append(%seen, %b)
      -> (%t, %b)
  return (%seen)

# Running statistics change in training, whether or not the result is used; the schema does not tell.
# CHECK-LABEL: graph @statistics(%x : Tensor,
# CHECK:        %0 : Tensor = aten::batch_norm(
# CHECK-NEXT:   return (%x)
graph @statistics(%x : Tensor, %w : Tensor, %m : Tensor, %v : Tensor):
  %t : bool = prim::Constant[value=1]()
  %e : float = prim::Constant[value=0.1]()
  %1 : Tensor = aten::batch_norm(%x, %w, %w, %m, %v, %t, %e, %e, %t)
  return (%x)

# CHECK-LABEL: graph @no_statistics(%x : Tensor,
# CHECK-NOT:    batch_norm
# CHECK:        return (%x)
graph @no_statistics(%x : Tensor, %w : Tensor, %m : Tensor, %v : Tensor):
  %t : bool = prim::Constant[value=0]()
  %e : float = prim::Constant[value=0.1]()
  %1 : Tensor = aten::batch_norm(%x, %w, %w, %m, %v, %t, %e, %e, %t)
  return (%x)

# A write to what a list holds stays where the list is used, though the tensor is not: it was taken away.
# CHECK-LABEL: graph @held(%x : Tensor):
# CHECK:         %l : Tensor[] = prim::ListConstruct(%y)
# CHECK-NEXT:    %w : Tensor = aten::add_(%y, %1, %1)
# CHECK-NEXT:    %c : Tensor = aten::cat(%l, %0)
# CHECK-NEXT:    return (%c)
graph @held(%x : Tensor):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %y : Tensor = aten::neg(%x)
  %l : Tensor[] = prim::ListConstruct(%y)
  %w : Tensor = aten::add_(%y, %1, %1)
  %c : Tensor = aten::cat(%l, %0)
  return (%c)

# A task that nobody waits for goes, whatever it does.
# CHECK-LABEL: graph @nobody_waits(%x : Tensor):
# CHECK-NEXT:    return (%x)
graph @nobody_waits(%x : Tensor):
  %f : Future[Tensor] = prim::fork_0(%x)
  return (%x)
with prim::fork_0 = graph(%x : Tensor):
   = prim::Print(%x)
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::add_(%x, %1, %1)
  return (%2)
