# RUN: ts-opt %s -p ts-peephole -t torchscript | filecheck %s

# LenOfListConstruct, ItemOfListConstruct
# CHECK-LABEL: graph @looked_into(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %b : Tensor = aten::mul(%y, %0)
# CHECK-NEXT:   return (%b)
graph @looked_into(%x : Tensor, %y : Tensor):
  %0 : int = prim::Constant[value=-1]()
  %l : Tensor[] = prim::ListConstruct(%x, %y)
  %n : int = aten::len(%l)
  %a : Tensor = aten::__getitem__(%l, %0)
  %b : Tensor = aten::mul(%a, %n)
  return (%b)

# UnpackListConstruct, ConcatenateListConstructs
# CHECK-LABEL: graph @taken_apart(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK-NEXT:   %c : Tensor = aten::mul(%y, %x)
# CHECK-NEXT:   return (%c)
graph @taken_apart(%x : Tensor, %y : Tensor):
  %l : Tensor[] = prim::ListConstruct(%x)
  %m : Tensor[] = prim::ListConstruct(%y)
  %n : Tensor[] = aten::add(%l, %m)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%n)
  %c : Tensor = aten::mul(%b, %a)
  return (%c)

# A list of another length fails when the program comes there.
# CHECK-LABEL: graph @another_length(%x : Tensor):
# CHECK-NEXT:   %0 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %l : Tensor[] = prim::ListConstruct(%x)
# CHECK-NEXT:   %a : Tensor, %b : Tensor = prim::ListUnpack(%l)
# CHECK-NEXT:   %c : Tensor = aten::__getitem__(%l, %0)
# CHECK-NEXT:   return (%a, %b, %c)
graph @another_length(%x : Tensor):
  %0 : int = prim::Constant[value=1]()
  %l : Tensor[] = prim::ListConstruct(%x)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%l)
  %c : Tensor = aten::__getitem__(%l, %0)
  return (%a, %b, %c)

# A list that somebody appends to is not looked into, and neither is one that comes from elsewhere.
# CHECK-LABEL: graph @mutated(%x : Tensor,
# CHECK-NEXT:       %o : Tensor[]):
# CHECK-NEXT:   %0 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %l : Tensor[] = prim::ListConstruct(%x)
# CHECK-NEXT:   %n : Tensor[] = aten::slice(%l, %0, %0, %0)
# CHECK-NEXT:   %w : Tensor[] = aten::append(%l, %x)
# CHECK-NEXT:   %a : Tensor = aten::__getitem__(%l, %0)
# CHECK-NEXT:   %m : int = aten::len(%o)
# CHECK-NEXT:   %k : Tensor[] = prim::ListConstruct(%x)
# CHECK-NEXT:   %b : Tensor[] = aten::add(%l, %k)
# CHECK-NEXT:   return (%n, %a, %m, %b)
graph @mutated(%x : Tensor, %o : Tensor[]):
  %0 : int = prim::Constant[value=0]()
  %l : Tensor[] = prim::ListConstruct(%x)
  %n : Tensor[] = aten::slice(%l, %0, %0, %0)
  %w : Tensor[] = aten::append(%l, %x)
  %a : Tensor = aten::__getitem__(%l, %0)
  %m : int = aten::len(%o)
  %k : Tensor[] = prim::ListConstruct(%x)
  %b : Tensor[] = aten::add(%l, %k)
  return (%n, %a, %m, %b)

# The list that two make is another list where it is written to.
# CHECK-LABEL: graph @written_later(%x : Tensor):
# CHECK-NEXT:   %l : Tensor[] = prim::ListConstruct(%x)
# CHECK-NEXT:   %m : Tensor[] = prim::ListConstruct(%x)
# CHECK-NEXT:   %n : Tensor[] = aten::add(%l, %m)
# CHECK-NEXT:   %s : int = aten::len(%n)
# CHECK-NEXT:   %w : Tensor[] = aten::append(%n, %x)
# CHECK-NEXT:   return (%n, %s)
graph @written_later(%x : Tensor):
  %l : Tensor[] = prim::ListConstruct(%x)
  %m : Tensor[] = prim::ListConstruct(%x)
  %n : Tensor[] = aten::add(%l, %m)
  %s : int = aten::len(%n)
  %w : Tensor[] = aten::append(%n, %x)
  return (%n, %s)

