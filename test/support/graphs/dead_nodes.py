"""Graphs for passes that remove nodes and order results: dead code, common subexpressions, equal constants."""

from support.graphs.case import GraphCase, case

CASES: tuple[GraphCase, ...] = (
    case(
        "unused_node",
        "dce cse pooling",
        """
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::add(%x, %y, %1)
  %3 : Tensor = aten::mul(%x, %y)
  return (%3)
""",
    ),
    case(
        "append_to_a_list_that_is_never_read",
        "dce cse",
        """
  %1 : Tensor[] = prim::ListConstruct()
  %2 : Tensor = aten::mul(%x, %y)
  %3 : Tensor[] = aten::append(%1, %2)
  return (%2)
""",
    ),
    case(
        "append_to_a_list_that_is_returned",
        "dce cse",
        """
  %1 : Tensor[] = prim::ListConstruct()
  %2 : Tensor = aten::mul(%x, %y)
  %3 : Tensor[] = aten::append(%1, %2)
  return (%1)
""",
    ),
    case(
        "append_in_a_loop_nobody_reads",
        "dce",
        """
  %t : bool = prim::Constant[value=1]()
  %1 : Tensor[] = prim::ListConstruct()
  %z : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %a : Tensor):
      %m : Tensor = aten::mul(%a, %y)
      %o : Tensor[] = aten::append(%1, %m)
      -> (%t, %m)
  return (%z)
""",
    ),
    case(
        "write_to_an_argument",
        "dce cse pooling",
        """
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::add_(%x, %y, %1)
  %3 : Tensor = aten::mul(%y, %y)
  return (%3)
""",
    ),
    case(
        "write_to_a_fresh_tensor_after_its_last_use",
        "dce",
        """
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::mul(%x, %y)
  %3 : Tensor = aten::neg(%2)
  %4 : Tensor = aten::add_(%2, %y, %1)
  return (%3)
""",
    ),
    case(
        "write_through_a_view",
        "dce",
        """
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::mul(%x, %y)
  %3 : Tensor = aten::select(%2, %0, %0)
  %4 : Tensor = aten::add_(%3, %y, %1)
  return (%2)
""",
    ),
    case(
        "write_in_a_loop_read_in_the_next_iteration",
        "dce",
        """
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %t : bool = prim::Constant[value=1]()
  %a : Tensor = aten::mul(%x, %y)
  %s : Tensor = aten::mul(%y, %y)
  %r : Tensor = prim::Loop(%n, %t, %s)
    block0(%i : int, %tot : Tensor):
      %b : Tensor = aten::select(%a, %0, %0)
      %new : Tensor = aten::add(%tot, %b, %1)
      %b2 : Tensor = aten::select(%a, %0, %0)
      %w : Tensor = aten::add_(%b2, %1, %1)
      -> (%t, %new)
  return (%r)
""",
    ),
    case(
        "unused_results_of_if",
        "dce canonicalize",
        """
  %1 : int = prim::Constant[value=1]()
  %a : Tensor, %b : Tensor = prim::If(%c)
    block0():
      %2 : Tensor = aten::add(%x, %y, %1)
      %3 : Tensor = aten::mul(%x, %y)
      -> (%2, %3)
    block1():
      -> (%x, %y)
  return (%b)
""",
    ),
    case(
        "unused_carried_value",
        "dce",
        """
  %t : bool = prim::Constant[value=1]()
  %1 : int = prim::Constant[value=1]()
  %a : Tensor, %b : Tensor = prim::Loop(%n, %t, %x, %y)
    block0(%i : int, %p : Tensor, %q : Tensor):
      %2 : Tensor = aten::mul(%p, %p)
      %3 : Tensor = aten::mul(%x, %x)
      -> (%t, %2, %3)
  return (%a)
""",
    ),
    case(
        "print_and_raise_stay",
        "dce",
        """
  %m : str = prim::Constant[value="no"]()
  %k : str? = prim::Constant()
  %u : Tensor = prim::Uninitialized()
  %a : Tensor = prim::If(%c)
    block0():
       = prim::RaiseException(%m, %k)
      -> (%u)
    block1():
       = prim::Print(%x)
      -> (%x)
  return (%y)
""",
    ),
    case(
        "equal_constants",
        "pooling cse",
        """
  %1 : int = prim::Constant[value=1]()
  %2 : float = prim::Constant[value=1.]()
  %3 : bool = prim::Constant[value=1]()
  %4 : int = prim::Constant[value=1]()
  %5 : str = prim::Constant[value="a"]()
  %6 : str = prim::Constant[value="a"]()
  %7 : NoneType = prim::Constant()
  %8 : NoneType = prim::Constant()
  %9 : int? = prim::Constant()
  %10 : float = prim::Constant[value=2.5]()
  %11 : (int, float, bool, int, str, str, NoneType, NoneType, int?, float) = prim::TupleConstruct(%1, %2, %3, %4, %5, %6, %7, %8, %9, %10)
  return (%11)
""",
    ),
    case(
        "constants_in_blocks",
        "pooling cse",
        """
  %1 : int = prim::Constant[value=1]()
  %z : Tensor = prim::If(%c)
    block0():
      %2 : int = prim::Constant[value=1]()
      %3 : Tensor = aten::add(%x, %y, %2)
      -> (%3)
    block1():
      %4 : int = prim::Constant[value=2]()
      %5 : Tensor = aten::add(%x, %y, %4)
      -> (%5)
  %6 : int = prim::Constant[value=2]()
  %7 : Tensor = aten::add(%z, %z, %6)
  return (%7)
""",
    ),
    case(
        "order_of_results_of_if",
        "canonicalize",
        """
  %1 : int = prim::Constant[value=1]()
  %a : Tensor, %b : Tensor, %d : int = prim::If(%c)
    block0():
      %2 : Tensor = aten::add(%x, %y, %1)
      -> (%2, %x, %n)
    block1():
      -> (%x, %y, %1)
  %3 : Tensor = aten::add(%b, %a, %d)
  return (%3)
""",
    ),
    case(
        "order_of_nested_results",
        "canonicalize",
        """
  %t : bool = prim::Constant[value=1]()
  %a : Tensor, %b : Tensor, %k : int = prim::Loop(%n, %t, %x, %y, %n)
    block0(%i : int, %p : Tensor, %q : Tensor, %r : int):
      %e : Tensor, %f : Tensor = prim::If(%c)
        block0():
          %2 : Tensor = aten::mul(%q, %p)
          -> (%2, %q)
        block1():
          -> (%p, %p)
      -> (%t, %e, %f, %i)
  %3 : Tensor = aten::mul(%b, %a)
  return (%k, %3)
""",
    ),
    case(
        "common_subexpressions",
        "cse",
        """
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::add(%x, %y, %1)
  %3 : Tensor = aten::add(%x, %y, %1)
  %4 : Tensor = aten::mul(%2, %3)
  %z : Tensor = prim::If(%c)
    block0():
      %5 : Tensor = aten::add(%x, %y, %1)
      %6 : Tensor = aten::mul(%5, %4)
      -> (%6)
    block1():
      %7 : Tensor = aten::neg(%4)
      %8 : Tensor = aten::neg(%4)
      %9 : Tensor = aten::mul(%7, %8)
      -> (%9)
  return (%z)
""",
    ),
    case(
        "common_subexpressions_that_are_returned_stay_apart",
        "cse",
        """
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::add(%x, %y, %1)
  %3 : Tensor = aten::add(%x, %y, %1)
  return (%2, %3)
""",
    ),
    case(
        "common_subexpressions_of_written_memory_stay",
        "cse",
        """
  %1 : int = prim::Constant[value=1]()
  %0 : Tensor = aten::mul(%x, %y)
  %2 : Tensor = aten::neg(%0)
  %w : Tensor = aten::add_(%0, %y, %1)
  %3 : Tensor = aten::neg(%0)
  %4 : Tensor = aten::mul(%2, %3)
  return (%4)
""",
    ),
    case(
        "chance_is_no_common_subexpression",
        "cse",
        """
  %p : float = prim::Constant[value=0.5]()
  %t : bool = prim::Constant[value=1]()
  %2 : Tensor = aten::dropout(%x, %p, %t)
  %3 : Tensor = aten::dropout(%x, %p, %t)
  %4 : Tensor = aten::mul(%2, %3)
  return (%4)
""",
    ),
)
