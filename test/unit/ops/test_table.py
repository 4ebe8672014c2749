"""The operator table: what has kernels has samples, agrees with PyTorch's recorded results, and derives its variants."""
# pyright: reportOptionalCall=false, reportOperatorIssue=false, reportAttributeAccessIssue=false
# pyright: reportIndexIssue=false, reportOptionalMemberAccess=false

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from samples import samples_of
from samples.exceptions import UNSAMPLED
from samples.golden import differences
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.custom import register_operator

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = json.loads((Path(__file__).parent.parent.parent / "golden" / "ops.json").read_text())


def test_every_kernel_has_samples() -> None:
    missing = [
        name
        for name, _ in registry.attached()
        if (operator := registry.find(name)) is not None
        and operator.kernel is not None
        and next(samples_of(operator), None) is None
        and name not in UNSAMPLED
        and not registry.is_registered(name)
    ]
    assert not missing


def test_exceptions_are_operators() -> None:
    assert all(registry.find(name) for name in UNSAMPLED)


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_results(name: str) -> None:
    assert not differences(name, GOLDEN[name])


def test_variants_follow() -> None:
    """A pointwise declaration gives the in-place and `out` operators that the table has."""
    for name in (
        "aten::add.Tensor",
        "aten::add_.Tensor",
        "aten::add.out",
        "aten::tanh_",
        "aten::tanh.out",
    ):
        operator = registry.find(name)
        assert operator is not None
        assert operator.rules.pointwise is not None
        assert operator.kernel is not None


def test_unknown_operator_cannot_have_rules() -> None:
    with pytest.raises(KeyError, match=r"schemas\.txt has no operator aten::no_such"):
        registry.attach("aten::no_such", kernel=len)


def test_register() -> None:
    operator = register_operator("mine::twice(Tensor x) -> Tensor", lambda x: x)
    assert (
        registry.lookup("mine::twice") == (operator,)
        or registry.find("mine::twice").text == operator.text
    )
    with pytest.raises(ValueError, match="there is an operator mine::twice already"):
        register_operator("mine::twice(Tensor x) -> Tensor", lambda x: x)
    registry.unregister("mine::twice")


def test_slots_are_complete(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A declaration from which a kernel and a shape rule follow gives both; the table prints what each operator has."""
    monkeypatch.setattr(sys, "argv", ["operator_table.py"])
    runpy.run_path(str(ROOT / "tools" / "operator_table.py"), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + sum(len(registry.lookup(name)) for name in registry.names())
    rows = {
        text.partition("(")[0]: filled
        for filled, text in (line.split("  ", 1) for line in lines[:-1])
    }
    assert rows["aten::tanh"].startswith("ksB") and rows["aten::rms_norm"].startswith("kS.DL")
    for name, filled in rows.items():
        kernel, shape, body, decomposition, *_ = filled
        if body != "." or (decomposition != "." and kernel != "K"):
            assert kernel in "Kk" and shape in "Ss", f"{filled} {name}"


def test_operator_docs_are_current() -> None:
    """Otherwise `tools/generate_operator_docs.py` is due: it names every operator without a kernel, and why it has none."""
    tool = ROOT / "tools" / "generate_operator_docs.py"
    done = subprocess.run([sys.executable, tool, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_decompositions_compile() -> None:
    for name, rules in registry.attached():
        if rules.decompose is not None:
            operator = registry.find(name)
            assert operator is not None
            assert operator.kernel is not None
