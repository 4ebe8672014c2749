# RUN: ts-opt %s -p ts-propagate-shapes,ts-convert-torch-to-linalg --split-input-file | filecheck %s
# RUN: ts-opt %s --split-input-file --verify-equiv -p ts-propagate-shapes,ts-convert-torch-to-linalg,linalg-to-llvm 2>&1 | filecheck %s --check-prefix EQUAL
# EQUAL-NOT: ts-opt:

# A convolution goes over the windows of the padded tensor. Sizes of channels and filters are symbols: one kernel serves all.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %b: tensor<?xf32>
# CHECK:         tensor.insert_slice %x into {{.*}}[0, 0, 1, 1]
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, ((d2 * 2) + d5), ((d3 * 2) + d6))>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
# CHECK:           arith.mulf
# CHECK-NEXT:      arith.addf
# CHECK:         linalg.generic {{.*}}, %b :
# CHECK:       kernel.signature @kernel([s0, s1, s2, s3], [s4, s1, s5, s6], [s4]
graph(%x : Float(2, 3, 5, 6, strides=[90, 30, 6, 1], requires_grad=0, device=cpu),
      %w : Float(4, 3, 3, 3, strides=[27, 9, 3, 1], requires_grad=0, device=cpu),
      %b : Float(4, strides=[1], requires_grad=0, device=cpu)):
  %twos : int[] = prim::Constant[value=[2, 2]]()
  %ones : int[] = prim::Constant[value=[1, 1]]()
  %groups : int = prim::Constant[value=1]()
  %y : Tensor = aten::conv2d(%x, %w, %b, %twos, %ones, %ones, %groups)
  return (%y)

# // -----

# Channels in groups are cut into two dimensions, of which the first is a loop of its own.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?xf32>
# CHECK:         tensor.expand_shape %x
# CHECK:         tensor.expand_shape %w
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, (d3 + d5))>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d4, d5)>
# CHECK:         tensor.collapse_shape
graph(%x : Float(2, 4, 6, strides=[24, 6, 1], requires_grad=0, device=cpu),
      %w : Float(6, 2, 3, strides=[6, 3, 1], requires_grad=0, device=cpu)):
  %none : NoneType = prim::Constant()
  %ones : int[] = prim::Constant[value=[1]]()
  %zeros : int[] = prim::Constant[value=[0]]()
  %groups : int = prim::Constant[value=2]()
  %y : Tensor = aten::conv1d(%x, %w, %none, %ones, %zeros, %ones, %groups)
  return (%y)

# // -----

# The gradient of the input is a convolution of the gradient, padded, by the filters turned around; that of the filters adds up along
# the batch and the places; that of the bias is a sum in float64.
# CHECK-LABEL: func.func @kernel(%g: tensor<?x?x?xf32>, %x: tensor<?x?x?xf32>, %w: tensor<?x?x?xf32>
# CHECK:         tensor.insert_slice %g into {{.*}}[0, 0, 1]
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, ((d2 + (d4 * -1)) + 2))>, affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4)>
# CHECK:         tensor.insert_slice %x into {{.*}}[0, 0, 1]
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d3, d1, (d4 + d2))>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4)>
# CHECK:         linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "reduction"]} ins(%g :
# CHECK:           arith.extf
graph(%g : Float(2, 4, 6, strides=[24, 6, 1], requires_grad=0, device=cpu),
      %x : Float(2, 3, 6, strides=[18, 6, 1], requires_grad=0, device=cpu),
      %w : Float(4, 3, 3, strides=[9, 3, 1], requires_grad=0, device=cpu)):
  %none : NoneType = prim::Constant()
  %ones : int[] = prim::Constant[value=[1]]()
  %zeros : int[] = prim::Constant[value=[0]]()
  %groups : int = prim::Constant[value=1]()
  %false : bool = prim::Constant[value=0]()
  %all : bool[] = prim::Constant[value=[True, True, True]]()
  %dx : Tensor, %dw : Tensor, %db : Tensor = aten::convolution_backward(%g, %x, %w, %none, %ones, %ones, %ones, %false, %zeros, %groups, %all)
  return (%dx, %dw, %db)

# // -----

# The gradient of the input of windows that move by two is a convolution for each other element. What is not wanted is not computed.
# CHECK-LABEL: func.func @kernel(%g: tensor<?x?x?xf32>
# CHECK:         tensor.extract_slice {{%.*}}[0, 0, 0] [{{.*}}] [1, 1, 2]
# CHECK:         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
# CHECK:         tensor.insert_slice {{.*}}[0, 0, 1] [{{.*}}] [1, 1, 2]
# CHECK:         tensor.extract_slice {{%.*}}[0, 0, 1] [{{.*}}] [1, 1, 2]
# CHECK:         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
# CHECK:         tensor.insert_slice {{.*}}[0, 0, 0] [{{.*}}] [1, 1, 2]
# CHECK-NOT:     "reduction"
# CHECK:         func.return
graph(%g : Float(2, 4, 3, strides=[12, 3, 1], requires_grad=0, device=cpu),
      %x : Float(2, 3, 6, strides=[18, 6, 1], requires_grad=0, device=cpu),
      %w : Float(4, 3, 3, strides=[9, 3, 1], requires_grad=0, device=cpu)):
  %none : NoneType = prim::Constant()
  %ones : int[] = prim::Constant[value=[1]]()
  %twos : int[] = prim::Constant[value=[2]]()
  %zeros : int[] = prim::Constant[value=[0]]()
  %groups : int = prim::Constant[value=1]()
  %false : bool = prim::Constant[value=0]()
  %first : bool[] = prim::Constant[value=[True, False, False]]()
  %dx : Tensor, %dw : Tensor, %db : Tensor = aten::convolution_backward(%g, %x, %w, %none, %twos, %ones, %ones, %false, %zeros, %groups, %first)
  return (%dx)

