"""What operators and containers give in published code: fields of results, keys that are tensors, loops that count from one."""

from typing import Dict, List, Optional, Tuple

from examples._torch import torch
from support.corpus import arr, case, ramp

F = torch.nn.functional
Tensor = torch.Tensor


@case(ramp(2, 3))
@case(ramp(4, 2))
def values_of_max(x):
    return torch.max(x, dim=1).values, x.max(1).indices, x.min(0)[0]


@case(ramp(2, 3))
@case(ramp(4, 2))
def unpacked_topk(x):
    scores, idx = x.topk(2, dim=1)
    best = torch.topk(x, 1)
    return scores, idx, best.values, best[1]


@case(ramp(5), arr([3, 1, 2, 0, 4], "int64"))
@case(ramp(3), arr([2, 1, 0], "int64"))
def sorted_and_back(x, order):
    ordered = torch.sort(order)
    return x[ordered.indices], ordered[0], x.sort(descending=True).values


@case(ramp(2, 3))
@case(ramp(3, 3))
def result_passed_on(x):
    both = x.max(dim=0)
    pair = (both.values, both.indices)
    return pair, both


@case(ramp(2, 3))
@case(ramp(3, 2))
def fields_in_a_loop(x):
    best = torch.zeros(x.size(0))
    for k in range(x.size(1)):
        taken = torch.max(x[:, : k + 1], dim=1)
        best = best + taken.values
    return best


@case([ramp(2), ramp(3)])
@case([])
def counted_from_one(parts: List[Tensor]):
    names: List[str] = []
    for i, part in enumerate(parts, start=1):
        names.append("{}:{}".format(i, part.numel()))
    return names


@case([ramp(2), ramp(3)], 3)
@case([ramp(1)], -1)
def counted_from_a_number(parts: List[Tensor], first: int):
    total = 0
    for i, part in enumerate(parts, first):
        total += i * part.numel()
    return total


@case([1, 2, 3], ["a", "b", "c"])
@case([1], ["a", "b"])
def zipped_and_counted(numbers: List[int], names: List[str]):
    found: Dict[str, int] = {}
    for i, (n, name) in enumerate(zip(numbers, names)):
        found[name] = n * i
    return found


@case({"a": ramp(2), "b": ramp(2)})
@case({"a": ramp(3)})
def augmented_in_a_dictionary(parts: Dict[str, Tensor]):
    for name in parts.keys():
        parts[name] += 1
        parts[name] *= 2
    return parts


@case({"a": 1, "b": 2})
@case({"a": 5})
def counts_in_a_dictionary(counts: Dict[str, int]):
    counts["a"] += 3
    counts["c"] = counts.get("c", 10) - 1
    return counts, counts.pop("a")


@case([ramp(2), ramp(3)])
@case([ramp(1)])
def augmented_in_a_list(parts: List[Tensor]):
    parts[0] += 1
    parts[-1] -= parts[0].sum()
    return parts


@case(ramp(3))
@case(ramp(4))
def keys_that_are_tensors(x):
    table = {x: 1}
    y = x + 1
    return x in table, y in table, len(table)


@case({1: "a", 2: "b"})
@case({3: "c"})
def keys_that_are_numbers(names: Dict[int, str]):
    found: List[str] = []
    for i in range(4):
        if i in names:
            found.append(names[i])
    return found, list(names.keys()), sorted(names.keys())


@case({"b": 1, "a": 2})
@case({})
def items_in_order(counts: Dict[str, int]):
    pairs = list(counts.items())
    names = [name for name, _ in counts.items()]
    return pairs, names, {name: n + 1 for name, n in counts.items()}


@case(ramp(3, 4), 2)
@case(ramp(2, 6), 3)
def pieces(x, n: int):
    first, second = torch.chunk(x, 2, dim=1)
    parts = x.split(n, dim=1)
    return first, second, len(parts), [part.size(1) for part in parts]


@case(ramp(2, 3))
@case(ramp(3, 1))
def shape_in_parts(x):
    n, c = x.shape
    size = list(x.shape[:-1]) + [1, c]
    return x.view(size), x.shape[-1], len(x.shape), n * c, x.size()[1:]


@case(ramp(2, 3, 4))
@case(ramp(1, 2, 2))
def rows_by_unbind(x):
    q, k = x.unbind(-1)[:2]
    a, b = x.transpose(0, 1).contiguous()[0], x[..., None]
    return q + k, a, b.shape


@case(ramp(4, 2))
@case(ramp(2, 2))
def where_in_two_forms(x):
    rows, columns = torch.where(x > 0)
    filled = torch.where(x > 0, x, torch.zeros_like(x))
    return rows, columns, filled, (x > 0).nonzero().shape[0]


@case(ramp(2, 4))
@case(ramp(3, 4))
def statistics(x):
    var, mean = torch.var_mean(x, dim=1, unbiased=False)
    std = x.std(dim=[0, 1], unbiased=True)
    median = x.median(dim=1).values
    return var, mean, std, median
