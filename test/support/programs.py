"""The programs of examples/ and the inputs that each of them is tried with.

A case makes fresh arguments at each call, so that a program which writes to them starts from the same numbers again.
Arguments are NumPy arrays and Python values; the same array twice means the same tensor twice.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from support.layouts import LAYOUTS, array, special

Args = tuple[Any, ...]
FLOATS = ("float32", "float64")


@dataclass(frozen=True)
class Case:
    """One list of arguments, made anew by `make(dtype)`."""

    name: str
    make: Callable[[np.dtype], Args]


@dataclass(frozen=True)
class Program:
    """A function or module class of examples/, with its cases.

    scale: magnitude up to which rounding differences are absolute (results that come from cancellation).
    """

    name: str
    module: str
    attribute: str
    cases: tuple[Case, ...]
    dtypes: tuple[str, ...] = FLOATS
    scale: float = 0.0

    @property
    def source_file(self) -> str:
        return f"{self.module}.py"

    def variants(self) -> Iterator[tuple[str, Case, np.dtype]]:
        """Every case in every dtype, with the name that the golden file uses."""
        for dtype in self.dtypes:
            for case in self.cases:
                yield f"{case.name}-{dtype}", case, np.dtype(dtype)


def _same_shapes(
    names: str, shape: tuple[int, ...], layout: str, **limits: float
) -> Callable[[np.dtype], Args]:
    return lambda dtype: tuple(array(name, shape, dtype, layout, **limits) for name in names)


def _shapes(*shapes: tuple[int, ...], **limits: float) -> Callable[[np.dtype], Args]:
    return lambda dtype: tuple(
        array(str(i), shape, dtype, "contiguous", **limits) for i, shape in enumerate(shapes)
    )


def _overlapping(x: np.ndarray, kind: str) -> tuple[np.ndarray, np.ndarray]:
    if kind == "same":
        return x, x
    if kind == "transpose":
        return x, x.T
    return x[1:], x[:-1]


def _other(dtype: np.dtype) -> np.dtype:
    return np.dtype("float64" if dtype == np.float32 else "float32")


def _pair_cases() -> Iterator[Case]:
    for shape in [(10, 10), (1,), (15,), (33,), (2, 3, 4), (1, 5), (0,), (3, 0), ()]:
        yield Case(
            f"contiguous-{'x'.join(map(str, shape)) or 'scalar'}",
            _same_shapes("ab", shape, "contiguous"),
        )
    for layout in LAYOUTS[1:]:
        yield Case(f"{layout}-4x6", _same_shapes("ab", (4, 6), layout))
    yield Case("transposed-3d", _same_shapes("ab", (2, 3, 4), "transposed"))
    yield Case(
        "mixed-layouts", lambda d: (array("a", (4, 6), d, "transposed"), array("b", (4, 6), d))
    )
    yield Case(
        "sliced-and-broadcast",
        lambda d: (array("a", (4, 6), d, "sliced"), array("b", (4, 6), d, "broadcast")),
    )
    yield Case("column-and-row", _shapes((4, 1), (1, 5)))
    yield Case("row-to-3d", _shapes((3, 4, 5), (5,)))
    yield Case("scalar-and-matrix", _shapes((), (3, 4)))
    yield Case("matrix-and-scalar", _shapes((3, 4), ()))
    yield Case("zero-size-broadcast", _shapes((0, 4), (1, 4)))
    yield Case("permuted", lambda d: tuple(array(n, (3, 4, 5), d).transpose(1, 2, 0) for n in "ab"))
    for kind in ("same", "transpose", "shifted"):
        yield Case(
            f"overlap-{kind}", lambda d, kind=kind: _overlapping(array("x", (6, 6), d), kind)
        )
    yield Case("mixed-dtypes", lambda d: (array("a", (3, 4), d), array("b", (3, 4), _other(d))))
    yield Case("zero-dim-other-dtype", lambda d: (array("a", (3, 4), d), array("b", (), _other(d))))
    yield Case("special", lambda d: (special(d), np.zeros((), d)))
    yield Case("mismatch", _shapes((3,), (4,)))


def _with(flag: Any, name: str, cases: Iterator[Case]) -> Iterator[Case]:
    for case in cases:
        yield Case(f"{case.name}-{name}", lambda d, case=case: (*case.make(d), flag))


def _single_cases(low: float = -1.2, high: float = 1.2) -> Iterator[Case]:
    limits = {"low": low, "high": high}
    for shape in [(3,), (2, 3), (2, 3, 4), (1, 5), (2, 1, 2, 3), (5, 1), (0,), (3, 0), (0, 3), ()]:
        yield Case(
            f"contiguous-{'x'.join(map(str, shape)) or 'scalar'}",
            _same_shapes("x", shape, "contiguous", **limits),
        )
    for layout in LAYOUTS[1:]:
        yield Case(f"{layout}-3x5", _same_shapes("x", (3, 5), layout, **limits))
    yield Case("special", lambda d: (special(d),))


def _integer_cases(*numbers: int) -> tuple[Case, ...]:
    return tuple(Case(f"i={i}", lambda d, i=i: (i,)) for i in numbers)


BOXES = ("x1", "y1", "w1", "h1", "x2", "y2", "w2", "h2")


def _boxes(
    dtype: np.dtype, *shapes: tuple[int, ...], layouts: tuple[str, ...] = ("contiguous",)
) -> Args:
    return tuple(
        array(name, shapes[i % len(shapes)], dtype, layouts[i % len(layouts)], low=0.0, high=1.0)
        for i, name in enumerate(BOXES)
    )


def _iou_cases() -> Iterator[Case]:
    for shape in [(10, 10), (7,), (1,), (17,), (3, 5, 2), (0,), (2, 0), ()]:
        yield Case(
            f"contiguous-{'x'.join(map(str, shape)) or 'scalar'}", lambda d, s=shape: _boxes(d, s)
        )
    for layout in LAYOUTS[1:]:
        yield Case(f"{layout}-4x6", lambda d, layout=layout: _boxes(d, (4, 6), layouts=(layout,)))
    yield Case("half-transposed", lambda d: _boxes(d, (4, 6), layouts=("contiguous", "transposed")))
    yield Case(
        "all-layouts",
        lambda d: _boxes(d, (4, 6), layouts=("sliced", "contiguous", "broadcast", "transposed")),
    )
    yield Case(
        "all-pairs",
        lambda d: tuple(
            array(n, (5, 1) if n.endswith("1") else (1, 4), d, low=0.0, high=1.0) for n in BOXES
        ),
    )
    yield Case("rows-and-scalars", lambda d: _boxes(d, (4, 3), (3,), ()))
    yield Case("zero-size-broadcast", lambda d: _boxes(d, (0, 3), (1, 3)))
    yield Case("overlap-same", lambda d: (array("x", (5, 5), d, low=0.0, high=1.0),) * 8)
    yield Case(
        "overlap-transpose",
        lambda d: _overlapping(array("x", (5, 5), d, low=0.0, high=1.0), "transpose") * 4,
    )
    yield Case(
        "overlap-shifted",
        lambda d: _overlapping(array("x", (6, 5), d, low=0.0, high=1.0), "shifted") * 4,
    )
    yield Case("special", lambda d: tuple(np.roll(special(d), 3 * i) for i in range(8)))
    yield Case(
        "mixed-dtypes",
        lambda d: tuple(
            a.astype(_other(d)) if i % 3 else a for i, a in enumerate(_boxes(d, (4, 6)))
        ),
    )
    yield Case("mismatch", lambda d: _boxes(d, (3,), (4,)))


def _weights(
    dtype: np.dtype,
    inputs: int,
    hidden: int,
    layout: str = "contiguous",
    bias: tuple[int, ...] = (),
) -> Args:
    """w_ih (4H, I), w_hh (4H, H) and two biases (*bias, 4H)."""
    shapes = [(4 * hidden, inputs), (4 * hidden, hidden)]
    weights = [
        array(f"w{i}", shape, dtype, layout, low=-0.7, high=0.7) for i, shape in enumerate(shapes)
    ]
    biases = [array(f"b{i}", (*bias, 4 * hidden), dtype, low=-0.5, high=0.5) for i in range(2)]
    return (*weights, *biases)


def _cell(
    dtype: np.dtype,
    batch: int,
    inputs: int,
    hidden: int,
    layout: str = "contiguous",
    weights: str = "contiguous",
) -> Args:
    """x (B, I), hx (B, H), cx (B, H) and the weights."""
    x = array("x", (batch, inputs), dtype, layout)
    hx, cx = (array(name, (batch, hidden), dtype, layout) for name in ("hx", "cx"))
    return (x, hx, cx, *_weights(dtype, inputs, hidden, weights))


def _cell_cases() -> Iterator[Case]:
    for sizes in [(1, 4, 3), (5, 8, 6), (3, 7, 16), (0, 4, 3)]:
        yield Case(f"contiguous-{'x'.join(map(str, sizes))}", lambda d, s=sizes: _cell(d, *s))
    for layout in LAYOUTS[1:]:
        yield Case(f"{layout}-4x6x5", lambda d, layout=layout: _cell(d, 4, 6, 5, layout))
    yield Case("transposed-weights", lambda d: _cell(d, 4, 6, 5, weights="transposed"))
    yield Case("sliced-weights", lambda d: _cell(d, 4, 6, 5, weights="sliced"))
    yield Case("two-dim-bias", lambda d: (*_cell(d, 4, 6, 5)[:3], *_weights(d, 6, 5, bias=(4,))))

    def same_state(dtype: np.dtype) -> Args:
        x = array("x", (4, 5), dtype)
        w_ih, w_hh, b_ih, _ = _weights(dtype, 5, 5)
        return x, x, x, w_ih, w_hh, b_ih, b_ih

    def shifted_state(dtype: np.dtype) -> Args:
        hx, cx = _overlapping(array("x", (5, 5), dtype), "shifted")
        return (array("y", (4, 6), dtype), hx, cx, *_weights(dtype, 6, 5))

    yield Case("overlap-same", same_state)
    yield Case("overlap-shifted", shifted_state)
    yield Case("mismatch", lambda d: (array("x", (2, 3), d), *_cell(d, 2, 4, 3)[1:]))


def _grouped(case: Case) -> Case:
    """The same case with hx and cx as one tuple."""

    def make(dtype: np.dtype) -> Args:
        x, hx, cx, *rest = case.make(dtype)
        return (x, (hx, cx), *rest)

    return Case(case.name, make)


def _sequence_cases() -> Iterator[Case]:
    def sequence(
        dtype: np.dtype,
        steps: int,
        batch: int,
        inputs: int,
        hidden: int,
        layout: str = "contiguous",
    ) -> Args:
        _, hx, cx, *weights = _cell(dtype, batch, inputs, hidden)
        return (array("xs", (steps, batch, inputs), dtype, layout), (hx, cx), *weights)

    for sizes in [(1, 1, 4, 3), (5, 2, 4, 3), (3, 4, 6, 5), (0, 2, 4, 3), (3, 0, 4, 3)]:
        yield Case(f"contiguous-{'x'.join(map(str, sizes))}", lambda d, s=sizes: sequence(d, *s))
    for layout in LAYOUTS[1:]:
        yield Case(f"{layout}-4x2x4x3", lambda d, layout=layout: sequence(d, 4, 2, 4, 3, layout))


def _alias_cases() -> Iterator[Case]:
    for shape in [(2, 3), (4,), (2, 3, 4), (0, 3), ()]:
        name = "x".join(map(str, shape)) or "scalar"
        yield Case(f"contiguous-{name}", _same_shapes("ab", shape, "contiguous"))
        yield Case(f"large-{name}", _same_shapes("ab", shape, "contiguous", low=4.0, high=9.0))
    for layout in LAYOUTS[1:]:
        yield Case(f"{layout}-3x4", _same_shapes("ab", (3, 4), layout, low=0.0, high=5.0))
    for kind in ("same", "transpose", "shifted"):
        yield Case(
            f"overlap-{kind}",
            lambda d, kind=kind: _overlapping(array("x", (5, 5), d, high=5.0), kind),
        )
    yield Case("different-shapes", _shapes((2, 3), (4,)))
    yield Case("mixed-dtypes", lambda d: (array("a", (3, 4), d), array("b", (3, 4), _other(d))))
    yield Case("special", lambda d: (special(d), special(d)[::-1].copy()))


def _module_cases() -> Iterator[Case]:
    for case in _single_cases():
        yield Case(f"{case.name}-float", lambda d, case=case: (*case.make(d), 3, 0.1))
        yield Case(f"{case.name}-int", lambda d, case=case: (*case.make(d), -1, 0.1))


def _loss_cases() -> Iterator[Case]:
    for shape in [(5, 3), (16, 8), (2, 1), (17, 4), (1, 3), (0, 3), (4, 0), (3,)]:
        yield Case(
            f"contiguous-{'x'.join(map(str, shape))}", lambda d, s=shape: (array("x", s, d), 2)
        )
    for layout in LAYOUTS[1:]:
        yield Case(f"{layout}-6x4", lambda d, layout=layout: (array("x", (6, 4), d, layout),))


PROGRAMS: dict[str, Program] = {
    program.name: program
    for program in [
        Program("tanh", "tanh", "f", tuple(_pair_cases()), scale=1.0),
        Program(
            "if_else",
            "if_else",
            "f",
            (*_with(True, "then", _pair_cases()), *_with(False, "else", _pair_cases())),
        ),
        Program("for_loop", "for_loop", "f", tuple(_single_cases())),
        Program("while_continue", "while_continue", "f", _integer_cases(*range(-3, 8)), ("int64",)),
        Program("raise_error", "raise_error", "f", _integer_cases(4, 0, 2, -1, -7, 9), ("int64",)),
        Program("lstm_cell_s", "lstm_cell_s", "LSTMCellS", tuple(_cell_cases()), scale=1.0),
        Program("alias", "alias", "foo", tuple(_alias_cases())),
        Program("module", "module", "M", tuple(_module_cases())),
        Program(
            "lstm_cell", "simple_lstm", "lstm_cell", tuple(map(_grouped, _cell_cases())), scale=1.0
        ),
        Program("simple_lstm", "simple_lstm", "simple_lstm", tuple(_sequence_cases()), scale=1.0),
        Program("power", "power", "fn", tuple(_single_cases())),
        Program("ratio_iou", "ratio_iou", "ratio_iou", tuple(_iou_cases()), scale=1.0),
        Program("lunif2", "lunif2", "lunif2", tuple(_loss_cases()), scale=4.0),
    ]
}
