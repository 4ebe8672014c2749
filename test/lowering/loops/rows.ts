# RUN: ts-opt %s -p ts-convert-torch-to-linalg,ts-fuse-elementwise,ts-linalg-to-loops | filecheck %s

# All that is computed of a row is in one loop over rows: maximum, powers, their sum, quotients.
# CHECK-LABEL: func.func @kernel
# CHECK:         "scf.parallel"(%begin, %end
# CHECK:           scf.for {{.*}} iter_args
# CHECK:             arith.maximumf
# CHECK:           "scf.parallel"
# CHECK:             math.exp
# CHECK:           scf.for {{.*}} iter_args
# CHECK:             arith.addf
# CHECK:           "scf.parallel"
# CHECK:             arith.divf
# CHECK-NOT:     %begin
# CHECK:         func.return
graph(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %dim : int = prim::Constant[value=1]()
  %dtype : NoneType = prim::Constant()
  %r : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::softmax(%x, %dim, %dtype)
  return (%r)
