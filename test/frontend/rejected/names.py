"""Names, attributes and methods that there are not."""

import math
from typing import Dict, List, Tuple

from examples._torch import torch

_LIMIT = [1, 2, 3]
_OBJECT = object()


def undefined_variable(x):
    return x + nothing_of_that_name  # noqa: F821


def undefined_near_local(x):
    velocity = x + 1
    return velocty + x  # noqa: F821


def undefined_near_parameter(weight, x):
    return wieght + x  # noqa: F821


def undefined_near_global(x):
    return _helpr(x)  # noqa: F821


def _helper(x):
    return x


def undefined_function(x):
    return no_such_function(x)  # noqa: F821


def undefined_in_condition(x):
    if flag_that_is_missing:  # noqa: F821
        return x
    return x + 1


def used_before_assignment(x):
    y = z + 1
    z = x
    return y + z


def only_in_true_branch(x, n: int):
    if n > 0:
        y = x
    return y


def only_in_false_branch(x, n: int):
    if n > 0:
        pass
    else:
        y = x
    return y + 1


def only_in_nested_branch(x, n: int):
    y = x
    if n > 0:
        if n > 1:
            z = x
    else:
        z = x
    return y + z


def only_in_loop_body(n: int):
    for i in range(n):
        y = i
    return y


def only_in_while_body(n: int):
    while n > 0:
        last = n
        n -= 1
    return last


def loop_variable_after_loop(n: int):
    for i in range(n):
        pass
    return i


def comprehension_variable_outside(xs: List[int]):
    ys = [element + 1 for element in xs]
    return element, ys  # noqa: F821


def unknown_torch_function(x):
    return torch.no_such_operator(x)


def unknown_torch_near(x):
    return torch.sigmod(x)


def unknown_module_attribute(x: float):
    return math.squareroot(x)


def unknown_nested_module(x):
    return torch.nn.functionl.relu(x)


def tensor_has_no_method(x):
    return x.no_such_method()


def tensor_method_near(x):
    return x.sigmod()


def tensor_attribute(x):
    return x.foo + 1


def int_has_no_method(n: int):
    return n.append(1)


def list_has_no_method(xs: List[int]):
    return xs.push(1)


def dict_has_no_method(d: Dict[str, int]):
    return d.has_key("a")


def str_has_no_method(s: str):
    return s.append("x")


def tuple_has_no_field(t: Tuple[int, int]):
    return t.first


def optional_has_no_method(xs: List[int]):
    y = None if len(xs) > 1 else xs
    return y.append(1)


def float_has_no_method(f: float):
    return f.is_integer()


def global_list_as_value(x):
    return x + _LIMIT[0]


def global_object_as_value(x):
    return x + _OBJECT


def global_object_called(x):
    return _OBJECT(x)


def function_as_value(x):
    return x + _helper


def attribute_of_function(x):
    return _helper.name


def attribute_of_builtin(x):
    return torch.relu.name


def deleted_name(x):
    y = x + 1
    del y
    return y


def delete_undefined(x):
    del y_is_missing  # noqa: F821
    return x


def delete_attribute(x):
    del x.grad
    return x


def delete_slice(xs: List[int]):
    del xs[1:2]
    return xs


def hash_name_in_lambda_free(x):
    return hash_of(x)  # noqa: F821


def shadowed_type_name(x):
    return Tensor(x)  # noqa: F821


def deleted_where_only_a_loop_has_it(n: int):
    for i in range(n):
        double = 2 * i
        del double
    return n


def deleted_where_only_a_branch_has_it(n: int):
    if n > 0:
        double = 2 * n
        del double
    return n


def deleted_on_one_path(n: int):
    count = n
    if n > 3:
        del count
    return count


def reversed_list(xs: List[int]):
    for x in reversed(xs):
        print(x)


SUGGESTIONS = {
    "undefined_near_local": "velocity",
    "undefined_near_parameter": "weight",
    "undefined_near_global": "_helper",
    "unknown_torch_near": "sigmoid",
    "tensor_method_near": "sigmoid",
}
