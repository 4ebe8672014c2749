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
