# RUN: ts-opt %s -p ts-inline -t torchscript | filecheck %s

# A call becomes the body of the callee, whose constants are clean.
# CHECK-LABEL: graph @caller(%x : Tensor):
# CHECK-NEXT:   %f : Function = prim::Constant[name="callee"]()
# CHECK-NEXT:   %0 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %a : Tensor = aten::add(%x, %x, %0)
# CHECK-NEXT:   %1 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %b : Tensor = aten::add(%a, %a, %1)
# CHECK-NEXT:   return (%b)
# CHECK-LABEL: graph @callee(%y : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %2 : int = aten::add(%0, %1)
# CHECK-NEXT:   %3 : Tensor = aten::add(%y, %y, %2)
# CHECK-NEXT:   return (%3)
graph @caller(%x : Tensor):
  %f : Function = prim::Constant[name="callee"]()
  %a : Tensor = prim::CallFunction(%f, %x)
  %b : Tensor = prim::CallFunction(%f, %a)
  return (%b)
graph @callee(%y : Tensor):
  %1 : int = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=1]()
  %3 : int = aten::add(%1, %2)
  %4 : Tensor = aten::add(%y, %y, %3)
  return (%4)

# A callee that writes does so in the place of the call.
# CHECK-LABEL: graph @writer(%x : Tensor):
# CHECK-NEXT:   %f : Function = prim::Constant[name="write"]()
# CHECK-NEXT:   %a : Tensor = aten::neg(%x)
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %b : Tensor = aten::add_(%x, %0, %0)
# CHECK-NEXT:   %c : Tensor = aten::mul(%a, %x)
# CHECK-NEXT:   return (%c)
# CHECK-LABEL: graph @write(%y : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %1 : Tensor = aten::add_(%y, %0, %0)
# CHECK-NEXT:   return (%1)
graph @writer(%x : Tensor):
  %f : Function = prim::Constant[name="write"]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = prim::CallFunction(%f, %x)
  %c : Tensor = aten::mul(%a, %x)
  return (%c)
graph @write(%y : Tensor):
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::add_(%y, %1, %1)
  return (%2)

# Methods are functions, too; the call of something that is not here stays.
# CHECK-LABEL: graph @methods(%self : __torch__.M,
# CHECK-NEXT:       %x : Tensor):
# CHECK-NEXT:   %g : Function = prim::Constant[name="elsewhere"]()
# CHECK-NEXT:   %w : Tensor = prim::GetAttr[name="weight"](%self)
# CHECK-NEXT:   %a : Tensor = aten::mul(%x, %w)
# CHECK-NEXT:   %b : Tensor = prim::CallFunction(%g, %a)
# CHECK-NEXT:   return (%b)
# CHECK-LABEL: graph @__torch__.M.run(%self : __torch__.M,
# CHECK-NEXT:       %x : Tensor):
# CHECK-NEXT:   %w : Tensor = prim::GetAttr[name="weight"](%self)
# CHECK-NEXT:   %0 : Tensor = aten::mul(%x, %w)
# CHECK-NEXT:   return (%0)
graph @methods(%self : __torch__.M, %x : Tensor):
  %g : Function = prim::Constant[name="elsewhere"]()
  %a : Tensor = prim::CallMethod[name="run"](%self, %x)
  %b : Tensor = prim::CallFunction(%g, %a)
  return (%b)
graph @__torch__.M.run(%self : __torch__.M, %x : Tensor):
  %w : Tensor = prim::GetAttr[name="weight"](%self)
  %1 : Tensor = aten::mul(%x, %w)
  return (%1)
