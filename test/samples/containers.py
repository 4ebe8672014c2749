"""Lists and dictionaries."""

import numpy as np

from samples.arrays import array


def _lists(*rest):
    return [lambda v=v, r=r: (list(v), *r) for v in ([1, 2, 3], [2], [3, 1, 2, 1]) for r in rest]


_DICTS = {
    "str": [lambda: {"a": 1, "b": 2}, lambda: {"x": 1.5}],
    "int": [lambda: {1: 2, 3: 4}],
    "bool": [lambda: {True: 2}],
    "float": [lambda: {1.5: 2, 0.5: 3}],
    "complex": [lambda: {1j: 2, 0.5 + 0j: 3}],
}
_KEYS = {
    "str": ["a", "zz"],
    "int": [1, 9],
    "bool": [True],
    "float": [0.5, 9.5],
    "complex": [1j, 9j],
}


def _dicts(kind, *rest):
    return [lambda d=d, r=r: (d(), *r) for d in _DICTS[kind] for r in rest]


def _keyed(kind, *rest):
    return [
        lambda d=d, k=k, r=r: (d(), k, *r) for d in _DICTS[kind] for k in _KEYS[kind] for r in rest
    ]


def _all(pattern, make):
    return {pattern.format(kind): make(kind) for kind in _DICTS}


