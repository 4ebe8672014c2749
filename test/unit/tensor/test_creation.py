"""Fresh tensors: constants, ranges, random numbers."""

import numpy as np
import pytest

from support import tensor_golden
from torchscript_dialect.tensor import creation, generator
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.generator import Generator


def test_constants():
    assert creation.zeros((2,)).tolist() == [0.0, 0.0]
    assert creation.ones((2,), "bool").tolist() == [True, True]
    assert creation.full((2,), 3).dtype is dtypes.int64
    assert creation.full((), True).dtype is dtypes.bool_
    assert creation.full((1,), 2, "bfloat16").tolist() == [2.0]
    assert creation.eye(2, 3, "int64").tolist() == [[1, 0, 0], [0, 1, 0]]
    with pytest.raises(RuntimeError, match="negative dimension -1"):
        creation.empty((2, -1))


def test_arange():
    assert creation.arange(3).tolist() == [0, 1, 2]
    assert creation.arange(5, 0, -2).tolist() == [5, 3, 1]
    assert creation.arange(0, 1, 0.25).dtype is dtypes.float32
    assert creation.arange(3.0).tolist() == [0.0, 1.0, 2.0]
    assert creation.arange(3, dtype="float64").dtype is dtypes.float64
    assert creation.arange(0).shape == (0,)
    with pytest.raises(RuntimeError, match="step must be nonzero"):
        creation.arange(0, 1, 0)
    with pytest.raises(RuntimeError, match="inconsistent with step sign"):
        creation.arange(0, 1, -1)


def test_linspace():
    assert creation.linspace(0, 1, 5).tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert creation.linspace(3, 4, 1).tolist() == [3.0]
    assert creation.linspace(0, 1, 0).shape == (0,)
    assert creation.linspace(0, 10, 4, "int64").tolist() == [0, 3, 6, 10]


def test_random_streams_are_pytorchs():
    golden = tensor_golden.read("streams")
    make = {
        "rand float32": lambda: creation.rand((20,)),
        "rand float64": lambda: creation.rand((5,), "float64"),
        "rand float16": lambda: creation.rand((5,), "float16"),
        "randn float32": lambda: creation.randn((20,)),
        "randn few": lambda: creation.randn((5,)),
        "randn float64": lambda: creation.randn((33,), "float64"),
        "randint": lambda: creation.randint(-5, 1 << 40, (5,)),
        "randperm": lambda: creation.randperm(12),
    }
    assert set(make) == set(golden)
    for name, expected in golden.items():
        generator.manual_seed(0)
        found = make[name]().tolist()
        if name.startswith("randn"):
            np.testing.assert_allclose(found, expected, rtol=1e-6)
        else:
            assert found == expected, name


def test_a_generator_of_ones_own():
    source = Generator(3)
    first = source.uniform((4,), dtypes.float32).tolist()
    assert source.uniform((4,), dtypes.float32).tolist() != first
    assert source.manual_seed(3).uniform((4,), dtypes.float32).tolist() == first
    assert creation.rand((4,), generator=Generator(3)).tolist() == first
    assert source.manual_seed(-1).initial_seed() == 2**64 - 1
    assert source.seed() == source.initial_seed()
    assert source.uniform((2, 0), dtypes.float32).shape == (2, 0)


def test_random_numbers_need_a_real_floating_type():
    for kind in (dtypes.int64, dtypes.complex64):
        with pytest.raises(TypeError, match="random numbers of dtype"):
            creation.rand((2,), kind)
        with pytest.raises(TypeError, match="random numbers of dtype"):
            creation.randn((2,), kind)
    with pytest.raises(RuntimeError, match="'from' to be less than 'to', but got from=2 >= to=2"):
        creation.randint(2, 2, (1,))
