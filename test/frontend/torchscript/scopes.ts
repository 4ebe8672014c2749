# RUN: ts-opt %s -t torchscript | filecheck %s
# RUN: ts-opt %s -t mlir --print-debuginfo | ts-opt -f mlir -t torchscript | filecheck %s
# RUN: ts-opt %s -t mlir --print-debuginfo | filecheck %s --check-prefix MLIR

# The scopes of a trace are locations, which both texts keep.
# CHECK:      graph(%x : Tensor):
# CHECK-NEXT:   %0 : Tensor = aten::relu(%x), scope: __module.a/__module.a.b # net.py:3:0
# CHECK-NEXT:   %1 : NoneType = prim::Constant(), scope: __module.a
# CHECK-NEXT:   %2 : Tensor = aten::clone(%0, %1) # net.py:4:0
# CHECK-NEXT:   return (%2)
# MLIR:       loc("__module.a/__module.a.b"("net.py":3:0))
# MLIR:       loc("__module.a"(unknown))
graph(%x : Tensor):
  %0 : Tensor = aten::relu(%x), scope: __module.a/__module.a.b # net.py:3:0
  %1 : NoneType = prim::Constant(), scope: __module.a
  %2 : Tensor = aten::clone(%0, %1) # net.py:4:0
  return (%2)
