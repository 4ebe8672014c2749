"""The order in which the items of a data set come (PyTorch: torch/utils/data/sampler.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar, cast

from torchscript_dialect import torch
from torchscript_dialect.tensor.generator import Generator

_T = TypeVar("_T")


def drawn_seed(generator: Generator | None) -> int:
    """A seed for a generator of its own."""
    return torch.empty((), dtype=torch.int64).random_(generator=generator).item()  # pyright: ignore


class Sampler(Generic[_T]):
    """Keys of a data set, or lists of them: a class with `__iter__`."""

    def __iter__(self) -> Iterator[_T]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """All indices in order."""

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """All indices in an order that is drawn, again and again up to `num_samples`; each drawn by itself with `replacement`.

    Raises:
        ValueError: `num_samples` is no positive number.
    """

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if self.num_samples <= 0:
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={self.num_samples}"
            )

    @property
    def num_samples(self) -> int:
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        count, generator = len(self.data_source), self.generator
        if generator is None:
            generator = Generator()
            generator.manual_seed(drawn_seed(None))
        step = 32 if self.replacement else count
        for start in range(0, self.num_samples + 1, step):
            size = min(step, self.num_samples - start)
            if self.replacement:
                yield from _tensor_of("randint", 0, count, (size,), generator=generator)
            else:
                yield from drawn_order(count, generator)[:size]

    def __len__(self) -> int:
        return self.num_samples


def drawn_order(count: int, generator: Generator | None) -> list[int]:
    """The numbers from 0 on in an order that is drawn."""
    return _tensor_of("randperm", count, generator=generator)


def _tensor_of(name: str, *args: Any, **kwargs: Any) -> list[int]:
    return getattr(torch, name)(*args, **kwargs).tolist()


class SubsetRandomSampler(Sampler[int]):
    """Some indices in an order that is drawn."""

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for place in drawn_order(len(self.indices), self.generator):
            yield self.indices[place]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """As many indices as `num_samples`, each as likely as its weight says.

    Raises:
        ValueError: weights are no vector, `num_samples` no positive number.
    """

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: Generator | None = None,
    ) -> None:
        if isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={num_samples}"
            )
        self.weights = torch.as_tensor(weights, dtype=torch.float64)
        if self.weights.dim() != 1:
            raise ValueError(
                f"weights should be a 1d sequence but given weights have shape {tuple(self.weights.shape)}"
            )
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        chosen = (self.weights, self.num_samples, self.replacement)
        return iter(_tensor_of("multinomial", *chosen, generator=self.generator))

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Lists of `batch_size` keys that a sampler gives; the last may be shorter, unless `drop_last`.

    Raises:
        ValueError: `batch_size` is no positive number, `drop_last` no bool.
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        given = cast("object", batch_size)
        if not isinstance(given, int) or isinstance(given, bool) or given <= 0:
            raise ValueError(
                f"batch_size should be a positive integer value, but got batch_size={batch_size}"
            )
        self.sampler: Any = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        batch: list[int] = []
        for key in self.sampler:
            batch.append(key)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self) -> int:
        rounded = 0 if self.drop_last else self.batch_size - 1
        return (len(self.sampler) + rounded) // self.batch_size
