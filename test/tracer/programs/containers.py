# pyright: basic, reportUndefinedVariable=false
# ruff: noqa: F821


@program((floats(2), floats(2)))
def tuple_input(pair):
    a, b = pair
    return a + b


@program(((floats(2), floats(2)), floats(2)))
def nested_tuple_input(nested):
    (a, b), c = nested
    return a + b * c


@program([floats(2), floats(2)])
def list_input(items):
    return items[0] - items[1]


@program({"a": floats(2), "b": floats(2)})
def dict_input(items):
    return items["a"] * items["b"]


@program({"a": [floats(2)], "b": [floats(2), floats(2)]})
def dict_of_lists_input(items):
    return items["a"][0] * items["b"][1]


@program({"a": (floats(2), floats(3))})
def dict_of_tuples_input(items):
    x, y = items["a"]
    return x * 2, y * 3


@program({"x": {1: floats(2)}})
def nested_dict_input(items):
    return items["x"][1] * 2


@program([[floats(2)], [floats(2), floats(2)]])
def list_of_lists_input(items):
    return items[0][0] - items[1][1]


@program(floats(2), (floats(2), floats(2)))
def tensor_and_tuple(x, pair):
    return x + pair[0], pair[1]


@program(floats(2))
def nested_tuple_result(x):
    return (x, (x + 1, x * 2)), x - 1


@program(floats(2), strict=False)
def list_result(x):
    return [x, x + 1]


@program(floats(2), strict=False)
def dict_result(x):
    return {"sum": x + 1, "product": x * 2}


@program(floats(2), strict=False)
def dict_of_tuples(x):
    return {"pair": (x + 1, x * 2)}


@program(floats(2), strict=False)
def tuple_with_list(x):
    return x + 1, [x * 2, x * 3]


@program(floats(2), floats(2))
def same_twice(x, y):
    return x, x, y


@program(floats(2))
def default_argument(x, scale=3.0):
    return x * scale


@program(floats(2), floats(2))
def any_number(*xs):
    return xs[0] + xs[1]


@program(floats(2, 3))
def lists_inside(x):
    parts = [x[i] for i in range(2)]
    return parts[0] + parts[1]
