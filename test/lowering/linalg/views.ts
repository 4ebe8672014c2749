# RUN: ts-opt %s -p ts-convert-torch-to-linalg --split-input-file | filecheck %s

# Dimensions in another order are another way through the same memory, for sizes that tell the order.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>
# CHECK:         linalg.transpose ins(%x:tensor<?x?xf32>) outs(%{{.*}}:tensor<?x?xf32>) permutation = [1, 0]
# CHECK:         linalg.transpose
# CHECK:         linalg.transpose
# CHECK:         linalg.transpose
# CHECK:         linalg.generic
# CHECK:       func.func @sizes
# CHECK:         arith.constant 2 : i64
graph(%x : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu),
      %y : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %o : int[] = prim::ListConstruct(%1, %0)
  %c : int[] = prim::Constant[value=[1, 0]]()
  %a : Float(4, 3, strides=[1, 4], requires_grad=0, device=cpu) = aten::permute(%x, %c)
  %b : Float(4, 3, strides=[1, 4], requires_grad=0, device=cpu) = aten::transpose(%x, %0, %1)
  %d : Float(4, 3, strides=[1, 4], requires_grad=0, device=cpu) = aten::numpy_T(%x)
  %e : Float(4, 3, strides=[1, 4], requires_grad=0, device=cpu) = aten::mT(%x)
  %f : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%y, %a, %1)
  %g : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%f, %b, %1)
  %h : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%g, %d, %1)
  %i : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%h, %e, %1)
  return (%i)

# // -----
# Parts, for tensors of any size that has them; no dimension of size 1 is left of an index.
# CHECK-LABEL: func.func @kernel
# CHECK:         tensor.extract_slice %x[1, 0] [{{.*}}] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
# CHECK:         tensor.extract_slice {{.*}} : tensor<?x?xf32> to tensor<?xf32>
# CHECK:         tensor.extract_slice
# CHECK-NOT:     arith.constant 4 : i64
graph(%x : Float(4, 5, strides=[5, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=2]()
  %n : int = prim::Constant[value=-1]()
  %a : Float(2, 5, strides=[5, 1], requires_grad=0, device=cpu) = aten::slice(%x, %0, %1, %n, %1)
  %b : Float(5, strides=[1], requires_grad=0, device=cpu) = aten::select(%x, %0, %n)
  %c : Float(2, 5, strides=[5, 1], requires_grad=0, device=cpu) = aten::narrow(%x, %0, %0, %2)
  %d : Float(2, 5, strides=[5, 1], requires_grad=0, device=cpu) = aten::mul(%a, %b)
  %e : Float(2, 5, strides=[5, 1], requires_grad=0, device=cpu) = aten::mul(%d, %c)
  return (%e)

# // -----
# Dimensions of size 1 come and go, and repeat.
# CHECK-LABEL: func.func @kernel
# CHECK:         tensor.extract_slice %x[0, 0] [%{{.*}}, 1] [1, 1] : tensor<?x1xf32> to tensor<?xf32>
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>]
graph(%x : Float(4, 1, strides=[1, 1], requires_grad=0, device=cpu),
      %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %f : bool = prim::Constant[value=0]()
  %s : int[] = aten::size(%y)
  %a : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::squeeze(%x, %1)
  %b : Float(1, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::unsqueeze(%a, %0)
  %c : Float(4, 4, strides=[1, 0], requires_grad=0, device=cpu) = aten::expand(%x, %s, %f)
  %d : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::mul(%y, %b)
  %e : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::mul(%d, %c)
  return (%e)

# // -----
# What does not lie in the order of its indices is copied before it has another shape.
# CHECK-LABEL: func.func @kernel
# CHECK:         %[[COPY:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]{{.*}} ins(%x
# CHECK:         tensor.collapse_shape %[[COPY]] [[0 : i64, 1 : i64]] : tensor<?x?xf32> into tensor<?xf32>
# CHECK:         tensor.collapse_shape %x
# CHECK:         tensor.expand_shape
graph(%x : Float(4, 6, strides=[6, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %n : int = prim::Constant[value=-1]()
  %8 : int = prim::Constant[value=8]()
  %k : int = aten::size(%x, %1)
  %l : int[] = prim::ListConstruct(%n)
  %m : int[] = prim::ListConstruct(%8, %n)
  %a : Float(6, 4, strides=[1, 6], requires_grad=0, device=cpu) = aten::transpose(%x, %0, %1)
  %b : Float(24, strides=[1], requires_grad=0, device=cpu) = aten::reshape(%a, %l)
  %c : Float(8, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::view(%x, %m)
  %d : Float(8, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::mul(%c, %k)
  %e : Float(24, strides=[1], requires_grad=0, device=cpu) = aten::mul(%b, %k)
  %f : (Tensor, Tensor) = prim::TupleConstruct(%d, %e)
  return (%f)

# // -----
# A tensor with its dimensions in another order is computed in the order of memory, and so is what it is computed from.
# CHECK-LABEL: func.func @kernel
# CHECK:         linalg.generic {{.*}} ins(%x : tensor<?x?xf32>) outs
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]
# CHECK:         %[[RESULT:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>]{{.*}}, %y
# CHECK:         func.return %[[RESULT]]
graph(%x : Float(4, 6, strides=[6, 1], requires_grad=0, device=cpu),
      %y : Float(4, strides=[1], requires_grad=0, device=cpu)):
  %o : int[] = prim::Constant[value=[1, 0]]()
  %a : Float(4, 6, strides=[6, 1], requires_grad=0, device=cpu) = aten::exp(%x)
  %b : Float(6, 4, strides=[1, 6], requires_grad=0, device=cpu) = aten::t(%a)
  %c : Float(6, 4, strides=[1, 6], requires_grad=0, device=cpu) = aten::tanh(%b)
  %d : Float(6, 4, strides=[1, 6], requires_grad=0, device=cpu) = aten::mul(%c, %y)
  %e : Float(4, 6, strides=[6, 1], requires_grad=0, device=cpu) = aten::permute(%d, %o)
  return (%e)

# // -----
# An item of the list of sizes is the size.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>, %0: index, %1: index)
# CHECK-NEXT:    arith.index_cast %1 : index to i64
graph(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %sizes : int[] = aten::size(%x)
  %n : int = aten::__getitem__(%sizes, %one)
  %r : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::mul(%x, %n)
  return (%r)

# // -----
# A number that the kernel is given is a size, or -1 for what the other one leaves: what it stands for is computed at each call.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xf32>
# CHECK:         tensor.expand_shape
# CHECK:       func.func @sizes
# CHECK:         %[[QUOTIENT:.*]] = arith.divsi
# CHECK:         arith.select %{{.*}}, %{{.*}}, %[[QUOTIENT]] : i64
graph(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu), %n : int):
  %two : int = prim::Constant[value=2]()
  %sizes : int[] = prim::ListConstruct(%two, %n)
  %r : Float(2, 6, strides=[6, 1], requires_grad=0, device=cpu) = aten::view(%x, %sizes)
  %s : Float(2, 6, strides=[6, 1], requires_grad=0, device=cpu) = aten::exp(%r)
  return (%s)
