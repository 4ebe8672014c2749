"""Type promotion against PyTorch's answers."""

from typing import Any

import pytest

from support import tensor_golden
from support.tensors import empty
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.type_promotion import can_cast, promote_types, result_type

GOLDEN = tensor_golden.read("promotion")
NUMBERS = {"bool": True, "int": 2, "float": 2.0, "complex": 2j}


def operand(name: str) -> Any:
    if name in NUMBERS:
        return NUMBERS[name]
    dtype, rank = name.split()
    return empty((2,) if rank == "dim" else (), dtype)


@pytest.mark.parametrize("row", range(len(GOLDEN["operands"])), ids=GOLDEN["operands"])
def test_result_type_of_pairs(row: int):
    left = operand(GOLDEN["operands"][row])
    for name, expected in zip(GOLDEN["operands"], GOLDEN["results"][row].split(), strict=True):
        operands = (left, operand(name))
        if expected in ("-", "complex32"):
            with pytest.raises(RuntimeError, match=r"Promotion for|Unknown Complex|complex32"):
                result_type(operands)
        else:
            assert result_type(operands).name == expected, name


def test_can_cast():
    for source, targets in GOLDEN["can_cast"].items():
        found = [
            t for t in GOLDEN["can_cast"] if can_cast(dtypes.from_name(source), dtypes.from_name(t))
        ]
        assert found == targets, source


def test_numbers_follow_the_default_dtype():
    integers = empty((2,), "int32")
    try:
        dtypes.set_default_dtype("float64")
        assert result_type((integers, 1.0)) is dtypes.float64
        assert result_type((integers, 1j)) is dtypes.complex128
    finally:
        dtypes.set_default_dtype("float32")
    assert result_type((integers, 1.0)) is dtypes.float32


def test_no_operands_and_undefined_pairs():
    with pytest.raises(RuntimeError, match="at least one operand"):
        result_type(())
    with pytest.raises(RuntimeError, match="attempted to promote UInt16 and Int"):
        promote_types(dtypes.uint16, dtypes.int32)
