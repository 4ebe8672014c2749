"""Comprehensions on which PyTorch fails."""

import pytest

import torchscript_dialect as ts


@pytest.mark.parametrize(
    "text",
    [
        "u: List[Any] = [(x, 'a') for x in xs]\n    return len(u)",
        "u: List[Optional[List[int]]] = [[x] for x in xs]\n    return len(u)",
        "u: Dict[int, Any] = {x: [x] for x in xs}\n    return len(u)",
    ],
)
def test_literals_of_wider_types(text: str) -> None:
    f = ts.CompilationUnit(f"def f(xs: List[int]):\n    {text}\n")["f"]
    for _ in range(3):
        assert f([1, 2, 3]) == 3


def test_graphs_of_wider_results_are_read_back() -> None:
    """`int? = aten::add(...)`: PyTorch widens what is made for an element."""
    text = "u: List[Optional[int]] = [x + 1 for x in xs]\n    return u"
    f = ts.CompilationUnit(f"def f(xs: List[int]):\n    {text}\n")["f"]
    graph = ts.parse_ir(str(f.graph))
    graph.lint()
    for _ in range(3):
        assert ts.run_graph(graph, [1, 2]) == f([1, 2]) == [2, 3]
