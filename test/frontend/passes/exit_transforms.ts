# RUN: ts-opt %s -p ts-exit-transforms -t torchscript | filecheck %s

# A return inside a loop is a bool that the loop carries, which ends it, and the value to return.
# CHECK-LABEL: graph @early(%n : int):
# CHECK:         %[[NEVER:\d+]] : int = prim::Uninitialized()
# CHECK:         %[[YES:\d+]] : bool = prim::Constant[value=1]()
# CHECK-NEXT:    %[[NO:\d+]] : bool = prim::Constant[value=0]()
# CHECK:         %[[DID:\d+]] : bool, %[[RESULT:\d+]] : int = prim::Loop(%n, %{{.*}}, %[[NO]], %[[NEVER]])
# CHECK-NEXT:      block0(%i : int, %{{\d+}} : bool, %{{\d+}} : int):
# CHECK:             %[[OUT:\d+]] : bool, %[[VALUE:\d+]] : int, %[[ON:\d+]] : bool = prim::If(
# CHECK-NEXT:          block0():
# CHECK-NEXT:            -> (%[[YES]], %i, %[[NO]])
# CHECK-NEXT:          block1():
# CHECK-NEXT:            -> (%[[NO]], %[[NEVER]], %{{.*}})
# CHECK-NEXT:        -> (%[[ON]], %[[OUT]], %[[VALUE]])
# CHECK-NOT:     prim::ReturnStmt
# CHECK:         prim::If(%[[DID]])
# CHECK-NEXT:      block0():
# CHECK-NEXT:        -> (%[[NEVER]], %[[RESULT]])
# CHECK-NEXT:      block1():
# CHECK-NEXT:        -> (%[[NEVER]], %n)
graph @early(%n : int):
  %0 : int = prim::Constant[value=3]()
  %3 : bool = prim::Constant[value=1]()
   = prim::Loop(%n, %3)
    block0(%i : int):
      %4 : bool = aten::gt(%i, %0)
       = prim::If(%4)
        block0():
           = prim::ReturnStmt(%i)
          -> ()
        block1():
          -> ()
      -> (%3)
   = prim::ReturnStmt(%n)
  %5 : int = prim::Uninitialized()
  return (%5)

# Where nothing exits early the graph stays, beside constants that nothing uses.
# CHECK-LABEL: graph @straight(%x : Tensor):
# CHECK:         %y : Tensor = aten::neg(%x)
# CHECK-NEXT:    return (%y)
graph @straight(%x : Tensor):
  %y : Tensor = aten::neg(%x)
   = prim::ReturnStmt(%y)
  %1 : Tensor = prim::Uninitialized()
  return (%1)
