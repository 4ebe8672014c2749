"""What the alias analysis says of small graphs."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

import torchscript_dialect as ts
from samples import compare, samples_of
from torchscript_dialect.analysis import location_sets, moves
from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.effects import has_side_effects, is_nondeterministic
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import Origin
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.types.containers import ListType


@pytest.fixture(autouse=True, params=[location_sets.MOST_DENSE, 0], ids=["dense", "sparse"])
def both_kinds_of_sets(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said of small graphs, and in the words for large ones."""
    monkeypatch.setattr(location_sets, "MOST_DENSE", request.param)


class Parsed:
    """A graph, its analysis, and its values and nodes by name: a node goes by its first result."""

    def __init__(self, text: str) -> None:
        self.module = parse_ir_text(text)
        (function,) = self.module.ops
        assert isinstance(function, FuncOp)
        self.function = function
        self.values: dict[str, SSAValue] = {}
        for op in function.walk():
            for region in op.regions:
                self.values |= {a.name_hint: a for a in region.block.args if a.name_hint}
            self.values |= {r.name_hint: r for r in op.results if r.name_hint}
        self.aliases = AliasDb(function)

    def __getitem__(self, name: str) -> SSAValue:
        return self.values[name]

    def op(self, name: str) -> Operation:
        owner = self.values[name].owner
        assert isinstance(owner, Operation)
        return owner

    def order(self) -> str:
        """The named nodes of the function's block, in order."""
        return " ".join(
            op.results[0].name_hint
            for op in self.function.body.block.ops
            if op.results and op.results[0].name_hint
        )


def parse(body: str, arguments: str = "%x : Tensor, %y : Tensor, %c : bool, %n : int") -> Parsed:
    return Parsed(f"graph({arguments}):\n{body}")


OVERVIEW = """
  %two : int = prim::Constant[value=2]()
  %one : int = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %d : Tensor = aten::mul(%y, %two)
  %w : Tensor = aten::add_(%x, %one, %one)
  %r : Tensor = prim::If(%c)
    block0():
      %a0 : Tensor = aten::select(%x, %zero, %zero)
      -> (%a0)
    block1():
      %b0 : Tensor = aten::select(%y, %zero, %zero)
      -> (%b0)
  return (%d, %r)
"""


def test_the_example_of_the_overview() -> None:
    """The program of the section "Alias Analysis in the IR" of the JIT Technical Overview."""
    g = parse(OVERVIEW)
    db = g.aliases
    assert db.may_alias(g["x"], g["y"])
    assert db.may_alias(g["r"], g["x"])
    assert db.may_alias(g["r"], g["y"])
    assert not db.may_alias(g["d"], g["x"])
    assert db.has_writers(g["y"])
    assert db.has_writers(g["r"])
    assert not db.has_writers(g["d"])


def test_views_of_fresh_memory() -> None:
    g = parse("""
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::neg(%x)
  %va : Tensor = aten::select(%a, %0, %0)
  %vva : Tensor = aten::t(%va)
  %w : Tensor = aten::add_(%vva, %1, %1)
  return (%b)
""")
    db = g.aliases
    assert db.may_alias(g["vva"], g["a"])
    assert not db.may_alias(g["vva"], g["b"])
    assert not db.may_alias(g["vva"], g["x"])
    assert db.has_writers(g["a"])
    assert not db.has_writers(g["b"])
    assert not db.has_writers(g["x"])
    assert db.writes_to_alias(g.op("w"), [g["a"]])
    assert not db.writes_to_alias(g.op("w"), [g["b"], g["x"]])
    assert not db.writes_to_wildcard(g.op("w"))


def test_immutable_values_are_no_memory() -> None:
    g = parse("""
  %1 : int = prim::Constant[value=1]()
  %m : int = aten::add(%n, %1)
  %t : (int, int) = prim::TupleConstruct(%m, %n)
  return (%t)
""")
    assert not g.aliases.is_mutable(g["m"])
    assert not g.aliases.is_mutable(g["t"])
    assert not g.aliases.may_alias(g["n"], g["m"])
    assert g.aliases.locations(g["t"]) == 0