# SliceListConstruct: a part of a list, unless it is written to.
# CHECK-LABEL: graph @sliced(%x : Tensor,
# CHECK-NEXT:       %y : Tensor):
# CHECK:        %m : Tensor[] = prim::ListConstruct(%y)
# CHECK-NEXT:   %n : Tensor[] = aten::slice(%l, %1, %0, %1)
# CHECK-NEXT:   %o : int = aten::len(%n)
# CHECK-NEXT:   %w : Tensor[] = aten::append(%n, %x)
# CHECK-NEXT:   return (%m, %n, %o)
graph @sliced(%x : Tensor, %y : Tensor):
  %0 : NoneType = prim::Constant()
  %1 : int = prim::Constant[value=1]()
  %l : Tensor[] = prim::ListConstruct(%x, %y)
  %m : Tensor[] = aten::slice(%l, %1, %0, %1)
  %n : Tensor[] = aten::slice(%l, %1, %0, %1)
  %o : int = aten::len(%n)
  %w : Tensor[] = aten::append(%n, %x)
  return (%m, %n, %o)

# A part whose bounds are not known stays: no bound is None.
# CHECK-LABEL: graph @sliced_somewhere(%x : Tensor,
# CHECK-NEXT:      %i : int):
# CHECK:        %m : Tensor[] = aten::slice(%l, %i, %0, %1)
# CHECK-NEXT:   return (%m)
graph @sliced_somewhere(%x : Tensor, %i : int):
  %0 : NoneType = prim::Constant()
  %1 : int = prim::Constant[value=1]()
  %l : Tensor[] = prim::ListConstruct(%x, %x)
  %m : Tensor[] = aten::slice(%l, %i, %0, %1)
  return (%m)

# SliceListConstruct, ConcatenateListConstructs, CopyOfList: the sizes of a tensor of known rank are a list of known length, and so are
# constants. What is made of them are numbers.
# CHECK-LABEL: graph @sizes(%x : Float(*, *, *, *, device=cpu),
# CHECK-NEXT:       %n : int):
# CHECK-NEXT:   %0 : int = prim::Constant[value=0]()
# CHECK-NEXT:   %1 : int = aten::size(%x, %0)
# CHECK-NEXT:   %2 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %3 : int = aten::size(%x, %2)
# CHECK-NEXT:   %4 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %5 : int = aten::size(%x, %4)
# CHECK-NEXT:   %6 : int = prim::Constant[value=3]()
# CHECK-NEXT:   %7 : int = aten::size(%x, %6)
# CHECK-NEXT:   %l : int[] = prim::ListConstruct(%1, %3, %5, %n)
# CHECK-NEXT:   %8 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %9 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %10 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %m : int[] = prim::ListConstruct(%7, %8, %9, %10)
# CHECK-NEXT:   %11 : int = prim::Constant[value=4]()
# CHECK-NEXT:   return (%l, %m, %n, %11)
graph @sizes(%x : Float(*, *, *, *, device=cpu), %n : int):
  %none : NoneType = prim::Constant()
  %one : int = prim::Constant[value=1]()
  %last : int = prim::Constant[value=-1]()
  %ones : int[] = prim::Constant[value=[1, 1, 1]]()
  %s : int[] = aten::size(%x)
  %t : int[] = aten::slice(%s, %none, %last, %one)
  %k : int[] = prim::ListConstruct(%n)
  %l : int[] = aten::add(%t, %k)
  %u : int[] = aten::slice(%s, %last, %none, %one)
  %m : int[] = aten::add(%u, %ones)
  %c : int[] = aten::list(%l)
  %a : int = aten::__getitem__(%c, %last)
  %b : int = aten::len(%c)
  return (%l, %m, %a, %b)

