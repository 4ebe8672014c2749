# RUN: ts-opt %s -p ts-specialize-functions -t torchscript | filecheck %s

# A function that branches on an argument gets a copy for the calls that give None, in which the branch is decided. Calls that give the
# same share it, and a None that it gives is one for what follows.
# CHECK-LABEL: graph @caller(%x : Tensor,
# CHECK:         [[NONE:%.*]] : NoneType = prim::Constant()
# CHECK:         [[F:%.*]] : Function = prim::Constant[name="masked.0"]()
# CHECK-NEXT:    {{%.*}} : Tensor = prim::CallFunction([[F]], %x, [[NONE]])
# CHECK:         [[NO:%.*]] : NoneType = prim::Constant()
# CHECK:         [[F:%.*]] : Function = prim::Constant[name="masked.0"]()
# CHECK-NEXT:    {{%.*}} : Tensor = prim::CallFunction([[F]], {{%.*}}, [[NO]])
# CHECK-NEXT:    {{%.*}} : Tensor = prim::CallFunction(%f, {{%.*}}, %m)
# CHECK-LABEL: graph @masked(%y : Tensor,
# CHECK:         prim::If
# CHECK-LABEL: graph @canonical(%m : Tensor?):
# CHECK:         prim::If
graph @caller(%x : Tensor, %m : Tensor?):
  %n : NoneType = prim::Constant()
  %f : Function = prim::Constant[name="masked"]()
  %a : Tensor = prim::CallFunction(%f, %x, %n)
  %g : Function = prim::Constant[name="canonical"]()
  %k : Tensor? = prim::CallFunction(%g, %n)
  %b : Tensor = prim::CallFunction(%f, %a, %k)
  %c : Tensor = prim::CallFunction(%f, %b, %m)
  return (%c)
graph @masked(%y : Tensor, %mask : Tensor?):
  %none : NoneType = prim::Constant()
  %1 : bool = aten::__is__(%mask, %none)
  %r : Tensor = prim::If(%1)
    block0():
      %2 : Tensor = aten::neg(%y)
      -> (%2)
    block1():
      %3 : Tensor = prim::unchecked_cast(%mask)
      %4 : Tensor = aten::mul(%y, %3)
      -> (%4)
  return (%r)
graph @canonical(%m : Tensor?):
  %none : NoneType = prim::Constant()
  %1 : bool = aten::__is__(%m, %none)
  %r : Tensor? = prim::If(%1)
    block0():
      -> (%m)
    block1():
      %2 : Tensor = prim::unchecked_cast(%m)
      %3 : Tensor = aten::neg(%2)
      -> (%3)
  return (%r)

# What has no branches is not copied.
# CHECK-LABEL: graph @twice(%x : Tensor):
# CHECK:         prim::CallFunction(%f, %x, %t)
graph @twice(%x : Tensor):
  %f : Function = prim::Constant[name="flatten"]()
  %t : bool = prim::Constant[value=1]()
  %r : Tensor = prim::CallFunction(%f, %x, %t)
  return (%r)
# CHECK-LABEL: graph @flatten(
graph @flatten(%x : Tensor, %t : bool):
  %i : int = aten::Int(%t)
  %r : Tensor = aten::add(%x, %i, %i)
  return (%r)

# What is forked is a program of its own, which is specialized when it runs.
# CHECK-LABEL: graph @forking(%y : Tensor):
# CHECK:         prim::fork_0(
# CHECK:         with prim::fork_0 = graph(
# CHECK:         [[F:%.*]] : Function = prim::Constant[name="masked"]()
# CHECK:         prim::CallFunction([[F]],
graph @forking(%y : Tensor):
  %future : Future[Tensor] = prim::fork_0(%y)
  %r : Tensor = aten::wait(%future)
  return (%r)
with prim::fork_0 = graph(%y : Tensor):
  %none : NoneType = prim::Constant()
  %f : Function = prim::Constant[name="masked"]()
  %r : Tensor = prim::CallFunction(%f, %y, %none)
  return (%r)

# CHECK-LABEL: graph @masked.0(%y : Tensor,
# CHECK-NEXT:      %mask : Tensor?):
# CHECK-NEXT:    [[R:%.*]] : Tensor = aten::neg(%y)
# CHECK-NEXT:    return ([[R]])
