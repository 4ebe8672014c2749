"""The one large program that uses every feature: graphs, code, schemas, results and mutated arguments are PyTorch's."""

import json

import pytest

from support import corpus
from support.agreement import differences


def test_everything() -> None:
    programs = corpus.load("everything", "ours", corpus.EVERYTHING.parent)
    golden = json.loads(corpus.EVERYTHING_GOLDEN.read_text())
    assert golden.keys() == programs.keys()
    found = [line for name in golden for line in differences(programs[name], golden[name])]
    if found:
        pytest.fail("\n".join(found[:4]), pytrace=False)
