# RUN: ts-opt %s -t linalg --split-input-file | filecheck %s

# A branch gives a tensor.
# CHECK-LABEL: func.func @forward
# CHECK:         scf.if %b -> (tensor<2xf32>) {
# CHECK:         scf.yield {{.*}} : tensor<2xf32>
# CHECK:         } else {
# CHECK:         scf.yield %x : tensor<2xf32>
graph(%x : Float(2, strides=[1], requires_grad=0, device=cpu), %b : bool):
  %0 : Tensor = prim::If(%b)
    block0():
      %1 : Tensor = aten::neg(%x)
      -> (%1)
    block1():
      -> (%x)
  return (%0)

// -----

# A loop that only counts, over numbers that go by three, and what is computed of the number.
# CHECK-LABEL: func.func @forward
# CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (tensor<2xf32>) {
# CHECK:         arith.index_cast
# CHECK:         arith.floordivsi
# CHECK:         scf.yield
graph(%x : Float(2, strides=[1], requires_grad=0, device=cpu), %n : int):
  %0 : int = prim::Constant[value=1]()
  %1 : bool = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=3]()
  %3 : Tensor = prim::Loop(%n, %1, %x)
    block0(%i : int, %y : Tensor):
      %4 : int = aten::floordiv(%i, %2)
      %5 : Tensor = aten::add(%y, %4, %0)
      -> (%1, %5)
  return (%3)

// -----

# A loop that ends when an element says so.
# CHECK-LABEL: func.func @forward
# CHECK:         scf.while
# CHECK:         arith.cmpi slt
# CHECK:         scf.condition
# CHECK:         } do {
# CHECK:         tensor.extract
# CHECK:         arith.divf
# CHECK:         scf.yield
graph(%x : Float(requires_grad=0, device=cpu), %n : int):
  %0 : bool = prim::Constant[value=1]()
  %1 : int = prim::Constant[value=2]()
  %2 : float = prim::Constant[value=1.]()
  %3 : Tensor, %4 : float = prim::Loop(%n, %0, %x, %2)
    block0(%i : int, %y : Tensor, %k : float):
      %5 : Tensor = aten::mul(%y, %1)
      %6 : float = aten::Float(%5)
      %7 : float = aten::div(%6, %1)
      %8 : bool = aten::gt(%7, %2)
      -> (%8, %5, %7)
  return (%3, %4)
