"""Programs composed of features of the language, which other tests have alone: PyTorch and ours refuse or compile them alike.

`python -m support.composed.comparison FIRST COUNT --step STEP`, in test/, compares more.
"""

from pathlib import Path

import pytest

from support.amounts import IS_LONG
from support.composed.comparison import differences
from support.composed.programs import composed, count

pytestmark = pytest.mark.filterwarnings("ignore::Warning")

STEP = 13 if IS_LONG else 449


@pytest.mark.parametrize("number", range(7, count(), STEP))
def test_composed_program(number: int, tmp_path: Path) -> None:
    program = composed(number)
    found = list(differences(program, tmp_path))
    assert not found, f"{program.fragments}\n{found[0]}"
