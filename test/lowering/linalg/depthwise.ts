# RUN: ts-opt %s -p ts-convert-torch-to-linalg --split-input-file | filecheck %s
# RUN: ts-opt %s --split-input-file --verify-equiv -p ts-convert-torch-to-linalg,linalg-to-llvm 2>&1 | filecheck %s --check-prefix EQUAL
# EQUAL-NOT: ts-opt:

# A depthwise convolution is one pointwise op over its taps: parts of the padded tensor, each times one element of the filter.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?xf32>
# CHECK:         linalg.fill
# CHECK:         tensor.insert_slice %x into {{.*}}[0, 0, 1]
# CHECK:         tensor.extract_slice {{.*}}[0, 0, 0]
# CHECK:         tensor.extract_slice {{.*}}[0, 0, 0]
# CHECK:         tensor.extract_slice {{.*}}[0, 0, 1]
# CHECK:         tensor.extract_slice {{.*}}[0, 0, 1]
# CHECK:         linalg.generic
# CHECK:         arith.mulf
# CHECK:         math.fma
# CHECK:         arith.addf
# CHECK-NOT:     linalg.generic
graph(%x : Float(2, 3, 5, strides=[15, 5, 1], requires_grad=0, device=cpu),
      %w : Float(3, 1, 2, strides=[2, 2, 1], requires_grad=0, device=cpu),
      %b : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %one : int[] = prim::Constant[value=[1]]()
  %groups : int = prim::Constant[value=3]()
  %r : Float(2, 3, 6, strides=[18, 6, 1], requires_grad=0, device=cpu) = aten::conv1d(%x, %w, %b, %one, %one, %one, %groups)
  return (%r)

# // -----

# With steps between windows and between their elements, and without padding.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?x?xf32>
# CHECK-NOT:     linalg.fill
# CHECK:         tensor.extract_slice %x[0, 0, 0, 0] {{.*}} [1, 1, 2, 1]
# CHECK:         tensor.extract_slice %x[0, 0, 3, 0] {{.*}} [1, 1, 2, 1]
# CHECK:         linalg.generic
graph(%x : Float(1, 2, 9, 4, strides=[72, 36, 4, 1], requires_grad=0, device=cpu),
      %w : Float(2, 1, 2, 1, strides=[2, 2, 1, 1], requires_grad=0, device=cpu)):
  %none : NoneType = prim::Constant()
  %stride : int[] = prim::Constant[value=[2, 1]]()
  %padding : int[] = prim::Constant[value=[0, 0]]()
  %dilation : int[] = prim::Constant[value=[3, 1]]()
  %groups : int = prim::Constant[value=2]()
  %r : Float(1, 2, 3, 4, strides=[24, 12, 4, 1], requires_grad=0, device=cpu) = aten::conv2d(%x, %w, %none, %stride, %padding, %dilation, %groups)
  return (%r)

# // -----

# The gradient of the input is such an op over the taps of the padded gradient, that of the filters a sum for each tap.
# CHECK-LABEL: func.func @kernel(%g: tensor<?x?x?xf32>, %x: tensor<?x?x?xf32>, %w: tensor<?x?x?xf32>
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]
# CHECK:         math.fma
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "reduction"]{{.*}} %g :
# CHECK:         tensor.insert_slice {{.*}}[0, 0, 0]
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "reduction"]{{.*}} %g :
# CHECK:         tensor.insert_slice {{.*}}[0, 0, 1]
# CHECK-NOT:     linalg.generic
graph(%g : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu),
      %x : Float(2, 3, 5, strides=[15, 5, 1], requires_grad=0, device=cpu),
      %w : Float(3, 1, 2, strides=[2, 2, 1], requires_grad=0, device=cpu)):
  %none : NoneType = prim::Constant()
  %one : int[] = prim::Constant[value=[1]]()
  %zero : int[] = prim::Constant[value=[0]]()
  %groups : int = prim::Constant[value=3]()
  %false : bool = prim::Constant[value=0]()
  %mask : bool[] = prim::Constant[value=[True, True, False]]()
  %dx : Float(2, 3, 5, strides=[15, 5, 1], requires_grad=0, device=cpu), %dw : Float(3, 1, 2, strides=[2, 2, 1], requires_grad=0, device=cpu), %db : Tensor = aten::convolution_backward(%g, %x, %w, %none, %one, %zero, %one, %false, %zero, %groups, %mask)
  return (%dx, %dw)
