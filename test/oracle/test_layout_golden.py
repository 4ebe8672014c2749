"""test/golden/layouts.json is what PyTorch gives. Otherwise `tools/regenerate_layout_goldens.py` is due."""

import json
import runpy
from pathlib import Path

import pytest

pytest.importorskip("torch")

from support.layout_golden import differs

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.filterwarnings("ignore")
def test_golden_file_is_current() -> None:
    golden = json.loads((ROOT / "test" / "golden" / "layouts.json").read_text())
    described = runpy.run_path(str(ROOT / "tools" / "regenerate_layout_goldens.py"))["described"]()
    assert described.keys() == golden.keys()
    for suite, told in described.items():
        stored = golden[suite]
        assert told["setup"] == stored["setup"]
        pairs = list(zip(told["results"], stored["results"], strict=True))
        assert [one[0] for one, _ in pairs] == [other[0] for _, other in pairs]
        assert not [one[0] for one, other in pairs if differs(one[1], other[1])]
