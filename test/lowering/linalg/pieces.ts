# RUN: ts-opt %s -p ts-convert-torch-to-linalg --split-input-file | filecheck %s

# The last part is what is left: the size that is cut is free as far as there are as many parts.
# CHECK-LABEL: func.func @kernel
# CHECK:         %[[REST:.*]] = tensor.extract_slice %x[0, %{{.*}}] [%{{.*}}, %{{.*}}] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
# CHECK:         linalg.generic {{.*}} ins(%[[REST]]
# CHECK:         func.func @sizes
graph(%x : Float(4, 5, strides=[5, 1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %3 : int = prim::Constant[value=3]()
  %list : Tensor[] = aten::split(%x, %3, %1)
  %a : Float(4, 3, strides=[5, 1], requires_grad=0, device=cpu), %b : Float(4, 2, strides=[5, 1], requires_grad=0, device=cpu) = prim::ListUnpack(%list)
  %c : Float(4, 2, strides=[2, 1], requires_grad=0, device=cpu) = aten::tanh(%b)
  %d : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::exp(%a)
  %r : (Tensor, Tensor) = prim::TupleConstruct(%c, %d)
  return (%r)

# // -----
# Parts by number have no such dimension, and side by side they get it back.
# CHECK-LABEL: func.func @kernel
# CHECK:         %[[FIRST:.*]] = tensor.extract_slice %x[0, 0] [1, %{{.*}}] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
# CHECK:         %[[SECOND:.*]] = tensor.extract_slice %x[1, 0] [1, %{{.*}}] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
# CHECK:         %[[INTO:.*]] = tensor.insert_slice %[[SECOND]] into %{{.*}}[0, %{{.*}}] [%{{.*}}, 1] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
# CHECK:         tensor.insert_slice %[[FIRST]] into %[[INTO]]
graph(%x : Float(2, 5, strides=[5, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %list : Tensor[] = aten::unbind(%x, %0)
  %a : Float(5, strides=[1], requires_grad=0, device=cpu), %b : Float(5, strides=[1], requires_grad=0, device=cpu) = prim::ListUnpack(%list)
  %parts : Tensor[] = prim::ListConstruct(%b, %a)
  %c : Float(5, 2, strides=[2, 1], requires_grad=0, device=cpu) = aten::stack(%parts, %1)
  return (%c)

# // -----
# A size that three does not divide: two parts are rounded up, and what they leave of it has to be more than nothing.
# CHECK-LABEL: func.func @kernel
# CHECK:         tensor.extract_slice %x[%{{.*}}] [%[[LENGTH:.*]]] [1] : tensor<?xf32> to tensor<?xf32>
# CHECK:         tensor.extract_slice %x[%[[LENGTH]]] [%[[LENGTH]]] [1] : tensor<?xf32> to tensor<?xf32>
# CHECK:         %[[TWICE:.*]] = arith.muli %[[LENGTH]]
# CHECK:         tensor.extract_slice %x[%[[TWICE]]] [%{{.*}}] [1] : tensor<?xf32> to tensor<?xf32>
# CHECK:         func.func @sizes
# CHECK:         arith.divsi
# CHECK:         arith.subi
# CHECK:         arith.cmpi sge
graph(%x : Float(7, strides=[1], requires_grad=0, device=cpu)):
  %a : Float(3, strides=[1], requires_grad=0, device=cpu), %b : Float(3, strides=[1], requires_grad=0, device=cpu), %c : Float(1, strides=[1], requires_grad=0, device=cpu) = prim::ConstantChunk[chunks=3, dim=0](%x)
  %d : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::mul(%a, %b)
  %e : Float(1, strides=[1], requires_grad=0, device=cpu) = aten::exp(%c)
  %r : (Tensor, Tensor) = prim::TupleConstruct(%d, %e)
  return (%r)
