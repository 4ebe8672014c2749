"""What the compiler warns of, and the warnings of programs."""

import warnings

import pytest

import torchscript_dialect as ts


def test_a_list_of_several_types() -> None:
    with pytest.warns(UserWarning, match="heterogeneous types(.|\n)*~~~~~~~~ <--- HERE") as caught:
        ts.CompilationUnit("def f(n: int):\n    xs = [n, 'a']\n    return len(xs)\n")
    assert len(caught) == 1


def test_no_warning_for_a_list_with_an_annotation() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ts.CompilationUnit(
            "def f(n: int):\n    xs: List[Union[int, str]] = [n, 'a']\n    return 1\n"
        )


def test_a_program_warns() -> None:
    f = ts.CompilationUnit("def f(n: int):\n    torch.warn('take care', 2)\n    return n\n").f
    assert "aten::warn[warn_id=0]" in str(f.graph)
    with pytest.warns(UserWarning, match="take care"):
        assert f(3) == 3
