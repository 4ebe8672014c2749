"""The operator table: what has kernels has samples, agrees with PyTorch's recorded results, and derives its variants."""
# pyright: reportOptionalCall=false, reportOperatorIssue=false, reportAttributeAccessIssue=false
# pyright: reportIndexIssue=false, reportOptionalMemberAccess=false

import json
from pathlib import Path

import pytest

from samples import samples_of
from samples.exceptions import UNSAMPLED
from samples.golden import differences
from torchscript_dialect.ops import registry

GOLDEN = json.loads((Path(__file__).parent.parent.parent / "golden" / "ops.json").read_text())


def test_every_kernel_has_samples() -> None:
    missing = [
        name
        for name, _ in registry.attached()
        if (operator := registry.find(name)) is not None
        and operator.kernel is not None
        and next(samples_of(operator), None) is None
        and name not in UNSAMPLED
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
    operator = registry.register("mine::twice(Tensor x) -> Tensor", lambda x: x)
    assert (
        registry.lookup("mine::twice") == (operator,)
        or registry.find("mine::twice").text == operator.text
    )
    with pytest.raises(ValueError, match="there is an operator mine::twice already"):
        registry.register("mine::twice(Tensor x) -> Tensor", lambda x: x)
