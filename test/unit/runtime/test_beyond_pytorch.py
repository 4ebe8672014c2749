"""Where PyTorch 2.13 computes something else than Python, by mistake, ours does what Python does."""

import pytest

import torchscript_dialect as ts
from support.pytorch_mistakes import MISTAKES, Mistake
from support.random_programs import in_python
from torchscript_dialect.tensor.conversion import as_tensor

every_mistake = pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)


@every_mistake
def test_what_python_does(mistake: Mistake) -> None:
    assert mistake.run(in_python(mistake.text), lambda array: array) == mistake.result


@every_mistake
@pytest.mark.parametrize("optimized", [True, False])
def test_ours_does_it_too(mistake: Mistake, optimized: bool) -> None:
    main = ts.CompilationUnit(mistake.text).main
    with ts.optimized_execution(optimized):
        assert [mistake.run(main, as_tensor) for _ in range(3)] == [mistake.result] * 3
