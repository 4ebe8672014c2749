"""The pass of examples/custom_pass.py reaches the fused graph, and its work is in the table."""

import pytest

from examples import custom_pass


def test_the_example_shows_the_effect_of_its_pass(capsys: pytest.CaptureFixture[str]) -> None:
    custom_pass.main()
    out = capsys.readouterr().out
    graph, _, table = out.partition("calls were native")
    assert "aten::silu" in graph and "aten::sigmoid" not in graph
    rows = {line.split()[0]: line for line in table.splitlines() if line}
    assert "UseSilu" in rows["use-silu"]
    assert list(rows).index("use-silu") + 1 == list(rows).index("ts-fuse-tensorexprs")