def test_what_goes_into_a_list_is_a_wildcard() -> None:
    g = parse("""
  %0 : int = prim::Constant[value=0]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::neg(%x)
  %l : Tensor[] = prim::ListConstruct()
  %k : Tensor[] = aten::append(%l, %a)
  %e : Tensor = aten::__getitem__(%l, %0)
  return (%e, %b)
""")
    db = g.aliases
    assert db.may_alias(g["e"], g["a"])
    assert db.may_alias(g["a"], g["x"])
    assert not db.may_alias(g["e"], g["b"])
    assert db.may_contain_alias(g["l"], g["a"])
    assert not db.may_contain_alias(g["l"], g["b"])
    assert not db.may_alias(g["l"], g["a"])
    assert db.may_alias(g["l"], g["k"])
    assert db.has_writers(g["l"])
    assert not db.has_writers(g["a"])
    assert db.may_alias_wildcard(g["a"])
    assert not db.may_alias_wildcard(g["b"])


def test_a_list_that_is_only_concatenated_keeps_its_elements_apart() -> None:
    g = parse("""
  %0 : int = prim::Constant[value=0]()
  %a : Tensor = aten::neg(%x)
  %l : Tensor[] = prim::ListConstruct(%a, %a)
  %s : Tensor = aten::cat(%l, %0)
  return (%s)
""")
    assert not g.aliases.may_alias(g["a"], g["x"])
    assert not g.aliases.may_alias(g["s"], g["a"])
    assert g.aliases.may_contain_alias(g["l"], g["a"])


def test_what_a_loop_carries_is_what_goes_in_and_what_comes_back() -> None:
    g = parse("""
  %t : bool = prim::Constant[value=1]()
  %1 : int = prim::Constant[value=1]()
  %first : Tensor = aten::neg(%x)
  %other : Tensor = aten::neg(%x)
  %r : Tensor, %s : Tensor = prim::Loop(%n, %t, %first, %other)
    block0(%i : int, %p : Tensor, %q : Tensor):
      %new : Tensor = aten::neg(%q)
      %w : Tensor = aten::add_(%p, %1, %1)
      -> (%t, %q, %new)
  return (%r)
""")
    db = g.aliases
    assert db.may_alias(g["p"], g["first"])
    assert db.may_alias(g["p"], g["other"])
    assert db.may_alias(g["p"], g["new"])
    assert not db.may_alias(g["q"], g["first"])
    assert db.writes_to_alias(g.op("r"), [g["other"]])
    assert db.has_writers(g["s"])
    assert not db.has_writers(g["x"])


def test_calls_may_do_anything_to_what_they_reach() -> None:
    g = parse("""
  %f : Function = prim::Constant[name="f"]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::neg(%x)
  %l : Tensor[] = prim::ListConstruct(%a)
  %r : Tensor = prim::CallFunction(%f, %l)
  return (%b)
""")
    db = g.aliases
    assert has_side_effects(g.op("r"))
    assert db.has_writers(g["a"])
    assert db.has_writers(g["x"])
    assert db.may_alias(g["r"], g["a"])
    assert not db.has_writers(g["b"])


def test_methods_may_write_to_all_that_is_known_outside() -> None:
    g = parse(
        """
  %r : Tensor = prim::CallMethod[name="run"](%self)
  %a : Tensor = aten::neg(%x)
  return (%a)
""",
        "%self : __torch__.M, %x : Tensor",
    )
    assert g.aliases.has_writers(g["x"])
    assert not g.aliases.has_writers(g["a"])


def test_attributes_are_wildcards() -> None:
    g = parse(
        """
  %w : Tensor = prim::GetAttr[name="weight"](%self)
  %a : Tensor = aten::neg(%w)
  %b : Tensor = aten::neg(%w)
   = prim::SetAttr[name="weight"](%self, %a)
  return (%b)
""",
        "%self : __torch__.M",
    )
    assert g.aliases.may_alias(g["w"], g["a"])
    assert g.aliases.has_writers(g["self"])
    assert not g.aliases.may_alias(g["w"], g["b"])


