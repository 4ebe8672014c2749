"""Small graphs for the passes, as text that this project and PyTorch both read."""

from dataclasses import dataclass


@dataclass(frozen=True)
class GraphCase:
    """A graph and the passes that make of it what PyTorch's passes of the same name make of it."""

    name: str
    passes: tuple[str, ...]
    text: str


_ARGUMENTS = "%x : Tensor, %y : Tensor, %c : bool, %n : int"


def _case(name: str, passes: str, body: str, arguments: str = _ARGUMENTS) -> GraphCase:
    return GraphCase(name, tuple(passes.split()), f"graph({arguments}):\n{body}")


CASES: tuple[GraphCase, ...] = (
    _case(
        "unused_node",
        "dce cse pooling",
        """
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::add(%x, %y, %1)
  %3 : Tensor = aten::mul(%x, %y)
  return (%3)
""",
    ),
    _case(
        "append_to_a_list_that_is_never_read",
        "dce cse",
        """
  %1 : Tensor[] = prim::ListConstruct()
  %2 : Tensor = aten::mul(%x, %y)
  %3 : Tensor[] = aten::append(%1, %2)
  return (%2)
""",
    ),
    _case(
        "append_to_a_list_that_is_returned",
        "dce cse",
        """
  %1 : Tensor[] = prim::ListConstruct()
  %2 : Tensor = aten::mul(%x, %y)
  %3 : Tensor[] = aten::append(%1, %2)
  return (%1)
""",
    ),
    _case(
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
    _case(
        "write_to_an_argument",
        "dce cse pooling",
        """
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::add_(%x, %y, %1)
  %3 : Tensor = aten::mul(%y, %y)
  return (%3)
""",
    ),
    _case(
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
    _case(
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
    _case(
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
    _case(
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
    _case(
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
    _case(
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
    _case(
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
    _case(
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
    _case(
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
    _case(
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
    _case(
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
    _case(
        "tuple_argument_stays",
        "simple_tuples",
        """
  %a : Tensor, %b : int = prim::TupleUnpack(%p)
  %d : (int, Tensor) = prim::TupleConstruct(%b, %a)
  return (%d)
""",
        "%p : (Tensor, int)",
    ),
    _case(
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
    _case(
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
    _case(
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
    _case(
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
    _case(
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
    _case(
        "arithmetic_that_fails_stays",
        "constants immutable_constants",
        """
  %1 : int = prim::Constant[value=3]()
  %2 : int = prim::Constant[value=0]()
  %3 : int = aten::floordiv(%1, %2)
  return (%3)
""",
    ),
    _case(
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
    _case(
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
    _case(
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
    _case(
        "common_subexpressions_that_are_returned_stay_apart",
        "cse",
        """
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::add(%x, %y, %1)
  %3 : Tensor = aten::add(%x, %y, %1)
  return (%2, %3)
""",
    ),
    _case(
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
    _case(
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
    _case(
        "chunk",
        "canonicalize_ops",
        """
  %0 : int = prim::Constant[value=2]()
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor[] = aten::chunk(%x, %0, %1)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%2)
  %3 : Tensor = aten::mul(%a, %b)
  return (%3)
""",
    ),
    _case(
        "chunk_of_another_number_stays",
        "canonicalize_ops",
        """
  %0 : int = prim::Constant[value=3]()
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor[] = aten::chunk(%x, %0, %1)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%2)
  %3 : Tensor = aten::mul(%a, %b)
  return (%3)
""",
    ),
    _case(
        "chunk_of_an_unknown_number_stays",
        "canonicalize_ops",
        """
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor[] = aten::chunk(%x, %n, %1)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%2)
  %3 : Tensor = aten::mul(%a, %b)
  return (%3)
""",
    ),
    _case(
        "transposed_twice",
        "peephole",
        """
  %1 : Tensor = aten::t(%x)
  %2 : Tensor = aten::t(%1)
  %3 : Tensor = aten::mul(%2, %y)
  return (%3)
""",
    ),
    _case(
        "comparisons_with_none",
        "peephole",
        """
  %0 : NoneType = prim::Constant()
  %1 : bool = aten::__is__(%x, %0)
  %2 : bool = aten::__isnot__(%0, %n)
  %3 : bool = aten::__is__(%0, %0)
  %4 : bool = aten::__isnot__(%o, %0)
  return (%1, %2, %3, %4)
""",
        f"{_ARGUMENTS}, %o : Tensor?",
    ),
    _case(
        "lists_made_in_sight",
        "peephole",
        """
  %0 : int = prim::Constant[value=1]()
  %1 : Tensor[] = prim::ListConstruct(%x, %y)
  %2 : int = aten::len(%1)
  %3 : Tensor = aten::__getitem__(%1, %0)
  %4 : Tensor, %5 : Tensor = prim::ListUnpack(%1)
  %6 : Tensor = aten::mul(%3, %4)
  %7 : Tensor = aten::mul(%6, %5)
  return (%7, %2)
""",
    ),
    _case(
        "lists_that_change_stay",
        "peephole",
        """
  %1 : Tensor[] = prim::ListConstruct(%x, %y)
  %w : Tensor[] = aten::append(%1, %x)
  %2 : int = aten::len(%1)
  return (%2)
""",
    ),
    _case(
        "facts_of_types",
        "peephole",
        """
  %1 : int = aten::dim(%x)
  %2 : int[] = aten::size(%x)
  %3 : int = prim::dtype(%x)
  %4 : bool = aten::is_floating_point(%x)
  %5 : bool = prim::is_cuda(%x)
  %6 : Tensor = aten::type_as(%x, %y)
  %7 : Tensor = aten::mul(%6, %y)
  return (%1, %2, %3, %4, %5, %7)
""",
        "%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu),"
        " %y : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)",
    ),
    _case(
        "int_arithmetic_with_neutral_numbers",
        "peephole",
        """
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=2]()
  %3 : int = aten::add(%n, %0)
  %4 : int = aten::mul(%1, %3)
  %5 : int = aten::floordiv(%4, %1)
  %6 : int = aten::add(%5, %2)
  %7 : int = aten::add(%6, %1)
  return (%7)
""",
    ),
    _case(
        "condition_as_result",
        "peephole",
        """
  %t : bool = prim::Constant[value=1]()
  %f : bool = prim::Constant[value=0]()
  %a : bool, %b : bool = prim::If(%c)
    block0():
      -> (%t, %f)
    block1():
      -> (%f, %t)
  return (%a, %b)
""",
    ),
    _case(
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
    _case(
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
    _case(
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
    _case(
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
    _case(
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
    _case(
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
    _case(
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
