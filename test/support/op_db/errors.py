"""Whether a wrong call that PyTorch refuses is refused here, too: the `error_inputs` of the database's entries."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from support.op_db import calls, inputs
from support.op_db.inputs import Sample
from support.op_db.pairs import Outcome, entries, quiet, text_of

KINDS = (TypeError, IndexError, ValueError, ZeroDivisionError, RuntimeError)
"""The classes that PyTorch raises; others are made from them."""


def names() -> list[str]:
    """The entries that have such calls."""
    return [name for name, entry in entries().items() if entry.error_inputs_func is not None]


def outcome(name: str) -> Outcome:
    """Run the wrong calls of an entry."""
    found = Outcome(name, "errors")
    for place, sample in enumerate(_samples(entries()[name])):
        difference = _difference(entries()[name], sample)
        if difference is not None:
            found.differences.append(f"{difference} | call {place}")
        found.calls += 1
    return found


def _samples(entry: Any) -> Iterator[Sample]:
    inputs.seed()
    with quiet():
        found = list(entry.error_inputs("cpu"))
    for given in found:
        sample = given.sample_input
        yield Sample("plain", sample.input, tuple(sample.args), dict(sample.kwargs))


def _difference(entry: Any, sample: Sample) -> str | None:
    args, kwargs = sample.copied()
    inputs.seed()
    try:
        with quiet():
            entry.op(*args, **kwargs)
    except Exception as raised:
        theirs = raised
    else:
        return None
    args, kwargs = sample.copied()
    memo: dict[Any, Any] = {}
    try:
        inputs.ours((args, kwargs), memo)
    except (NotImplementedError, KeyError, ValueError) as unknown:
        return f"input: {unknown}"
    inputs.seed()
    try:
        with quiet():
            calls.run(entry.op, args, kwargs, memo)
    except calls.NoKernel as missing:
        return f"no kernel: {missing}"
    except calls.NoError:
        return f"no error: PyTorch's is {text_of(theirs)}"
    except Exception as mine:
        return _of_classes(mine, theirs)
    return f"no error: PyTorch's is {text_of(theirs)}"


def _of_classes(mine: Exception, theirs: Exception) -> str | None:
    if _kind(mine) is _kind(theirs) and not _is_of_numpy(mine):
        return None
    return f"{text_of(mine)} where PyTorch's is {text_of(theirs)}"


def _kind(error: Exception) -> type[Exception] | None:
    return next((kind for kind in KINDS if isinstance(error, kind)), None)


def _is_of_numpy(error: Exception) -> bool:
    """Whether NumPy or Python raised it: the innermost frame of ours called them."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code.co_filename.startswith(np.__path__[0])
