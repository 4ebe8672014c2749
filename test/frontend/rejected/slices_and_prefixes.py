"""Slices and `enumerate` called wrongly, annotations below the wrong module, values that are no parts of anything."""

from typing import List

from examples._torch import torch


class _Plain:
    def __init__(self):
        self.a = 1


def slice_of_nothing(x):
    return x[slice()]


def slice_of_four(x):
    return x[slice(1, 2, 3, 4)]


def slice_as_a_value(x):
    part = slice(1)
    return part


def slice_of_floats(x):
    return x[slice(1.5)]


def slice_of_texts(x):
    return x["a":]


def enumerate_from_begin(x):
    return [i for i, item in enumerate([1], begin=2)]


def index_by_a_text(x):
    return x["a"]


def index_by_a_float(x):
    return x[1.5]


def index_by_a_dictionary(x):
    return x[{"a": 1}]


def index_by_a_text_behind(x):
    return x[0, "a"]


def tensor_of_typing(x: "typing.Tensor"):
    return x


def list_of_torch(x: "torch.List[int]"):
    return x


def list_of_nobody(x: "nobody.List[int]"):
    return x


def int_of_an_object(x):
    return int(_Plain())


def float_of_an_object(x):
    return float(_Plain())


def bool_of_an_object(x):
    return bool(_Plain())


def text_of_an_object(x):
    return str(_Plain())


def complex_of_an_object(x):
    return complex(_Plain())


def length_of_an_object(x):
    return len(_Plain())


def object_as_a_condition(x):
    if _Plain():
        return 1
    return 2


def loop_over_an_object(x):
    for item in _Plain():
        return 1
    return 2


def member_of_an_object(x):
    return 1 in _Plain()


def object_and_a_number(x):
    return _Plain() + 1


def negative_object(x):
    return -_Plain()


def item_of_an_object(x):
    return _Plain()[0]


def item_of_an_object_written(x):
    plain = _Plain()
    plain[0] = 1
    return x


def object_called(x):
    return _Plain()(1)


def objects_compared(x):
    return _Plain() < _Plain()


def keyword_for_self_twice(x):
    return x.add(x, self=x)


def keyword_input_of_a_method(x):
    return x.add(input=x)


def keyword_input_twice(x):
    return torch.add(x, input=x)


def slice_with_keyword(x: List[int]):
    return x[slice(1, stop=2)]


def getitem_of_nothing(x: torch.Tensor):
    return x.__getitem__()


def getitem_of_two(x: torch.Tensor):
    return x.__getitem__(1, 2)