def test_unknown_operators_are_conservative() -> None:
    g = parse("""
  %a : Tensor = aten::neg(%x)
  %b : Tensor = my::op(%a)
  return (%b)
""")
    assert has_side_effects(g.op("b"))
    assert is_nondeterministic(g.op("b"))
    assert g.aliases.has_writers(g["a"])
    assert g.aliases.may_alias(g["b"], g["a"])


def test_a_group_reads_and_gives_fresh_memory() -> None:
    g = Parsed("""graph(%x : Tensor):
  %a : Tensor = prim::TensorExprGroup_0(%x)
  return (%a)
with prim::TensorExprGroup_0 = graph(%y : Tensor):
  %b : Tensor = aten::neg(%y)
  return (%b)
""")
    assert not g.aliases.may_alias(g["a"], g["x"])
    assert g.aliases.reads(g.op("a")) == g.aliases.locations(g["x"])


def test_types_keep_wildcards_apart() -> None:
    g = parse("  return (%x)\n", "%x : Tensor, %l : Tensor[], %o : Tensor?, %i : int[], %any : Any")
    db = g.aliases
    assert not db.may_alias(g["x"], g["l"])
    assert db.may_alias(g["x"], g["o"])
    assert not db.may_alias(g["l"], g["i"])
    assert db.may_contain_alias(g["l"], g["x"])
    assert not db.may_contain_alias(g["i"], g["x"])
    assert db.may_contain_alias(g["any"], g["i"])


def test_whether_aliases_may_change() -> None:
    g = parse("""
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::neg(%x)
  %d : Tensor = aten::neg(%x)
  %w : Tensor = aten::add_(%d, %1, %1)
  %e : Tensor = aten::mul(%b, %d)
  return (%a, %e)
""")
    db = g.aliases
    assert db.escapes([g["a"]])
    assert not db.escapes([g["b"]])
    assert db.safe_to_change_aliasing(g["a"], g["b"])
    assert not db.safe_to_change_aliasing(g["a"], g["e"])
    assert not db.safe_to_change_aliasing(g["d"], g["b"])


def test_running_statistics() -> None:
    text = """
  %m : float = prim::Constant[value=0.1]()
  %f : bool = prim::Constant[value=0]()
  %a : Tensor = aten::batch_norm(%x, %x, %x, %mean, %var, {}, %m, %m, %f)
  return (%a)
"""
    arguments = "%x : Tensor, %mean : Tensor, %var : Tensor, %training : bool"
    assert parse(text.format("%training"), arguments).aliases.has_writers is not None
    unknown = parse(text.format("%training"), arguments)
    assert unknown.aliases.has_writers(unknown["mean"])
    evaluating = parse(text.format("%f"), arguments)
    assert not evaluating.aliases.has_writers(evaluating["mean"])


# Moves.

LINE = """
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::neg(%a)
  %d : Tensor = aten::neg(%x)
  %e : Tensor = aten::neg(%d)
  return (%b, %e)
"""


def test_a_node_moves_with_those_that_use_it() -> None:
    g = parse(LINE)
    assert moves.move_after(g.aliases, g.op("a"), g.op("d"))
    assert g.order() == "d a b e"
    g.module.verify()


def test_a_node_leaves_those_behind_that_use_it() -> None:
    g = parse(LINE)
    assert moves.move_before(g.aliases, g.op("d"), g.op("a"))
    assert g.order() == "d a b e"
    assert not moves.could_move_before(g.aliases, g.op("b"), g.op("a"))
    assert moves.could_move_after(g.aliases, g.op("b"), g.op("e"))
    assert g.order() == "d a b e"


