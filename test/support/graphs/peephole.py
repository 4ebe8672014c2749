"""Graphs for passes that replace single nodes by simpler ones."""

from support.graphs.case import ARGUMENTS, GraphCase, case

CASES: tuple[GraphCase, ...] = (
    case(
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
    case(
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
    case(
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
    case(
        "transposed_twice",
        "peephole",
        """
  %1 : Tensor = aten::t(%x)
  %2 : Tensor = aten::t(%1)
  %3 : Tensor = aten::mul(%2, %y)
  return (%3)
""",
    ),
    case(
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
        f"{ARGUMENTS}, %o : Tensor?",
    ),
    case(
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
    case(
        "lists_that_change_stay",
        "peephole",
        """
  %1 : Tensor[] = prim::ListConstruct(%x, %y)
  %w : Tensor[] = aten::append(%1, %x)
  %2 : int = aten::len(%1)
  return (%2)
""",
    ),
    case(
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
    case(
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
    case(
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
)
