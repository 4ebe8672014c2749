"""Trees print as PyTorch prints them, and their ranges hold their subtrees."""

from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.parser import Parser
from torchscript_dialect.frontend.source.tree import compound, walk
from torchscript_dialect.frontend.source.tree_views import (
    Apply,
    BinOp,
    Const,
    Expr,
    Ident,
    Select,
    Subscript,
    Var,
    pep604_union_to_union,
)
from torchscript_dialect.utils.source_range import Source


def expression(text: str) -> Expr:
    return Parser(Source(text)).parse_expression()


def test_the_example_of_the_overview():
    assert str(expression("z.sigmoid() - (x + y)")) == (
        "(-\n"
        "  (apply\n"
        "    (.\n"
        "      (variable (ident z))\n"
        "      (ident sigmoid))\n"
        "    (list)\n"
        "    (list))\n"
        "  (+\n"
        "    (variable (ident x))\n"
        "    (variable (ident y))))"
    )


def test_ternary_prints_as_if():
    assert str(expression("1 if x else 2")).startswith("(if\n  (variable (ident x))\n")


def test_views_are_the_classes_of_trees():
    tree = expression("f.g(x, k=1)")
    assert isinstance(tree, Apply)
    assert isinstance(tree.callee, Select)
    assert tree.callee.selector.name == "g"
    assert isinstance(tree.inputs[0], Var)
    assert tree.attributes[0].name.name == "k"
    assert len(tree.attributes) == 1


def test_compound_widens_its_range_to_the_subtrees():
    source = Source("a + b")
    tree = expression(source.text)
    assert isinstance(tree, BinOp)
    made = compound("+", tree.rhs.range, (tree.lhs, tree.rhs))
    assert made.range.text == "a + b"


def test_map_replaces_subtrees():
    tree = expression("a + b")
    name = Ident.create(tree.range, "c")
    mapped = tree.map(lambda sub: Var.create(sub.range, name))
    assert mapped.same(expression("c + c"))
    assert not mapped.same(tree)


def test_walk_gives_each_compound_once():
    kinds = [tree.kind for tree in walk(expression("a + 1"))]
    assert kinds == ["+", tk.TK_VAR, tk.TK_IDENT, tk.TK_CONST]


def test_constants_know_what_they_are():
    for text, kind in (
        ("1", "integral"), ("1.0", "floating_point"), ("1e5", "floating_point"),
        ("1e400", "floating_point"), ("0x1f", "integral"), ("2j", "complex"), ("1e3J", "complex"),
    ):  # fmt: skip
        const = expression(text)
        assert isinstance(const, Const)
        assert [
            kind
            for kind in ("integral", "floating_point", "complex")
            if getattr(const, f"is_{kind}")
        ] == [kind]


def test_unions_are_flattened():
    union = pep604_union_to_union(expression("int | (float | str) | None"))
    assert isinstance(union, Subscript)
    assert union.same(expression("Union[int, float, str, None]"))


def test_deep_trees_print_without_recursion():
    text = "x" + ".f()" * 1500
    assert str(expression(text)).count("(ident") == 1501
