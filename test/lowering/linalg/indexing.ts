# RUN: ts-opt %s -t linalg --split-input-file | filecheck %s

# Rows whose numbers another tensor holds.
# CHECK-LABEL: func.func @forward
# CHECK:         linalg.generic
# CHECK:         linalg.index 1 : index
# CHECK:         tensor.extract %x[
graph(%x : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu), %i : Long(2, strides=[1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %1 : Tensor = aten::index_select(%x, %0, %i)
  return (%1)

// -----

# An element for each place.
# CHECK-LABEL: func.func @forward
# CHECK:         linalg.generic
# CHECK:         linalg.index 0 : index
# CHECK:         tensor.extract %x[
graph(%x : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu), %i : Long(3, 2, strides=[2, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=1]()
  %1 : bool = prim::Constant[value=0]()
  %2 : Tensor = aten::gather(%x, %0, %i, %1)
  return (%2)