# A place that is not there is an error where the program comes there; a step of 0 is, too.
# CHECK-LABEL: graph @beyond(%x : Float(*, *, device=cpu)):
# CHECK:        %t : int[] = prim::ListConstruct()
# CHECK-NEXT:   %a : int = aten::__getitem__(%t, {{%.*}})
# CHECK-NEXT:   %u : int[] = aten::slice(%s, {{%.*}}, {{%.*}}, {{%.*}})
# CHECK-NEXT:   return (%a, %u)
graph @beyond(%x : Float(*, *, device=cpu)):
  %none : NoneType = prim::Constant()
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %two : int = prim::Constant[value=2]()
  %s : int[] = aten::size(%x)
  %t : int[] = aten::slice(%s, %two, %none, %one)
  %a : int = aten::__getitem__(%t, %zero)
  %u : int[] = aten::slice(%s, %zero, %none, %zero)
  return (%a, %u)

# Where the rank is not known, or somebody writes to the list or to the tensor, lists stay.
# CHECK-LABEL: graph @changed(%x : Tensor,
# CHECK:        %a : int[] = aten::slice(
# CHECK:        %b : int[] = aten::slice(
# CHECK:        %c : int[] = aten::slice(
# CHECK:        %d : int[] = aten::list(
# CHECK:        return (%a, %b, %c, %d)
graph @changed(%x : Tensor, %y : Float(*, *, device=cpu), %z : Float(*, *, device=cpu), %n : int):
  %none : NoneType = prim::Constant()
  %one : int = prim::Constant[value=1]()
  %q : int[] = aten::size(%x)
  %a : int[] = aten::slice(%q, %one, %none, %one)
  %r : int[] = aten::size(%y)
  %w : int[] = aten::append(%r, %n)
  %b : int[] = aten::slice(%r, %one, %none, %one)
  %s : int[] = aten::size(%z)
  %c : int[] = aten::slice(%s, %one, %none, %one)
  %v : Tensor = aten::squeeze_(%z)
  %d : int[] = aten::list(%c)
  %e : int[] = aten::append(%d, %n)
  return (%a, %b, %c, %d)

# ItemOfListConstruct, UnpackListConstruct: one of the sizes is asked for itself, and a wrong number of them stays an error.
# CHECK-LABEL: graph @asked_for(%x : Float(*, *, device=cpu)):
# CHECK:         %[[LAST:.*]] : int = aten::size(%x, {{%.*}})
# CHECK:         %[[FIRST:.*]] : int = aten::size(%x, {{%.*}})
# CHECK:         %[[SECOND:.*]] : int = aten::size(%x, {{%.*}})
# CHECK:         %[[SIZES:.*]] : int[] = aten::size(%x)
# CHECK-NEXT:    %[[BEYOND:.*]] : int = aten::__getitem__(%[[SIZES]], {{%.*}})
# CHECK-NEXT:    %p : int, %q : int, %r : int = prim::ListUnpack(%[[SIZES]])
# CHECK-NEXT:    return (%[[LAST]], %[[FIRST]], %[[SECOND]], %[[BEYOND]], %p)
graph @asked_for(%x : Float(*, *, device=cpu)):
  %last : int = prim::Constant[value=-1]()
  %two : int = prim::Constant[value=2]()
  %s : int[] = aten::size(%x)
  %a : int = aten::__getitem__(%s, %last)
  %m : int, %n : int = prim::ListUnpack(%s)
  %b : int = aten::__getitem__(%s, %two)
  %p : int, %q : int, %r : int = prim::ListUnpack(%s)
  return (%a, %m, %n, %b, %p)
