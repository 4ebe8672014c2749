# RUN: ts-opt %s -p ts-propagate-shapes,ts-fuse-tensorexprs -t torchscript | filecheck %s

# Pointwise nodes become one group; their constants go with them.
# CHECK-LABEL: graph @fused(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %c : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::TensorExprGroup_0(%x, %y)
# CHECK-NEXT:   return (%c, %a)
# CHECK-NEXT: with prim::TensorExprGroup_0 = graph(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::add(%x, %y, %0)
# CHECK-NEXT:   %b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%a)
# CHECK-NEXT:   %c : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::mul(%b, %x)
# CHECK-NEXT:   return (%a, %c)
graph @fused(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %y, %1)
  %b : Tensor = aten::tanh(%a)
  %c : Tensor = aten::mul(%b, %x)
  return (%c, %a)

# A write to what the group reads ends the group, also a write through a view.
# CHECK-LABEL: graph @mutated(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::TensorExprGroup_0(%x)
# CHECK-NEXT:   %row : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::select(%x, %0, %0)
# CHECK-NEXT:   %w : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::add_(%row, %1, %1)
# CHECK-NEXT:   %d : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::TensorExprGroup_1(%b, %x)
# CHECK-NEXT:   return (%d)
# CHECK-NEXT: with prim::TensorExprGroup_0 = graph(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %a : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::neg(%x)
# CHECK-NEXT:   %b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%a)
# CHECK-NEXT:   return (%b)
# CHECK-NEXT: with prim::TensorExprGroup_1 = graph(%b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %c : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::mul(%b, %x)
# CHECK-NEXT:   %d : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%c)
# CHECK-NEXT:   return (%d)
graph @mutated(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %y : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::tanh(%a)
  %row : Tensor = aten::select(%x, %0, %0)
  %w : Tensor = aten::add_(%row, %1, %1)
  %c : Tensor = aten::mul(%b, %x)
  %d : Tensor = aten::tanh(%c)
  return (%d)

# A write to what the group computes is one of its nodes; its result stands for what it wrote to from then on.
# CHECK-LABEL: graph @rewritten(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %f : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::TensorExprGroup_0(%x)
# CHECK-NEXT:   return (%f)
# CHECK-NEXT: with prim::TensorExprGroup_0 = graph(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %a : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::neg(%x)
# CHECK-NEXT:   %b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%a)
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %w : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::add_(%b, %0, %0)
# CHECK-NEXT:   %c : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::exp(%w)
# CHECK-NEXT:   %d : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::neg(%c)
# CHECK-NEXT:   %v : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::mul_(%w, %w)
# CHECK-NEXT:   %e : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::mul(%d, %v)
# CHECK-NEXT:   %f : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%e)
# CHECK-NEXT:   return (%f)
graph @rewritten(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::tanh(%a)
  %w : Tensor = aten::add_(%b, %1, %1)
  %c : Tensor = aten::exp(%b)
  %d : Tensor = aten::neg(%c)
  %v : Tensor = aten::mul_(%b, %b)
  %e : Tensor = aten::mul(%d, %b)
  %f : Tensor = aten::tanh(%e)
  return (%f)

# A view that is used after the write shows it: the write is no node of a group, and ends what was before.
# CHECK-LABEL: graph @shown(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK:         %b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::TensorExprGroup_0(%x)
# CHECK:         %r : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::select(%b,
# CHECK-NEXT:    aten::add_(%b,
# CHECK-NEXT:    prim::TensorExprGroup_1(
graph @shown(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::tanh(%a)
  %r : Tensor = aten::select(%b, %0, %0)
  %w : Tensor = aten::add_(%b, %1, %1)
  %c : Tensor = aten::exp(%r)
  %d : Tensor = aten::neg(%c)
  return (%d)

# Outside, a view of what comes from outside stays where it is.
# CHECK-LABEL: graph @outer(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK:         %r : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::select(%x, %0, %0)
# CHECK-NEXT:    %s : {{.*}} = aten::sort(%r
# CHECK-NEXT:    %c : Float(4, strides=[1], requires_grad=0, device=cpu) = prim::TensorExprGroup_0(%x)
# CHECK:       with prim::TensorExprGroup_0 = graph(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK:         aten::select(%x
graph @outer(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %0 : int = prim::Constant[value=0]()
  %f : bool = prim::Constant[value=0]()
  %r : Tensor = aten::select(%x, %0, %0)
  %a : Tensor = aten::neg(%r)
  %s : Tensor, %i : Tensor = aten::sort(%r, %0, %f)
  %c : Tensor = aten::tanh(%a)
  %d : (Tensor, Tensor) = prim::TupleConstruct(%c, %s)
  return (%d)

# Views that somebody sees are made outside, behind the group: they stay views.
# CHECK-LABEL: graph @aliased(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %a : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %d : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::TensorExprGroup_0(%x)
# CHECK-NEXT:   %v : Float(4, 4, strides=[1, 4], requires_grad=0, device=cpu) = aten::t(%a)
# CHECK-NEXT:   %u : Float(4, 1, 4, strides=[1, 16, 4], requires_grad=0, device=cpu) = aten::unsqueeze(%v, %0)
# CHECK-NEXT:   return (%d, %v, %u)
# CHECK-NEXT: with prim::TensorExprGroup_0 = graph(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %a : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::neg(%x)
# CHECK-NEXT:   %v : Float(4, 4, strides=[1, 4], requires_grad=0, device=cpu) = aten::t(%a)
# CHECK-NEXT:   %b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::mm(%v, %x)
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %c : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::add(%a, %b, %0)
# CHECK-NEXT:   %d : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%c)
# CHECK-NEXT:   return (%a, %d)
graph @aliased(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %v : Tensor = aten::t(%a)
  %u : Tensor = aten::unsqueeze(%v, %1)
  %b : Tensor = aten::mm(%v, %x)
  %c : Tensor = aten::add(%a, %b, %1)
  %d : Tensor = aten::tanh(%c)
  return (%d, %v, %u)

# A view behind the group of what is not in it stays in its place.
# CHECK-LABEL: graph @behind(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %l : Tensor[]):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = prim::TensorExprGroup_0(%x)
# CHECK-NEXT:   %n : int = aten::len(%l)
# CHECK-NEXT:   %s : FloatTensor(requires_grad=0, device=cpu) = aten::select(%x, %n, %n)
# CHECK-NEXT:   %v : Float(4, 4, strides=[1, 4], requires_grad=0, device=cpu) = aten::t(%x)
# CHECK-NEXT:   return (%b, %s, %v)
# CHECK-NEXT: with prim::TensorExprGroup_0 = graph(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)):
# CHECK-NEXT:   %a : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::neg(%x)
# CHECK-NEXT:   %b : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::tanh(%a)
# CHECK-NEXT:   return (%b)
graph @behind(%x : Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu), %l : Tensor[]):
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::tanh(%a)
  %n : int = aten::len(%l)
  %s : Tensor = aten::select(%x, %n, %n)
  %v : Tensor = aten::t(%x)
  return (%b, %s, %v)

# One node alone, and integer arithmetic that may raise, are no groups.
# CHECK-LABEL: graph @unfit(%x : Long(4, strides=[1], requires_grad=0, device=cpu),
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %a : Long(4, strides=[1], requires_grad=0, device=cpu) = aten::neg(%x)
# CHECK-NEXT:   %b : Long(4, strides=[1], requires_grad=0, device=cpu) = aten::fmod(%a, %x)
# CHECK-NEXT:   %c : Tensor = aten::neg(%y)
# CHECK-NEXT:   %d : Tensor = aten::tanh(%c)
# CHECK-NEXT:   return (%b, %d)
graph @unfit(%x : Long(4, strides=[1], requires_grad=0, device=cpu), %y : Tensor):
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::fmod(%a, %x)
  %c : Tensor = aten::neg(%y)
  %d : Tensor = aten::tanh(%c)
  return (%b, %d)

# What raises is no group: kernels do not check. Sums that would be larger than the product, a lerp of two dtypes.
# CHECK-LABEL: graph @raising(
# CHECK-NOT: TensorExprGroup
# CHECK: return
graph @raising(%a : Float(1, 4, strides=[4, 1], requires_grad=0, device=cpu), %b : Float(4, 1, strides=[1, 1], requires_grad=0, device=cpu), %s : Float(3, strides=[1], requires_grad=0, device=cpu), %t : Double(3, strides=[1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %x : Tensor = aten::addmm(%s, %a, %b, %1, %1)
  %y : Tensor = aten::linear(%a, %a, %s)
  %z : Tensor = aten::lerp(%s, %t, %s)
  %l : Tensor = aten::lerp(%t, %s, %t)
  return (%x, %y, %z, %l)

# Nor is what is transposed if it has no elements, and so no order in memory: the kernel would serve other sizes, too.
# CHECK-LABEL: graph @nothing(
# CHECK-NOT: TensorExprGroup
# CHECK: return
graph @nothing(%x : Float(0, 2, strides=[2, 1], requires_grad=0, device=cpu)):
  %t : Tensor = aten::t(%x)
  %a : Tensor = aten::neg(%t)
  %b : Tensor = aten::tanh(%a)
  return (%b)

# What is transposed may have sizes of 1: a kernel serves no others in their places.
# CHECK-LABEL: graph @row(
# CHECK: Float(2, 1, strides=[1, 1], requires_grad=0, device=cpu) = prim::TensorExprGroup_0(%x)
# CHECK-NEXT: return
graph @row(%x : Float(1, 2, strides=[2, 1], requires_grad=0, device=cpu)):
  %t : Tensor = aten::t(%x)
  %a : Tensor = aten::neg(%t)
  %b : Tensor = aten::tanh(%a)
  return (%b)

# A product of any size: its kernel is as fast as a library.
# CHECK-LABEL: graph @large_product(
# CHECK: = prim::TensorExprGroup_0(%x, %w)
# CHECK-NEXT: return
# CHECK-NEXT: with prim::TensorExprGroup_0 =
# CHECK: aten::mm(%x, %w)
# CHECK-NEXT: aten::relu
graph @large_product(%x : Float(4096, 4096, strides=[4096, 1], requires_grad=0, device=cpu), %w : Float(4096, 4096, strides=[4096, 1], requires_grad=0, device=cpu)):
  %a : Tensor = aten::mm(%x, %w)
  %b : Tensor = aten::relu(%a)
  return (%b)

# A view that nobody uses comes behind the group that makes what it is a view of.
# CHECK-LABEL: graph @unused_view(
# CHECK:        prim::TensorExprGroup_
# CHECK-NEXT:   %v : {{.*}} = aten::t(%a)
# CHECK-NEXT:   return (%b)
graph @unused_view(%x : Float(3, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %a : Float(3, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::neg(%x)
  %v : Float(3, 3, strides=[1, 3], requires_grad=0, device=cpu) = aten::t(%a)
  %b : Float(3, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::mul(%a, %a)
  return (%b)

# What a group gives has no gaps, and may have its dimensions in another order than memory.
# CHECK-LABEL: graph @turned(
# CHECK:         %[[RESULT:.*]] : Float(3, 4, strides=[1, 3], requires_grad=0, device=cpu) = prim::TensorExprGroup_{{[0-9]+}}(%x)
# CHECK-NEXT:    return (%[[RESULT]])
# CHECK-NOT:     aten::permute(
graph @turned(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %t : Tensor = aten::t(%x)
  %a : Tensor = aten::neg(%t)
  %b : Tensor = aten::tanh(%a)
  return (%b)

# One operator that takes long has a group of its own; one that a kernel of its own saves little for has none.
# CHECK-LABEL: graph @large(
# CHECK:         prim::TensorExprGroup_{{[0-9]+}}(%x)
# CHECK-NOT:     prim::TensorExprGroup_
# CHECK:         return
graph @large(%x : Float(256, 256, strides=[256, 1], requires_grad=0, device=cpu)):
  %none : str = prim::Constant[value="none"]()
  %a : Tensor = aten::gelu(%x, %none)
  return (%a)

# CHECK-LABEL: graph @large_and_cheap(
# CHECK-NOT:     prim::TensorExprGroup_
# CHECK:         return
graph @large_and_cheap(%x : Float(256, 256, strides=[256, 1], requires_grad=0, device=cpu)):
  %a : Tensor = aten::relu(%x)
  return (%a)

# CHECK-LABEL: graph @small(
# CHECK-NOT:     prim::TensorExprGroup_
# CHECK:         return
graph @small(%x : Float(16, 16, strides=[16, 1], requires_grad=0, device=cpu)):
  %none : str = prim::Constant[value="none"]()
  %a : Tensor = aten::gelu(%x, %none)
  return (%a)

# A kernel is given no device and no number of a dtype, but the tensor that has them, whose type it checks. What the other group takes
# is made there once more.
# CHECK-LABEL: graph @of_its_kind(
# CHECK:         prim::TensorExprGroup_[[FIRST:[0-9]+]](%x, %n)
# CHECK:         prim::Print
# CHECK:         prim::TensorExprGroup_[[SECOND:[0-9]+]](%n, %x, %b)
# CHECK:       with prim::TensorExprGroup_[[FIRST]] = graph(
# CHECK:         [[DTYPE:%.*]] : int = prim::dtype(%x)
# CHECK:         [[DEVICE:%.*]] : Device = prim::device(%x)
# CHECK:         aten::zeros({{.*}}, [[DTYPE]], {{.*}}, [[DEVICE]],
# CHECK:       with prim::TensorExprGroup_[[SECOND]] = graph(
# CHECK:         [[AGAIN:%.*]] : int = prim::dtype(%x)
# CHECK:         aten::ones({{.*}}, [[AGAIN]],
graph @of_its_kind(%x : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu), %n : int):
  %none : NoneType = prim::Constant()
  %two : int = prim::Constant[value=2]()
  %d : int = prim::dtype(%x)
  %e : Device = prim::device(%x)
  %l : int[] = prim::ListConstruct(%n)
  %z : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::zeros(%l, %d, %none, %e, %none)
  %a : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::mul(%x, %z)
  %b : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%a, %x, %two)
   = prim::Print(%b)
  %o : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::ones(%l, %d, %none, %e, %none)
  %f : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::mul(%b, %o)
  %g : Float(4, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%f, %b, %two)
  return (%g)

# What computes with the number of a dtype is given a number, which may be another one in the next call.
# CHECK-LABEL: graph @of_a_number(
# CHECK-NOT:     prim::TensorExprGroup_
# CHECK:         return
graph @of_a_number(%x : Float(4, strides=[1], requires_grad=0, device=cpu), %d : int):
  %none : NoneType = prim::Constant()
  %l : int[] = prim::Constant[value=[4]]()
  %z : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::zeros(%l, %d, %none, %none, %none)
  %o : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::ones(%l, %d, %none, %none, %none)
  return (%z, %o)

# What a batch norm writes to comes from outside: the group gives what becomes of it, and ends before what reads it.
# CHECK-LABEL: graph @updated(
# CHECK:         %a : Float(3, strides=[1], requires_grad=0, device=cpu), %z : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), [[M:%.*]] : Float(3, strides=[1], requires_grad=0, device=cpu), [[V:%.*]] : Float(3, strides=[1], requires_grad=0, device=cpu) = prim::TensorExprGroup_[[GROUP:.*]](%m, %x, %w, %v)
# CHECK-NEXT:     = prim::Update(%m, [[M]])
# CHECK-NEXT:     = prim::Update(%v, [[V]])
# CHECK-NEXT:    %b : {{.*}} = aten::add(%a, %m, %one)
# CHECK:       with prim::TensorExprGroup_[[GROUP]] = graph(
# CHECK:         %a : {{.*}} = aten::neg(%m)
# CHECK:         %y : {{.*}} = aten::batch_norm(%x, %w, %w, %m, %v,
# CHECK-NEXT:    %z : {{.*}} = aten::relu(%y)
# CHECK-NEXT:    return (%a, %z, %m, %v)
graph @updated(%x : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %w : Float(3, strides=[1], requires_grad=0, device=cpu), %m : Float(3, strides=[1], requires_grad=0, device=cpu), %v : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %training : bool = prim::Constant[value=1]()
  %momentum : float = prim::Constant[value=0.1]()
  %eps : float = prim::Constant[value=0.001]()
  %a : Tensor = aten::neg(%m)
  %y : Tensor = aten::batch_norm(%x, %w, %w, %m, %v, %training, %momentum, %eps, %training)
  %z : Tensor = aten::relu(%y)
  %b : Tensor = aten::add(%a, %m, %one)
  return (%z, %b)

# A second one of the same begins another group, and one whose result nobody uses stays.
# CHECK-LABEL: graph @updated_twice(
# CHECK:         [[M:%.*]] : {{.*}} = prim::TensorExprGroup_[[FIRST:.*]](%x, %w, %m, %v)
# CHECK-NEXT:     = prim::Update(%m,
# CHECK-NEXT:     = prim::Update(%v,
# CHECK-NEXT:    [[N:%.*]] : {{.*}} = prim::TensorExprGroup_[[SECOND:.*]](%x, %w, %m, %v)
# CHECK-NEXT:     = prim::Update(%m,
# CHECK-NEXT:     = prim::Update(%v,
# CHECK-NEXT:    return ()
graph @updated_twice(%x : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %w : Float(3, strides=[1], requires_grad=0, device=cpu), %m : Float(3, strides=[1], requires_grad=0, device=cpu), %v : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %training : bool = prim::Constant[value=1]()
  %momentum : float = prim::Constant[value=0.1]()
  %eps : float = prim::Constant[value=0.001]()
  %y : Tensor = aten::batch_norm(%x, %w, %w, %m, %v, %training, %momentum, %eps, %training)
  %z : Tensor = aten::batch_norm(%x, %w, %w, %m, %v, %training, %momentum, %eps, %training)
  return ()

# What may be one tensor is not both statistics in a group, and nothing is updated in evaluation.
# CHECK-LABEL: graph @not_updated(
# CHECK-NOT:     prim::Update
# CHECK:         return
graph @not_updated(%x : Float(2, 3, 4, strides=[12, 4, 1], requires_grad=0, device=cpu), %w : Float(3, strides=[1], requires_grad=0, device=cpu), %m : Float(3, strides=[1], requires_grad=0, device=cpu), %v : Float(3, strides=[1], requires_grad=0, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %training : bool = prim::Constant[value=1]()
  %momentum : float = prim::Constant[value=0.1]()
  %eps : float = prim::Constant[value=0.001]()
  %off : bool = prim::Constant[value=0]()
  %y : Tensor = aten::batch_norm(%x, %w, %w, %m, %m, %training, %momentum, %eps, %training)
  %z : Tensor = aten::batch_norm(%y, %w, %w, %m, %v, %off, %momentum, %eps, %training)
  %a : Tensor = aten::relu(%z)
  return (%a)
