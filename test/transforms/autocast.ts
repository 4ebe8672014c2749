# RUN: ts-opt %s -p ts-autocast,ts-constant-pooling -t torchscript | filecheck %s
# RUN: ts-opt %s -p 'ts-autocast{cpu=bfloat16},ts-constant-pooling' -t torchscript | filecheck %s --check-prefix=AROUND
# RUN: ts-opt %s -p 'ts-autocast{cuda=float16},ts-constant-pooling' -t torchscript | filecheck %s --check-prefix=CUDA

# A region becomes casts: to its dtype, to float32, and to float32 where a tensor may have it. What writes is left alone, and so is
# what stands outside.
# CHECK-LABEL: graph @region(%a : Tensor,
# CHECK:         %m : Tensor = aten::mm(%a, %b)
# CHECK-NEXT:    %[[A:[0-9]+]] : Tensor = aten::_autocast_to_reduced_precision(%a,
# CHECK-NEXT:    %[[B:[0-9]+]] : Tensor = aten::_autocast_to_reduced_precision(%b,
# CHECK-NEXT:    %n : Tensor = aten::mm(%[[A]], %[[B]])
# CHECK-NEXT:    %[[N:[0-9]+]] : Tensor = aten::_autocast_to_full_precision(%n,
# CHECK-NEXT:    %[[M:[0-9]+]] : Tensor = aten::_autocast_to_full_precision(%m,
# CHECK-NEXT:    %s : Tensor = aten::add(%[[N]], %[[M]], %{{[a-z0-9]+}})
# CHECK-NEXT:    %t : Tensor = aten::add(%d, %d, %{{[a-z0-9]+}})
# CHECK-NEXT:    %[[S:[0-9]+]] : Tensor = aten::_autocast_to_full_precision(%s,
# CHECK-NEXT:    %e : Tensor = aten::exp(%[[S]])
# CHECK-NEXT:    %w : Tensor = aten::mul_(%e, %t)
# CHECK-NEXT:    %r : Tensor = aten::exp(%w)
# CHECK-NEXT:    return (%r)

# AROUND-LABEL: graph @region(%a : Tensor,
# AROUND:         %[[A:[0-9]+]] : Tensor = aten::_autocast_to_reduced_precision(%a,
# AROUND:         %m : Tensor = aten::mm(%
# AROUND:         %n : Tensor = aten::mm(
# AROUND:         %[[W:[0-9]+]] : Tensor = aten::_autocast_to_full_precision(%w,
# AROUND-NEXT:    %r : Tensor = aten::exp(%[[W]])

# In a region for devices around the call, tensors of both kinds are cast, each as its region says; 5 is float16.
# CUDA-LABEL: graph @region(%a : Tensor,
# CUDA-DAG:     %[[FLOAT16:[0-9]+]] : int = prim::Constant[value=5]()
# CUDA-DAG:     %[[FALSE:[0-9]+]] : bool = prim::Constant[value=0]()
# CUDA:         %[[A:[0-9]+]] : Tensor = aten::_autocast_to_reduced_precision(%a, %true, %[[FALSE]], %[[FLOAT16]], %bfloat16)
# CUDA:         %m : Tensor = aten::mm(%
# CUDA:         aten::_autocast_to_reduced_precision(%a, %true, %true, %[[FLOAT16]], %bfloat16)
# CUDA:         %n : Tensor = aten::mm(%
# CUDA:         %[[E:[0-9]+]] : Tensor = aten::_autocast_to_full_precision(%{{[0-9a-z]+}}, %true, %[[FALSE]])
# CUDA-NEXT:    %e : Tensor = aten::exp(%[[E]])
graph @region(%a : Tensor, %b : Tensor, %d : BFloat16(2, 2, strides=[2, 1])):
  %one : int = prim::Constant[value=1]()
  %true : bool = prim::Constant[value=1]()
  %bfloat16 : int = prim::Constant[value=15]()
  %cpu : str = prim::Constant[value="cpu"]()
  %m : Tensor = aten::mm(%a, %b)
  %autocast : __torch__.torch.amp.autocast_mode.autocast = prim::CreateObject()
   = prim::SetAttr[name="fast_dtype"](%autocast, %bfloat16)
   = prim::SetAttr[name="_enabled"](%autocast, %true)
   = prim::SetAttr[name="device"](%autocast, %cpu)
  %entered : __torch__.torch.amp.autocast_mode.autocast = prim::Enter(%autocast)
  %n : Tensor = aten::mm(%a, %b)
  %s : Tensor = aten::add(%n, %m, %one)
  %t : Tensor = aten::add(%d, %d, %one)
  %e : Tensor = aten::exp(%s)
  %w : Tensor = aten::mul_(%e, %t)
  %left : NoneType = prim::Exit(%autocast)
  %r : Tensor = aten::exp(%w)
  return (%r)
