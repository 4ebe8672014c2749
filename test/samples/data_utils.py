"""Programs of `torch.utils`: each takes PyTorch or what stands in for it and gives plain values, which the test has as PyTorch gave them."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from typing import Any

Point = namedtuple("Point", "x y")


def plain(value: Any) -> Any:
    """Tensors as lists, in containers too."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def shuffled(torch: Any) -> Any:
    data = torch.utils.data
    loader = data.DataLoader(data.TensorDataset(torch.arange(7), torch.arange(7) * 10), 3, True)
    return [plain(batch) for _ in range(2) for batch in loader], len(loader)


def with_generator(torch: Any) -> Any:
    generator = torch.Generator().manual_seed(4)
    loader = torch.utils.data.DataLoader(
        range(5), batch_size=2, shuffle=True, drop_last=True, generator=generator
    )
    return [plain(batch) for batch in loader], torch.rand(1).item()


def split(torch: Any) -> Any:
    parts = torch.utils.data.random_split(range(10), [0.5, 0.3, 0.2])
    whole = torch.utils.data.random_split(range(4), [1, 3])
    return [[list(part) for part in parts], [list(part) for part in whole]]


def samplers(torch: Any) -> Any:
    data = torch.utils.data
    return [
        list(data.RandomSampler(range(3), num_samples=8)),
        list(data.RandomSampler(range(3), replacement=True, num_samples=40)),
        list(data.WeightedRandomSampler([0.1, 0.6, 0.3], 6)),
        list(data.WeightedRandomSampler([0.1, 0.6, 0.3], 3, replacement=False)),
        list(data.SubsetRandomSampler([5, 7, 9, 11])),
        list(data.BatchSampler(data.SequentialSampler(range(5)), 2, False)),
    ]


def parts_of_processes(torch: Any) -> Any:
    sampler = torch.utils.data.DistributedSampler
    found: list[Any] = []
    for count, replicas, options in (
        (10, 3, {}),
        (10, 3, {"drop_last": True}),
        (10, 5, {"drop_last": True, "shuffle": False}),
        (2, 5, {"shuffle": False}),
        (2, 5, {"drop_last": True}),
    ):
        for rank in range(replicas):
            part = sampler(range(count), replicas, rank, seed=3, **options)
            part.set_epoch(2)
            found.append([len(part), list(part)])
    try:
        sampler(range(3), 2, 2)
    except ValueError as error:
        found.append(str(error))
    return found


def collated(torch: Any) -> Any:
    collate = torch.utils.data.default_collate
    return [
        plain(collate([{"x": torch.ones(2), "n": 1}, {"x": torch.zeros(2), "n": 2}])),
        plain(collate([(1.5, "a"), (2.5, "b")])),
        plain(collate([Point(1, [2]), Point(3, [4])])),
        type(collate([Point(1, 2)])).__name__,
        str(collate([1.5]).dtype),
        str(collate([True, False]).dtype),
    ]


def without_keys(torch: Any) -> Any:
    class Counting(torch.utils.data.IterableDataset):
        def __iter__(self) -> Any:
            return iter(range(5))

    data = torch.utils.data
    chained = Counting() + Counting()
    return [
        [plain(batch) for batch in data.DataLoader(Counting(), batch_size=2)],
        [plain(item) for item in data.DataLoader(chained, batch_size=None)],
    ]


def of_data_sets(torch: Any) -> Any:
    class Squares(torch.utils.data.Dataset):
        def __init__(self, count: int) -> None:
            self.count = count

        def __len__(self) -> int:
            return self.count

        def __getitem__(self, index: int) -> int:
            return index * index

    data = torch.utils.data
    both = Squares(3) + Squares(2)
    stacked = data.StackDataset(a=Squares(2), b=Squares(2))
    return [
        len(both),
        [both[i] for i in (0, 2, 3, 4, -1)],
        data.Subset(both, [4, 1])[0],
        stacked[1],
    ]


def trees(torch: Any) -> Any:
    pytree = torch.utils._pytree
    tree = {"a": [1, (2, 3)], "b": OrderedDict(c=4), "p": Point(5, None)}
    leaves, spec = pytree.tree_flatten(tree)
    doubled = pytree.tree_map_only(int, lambda x: x * 2, tree)
    added = pytree.tree_map(lambda x, y: x + y, [1, {"k": 2}], [10, {"k": 20}])
    return [
        leaves,
        spec.num_leaves,
        pytree.tree_unflatten(leaves, spec) == tree,
        doubled == {"a": [2, (4, 6)], "b": OrderedDict(c=8), "p": Point(10, None)},
        added,
        pytree.tree_leaves(tree, is_leaf=lambda x: isinstance(x, list)),
        pytree.tree_any(lambda x: x == 4, tree),
    ]


def recomputed(torch: Any) -> Any:
    """Gradients through what is computed twice, with dropout, and how often it is computed."""
    calls: list[int] = []
    found = []
    for reentrant in (True, False):
        torch.manual_seed(2)
        x = torch.arange(6.0).reshape(2, 3).requires_grad_()
        w = torch.ones(3, requires_grad=True)

        def part(y: Any, w: Any = w) -> Any:
            calls.append(1)
            return torch.dropout((y * w).sin(), 0.5, True)

        result = torch.utils.checkpoint.checkpoint(part, x, use_reentrant=reentrant)
        (result * 2).sum().backward()
        found += [
            [round(v, 4) for v in t.detach().reshape(-1).tolist()] for t in (result, x.grad, w.grad)
        ]
    chain = torch.nn.Sequential(torch.nn.Tanh(), torch.nn.Sigmoid(), torch.nn.Tanh())
    z = torch.ones(2, requires_grad=True)
    torch.utils.checkpoint.checkpoint_sequential(chain, 2, z, use_reentrant=True).sum().backward()
    return [*found, [round(v, 4) for v in z.grad.tolist()]]


def capsules(torch: Any) -> Any:
    x = torch.arange(3.0)
    y = torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x))
    y[0] = 5
    return plain(x)


def refused(torch: Any) -> Any:
    data = torch.utils.data
    told: list[str] = []
    for wrong in (
        lambda: data.DataLoader(range(3), sampler=[0], shuffle=True),
        lambda: data.RandomSampler(range(3), num_samples=0),
        lambda: data.BatchSampler(range(3), 0, False),
        lambda: data.random_split(range(3), [1, 1]),
        lambda: data.default_collate([[1], [1, 2]]),
        lambda: data.TensorDataset(torch.ones(2), torch.ones(3)),
        lambda: data.ConcatDataset([]),
        lambda: data.Dataset()[0],
    ):
        try:
            wrong()
        except Exception as error:
            told.append(f"{type(error).__name__}: {error}")
    return told


PROGRAMS = [
    shuffled, with_generator, split, samplers, parts_of_processes, collated, without_keys, of_data_sets, trees,
    recomputed, capsules, refused,
]  # fmt: skip
