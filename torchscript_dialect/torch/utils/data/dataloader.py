"""Batches of a data set (PyTorch: torch/utils/data/dataloader.py)."""

# Items are what programs make them: they have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from torchscript_dialect.tensor.generator import Generator
from torchscript_dialect.torch.utils.data.collate import default_collate, default_convert
from torchscript_dialect.torch.utils.data.dataset import IterableDataset
from torchscript_dialect.torch.utils.data.sampler import (
    BatchSampler,
    RandomSampler,
    SequentialSampler,
    drawn_seed,
)


class DataLoader:
    """The items of a data set in batches, or one by one where `batch_size` is None. All work is done where the loop is.

    Raises:
        ValueError: options that exclude each other; workers, which there are none of.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        if num_workers != 0 or prefetch_factor is not None or persistent_workers:
            raise ValueError(
                "num_workers, prefetch_factor and persistent_workers: this DataLoader has no workers; leave"
                " them out, and items are loaded where the loop is"
            )
        self.dataset = dataset
        self.num_workers = 0
        self.pin_memory, self.timeout, self.worker_init_fn = pin_memory, timeout, worker_init_fn
        self.generator = generator
        self._is_iterable = isinstance(dataset, IterableDataset)
        self._check(shuffle, sampler, batch_sampler, batch_size, drop_last)
        if batch_sampler is not None:
            batch_size, drop_last = None, False
        elif sampler is None and not self._is_iterable:
            order = RandomSampler(dataset, generator=generator) if shuffle else None
            sampler = order or SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None and sampler is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.sampler: Any = sampler
        self.batch_sampler: Any = batch_sampler
        self.batch_size, self.drop_last = batch_size, drop_last
        self._is_batched = batch_sampler is not None or batch_size is not None
        self.collate_fn = collate_fn or (default_collate if self._is_batched else default_convert)

    def _check(
        self, shuffle: Any, sampler: Any, batch_sampler: Any, batch_size: Any, drop_last: bool
    ) -> None:
        if self._is_iterable:
            for name, given in (
                ("shuffle", shuffle),
                ("sampler", sampler),
                ("batch_sampler", batch_sampler),
            ):
                if given:
                    raise ValueError(
                        f"DataLoader with IterableDataset: expected unspecified {name} option, but got"
                        f" {name}={given}"
                    )
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None and (batch_size != 1 or shuffle or sampler or drop_last):
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
            )
        if batch_size is None and batch_sampler is None and drop_last:
            raise ValueError(
                "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
            )

    def __iter__(self) -> Iterator[Any]:
        drawn_seed(self.generator)  # which workers would get
        return self._batches()

    def _batches(self) -> Iterator[Any]:
        if self._is_iterable:
            yield from self._batches_of_items()
            return
        for keys in self.batch_sampler if self._is_batched else self.sampler:
            yield self.collate_fn(self._items(keys) if self._is_batched else self.dataset[keys])

    def _items(self, keys: list[Any]) -> Any:
        if getattr(self.dataset, "__getitems__", None):
            return self.dataset.__getitems__(keys)
        return [self.dataset[key] for key in keys]

    def _batches_of_items(self) -> Iterator[Any]:
        if self.batch_size is None:
            yield from map(self.collate_fn, self.dataset)
            return
        items: list[Any] = []
        for item in self.dataset:
            items.append(item)
            if len(items) == self.batch_size:
                yield self.collate_fn(items)
                items = []
        if items and not self.drop_last:
            yield self.collate_fn(items)

    def __len__(self) -> int:
        if not self._is_iterable:
            return len(self.batch_sampler if self._is_batched else self.sampler)
        count = len(self.dataset)
        if self.batch_size is None:
            return count
        rounded = 0 if self.drop_last else self.batch_size - 1
        return (count + rounded) // self.batch_size


def get_worker_info() -> None:
    """None: this is no worker."""
    return None
