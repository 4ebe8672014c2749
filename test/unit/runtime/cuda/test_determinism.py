"""`torch.use_deterministic_algorithms` on the device: elements are combined in their order, as on the host, and what PyTorch has in no
deterministic form there is refused in its words.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch

RANDOM = np.random.default_rng(0)
ROWS = RANDOM.normal(size=(40, 5)).astype(np.float32)
TABLE = RANDOM.normal(size=(6, 5)).astype(np.float32)
PLACES = RANDOM.integers(0, 6, 40)
EACH = RANDOM.integers(0, 6, ROWS.shape)


@pytest.fixture(autouse=True)
def deterministic() -> Iterator[None]:
    torch.use_deterministic_algorithms(True)
    yield
    torch.use_deterministic_algorithms(False)


def _gradient(run: Callable[[Any], Any]) -> Callable[[Any, Any, Any, Any], Any]:
    def of(table: Any, rows: Any, places: Any, each: Any) -> Any:
        leaf = table.requires_grad_()
        (run((leaf, places, each)) * rows).sum().backward()
        return leaf.grad

    return of


CASES: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "sums of rows": lambda t, x, at, _: t.index_add(0, at, x, alpha=2),
    "sums of elements": lambda t, x, _, each: t.scatter_add(0, each, x),
    "sums of halves": lambda t, x, at, _: t.half().index_add(0, at, x.half()),
    "sums at pairs": lambda t, x, at, _: t.index_put((at - 6, at % 5), x[:, 0], accumulate=True),
    "written rows": lambda t, x, at, _: t.index_put((at,), x),
    "written columns": lambda t, x, at, _: t.t().index_put((at % 5,), x[:, :1]),
    "embedding": _gradient(lambda given: torch.nn.functional.embedding(given[1], given[0])),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_elements_are_combined_in_their_order(name: str, on_device: Device) -> None:
    """So results have the bits of the host's."""
    found: list[Any] = []
    for device in ("cpu", "cuda"):
        given = [torch.tensor(one, device=device) for one in (TABLE, ROWS, PLACES, EACH)]
        found.append(CASES[name](*given).cpu().numpy())
    assert found[0].tobytes() == found[1].tobytes()
    assert "indexed_copy" not in on_device.launches or "segments" in on_device.launches


REFUSED: dict[str, Callable[[Any], Any]] = {
    "put_": lambda x: x.put_(torch.tensor([0]).to("cuda"), x[0, :1]),
    "cumsum_cuda_kernel": lambda x: x.cumsum(0),
    "_bincount_cuda": lambda x: torch.bincount(torch.tensor([0]).to("cuda"), x[0, :1]),
    "scatter_reduce_cuda_prod_": lambda x: x.scatter_reduce(0, x.long() * 0, x, "prod"),
    "median CUDA with indices output": lambda x: x.median(1),
}


@pytest.mark.parametrize("caller", REFUSED)
def test_what_pytorch_refuses(caller: str, on_device: Device) -> None:
    x = torch.tensor(TABLE, device="cuda")
    with pytest.raises(RuntimeError, match=f"{caller} does not have a deterministic implem"):
        REFUSED[caller](x)


def test_a_warning_instead(on_device: Device) -> None:
    x = torch.tensor(TABLE, device="cuda")
    torch.use_deterministic_algorithms(True, warn_only=True)
    with pytest.warns(UserWarning, match=r"^cumsum_cuda_kernel .*warn_only=True"):
        x.cumsum(0)
    torch.use_deterministic_algorithms(False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x.cumsum(0)


def test_what_pytorch_does_in_one_order(on_device: Device) -> None:
    x = torch.tensor(TABLE, device="cuda")
    assert x.long().cumsum(0).shape == (6, 5)
