"""The examples in the documentation of PyTorch's functions give here what they give there: some in the suite, all of them where
TORCHSCRIPT_DIALECT_LONG_TESTS is set. `PYTHONPATH=.:test python -m support.documented_examples` prints what differs.
"""

import pytest

pytest.importorskip("torch")
pytest.importorskip("expecttest", reason="PyTorch's database of operators needs expecttest")

from support import documented_examples
from support.amounts import IS_LONG

STEP = 1 if IS_LONG else 12


def test_examples_are_as_the_list_says() -> None:
    assert documented_examples.unexpected([*documented_examples.docstrings()][::STEP]) == []


def test_list_names_docstrings_with_reasons() -> None:
    listed = documented_examples.known()
    assert listed.keys() <= documented_examples.docstrings().keys()
    assert all(reason.strip() for reason in listed.values())


def test_differences_are_found() -> None:
    assert documented_examples.statements("text\n>>> a = 1\n>>> if a:\n...     b = 2\nshown") == [
        "a = 1",
        "if a:\n    b = 2",
    ]
    assert documented_examples.differences(">>> torch.ones(2) + 1") == []
    assert documented_examples.differences(">>> torch.ones(2).nonsense()") == []
    (found,) = documented_examples.differences(">>> torch.ones(2).__module__")
    assert "where PyTorch" in found
