"""Random numbers: the streams of PyTorch for a seed."""

import numpy as np

from support import tensor_golden
from torchscript_dialect import torch
from torchscript_dialect.tensor.generator import Generator


def test_random_streams_are_pytorchs():
    golden = tensor_golden.read("streams")
    make = {
        "rand float32": lambda: torch.rand(20),
        "rand float64": lambda: torch.rand(5, dtype=torch.float64),
        "rand float16": lambda: torch.rand(5, dtype=torch.float16),
        "randn float32": lambda: torch.randn(20),
        "randn few": lambda: torch.randn(5),
        "randn float64": lambda: torch.randn(33, dtype=torch.float64),
        "randint": lambda: torch.randint(-5, 1 << 40, (5,)),
        "randperm": lambda: torch.randperm(12),
    }
    assert set(make) == set(golden)
    for name, expected in golden.items():
        torch.manual_seed(0)
        found = make[name]().tolist()
        if name.startswith("randn"):
            np.testing.assert_allclose(found, expected, rtol=1e-6)
        else:
            assert found == expected, name


def test_a_generator_of_ones_own():
    source = Generator()
    first = source.manual_seed(3).uniform(4, double=False).tolist()
    assert source.uniform(4, double=False).tolist() != first
    assert source.manual_seed(3).uniform(4, double=False).tolist() == first
    assert source.manual_seed(-1).initial_seed() == 2**64 - 1
    assert source.seed() == source.initial_seed()
    assert source.uniform(0, double=True).shape == (0,)
