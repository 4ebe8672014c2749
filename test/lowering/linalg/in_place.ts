# RUN: ts-opt %s -p ts-convert-torch-to-linalg --split-input-file | filecheck %s

# What is written to is a new tensor from then on.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %m: tensor<?x?xi1>
# CHECK:         %[[A:.*]] = linalg.generic {{.*}} ins(%x
# CHECK:         %[[B:.*]] = linalg.generic {{.*}} ins(%[[A]], %y
# CHECK:         %[[C:.*]] = linalg.generic {{.*}} ins(%[[B]], %m
# CHECK:           arith.select
# CHECK:         %[[D:.*]] = linalg.generic {{.*}} ins(%y
# CHECK:         func.return %[[C]], %[[D]]
graph(%x : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu),
      %y : Float(4, strides=[1], requires_grad=0, device=cpu),
      %m : Bool(3, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %1 : float = prim::Constant[value=1.]()
  %f : bool = prim::Constant[value=0]()
  %a : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%x)
  %b : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::mul_(%a, %y)
  %c : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::masked_fill_(%b, %m, %1)
  %d : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::masked_fill(%x, %m, %1)
  %e : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::fill_(%d, %1)
  %g : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::copy_(%e, %y, %f)
  %h : (Tensor, Tensor) = prim::TupleConstruct(%c, %g)
  return (%h)

# // -----

# What a write takes may be held to the sizes of what is written to: a copy of it, broadcast.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>, %y: tensor<?xf32>
# CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%y
# CHECK:         linalg.generic {{.*}} ins(%x, %[[Y]]
graph(%x : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu),
      %y : Float(4, strides=[1], requires_grad=0, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %f : bool = prim::Constant[value=0]()
  %a : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::copy(%x, %y, %f)
  %b : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::add(%x, %a, %one)
  return (%b)
