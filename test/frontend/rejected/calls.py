"""Calls with the wrong arguments, and calls of what cannot be called."""

from typing import Dict, List, Optional, Tuple

from examples._torch import torch


def _two(a: int, b: int) -> int:
    return a + b


def _default(a: int, b: int = 2) -> int:
    return a + b


def _keyword_only(a: int, *, scale: int) -> int:
    return a * scale


def _tensors(xs: List[torch.Tensor]):
    return xs[0]


def _optional(a: Optional[int]) -> int:
    return 0 if a is None else a


def _plain(x, y):
    return x + y


def too_few(n: int):
    return _two(n)


def too_many(n: int):
    return _two(n, n, n)


def none_at_all():
    return _two()


def unknown_keyword(n: int):
    return _two(n, c=n)


def keyword_twice(n: int):
    return _two(n, a=n)


def keyword_missing(n: int):
    return _keyword_only(n)


def keyword_given_by_position(n: int):
    return _keyword_only(n, n)


def wrong_type_int_str(n: int):
    return _two(n, "two")


def wrong_type_float(n: float):
    return _two(1, n)


def wrong_type_none(n: int):
    return _two(n, None)


def wrong_type_default(n: int):
    return _default(n, b="three")


def wrong_type_list(xs: List[int]):
    return _tensors(xs)


def wrong_type_optional(n: Optional[str]):
    return _optional(n)


def int_for_inferred_tensor(n: int, x):
    return _plain(n, x)


def wrong_type_tuple(t: Tuple[int, str]):
    return _two(t, 1)


def wrong_type_empty_list(n: int):
    return _two([], n)


def builtin_too_many(x):
    return torch.relu(x, x)


def builtin_too_few():
    return torch.relu()


def builtin_unknown_keyword(x):
    return torch.relu(x, slope=1)


def builtin_wrong_type(s: str):
    return torch.relu(s)


def builtin_overloads(s: str, x):
    return torch.add(x, s)


def builtin_overloads_keyword(x):
    return torch.sum(x, dimension=1)


def method_wrong_type(x, s: str):
    return x.view(s)


def method_too_many(x):
    return x.relu(1)


def method_overloads(x):
    return x.sum("a")


def method_unknown_keyword(x):
    return x.add(x, beta=2)


def operator_str_int(s: str, n: int):
    return s + n


def operator_list_int(xs: List[int], n: int):
    return xs + n


def operator_tensor_str(x, s: str):
    return x * s


def operator_none(x):
    return x + None


def operator_dict(d: Dict[str, int]):
    return d + d


def operator_optional(n: Optional[int]):
    return n + 1


def operator_compare(s: str, n: int):
    return s < n


def operator_negate_str(s: str):
    return -s


def operator_invert_float(f: float):
    return ~f


def operator_matmul_int(n: int):
    return n @ n


def operator_in_int(n: int):
    return 1 in n


def operator_shift_float(f: float):
    return f << 1


def call_int(n: int):
    return n(1)


def call_tensor(x):
    return x(1)


def call_str(s: str):
    return s()


def call_tuple(t: Tuple[int, int]):
    return t(0)


def call_module():
    return torch(1)


def call_result(n: int):
    return _two(n, n)(n)


def len_too_many(xs: List[int]):
    return len(xs, xs)


def int_of_list(xs: List[int]):
    return int(xs)


def int_of_none():
    return int(None)


def float_of_list(xs: List[int]):
    return float(xs)


def str_too_many(n: int):
    return str(n, n)


def range_of_float(f: float):
    total = 0
    for i in range(f):
        total += i
    return total


def range_of_nothing():
    for i in range():
        pass


def range_of_four(n: int):
    for i in range(n, n, n, n):
        pass


def enumerate_nothing():
    for i in enumerate():
        pass


def enumerate_three(xs: List[int]):
    for i, x in enumerate(xs, 1, 2):
        pass


def enumerate_int(n: int):
    for i, x in enumerate(n):
        pass


def zip_nothing():
    for i in zip():
        pass


def zip_int(xs: List[int], n: int):
    for x, y in zip(xs, n):
        pass


def min_of_str_int(s: str, n: int):
    return min(s, n)


def max_of_nothing():
    return max()


def abs_of_str(s: str):
    return abs(s)


def sorted_dict(d: Dict[str, int]):
    return sorted(d)


def sum_of_strings(xs: List[str]):
    return sum(xs)


def round_str(s: str):
    return round(s)


def ord_int(n: int):
    return ord(n)


def divmod_str(s: str):
    return divmod(s, 2)


def print_undefined():
    print(not_defined_here)  # noqa: F821


def isinstance_one_argument(n: int):
    return isinstance(n)


def isinstance_not_type(n: int):
    return isinstance(n, 3)


def isinstance_unknown_type(n: int):
    return isinstance(n, NoSuchType)  # noqa: F821


def getattr_not_literal(x, s: str):
    return getattr(x, s)


def getattr_unknown(x):
    return getattr(x, "no_such_attribute")


def hasattr_not_literal(x, s: str):
    return hasattr(x, s)


def hasattr_of_tensor(x):
    return hasattr(x, "shape")


def annotate_one_argument(x):
    return torch.jit.annotate(x)


def annotate_wrong(n: int):
    return torch.jit.annotate(str, n)


def annotate_unknown(n: int):
    return torch.jit.annotate(NoSuchType, n)  # noqa: F821


def unpack_arguments_of_list(xs: List[int]):
    return _two(*xs)


def unpack_arguments_of_int(n: int):
    return _two(*n)


def unpack_keywords(d: Dict[str, int]):
    return _two(**d)


def fork_nothing():
    return torch.jit.fork()


def fork_int(n: int):
    return torch.jit.fork(n)


def fork_wrong_type(n: int):
    return torch.jit.fork(_two, n, "a")


def wait_int(n: int):
    return torch.jit.wait(n)


def python_builtin_function(xs: List[int]):
    return map(_optional, xs)


def python_builtin_open(s: str):
    return open(s)


def python_builtin_iter(xs: List[int]):
    return next(iter(xs))


def python_builtin_eval(s: str):
    return eval(s)


def python_builtin_super(x):
    return super().forward(x)


def tuple_of_tensor(x):
    return tuple(x)


def tuple_of_int(n: int):
    return tuple(n)


def dict_of_int(n: int):
    return dict(n)


def list_of_int(n: int):
    return list(n)


def str_format_method_of_int(n: int):
    return n.format(n)


def join_ints(xs: List[int]):
    return ",".join(xs)