SAMPLES = {
    "__getitem__.t": [*_lists((0,), (-1,), (2,), (-9,)), lambda: ([array((2,)), array((3,))], 1)],
    "_set_item.t": _lists((0, 9), (-1, 9), (7, 9)),
    "Delete.t": _lists((0,), (-1,), (7,)),
    "append.t": _lists((9,)),
    "extend.t": [lambda: ([1], [7, 8]), lambda: ([1, 2], [3])],
    "insert.t": _lists((0, 9), (-1, 9), (7, 9), (-7, 9)),
    "pop.t": [*_lists((-1,), (0,), (7,))],
    "clear.t reverse.t list.t copy.t": _lists(()),
    "add.t add_.t": [lambda: ([1], [2, 3])],
    "mul_.t": [lambda: ([1, 2], 2), lambda: ([1, 2], 0)],
    "mul.left_t": [lambda: ([1, 2], 2)],
    "mul.right_": [lambda: (2, [1, 2])],
    "len.t": _lists(()),
    "slice.t": _lists(
        (None, None, 1), (1, None, 1), (0, 2, 2), (-2, None, 1), (5, 1, 1), (None, None, -1)
    ),
    "select.t": _lists((0,), (-1,)),
    "remove.int index.list_int count.int __contains__.int_list": _lists((1,), (2,), (9,)),
    "remove.float index.list_float count.float __contains__.float_list": [
        lambda: ([1.0, 2.5], 2.5),
        lambda: ([1.0], 3.0),
    ],
    "remove.bool index.list_bool count.bool": [
        lambda: ([True, False], False),
        lambda: ([True], False),
    ],
    "remove.str index.list_str count.str __contains__.str_list": [
        lambda: (["a", "b"], "b"),
        lambda: (["a"], "z"),
    ],
    "remove.Tensor index.list_Tensor count.Tensor": [
        lambda: ([np.array([1.0]), np.array([2.0])], np.array([2.0]))
    ],
    "sort.int sort.any": _lists((False,), (True,)),
    "sort.float": [lambda: ([2.5, 1.0], False)],
    "sort.bool": [lambda: ([True, False], False)],
    "sort.str": [lambda: (["b", "a"], False), lambda: (["b", "a"], True)],
    "sort.Tensor": [lambda: ([np.array([2.0]), np.array([1.0])], False)],
    "sorted.int sorted.any": _lists(()),
    "sorted.float": [lambda: ([2.5, 1.0],)],
    "sorted.bool": [lambda: ([True, False],)],
    "sorted.str": [lambda: (["b", "a"],)],
    "sorted.Tensor": [lambda: ([np.array([2.0]), np.array([1.0])],)],
    "eq.Tensor_list ne.Tensor_list": [
        lambda: ([np.array([1.0])], [np.array([1.0])]),
        lambda: ([np.array([1.0])], [np.array([2.0])]),
        lambda: ([np.array([1.0])], [np.array([2.0]), np.array([2.0])]),
    ],
    "prim::max.self_int prim::min.self_int sum.int all.int any.int": [
        *_lists(()),
        lambda: ([0, 1],),
    ],
    "prim::max.self_float prim::min.self_float sum.float all.float any.float": [
        lambda: ([1.0, 2.5],),
        lambda: ([0.0],),
    ],
    "prim::max.self_bool prim::min.self_bool sum.bool all.bool any.bool": [
        lambda: ([True, False],)
    ],
    "sum.complex": [lambda: ([1j, 2 + 0j],)],
    "any.str": [lambda: (["", "a"],)],
    "prim::max.int_list prim::min.int_list": [lambda: ([1, 2], [1, 3]), lambda: ([1], [1, 2])],
    "prim::max.float_list prim::min.float_list": [lambda: ([1.0], [2.0])],
    "prim::max.bool_list prim::min.bool_list": [lambda: ([True], [False])],
    "prim::rangelist": [lambda: (3,), lambda: (0,)],
    "_infer_size": [lambda: ([2, 1], [3]), lambda: ([2], [3])],
    "_size_if_not_equal": [lambda: ([2, 1], [2, 1]), lambda: ([2, 1], [2, 3])],
    "prim::ReductionSizes": [lambda: ([2, 3, 4], [1], False), lambda: ([2, 3, 4], [2], True)],
    "list": [lambda: ("abc",)],
    **_all("__getitem__.Dict_{}", lambda k: _keyed(k, ())),
    **_all("_set_item.{}", lambda k: _keyed(k, (7,))[:2]),
    **_all("Delete.Dict_{}", lambda k: _keyed(k, ())),
    **_all("__contains__.{}", lambda k: _keyed(k, ())),
    **_all("len.Dict_{}", lambda k: _dicts(k, ())),
    **_all("keys.{}", lambda k: _dicts(k, ())),
    **_all("values.{}", lambda k: _dicts(k, ())),
    **_all("items.{}", lambda k: _dicts(k, ())),
    **_all("copy.Dict_{}", lambda k: _dicts(k, ())),
    **_all("clear.{}", lambda k: _dicts(k, ())),
    **_all("popitem.{}", lambda k: _dicts(k, ())),
    **_all("setdefault.{}", lambda k: _keyed(k, (7,))[:2]),
    **_all("get.{}", lambda k: _keyed(k, ())),
    **_all("get.default_{}", lambda k: _keyed(k, (7,))[:2]),
    **_all("pop.Dict_{}", lambda k: _keyed(k, ())),
    **_all("pop.Dict_default_{}", lambda k: _keyed(k, (7,))[:2]),
    **_all("dict.Dict_{}", lambda k: _dicts(k, ())),
    "update.complex": [lambda: ({1j: 1}, {1j: 2, 2j: 3})],
    "update.str": [lambda: ({"a": 1}, {"a": 2, "b": 3})],
    "update.int": [lambda: ({1: 1}, {1: 2, 2: 3})],
    "update.bool": [lambda: ({True: 1}, {True: 2})],
    "update.float": [lambda: ({1.5: 1}, {1.5: 2})],
    "dict.str": [lambda: ([("a", 1), ("b", 2)],)],
    "dict.int": [lambda: ([(1, 1), (2, 2)],)],
    "dict.bool": [lambda: ([(True, 1)],)],
    "dict.float": [lambda: ([(1.5, 1)],)],
    "dict.complex": [lambda: ([(1j, 1)],)],
    "dict": [lambda: ()],
    "_unwrap_optional prim::unchecked_unwrap_optional": [lambda: (3,)],
    "prim::TupleIndex": [lambda: ((1, 2), 1), lambda: ((1, 2), -1), lambda: ((1, 2), 5)],
    "prim::BroadcastSizes": [lambda: ([2, 1], [3])],
    "prim::AutogradAdd": [lambda: (array((2,)), array((2,))), lambda: (None, array((2,)))],
    "prim::unchecked_cast": [lambda: (3,)],
}
