"""`graph.alias_db()`: the alias analysis for users, by Values and Nodes."""

from torchscript_dialect.frontend.compile import compile_source
from torchscript_dialect.ir import Graph

SOURCE = """
def f(x, y):
    l = [x, y]
    z = x.view(2, 2)
    a = y + 1
    z.add_(1)
    print(l)
    return z * a
"""


def graph_of(source: str) -> Graph:
    return Graph(compile_source(source, "f.py").functions["f"].op)


def test_questions() -> None:
    graph = graph_of(SOURCE)
    aliases = graph.alias_db()
    x, y = graph.inputs()
    (view,), (add,) = graph.findAllNodes("aten::view"), graph.findAllNodes("aten::add")
    (held,) = (
        node
        for node in graph.findAllNodes("prim::ListConstruct")
        if node.output().debugName() == "l"
    )
    assert aliases.may_alias(x, view.output()) and aliases.may_alias([x], [y, view.output()])
    assert not aliases.may_alias(add.output(), x)
    assert aliases.may_contain_alias(held.output(), x)
    assert not aliases.may_contain_alias(held.output(), add.output())
    assert (
        aliases.has_writers(x)
        and aliases.has_writers(view)
        and not aliases.has_writers(add.output())
    )


def test_moves_keep_what_the_program_does() -> None:
    graph = graph_of(SOURCE)
    aliases = graph.alias_db()
    (view,), (add,), (write,) = map(graph.findAllNodes, ("aten::view", "aten::add", "aten::add_"))
    assert not aliases.move_before_topologically_valid(write, view)
    assert not aliases.move_after_topologically_valid(add, write)  # `y` may be the memory of `x`
    assert aliases.move_before_topologically_valid(add, view)
    assert add.isBefore(view)
    graph.lint()


def test_texts() -> None:
    graph = graph_of(SOURCE)
    aliases = graph.alias_db()
    assert "%z points to: %x" in str(aliases)
    assert str(aliases).startswith("graph(%x : Tensor,")
    drawing = aliases.to_graphviz_str().splitlines()
    assert '  "%z" -> "%x"' in drawing
    assert '  "%l" -> "WILDCARD for type Tensor" [style=dashed, color=blue]' in drawing
