"""`transform_to` and `biject_to` beside PyTorch's: each set, what its transforms give, and what they say of themselves."""

from __future__ import annotations

from typing import Any

import pytest

from torchscript_dialect import torch as ours

pytorch = pytest.importorskip("torch")

SETS = {
    "C.real": (2, 3), "C.real_vector": (2, 3), "C.positive": (2, 3), "C.nonnegative": (2, 3), "C.greater_than(2.0)": (3,),
    "C.greater_than_eq(torch.tensor([1.0, 2.0]))": (3, 2), "C.less_than(-1.0)": (3,), "C.unit_interval": (4,), "C.interval(-1.0, 3.0)": (4,),
    "C.half_open_interval(0.0, 1)": (4,), "C.simplex": (2, 3), "C.lower_cholesky": (2, 3, 3), "C.positive_definite": (3, 3),
    "C.positive_semidefinite": (2, 2), "C.corr_cholesky": (2, 6), "C.independent(C.positive, 1)": (2, 3), "C.boolean": (1,),
    "C.cat([C.positive, C.real], 1, [1, 2])": (2, 3), "C.cat([C.real_vector, C.independent(C.positive, 1)], 0, [1, 2])": (3, 4),
    "C.stack([C.positive, C.unit_interval], -1)": (3, 2), "C.stack([C.independent(C.positive, 1), C.real_vector], 0)": (2, 3),
}  # fmt: skip
"""By shapes of what is transformed."""


def told(torch: Any, registry: str, text: str, shape: tuple[int, ...]) -> Any:
    """Values, inverses, stretches, gradients, and the sets from and to which a transform goes."""
    constraint = eval(text, {"C": torch.distributions.constraints, "torch": torch})
    try:
        transform = getattr(torch.distributions, registry)(constraint)
    except NotImplementedError:
        return None  # the names of classes are others
    numel = torch.Size(shape).numel()
    x = (torch.arange(1.0, 1 + numel).sin() * 2).reshape(shape).requires_grad_()
    y = transform(x)
    found = [y, transform.inv(y), *torch.autograd.grad((y * y).sum(), x)]
    try:
        found.append(transform.log_abs_det_jacobian(x, y))
    except NotImplementedError:
        found.append(torch.zeros(0))
    values = [[*one.shape, *one.reshape(-1).tolist()] for one in found]
    shapes = tuple(transform.forward_shape(x.shape)), tuple(transform.inverse_shape(y.shape))
    sets = [
        transform.domain.event_dim,
        transform.codomain.event_dim,
        transform.codomain.is_discrete,
    ]
    is_in = constraint.check(y).reshape(-1).tolist()
    return values, [shapes, sets, transform.bijective, is_in, repr(transform.with_cache())]


@pytest.mark.parametrize("registry", ("transform_to", "biject_to"))
@pytest.mark.parametrize("text", SETS)
def test_transforms(text: str, registry: str) -> None:
    mine, theirs = (told(torch, registry, text, SETS[text]) for torch in (ours, pytorch))
    if theirs is None or mine is None:
        assert mine == theirs
        return
    for one, other in zip(mine[0], theirs[0], strict=True):
        assert one == pytest.approx(other, rel=1e-4, abs=1e-5)
    assert mine[1] == theirs[1]
