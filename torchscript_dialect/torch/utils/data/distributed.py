"""The items of a data set that one of several processes takes (PyTorch: torch/utils/data/distributed.py)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

from torchscript_dialect.tensor.generator import Generator
from torchscript_dialect.torch.utils.data.sampler import Sampler, drawn_order


class DistributedSampler(Sampler[int]):
    """Every `num_replicas`-th index of an order that all processes draw alike, from `rank` on."""

    def __init__(
        self,
        dataset: Any,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        """Without `drop_last` some indices come twice, so that all processes have as many.

        Raises:
            RuntimeError: no `num_replicas` or `rank`, of which nothing here tells.
            ValueError: `rank` is none of the processes.
        """
        if num_replicas is None or rank is None:
            raise RuntimeError("Requires distributed package to be available")
        if not 0 <= rank < num_replicas:
            raise ValueError(
                f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]"
            )
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.drop_last = drop_last
        rounded = 0 if drop_last else num_replicas - 1
        self.num_samples = (len(dataset) + rounded) // num_replicas
        self.total_size = self.num_samples * num_replicas
        self.shuffle = shuffle
        self.seed = seed

    def __iter__(self) -> Iterator[int]:
        count = len(self.dataset)
        order = list(range(count))
        if self.shuffle:
            generator = Generator()
            generator.manual_seed(self.seed + self.epoch)
            order = drawn_order(count, generator)
        return islice(cycle(order), self.rank, self.total_size, self.num_replicas)

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Draw another order for each epoch."""
        self.epoch = epoch


__all__ = ["DistributedSampler"]