@pytest.mark.parametrize(("written", "can"), [("x", False), ("fresh", True)])
def test_no_read_passes_a_write_to_its_memory(written: str, can: bool) -> None:
    g = parse(f"""
  %1 : int = prim::Constant[value=1]()
  %fresh : Tensor = aten::neg(%y)
  %a : Tensor = aten::neg(%x)
  %w : Tensor = aten::add_(%{written}, %1, %1)
  %b : Tensor = aten::neg(%a)
  return (%b, %w)
""")
    assert moves.could_move_after(g.aliases, g.op("a"), g.op("w")) == can
    assert moves.could_move_before(g.aliases, g.op("w"), g.op("a")) == can


def test_writes_keep_their_order() -> None:
    g = parse("""
  %1 : int = prim::Constant[value=1]()
  %w : Tensor = aten::add_(%x, %1, %1)
  %v : Tensor = aten::mul_(%y, %y)
  return (%x)
""")
    assert not moves.could_move_after(g.aliases, g.op("w"), g.op("v"))


def test_nothing_passes_side_effects() -> None:
    g = parse("""
  %a : Tensor = aten::neg(%x)
   = prim::Print(%y)
  %b : Tensor = aten::neg(%x)
  return (%a, %b)
""")
    assert not moves.could_move_after(g.aliases, g.op("a"), g.op("b"))


def test_uses_in_blocks_count() -> None:
    g = parse("""
  %a : Tensor = aten::neg(%x)
  %r : Tensor = prim::If(%c)
    block0():
      %b : Tensor = aten::neg(%a)
      -> (%b)
    block1():
      -> (%x)
  %d : Tensor = aten::neg(%x)
  return (%r, %d)
""")
    assert moves.move_after(g.aliases, g.op("a"), g.op("d"))
    assert g.order() == "d a r"
    g.module.verify()


def tensors_in(value: Any) -> Iterator[ts.Tensor]:
    if isinstance(value, ts.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            yield from tensors_in(item)


def shares_memory(kernel: Any, make: Any) -> bool:
    """Whether results of an operator on a sample are operands or views of them."""
    operands = [compare.ours(value, {}) for value in make()]
    try:
        results = kernel(*operands)
    except (RuntimeError, IndexError, ValueError, TypeError, ZeroDivisionError):
        return False
    return any(
        np.may_share_memory(a.array, b.array)
        for a in tensors_in(results)
        for b in tensors_in(operands)
        if a.array.size
    )


def test_operators_promise_fresh_memory_or_are_known_not_to_keep_it() -> None:
    known = {"aten::sorted", "prim::AutogradAdd"}  # a list of the same tensors; of gradients only
    registry.load_families()
    for name, _ in registry.attached():
        operator = registry.find(name)
        if operator is None or operator.kernel is None or operator.name in known:
            continue
        if any(argument.alias for argument in operator.schema.arguments):
            continue
        if operator.aliasing is None:
            assert Effect.ACTS in operator.effects, name  # It may do anything.
            continue
        if operator.aliasing.may_keep or operator.aliasing.results is not Origin.FRESH:
            continue  # It says so.
        schema = operator.schema
        if schema.arguments and all(
            isinstance(one.type, ListType) for one in (schema.arguments[0], *schema.returns)
        ):
            continue  # What lists hold is known outside.
        shared = [make for make in samples_of(operator) if shares_memory(operator.kernel, make)]
        assert not shared, name


@pytest.mark.parametrize(
    "expression",
    [
        "x.type_as(x)",
        "torch.atleast_1d(x)",
        "torch.dropout(x, 0.5, False)",
        "torch.unsafe_chunk(x, 1)[0]",
        "torch.broadcast_tensors([x, x])[0]",
    ],
)
def test_writes_to_what_may_be_an_operand_are_no_dead_code(expression: str) -> None:
    """PyTorch trusts the schema, and `x` stays as it was there; what Python does is right."""
    text = f"def f(x):\n    y = {expression}\n    y.neg_()\n    return x + 1.0\n"
    f = ts.CompilationUnit(text).f
    for _ in range(3):
        assert f(as_tensor(np.full(2, 3.0))).tolist() == [-2.0, -2.0]
