"""Random tensors: the numbers that PyTorch gives after the same seed."""

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager import dispatch


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(0)


def test_rand() -> None:
    expected = [0.49625658988952637, 0.7682217955589294, 0.08847743272781372]
    assert torch.rand(3).tolist() == expected


def test_rand_like_keeps_layout() -> None:
    assert torch.rand_like(torch.zeros(2, 3).t()).stride() == (1, 3)


def test_randn() -> None:
    expected = [1.5409960746765137, -0.293428897857666, -2.1787893772125244]
    np.testing.assert_allclose(torch.randn(3).numpy(), expected, rtol=1e-6)


def test_randn_of_many_has_moments() -> None:
    numbers = torch.randn(10007).numpy()
    assert abs(numbers.mean()) < 0.05
    assert abs(numbers.std() - 1) < 0.05


def test_randint_and_randperm() -> None:
    assert torch.randint(0, 10, (5,)).tolist() == [4, 9, 3, 0, 3]
    assert sorted(torch.randperm(20).tolist()) == list(range(20))


def test_large_ranges_of_integers_take_64_bits() -> None:
    """From 2**28 integers on."""
    assert torch.randint(0, 1 << 27, (3,)).tolist() == [75434668, 130329135, 118924917]
    torch.manual_seed(0)
    assert torch.randint(0, 1 << 28, (3,)).tolist() == [130329135, 136432832, 195187451]
    torch.manual_seed(0)
    assert torch.randint(0, 1 << 30, (3,)).tolist() == [398764591, 404868288, 463622907]


def test_bounds() -> None:
    x = torch.empty(100).uniform_(2.0, 3.0)
    assert bool(((x >= 2) & (x < 3)).all())
    assert set(torch.bernoulli(torch.full((100,), 0.5)).tolist()) == {0.0, 1.0}
    assert torch.bernoulli(torch.ones(5)).tolist() == [1.0] * 5
    for chance in (1.5, -0.1, float("nan")):
        with pytest.raises(RuntimeError, match="Expected p_in >= 0 && p_in <= 1"):
            torch.bernoulli(torch.full((2,), chance))


def test_dropout_scales() -> None:
    y = torch.dropout(torch.ones(1000), 0.5, True)
    assert set(y.tolist()) == {0.0, 2.0}


def test_integers_are_refused() -> None:
    with pytest.raises(NotImplementedError, match="normal_kernel_cpu"):
        torch.ones(3, dtype=torch.int64).normal_()


def test_a_generator_of_its_own() -> None:
    one, two = torch.Generator().manual_seed(5), torch.Generator().manual_seed(5)
    a = torch.rand([3], generator=one)
    assert a.tolist() == torch.rand([3], generator=two).tolist()
    assert one.initial_seed() == 5


def test_generators_are_values() -> None:
    make, seed = registry.find("aten::Generator"), registry.find("aten::manual_seed.generator")
    assert make is not None and make.kernel is not None
    assert seed is not None and seed.kernel is not None
    one = make.kernel("cpu", 7)
    assert dispatch.call("aten::initial_seed", [one]) == 7
    assert seed.kernel(one, 9) is one
    assert dispatch.call("aten::initial_seed", [one]) == 9
    assert dispatch.call("aten::seed", [one]) == one.initial_seed()


@pytest.mark.parametrize(
    ("element", "bounds", "message"),
    [
        ("float32", (0.0, float("inf")), "to is out of bounds for float"),
        ("float64", (float("nan"), 1.0), "from is out of bounds for double"),
        ("float32", (-3e38, 3e38), "uniform_ expects to-from <= std::numeric_limits<Float>::max()"),
    ],
)
def test_bounds_of_uniform_numbers(element: str, bounds: tuple[float, float], message: str) -> None:
    with pytest.raises(RuntimeError) as caught:
        torch.empty(2, dtype=getattr(torch, element)).uniform_(*bounds)
    assert str(caught.value).startswith(message)


def test_a_deviation_is_a_number() -> None:
    with pytest.raises(RuntimeError, match="normal expects all elements of std"):
        torch.normal(torch.zeros(2), torch.full((2,), float("nan")))


@pytest.mark.parametrize(
    ("dtype", "draw", "expected"),
    [
        ("float64", "uniform_(-9, 9)", [2.5562701193056934, -4.324357526826325, -2.5051028503112236]),
        ("float16", "uniform_(-0.3, 0.7)", [0.5302734375, -0.173828125, 0.607421875]),
        ("bfloat16", "uniform_(0, 3.7)", [3.078125, 0.466796875, 3.359375]),
        ("float32", "normal_(1.3, 2.7)", [-0.014308026991784573, -0.33031830191612244, -0.20685982704162598]),
        ("float64", "cauchy_(1.2, 2.3)", [2.3001349560226867, -0.9631378723309031, 0.12499752081748246]),
    ],
)  # fmt: skip
def test_ranges_are_rounded_once(dtype: str, draw: str, expected: list[float]) -> None:
    torch.manual_seed(5)
    name, _, arguments = draw.rstrip(")").partition("(")
    drawn = getattr(torch.empty(3, dtype=getattr(torch, dtype)), name)
    assert drawn(*map(float, arguments.split(","))).tolist() == expected


def test_a_range_of_16_bits_is_without_its_end() -> None:
    drawn = torch.empty(1000, dtype=torch.bfloat16).uniform_(2, 3)
    assert drawn.max().item() < 3
