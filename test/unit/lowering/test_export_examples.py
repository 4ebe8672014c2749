"""The examples by which programs leave run, and say what is missing where something is."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from examples import export_iree, export_xdsl


def test_xdsl_goes_on_to_loops_and_risc_v(capsys: pytest.CaptureFixture[str]) -> None:
    export_xdsl.main()
    first, loops, riscv = capsys.readouterr().out.splitlines()
    assert first.startswith("func.func @forward(%x: memref<2x3xf64>, ")
    assert loops == "the loops give our results"
    assert riscv.endswith("operations of RISC-V give our results")


def test_how_to_install_iree_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "iree", None)
    with pytest.raises(SystemExit, match="pip install iree-base-compiler iree-base-runtime"):
        export_iree.main()


@pytest.mark.skipif(importlib.util.find_spec("iree") is None, reason="IREE is not installed")
def test_iree_compiles_a_module(capsys: pytest.CaptureFixture[str]) -> None:
    export_iree.main()
    assert "IREE gives our results for 100 rows" in capsys.readouterr().out