# // -----

# A transposed convolution is one of the input by the filters turned around, with zeros around the input; the size of the result follows.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?xf32>, %w: tensor<?x?x?xf32>, %b: tensor<?xf32>
# CHECK:         tensor.insert_slice %x into {{.*}}[0, 0, 1]
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, ((d2 + (d4 * -1)) + 2))>, affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4)>
# CHECK:         linalg.generic {{.*}}, %b :
# CHECK:       kernel.signature @kernel([s0, s1, s2], [s1, s3, s4], [s3]
graph(%x : Float(2, 4, 6, strides=[24, 6, 1], requires_grad=0, device=cpu),
      %w : Float(4, 3, 3, strides=[9, 3, 1], requires_grad=0, device=cpu),
      %b : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %ones : int[] = prim::Constant[value=[1]]()
  %zeros : int[] = prim::Constant[value=[0]]()
  %groups : int = prim::Constant[value=1]()
  %y : Tensor = aten::conv_transpose1d(%x, %w, %b, %ones, %ones, %zeros, %groups, %ones)
  return (%y)

# // -----

# Where it moves by two, the elements of the result that lie two apart are such a convolution each, by every other element of the filters.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?x?xf32>, %w: tensor<?x?x?xf32>
# CHECK:         [[FIRST:%.*]] = tensor.extract_slice {{%.*}}[0, 0, 0] [{{.*}}] [1, 1, 2]
# CHECK:         linalg.generic {{.*}} ins([[FIRST]]
# CHECK:         affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, ((d2 + (d4 * -1)) + 1))>
# CHECK:         tensor.insert_slice {{.*}}[0, 0, 1] [{{.*}}] [1, 1, 2]
# CHECK:         tensor.extract_slice {{%.*}}[0, 0, 1] [{{.*}}] [1, 1, 2]
# CHECK:         affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, (d2 + (d4 * -1)))>
# CHECK:         tensor.insert_slice {{.*}}[0, 0, 0] [{{.*}}] [1, 1, 2]
graph(%x : Float(2, 4, 6, strides=[24, 6, 1], requires_grad=0, device=cpu),
      %w : Float(4, 3, 3, strides=[9, 3, 1], requires_grad=0, device=cpu)):
  %none : NoneType = prim::Constant()
  %ones : int[] = prim::Constant[value=[1]]()
  %twos : int[] = prim::Constant[value=[2]]()
  %groups : int = prim::Constant[value=1]()
  %false : bool = prim::Constant[value=0]()
  %true : bool = prim::Constant[value=1]()
  %y : Tensor = aten::convolution(%x, %w, %none, %twos, %ones, %ones, %true, %ones, %groups)
  return (%y)

# // -----

# The gradients of a transposed convolution are a convolution of the gradient, and products of its windows.
# CHECK-LABEL: func.func @kernel(%g: tensor<?x?x?xf32>, %x: tensor<?x?x?xf32>, %w: tensor<?x?x?xf32>
# CHECK:         tensor.insert_slice %g into {{.*}}[0, 0, 1]
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, ((d2 * 2) + d4))>, affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4)>, {{.*}} %w :
# CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d3, d1, ((d4 * 2) + d2))>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4)>, {{.*}} %x :
# CHECK-NOT:     extract_slice
# CHECK:         func.return
graph(%g : Float(2, 3, 12, strides=[36, 12, 1], requires_grad=0, device=cpu),
      %x : Float(2, 4, 6, strides=[24, 6, 1], requires_grad=0, device=cpu),
      %w : Float(4, 3, 3, strides=[9, 3, 1], requires_grad=0, device=cpu)):
  %none : NoneType = prim::Constant()
  %ones : int[] = prim::Constant[value=[1]]()
  %twos : int[] = prim::Constant[value=[2]]()
  %groups : int = prim::Constant[value=1]()
  %true : bool = prim::Constant[value=1]()
  %all : bool[] = prim::Constant[value=[True, True, True]]()
  %dx : Tensor, %dw : Tensor, %db : Tensor = aten::convolution_backward(%g, %x, %w, %none, %twos, %ones, %ones, %true, %ones, %groups, %all)
  return (%dx, %dw, %db)
