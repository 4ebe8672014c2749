"""The corpus programs that take tensors of floats, through `gradient_check`: their gradients are the same on all ways of a call."""

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torchscript_dialect as ts
from support import corpus
from support.gradient_check import agree, floats_in, hold
from torchscript_dialect.tensor.conversion import as_tensor


def programs() -> Iterator[corpus.Program]:
    """Those that take such tensors, and need no keywords for it."""
    for area in corpus.areas():
        for program in corpus.load(area, "ours").values():
            if any(_takes_floats(case) for case in program.cases):
                yield program


def _takes_floats(case: corpus.Case) -> bool:
    return bool(floats_in([*case.args, *case.kwargs.values()]))


NOT_AS_IN_PYTHON = {
    "calls_of_operators.tensor_for_a_float": "a tensor becomes a number, through which no gradient goes",
    "results_in_libraries.augmented_in_a_dictionary": "what is added to an item of a dictionary is no write in place",
}
"""Programs that mean something else to Python, which shows in their gradients only."""


def check(program: corpus.Program) -> str:
    """Hold a program against itself run by Python, or where Python gives something else, against the interpreter; what was done.

    Raises:
        AssertionError: gradients differ, or what requires them.
    """
    methods = {case.method for case in program.cases}
    done: list[str] = []
    for method in sorted(methods):
        cases = [c for c in program.cases if c.method == method and _takes_floats(c)]
        samples = [_Given(case) for case in cases]
        usable = [one for one in samples if one.runs(_scripted(program, method))]
        if not usable:
            done.append("raises")
            continue
        runs = f"{program.area}.{program.name}" not in NOT_AS_IN_PYTHON and all(
            one.runs(_python(program, method))
            and agree(
                one.called(_python(program, method)),
                one.called(_scripted(program, method)),
                one.values,
            )
            for one in usable
        )
        cloned = not all(one.runs(_scripted(program, method), requires=True) for one in usable)
        scripted = _scripted(program, method)
        for one in usable:
            if isinstance(program.obj, type):
                scripted = _scripted(program, method)  # objects have states, which sizes may change
            reference = _python(program, method)
            if not runs:
                reference = _interpreted(_scripted(program, method))
            hold(
                one.called(scripted),
                one.called(reference),
                [one.values],
                has_state=True,
                cloned=cloned,
            )
        done.append("Python" if runs else "interpreter")
    return ", ".join(done)


class _Given:
    """The arguments of a case as one list."""

    def __init__(self, case: corpus.Case) -> None:
        self.values: list[Any] = [*case.args, *case.kwargs.values()]
        self.count = len(case.args)
        self.names = list(case.kwargs)

    def called(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """The function of all values, by place."""

        def call(*values: Any) -> Any:
            return f(*values[: self.count], **dict(zip(self.names, values[self.count :])))

        return call

    def runs(self, f: Callable[..., Any], *, requires: bool = False) -> bool:
        """Whether a call raises nothing."""

        def to_argument(array: Any, memo: dict[int, Any]) -> Any:
            tensor = memo.setdefault(id(array), as_tensor(array.copy()))
            return tensor.requires_grad_() if requires and array.dtype.kind == "f" else tensor

        try:
            self.called(f)(*corpus.convert(self.values, to_argument, {}))
        except Exception:
            return False
        return True


def _scripted(program: corpus.Program, method: str) -> Callable[..., Any]:
    scripted = ts.script(program.make())
    return getattr(scripted, method) if isinstance(scripted, ts.ScriptModule) else scripted


def _python(program: corpus.Program, method: str) -> Callable[..., Any]:
    made = program.make()
    return getattr(made, method) if isinstance(program.obj, type) else made


def _interpreted(f: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        with ts.optimized_execution(False):
            return f(*args, **kwargs)

    return call


def main(arguments: Sequence[str]) -> None:
    """`python -m support.corpus_gradients [every]`: one program in so many."""
    every = int(arguments[0]) if arguments else 1
    counts: dict[str, int] = {}
    for number, program in enumerate(programs()):
        if number % every:
            continue
        print(number, program.area, program.name, file=sys.stderr, flush=True)
        try:
            what = check(program)
        except Exception as error:
            what = "differs"
            print(
                f"{program.area}.{program.name}: {type(error).__name__}: {error}"[:600], flush=True
            )
        counts[what] = counts.get(what, 0) + 1
    print(counts)


if __name__ == "__main__":
    main(sys.argv[1:])
