"""Graphs for passes that evaluate constants, unroll loops and take tuples apart."""

from support.graphs.case import GraphCase, case

CASES: tuple[GraphCase, ...] = (
    case(
        "tuple_made_in_sight",
        "simple_tuples",
        """
  %0 : int = prim::Constant[value=0]()
  %1 : (Tensor, int, Tensor) = prim::TupleConstruct(%x, %n, %y)
  %a : Tensor, %b : int, %d : Tensor = prim::TupleUnpack(%1)
  %e : Tensor = prim::TupleIndex(%1, %0)
  %f : (int, Tensor) = prim::TupleSlice[beg=1, end=3](%1)
  %g : int, %h : Tensor = prim::TupleUnpack(%f)
  %i : Tensor = aten::add(%e, %h, %b)
  %j : Tensor = aten::add(%i, %a, %g)
  return (%j)
""",
    ),
    case(
        "tuple_argument_stays",
        "simple_tuples",
        """
  %a : Tensor, %b : int = prim::TupleUnpack(%p)
  %d : (int, Tensor) = prim::TupleConstruct(%b, %a)
  return (%d)
""",
        "%p : (Tensor, int)",
    ),
    case(
        "if_with_a_constant_condition",
        "constants immutable_constants",
        """
  %1 : int = prim::Constant[value=1]()
  %t : bool = prim::Constant[value=0]()
  %a : Tensor, %b : int = prim::If(%t)
    block0():
      %2 : Tensor = aten::add(%x, %y, %1)
      -> (%2, %1)
    block1():
      %3 : Tensor = aten::mul(%x, %y)
      -> (%3, %n)
  %4 : Tensor = aten::add(%a, %a, %b)
  return (%4)
""",
    ),
    case(
        "results_that_both_blocks_yield",
        "constants immutable_constants",
        """
  %1 : int = prim::Constant[value=1]()
  %a : Tensor, %b : int, %d : Tensor = prim::If(%c)
    block0():
      %2 : int = prim::Constant[value=7]()
      %6 : Tensor = aten::mul(%x, %y)
      -> (%x, %2, %6)
    block1():
      %3 : int = prim::Constant[value=7]()
      -> (%x, %3, %y)
  %4 : Tensor = aten::add(%a, %d, %b)
  return (%4)
""",
    ),
    case(
        "loops_that_never_run",
        "constants immutable_constants",
        """
  %z : int = prim::Constant[value=0]()
  %t : bool = prim::Constant[value=1]()
  %f : bool = prim::Constant[value=0]()
  %a : Tensor = prim::Loop(%z, %t, %x)
    block0(%i : int, %p : Tensor):
      %2 : Tensor = aten::mul(%p, %p)
      -> (%t, %2)
  %b : Tensor = prim::Loop(%n, %f, %a)
    block0(%j : int, %q : Tensor):
       = prim::Print(%q)
      -> (%t, %q)
  return (%b)
""",
    ),
    case(
        "values_that_a_loop_leaves_alone",
        "constants immutable_constants",
        """
  %t : bool = prim::Constant[value=1]()
  %a : Tensor, %b : int = prim::Loop(%n, %t, %x, %n)
    block0(%i : int, %p : Tensor, %q : int):
      %2 : Tensor = aten::add(%p, %p, %q)
      -> (%t, %2, %q)
  %3 : Tensor = aten::add(%a, %a, %b)
  return (%3)
""",
    ),
    case(
        "arithmetic_of_constants",
        "constants immutable_constants",
        """
  %1 : int = prim::Constant[value=3]()
  %2 : int = prim::Constant[value=4]()
  %3 : int = aten::add(%1, %2)
  %4 : bool = aten::lt(%1, %2)
  %5 : float = aten::div(%3, %2)
  %6 : int = aten::floordiv(%3, %2)
  %7 : Tensor = prim::If(%4)
    block0():
      %8 : Tensor = aten::add(%x, %y, %3)
      -> (%8)
    block1():
      -> (%x)
  return (%7, %5, %6)
""",
    ),
    case(
        "arithmetic_that_fails_stays",
        "constants immutable_constants",
        """
  %1 : int = prim::Constant[value=3]()
  %2 : int = prim::Constant[value=0]()
  %3 : int = aten::floordiv(%1, %2)
  return (%3)
""",
    ),
    case(
        "tuples_and_lists_of_constants",
        "constants immutable_constants",
        """
  %1 : int = prim::Constant[value=3]()
  %2 : int = prim::Constant[value=4]()
  %3 : int[] = prim::ListConstruct(%1, %2)
  %4 : (int, int) = prim::TupleConstruct(%1, %2)
  %5 : int, %6 : int = prim::TupleUnpack(%4)
  %7 : Tensor = aten::view(%x, %3)
  %8 : Tensor = aten::add(%7, %7, %6)
  return (%8, %5)
""",
    ),
    case(
        "list_that_is_appended_to_is_no_constant",
        "constants immutable_constants",
        """
  %1 : int = prim::Constant[value=3]()
  %3 : int[] = prim::ListConstruct(%1)
  %4 : int[] = aten::append(%3, %1)
  %5 : int = aten::len(%3)
  return (%5)
""",
    ),
    case(
        "all_tuples",
        "all_tuples",
        """
  %1 : (Tensor, Tensor) = prim::TupleConstruct(%x, %y)
  %2 : (Tensor, Tensor) = prim::If(%c)
    block0():
      %3 : (Tensor, Tensor) = prim::TupleConstruct(%y, %x)
      -> (%3)
    block1():
      -> (%1)
  %4 : Tensor, %5 : Tensor = prim::TupleUnpack(%2)
  %6 : Tensor = aten::mul(%4, %5)
  return (%6, %2)
""",
    ),
    case(
        "all_tuples_of_arguments_and_loops",
        "all_tuples",
        """
  %t : bool = prim::Constant[value=1]()
  %1 : (Tensor, Tensor) = prim::Loop(%n, %t, %p)
    block0(%i : int, %q : (Tensor, Tensor)):
      %2 : Tensor, %3 : Tensor = prim::TupleUnpack(%q)
      %4 : Tensor = aten::add(%2, %3, %i)
      %5 : (Tensor, Tensor) = prim::TupleConstruct(%3, %4)
      -> (%t, %5)
  return (%1)
""",
        "%p : (Tensor, Tensor), %n : int",
    ),
    case(
        "small_constant_loop",
        "unroll",
        """
  %t : bool = prim::Constant[value=1]()
  %3 : int = prim::Constant[value=3]()
  %a : Tensor = prim::Loop(%3, %t, %x)
    block0(%i : int, %p : Tensor):
      %2 : Tensor = aten::mul(%p, %y)
      -> (%t, %2)
  return (%a)
""",
    ),
    case(
        "small_constant_loop_that_counts",
        "unroll",
        """
  %t : bool = prim::Constant[value=1]()
  %3 : int = prim::Constant[value=2]()
  %a : Tensor = prim::Loop(%3, %t, %x)
    block0(%i : int, %p : Tensor):
      %2 : Tensor = aten::add(%p, %y, %i)
      -> (%t, %2)
  return (%a)
""",
    ),
    case(
        "small_loop_of_unknown_length",
        "unroll",
        """
  %t : bool = prim::Constant[value=1]()
  %a : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %p : Tensor):
      %2 : Tensor = aten::mul(%p, %y)
      -> (%t, %2)
  return (%a)
""",
    ),
    case(
        "while_loop_stays",
        "unroll",
        """
  %3 : int = prim::Constant[value=3]()
  %a : Tensor = prim::Loop(%3, %c, %x)
    block0(%i : int, %p : Tensor):
      %2 : Tensor = aten::mul(%p, %y)
      -> (%c, %2)
  return (%a)
""",
    ),
    case(
        "shapes_are_forgotten",
        "erase_shapes",
        """
  %1 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::mul(%x, %x)
  %2 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)[] = prim::ListConstruct(%1)
  return (%2)
""",
        "%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)",
    ),
)
