"""Data sets, and data sets of data sets (PyTorch: torch/utils/data/dataset.py)."""

# Items are what programs make them: they have no types that a checker knows.
# pyright: basic
from __future__ import annotations

import bisect
import itertools
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from torchscript_dialect.tensor.generator import Generator, default_generator
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch import randperm  # pyright: ignore

_T = TypeVar("_T")


class Dataset(Generic[_T]):
    """Items by key: a class with `__getitem__`, and `__len__` where samplers need it."""

    def __getitem__(self, index: Any) -> _T:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset[_T]) -> ConcatDataset[_T]:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[_T]):
    """Items that come one after the other: a class with `__iter__`."""

    def __add__(self, other: Any) -> Any:
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Tuples of what tensors of one length have at an index.

    Raises:
        AssertionError: their lengths differ.
    """

    def __init__(self, *tensors: Tensor) -> None:
        if any(tensors[0].size(0) != tensor.size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].size(0)


class StackDataset(Dataset[Any]):
    """Tuples, or dictionaries, of what data sets of one length have at an index.

    Raises:
        ValueError: none or both kinds are given, or lengths differ.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if bool(args) == bool(kwargs):
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or ``dict``- (via ``kwargs``) like input/output"
                if args
                else "At least one dataset should be passed"
            )
        self.datasets: Any = args or kwargs
        lengths = {len(dataset) for dataset in (args or kwargs.values())}
        if len(lengths) != 1:
            raise ValueError("Size mismatch between datasets")
        (self._length,) = lengths

    def __getitem__(self, index: Any) -> Any:
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset[_T]):
    """The items of data sets, one behind the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = list(itertools.accumulate(map(len, self.datasets)))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: int) -> _T:
        if index < 0:
            if -index > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            index += len(self)
        which = bisect.bisect_right(self.cumulative_sizes, index)
        start = self.cumulative_sizes[which - 1] if which else 0
        return self.datasets[which][index - start]


class ChainDataset(IterableDataset[_T]):
    """The items of data sets without keys, one behind the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = datasets

    def __iter__(self) -> Iterator[_T]:
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield from dataset  # pyright: ignore

    def __len__(self) -> int:
        return sum(map(len, self.datasets))


class Subset(Dataset[_T]):
    """The items of a data set at some indices."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, list):
            return self.dataset[[self.indices[each] for each in index]]
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Any, lengths: Sequence[float], generator: Generator | None = default_generator
) -> list[Subset[Any]]:
    """Parts of a data set, each of as many items drawn as its length says, or of that share of them where lengths sum up to 1.

    Raises:
        ValueError: a share is not between 0 and 1; lengths are not those of the whole.
    """
    count = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = _shares(count, lengths)
    if sum(lengths) != count:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    indices = randperm(count, generator=generator).tolist()
    ends = itertools.accumulate(lengths)
    return [
        Subset(dataset, indices[int(end - length) : int(end)])
        for end, length in zip(ends, lengths, strict=True)
    ]


def _shares(count: int, shares: Sequence[float]) -> list[int]:
    for place, share in enumerate(shares):
        if share < 0 or share > 1:
            raise ValueError(f"Fraction at index {place} is not between 0 and 1")
    lengths = [math.floor(count * share) for share in shares]
    for place in range(count - sum(lengths)):
        lengths[place % len(lengths)] += 1
    for place, length in enumerate(lengths):
        if length == 0:
            warnings.warn(
                f"Length of split at index {place} is 0. This might result in an empty dataset.",
                stacklevel=3,
            )
    return lengths
