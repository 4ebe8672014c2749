"""Deep nesting, long functions and long literals: compiled without running out of Python's stack, in linear time.

Point 4 of docs/testing.md.
"""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

import torchscript_dialect as ts

DEPTH = 200
STATEMENTS = 10_000
ELEMENTS = 5_000


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    """This is about the frontend: the optimizer is not asked."""
    with ts.optimized_execution(False):
        yield


def compiled(body: list[str], result: str = "int") -> Any:
    text = f"def f(x: int) -> {result}:\n" + "\n".join("    " + line for line in body) + "\n"
    return ts.CompilationUnit(text).f


def nested(heads: list[str]) -> list[str]:
    """Each head around the next, the innermost around an increment."""
    lines = ["  " * i + head for i, head in enumerate(heads)]
    return [*lines, "  " * len(heads) + "x += 1", "return x"]


def test_nested_ifs() -> None:
    f = compiled(nested([f"if x != -{i + 1}:" for i in range(DEPTH)]))
    assert (f(3), f(-DEPTH)) == (4, -DEPTH)


def test_nested_loops() -> None:
    f = compiled(nested([f"for i{i} in range(1):" for i in range(DEPTH)]))
    assert f(3) == 4


def test_nested_whiles_with_breaks() -> None:
    lines = ["  " * i + "while x < 100:" for i in range(DEPTH)]
    exits = ["  " * i + "break" for i in reversed(range(1, DEPTH + 1))]
    assert compiled([*lines, "  " * DEPTH + "x += 1", *exits, "return x"])(3) == 4


def test_nested_ifs_and_loops_that_return() -> None:
    heads = [f"if x > {i}:" if i % 2 else f"for i{i} in range(2):" for i in range(DEPTH // 2)]
    lines = nested(heads)
    lines[-2] = lines[-2].replace("x += 1", "return x * 2")
    f = compiled(lines)
    assert f(1000) == 2000


def test_elif_chain() -> None:
    lines = [f"{'el' if i else ''}if x == {i}:\n        return {i * 2}" for i in range(DEPTH)]
    assert compiled([*lines, "return -1"])(DEPTH - 1) == DEPTH * 2 - 2


@pytest.mark.parametrize(
    "form", ["({} + 1)", "-({})", "abs({})", "(1 if x < 0 else {})", "max(1, {})"]
)
def test_nested_expressions(form: str) -> None:
    def wrapped(value: str, depth: int) -> str:
        for _ in range(depth):
            value = form.format(value)
        return value

    want = 3
    for _ in range(DEPTH):
        want = eval(form.format("y"), {"x": 3, "y": want})
    assert compiled([f"return {wrapped('x', DEPTH)}"])(3) == want


def test_nested_lists() -> None:
    depth = 50
    f = compiled([f"y = {'[' * depth}x{']' * depth}", "return len(y)"])
    assert f(3) == 1


def test_long_sums_and_conditions() -> None:
    f = compiled(
        [f"y = {' + '.join(['x'] * 1000)}", f"return y if {' or '.join(['x < 0'] * 200)} else -y"]
    )
    assert (f(3), f(-1)) == (-3000, -1000)


def test_ten_thousand_statements() -> None:
    lines = [f"v{i % 10} = v{(i + 1) % 10} + x" for i in range(STATEMENTS)]
    f = compiled([*(f"v{i} = {i}" for i in range(10)), *lines, "return v0"])
    values = list(range(10))
    for i in range(STATEMENTS):
        values[i % 10] = values[(i + 1) % 10] + 2
    assert f(2) == values[0]


def test_a_thousand_ifs_in_a_row() -> None:
    f = compiled([*(f"if x > {i}:\n        x += 1" for i in range(1000)), "return x"])
    assert f(2000) == 3000


@pytest.mark.parametrize(
    ("item", "result"),
    [("{}", "List[int]"), ("{}.5", "List[float]"), ("'{}'", "List[str]"), ("x + {}", "List[int]")],
)
def test_list_literals(item: str, result: str) -> None:
    items = [item.format(i) for i in range(ELEMENTS)]
    f = compiled([f"return [{', '.join(items)}]"], result)
    assert f(2) == [eval(each, {"x": 2}) for each in items]


def test_dict_literal() -> None:
    f = compiled([f"return {{{', '.join(f'{i}: x' for i in range(ELEMENTS))}}}"], "Dict[int, int]")
    assert f(2) == dict.fromkeys(range(ELEMENTS), 2)


def test_on_a_thread_with_a_small_stack() -> None:
    """Depth costs no native stack: threads have little of it."""
    done: list[int] = []
    f = nested([f"if x != -{i + 1}:" for i in range(DEPTH)])
    thread = threading.Thread(target=lambda: done.append(compiled(f)(3)))
    thread.start()
    thread.join()
    assert done == [4]
