"""Numbers of Python functions that programs call."""

from torchscript_dialect.utils.python_functions import register, registered


def test_a_function_has_one_number_in_a_unit() -> None:
    def f() -> None: ...

    unit, other = object(), object()
    number = register(f, unit)
    assert register(f, unit) == number
    assert register(f, other) != number
    assert registered(number) == (f, unit)


def test_unknown_numbers() -> None:
    assert registered(-1) is None
    assert registered(10**9) is None
