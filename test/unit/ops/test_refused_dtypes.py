"""What PyTorch's kernels refuse of dtypes is refused, in its words, by eager calls, in place, into `out`, in programs and in groups."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from samples import compare, in_dtypes
from torchscript_dialect import torch
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.refused_dtypes import refusals_of, refused_names
from torchscript_dialect.runtime.values.type_tests import tensor_type
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor

REFUSED = [
    ("tanh", "float8_e5m2", "\"tanh_vml_cpu\" not implemented for 'Float8_e5m2'"),
    ("neg", "uint16", "\"neg_cpu\" not implemented for 'UInt16'"),
    ("cumsum", "float8_e4m3fn", "\"cumsum_out_cpu\" not implemented for 'Float8_e4m3fn'"),
    ("amax", "uint32", "\"max_values_cpu\" not implemented for 'UInt32'"),
    ("sort", "complex64", "Sort does not support complex dtypes on CPU"),
    ("linalg_inv", "float16", "linalg.inv: Low precision dtypes not supported. Got Half"),
]


def of(name: str) -> Tensor:
    return as_tensor(np.ones((4, 4)).astype(dtypes.from_name(name).numpy_dtype))


def called(name: str, x: Tensor) -> object:
    return call(f"aten::{name}", (x, 0) if name in ("cumsum", "sort") else (x,))


@pytest.mark.parametrize(("name", "element", "text"), REFUSED)
def test_eager(name: str, element: str, text: str) -> None:
    with pytest.raises(RuntimeError, match=re.escape(text)):
        called(name, of(element))


def test_in_place_and_out_as_the_operator() -> None:
    x = of("uint16")
    for run in (
        lambda: torch.add(x, x),
        lambda: x.add_(x),
        lambda: torch.add(x, x, out=of("uint16")),
    ):
        with pytest.raises(NotImplementedError, match="\"add_stub\" not implemented for 'UInt16'"):
            run()
    assert (x.array == 1).all()


def test_lists() -> None:
    with pytest.raises(NotImplementedError, match="not implemented for 'UInt32'"):
        torch._foreach_neg([of("uint32"), of("uint32")])


def test_the_dtype_of_a_factory() -> None:
    with pytest.raises(NotImplementedError, match="\"arange_cpu\" not implemented for 'UInt16'"):
        torch.arange(3, dtype=torch.uint16)


def test_nothing_is_refused_where_nothing_is_computed() -> None:
    empty = as_tensor(np.ones((0, 4), np.uint16))
    assert torch.max(empty, 1)[0].shape == (0,)
    with pytest.raises(NotImplementedError, match="\"neg_cpu\" not implemented for 'UInt16'"):
        torch.neg(empty)


@ts.script
def chain(x: Tensor, y: Tensor):
    return (x + y).mul(x).sub(y).neg() + 1


def test_a_program_that_is_compiled_for_other_dtypes() -> None:
    for _ in range(4):
        assert chain(of("float32"), of("float32")).array.sum() == 0
    for name in ("uint16", "float8_e5m2"):
        for _ in range(4):
            with pytest.raises(RuntimeError, match="not implemented for"):
                chain(of(name), of(name))


def test_shape_rules_know_nothing_of_it() -> None:
    operator = registry.find("aten::cumsum")
    assert operator is not None and operator.shape is not None
    known = operator.shape([tensor_type(of("float32")).data, 0, None])
    unknown = operator.shape([tensor_type(of("float8_e5m2")).data, 0, None])
    assert known.dtype == "Float" and unknown.dtype is None


def test_other_dtypes_and_a_dtype_that_is_asked_for_are_taken() -> None:
    assert torch.abs(of("float8_e5m2")).dtype is dtypes.float8_e5m2
    assert torch.softmax(of("uint16"), 0, dtype=torch.float32).dtype is dtypes.float32


SHARDS = 16


def runs(operator: registry.Operator, arguments: Sequence[Any]) -> bool:
    return not isinstance(compare.run(operator, lambda: arguments)[0], BaseException)


def wrongly_taken(name: str) -> list[str]:
    """The dtypes that an operator does not refuse in the words of the table, on its first sample."""
    operator, refusals = registry.find(name), refusals_of(name)
    assert operator is not None and refusals is not None
    wrong: list[str] = []
    for case in in_dtypes.cases(operator, runs, 1):
        refusal = refusals.by_dtype.get(case.dtype)
        if refusal is None or case.places != refusals.places:
            continue
        found, _ = compare.run(operator, lambda case=case: case.samples[0])
        if not isinstance(found, refusal.error):
            wrong.append(f"{name} {case.dtype}: {found!r:.100} where PyTorch says {refusal.text}")
    return wrong


@pytest.mark.parametrize("shard", range(SHARDS))
def test_golden_pairs(shard: int) -> None:
    """Every operator of the table with a dtype that it refuses, on a sample: it raises, and nothing else does in its place."""
    wrong: list[str] = []
    for name in sorted(refused_names())[shard::SHARDS]:
        wrong += wrongly_taken(name)
    assert not wrong, "\n".join(wrong[:20])


def test_the_table_names_operators() -> None:
    assert refused_names() <= registry.texts().keys()
