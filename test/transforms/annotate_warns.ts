# RUN: ts-opt -t torchscript -p ts-annotate-warns %s | filecheck %s

# CHECK: graph(%c : bool):
# CHECK: = aten::warn[warn_id=0](%m, %l)
# CHECK: = aten::warn[warn_id=1](%m, %l)
# CHECK: = aten::warn[warn_id=2](%m, %l)
graph(%c : bool):
  %m : str = prim::Constant[value="take care"]()
  %l : int = prim::Constant[value=2]()
   = aten::warn(%m, %l)
   = prim::If(%c)
    block0():
       = aten::warn(%m, %l)
      -> ()
    block1():
      -> ()
   = aten::warn(%m, %l)
  return (%c)
