# RUN: ts-opt %s -p ts-canonicalize-modified-loops -t torchscript | filecheck %s

# CountTripsInLoop

# A loop with a trip count and a condition counts by itself.
# CHECK-LABEL: graph @both(%n : int,
# CHECK:         %[[ZERO:\d+]] : int = prim::Constant[value=0]()
# CHECK-NEXT:    %[[ONE:\d+]] : int = prim::Constant[value=1]()
# CHECK-NEXT:    %[[ENTER:\d+]] : bool = aten::gt(%n, %[[ZERO]])
# CHECK-NEXT:    %[[MOST:\d+]] : int = prim::Constant[value=9223372036854775807]()
# CHECK-NEXT:    %{{.*}} : int = prim::Loop(%[[MOST]], %[[ENTER]], %n, %[[ZERO]])
# CHECK-NEXT:      block0(%{{\d+}} : int, %b : int, %[[I:\d+]] : int):
# CHECK-NEXT:        %d : int = aten::mul(%b, %[[I]])
# CHECK-NEXT:        %[[NEXT:\d+]] : int = aten::add(%[[I]], %[[ONE]])
# CHECK-NEXT:        %[[MORE:\d+]] : bool = aten::lt(%[[NEXT]], %n)
# CHECK-NEXT:        %[[GO:\d+]] : bool = aten::__and__(%[[MORE]], %go)
# CHECK-NEXT:        -> (%[[GO]], %d, %[[NEXT]])
graph @both(%n : int, %go : bool):
  %true : bool = prim::Constant[value=1]()
  %a : int = prim::Loop(%n, %true, %n)
    block0(%i : int, %b : int):
      %d : int = aten::mul(%b, %i)
      -> (%go, %d)
  return (%a)

# Loops that only count, and loops that only have a condition, stay.
# CHECK-LABEL: graph @one(%n : int,
# CHECK:         prim::Loop(%n, %true, %n)
# CHECK:           -> (%true, %d)
# CHECK:         prim::Loop(%most, %go, %a)
# CHECK:           -> (%go, %h)
graph @one(%n : int, %go : bool):
  %true : bool = prim::Constant[value=1]()
  %most : int = prim::Constant[value=9223372036854775807]()
  %a : int = prim::Loop(%n, %true, %n)
    block0(%i : int, %b : int):
      %d : int = aten::mul(%b, %i)
      -> (%true, %d)
  %e : int = prim::Loop(%most, %go, %a)
    block0(%j : int, %g : int):
      %h : int = aten::mul(%g, %n)
      -> (%go, %h)
  return (%e)
