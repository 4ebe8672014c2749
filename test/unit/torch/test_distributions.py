"""`torch.distributions`, from what PyTorch gave: samples, densities, moments, divergences, gradients and errors."""

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from samples import distributions
from torchscript_dialect import torch

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "distributions.json").read_text())
CASES = {
    "distributions": (distributions.DISTRIBUTIONS, distributions.facts),
    "divergences": (distributions.PAIRS, distributions.divergence),
    "errors": (distributions.WRONG, distributions.error),
    "gradients": (distributions.GRADIENTS, distributions.gradients),
}
"""By what is stored: the expressions, and what is asked of each."""


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, (cases, _) in CASES.items() for name in cases]
)
def test_as_pytorch(kind: str, name: str) -> None:
    cases, ask = CASES[kind]
    mine = json.loads(json.dumps(ask(torch, cases[name])))
    assert distributions.differences(mine, GOLDEN[kind][name]) == []


def test_every_case_is_stored() -> None:
    """Otherwise `tools/regenerate_distribution_goldens.py` is due."""
    for kind, (cases, _) in CASES.items():
        assert GOLDEN[kind].keys() == cases.keys()


def test_differences_are_found() -> None:
    mine = distributions.facts(torch, distributions.DISTRIBUTIONS["Normal"])
    theirs = GOLDEN["distributions"]["Laplace"]
    assert any("sample" in found for found in distributions.differences(mine, theirs))


D: Any = torch.distributions


def test_values_are_not_checked_where_nobody_wants_it() -> None:
    assert D.Normal(0.0, -1.0, validate_args=False).scale == -1.0
    assert D.Uniform(0.0, 1.0, validate_args=False).log_prob(torch.tensor(2.0)) == -float("inf")
    D.Distribution.set_default_validate_args(False)
    try:
        assert D.Normal(0.0, -1.0).scale == -1.0
    finally:
        D.Distribution.set_default_validate_args(True)
    with pytest.raises(ValueError, match="Expected parameter scale"):
        D.Normal(0.0, -1.0)


def test_subclasses_expand_what_they_say() -> None:
    class Same(D.Normal):
        pass

    class Standard(D.Normal):
        def __init__(self) -> None:
            super().__init__(0.0, 1.0)

    wide = Same(0.0, 1.0).expand((2,))
    assert type(wide) is Same and wide.batch_shape == (2,)
    with pytest.raises(NotImplementedError, match="must also define a custom"):
        Standard().expand((2,))


def test_divergences_of_subclasses_and_of_ones_own() -> None:
    class Mine(D.Normal):
        pass

    class Other(D.Normal):
        pass

    p, q = Mine(0.0, 1.0), Other(1.0, 1.0)
    assert D.kl_divergence(p, q) == 0.5

    @D.register_kl(Mine, D.Normal)
    def _by_p(p: Any, q: Any) -> str:
        return "by p"

    assert D.kl_divergence(p, q) == "by p"

    @D.register_kl(D.Normal, Other)
    def _by_q(p: Any, q: Any) -> str:
        return "by q"

    with pytest.warns(RuntimeWarning, match="Ambiguous"):
        assert D.kl_divergence(p, q) == "by p"


def test_a_memory_of_transforms_gives_the_very_argument() -> None:
    transform = D.TanhTransform(cache_size=1)
    x = torch.tensor([30.0])  # tanh of it is 1, whose inverse is infinite
    assert transform.inv(transform(x)) is x
    assert D.TanhTransform().inv(transform(x)).isinf().all()
    assert transform == D.TanhTransform() and transform != D.ExpTransform()
    assert transform.with_cache(0).with_cache(1) == transform
    whole = D.ComposeTransform([D.AffineTransform(1.0, 2.0), D.ExpTransform()])
    assert whole.inv(whole(x / 8)).allclose(x / 8) and whole.inv.inv is whole


def test_checks_of_sets() -> None:
    sets, t = D.constraints, torch.tensor
    assert sets.simplex.check(t([[0.5, 0.5], [0.5, 0.25], [1.5, -0.5]])).tolist() == [
        True,
        False,
        False,
    ]
    assert sets.one_hot.check(t([[0, 1], [1, 1], [0, 2]])).tolist() == [True, False, False]
    assert sets.lower_triangular.check(t([[1.0, 0.0], [3.0, -1.0]])).item()
    assert not sets.lower_cholesky.check(t([[1.0, 0.0], [3.0, -1.0]])).item()
    assert sets.corr_cholesky.check(t([[1.0, 0.0], [0.6, 0.8]])).item()
    assert sets.positive_semidefinite.check(torch.ones(2, 2)).item()
    assert not sets.positive_definite.check(-torch.eye(2)).item()
    assert not sets.square.check(torch.ones(2, 3)).item()
    assert sets.half_open_interval(0, 1).check(t([0.0, 1.0])).tolist() == [True, False]
    assert sets.less_than(1).check(t([0.0, 1.0])).tolist() == [True, False]
    assert repr(sets.independent(sets.interval(0, 1), 2)) == (
        "IndependentConstraint(Interval(lower_bound=0, upper_bound=1), 2)"
    )
    assert sets.is_dependent(D.Uniform.support) and not sets.is_dependent(sets.real)
    with pytest.raises(NotImplementedError, match="event_dim cannot be determined statically"):
        _ = sets.dependent.event_dim
    assert sets.dependent(event_dim=1).event_dim == 1


def test_what_the_seed_draws_is_what_sample_n_draws() -> None:
    made = D.Categorical(torch.ones(4))
    torch.manual_seed(3)
    drawn = made.sample((5,))
    torch.manual_seed(3)
    with pytest.warns(FutureWarning, match="sample_n"):
        assert made.sample_n(5).equal(drawn)


def test_a_family_of_ones_own_tells_its_entropy_and_divergence_by_its_normalizer() -> None:
    class Waiting(D.ExponentialFamily):
        _mean_carrier_measure = 0

        def __init__(self, rate: Any) -> None:
            self.rate = rate
            super().__init__(rate.shape, validate_args=False)

        @property
        def _natural_params(self) -> tuple[Any, ...]:
            return (-self.rate,)

        def _log_normalizer(self, x: Any) -> Any:
            return -torch.log(-x)

    p, q = Waiting(torch.tensor([0.5, 2.0])), Waiting(torch.tensor([1.0, 1.0]))
    assert p.entropy().allclose(D.Exponential(p.rate).entropy())
    wanted = D.kl_divergence(D.Exponential(p.rate), D.Exponential(q.rate))
    assert D.kl_divergence(p, q).allclose(wanted)
    bits = D.ContinuousBernoulli(torch.tensor([0.1, 0.75]))
    assert D.ExponentialFamily.entropy(bits).allclose(bits.entropy(), atol=1e-6)
    with pytest.raises(NotImplementedError, match="different exponential families"):
        D.kl_divergence(p, bits)


def test_a_transform_of_correlations_is_traced() -> None:
    transform, x = D.CorrCholeskyTransform(), torch.tensor([0.5, -1.0, 0.25])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the size, which becomes a constant
        traced = torch.jit.trace(transform, x)
    assert traced(x).allclose(transform(x))
