"""Lives of programs that an exception interrupts anywhere, as one of a signal does: afterwards everything is as it was, and the next
calls give what they give.

Python raises such an exception where a function begins, after a call, and where a loop begins anew. `Interrupt` counts these places
in the package's functions and raises at one of them. Each life is that of a forked process in which nothing has been imported on
first use, scripted or compiled. `python -m support.interrupted COUNT SEED` tries places of all lives.
"""

from __future__ import annotations

import dis
import gc
import json
import os
import random
import signal
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.ops.eager.recording import RECORDERS, RECORDING
from torchscript_dialect.runtime.native.entry import _Diverted
from torchscript_dialect.utils.background import calls
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.progress import _shown
from torchscript_dialect.utils.recursion import _limit

PACKAGE = str(Path(ts.__file__).parents[1])
OURS = (f"{PACKAGE}/torchscript_dialect/", f"{PACKAGE}/lowering/")
EXCEPTIONS: tuple[type[BaseException], ...] = (KeyboardInterrupt, MemoryError, RecursionError)
SECONDS = 120


class Life(NamedTuple):
    """What a process does, and what tells whether it can do so afterwards: texts of results."""

    act: Callable[[], None]
    results: Callable[[], list[str]]


def _operands() -> tuple[Any, Any]:
    x = torch.linspace(-2, 2, 24).reshape(4, 6)
    return x, torch.linspace(1, 2, 6)


def program(a, b):
    c = a + b
    d = torch.tanh(c) * c
    s = 0.0
    for i in range(3):
        d = d + i * a
        s += float(i)
    return d.sum(1) + s, d.size(0)


class Net(torch.nn.Module):
    """A layer, a buffer, a branch."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(6, 5)
        self.register_buffer("k", torch.ones(5))
        with torch.no_grad():
            self.fc.weight.copy_(torch.linspace(-1, 1, 30).reshape(5, 6))
            self.fc.bias.copy_(torch.linspace(0, 1, 5))

    def forward(self, x):
        y = torch.sigmoid(self.fc(x)) * self.k
        if y.dim() > 1:
            y = y + 1
        return y.relu()


def scripted() -> Life:
    """A function: compiled, called as it is, called natively. It is the one that was interrupted that is called afterwards."""
    made: list[Any] = []

    def act() -> None:
        made.append(ts.script(program))
        for _ in range(4):
            made[0](*_operands())

    def results() -> list[str]:
        functions = [made[0] if made else ts.script(program), ts.script(program)]
        texts = [str(f(*_operands())) for f in functions for _ in range(4)]
        return [*texts, *(str(f.graph) for f in functions)]

    return Life(act, results)


def differentiated() -> Life:
    """Calls with gradients, of a function and of operators."""
    made: list[Any] = []

    def step(f: Any) -> str:
        a, b = _operands()
        y = f(a.requires_grad_(), b)[0]
        (y @ torch.ones(4)).backward()
        with torch.autocast("cpu", dtype=torch.bfloat16), torch.no_grad():
            cast = a @ a.t()
        return f"{y.detach()} {a.grad} {cast}"

    def act() -> None:
        made.append(ts.script(program))
        for _ in range(3):
            step(made[0])

    def results() -> list[str]:
        functions = [made[0] if made else ts.script(program), ts.script(program), program]
        return [step(f) for f in functions for _ in range(3)]

    return Life(act, results)


def trained() -> Life:
    """A scripted module that an optimizer trains; whether a step was taken that was interrupted is left open."""
    made: list[Any] = []

    def train(net: Any) -> str:
        with torch.no_grad():
            for own, other in zip(net.parameters(), Net().parameters(), strict=True):
                own.copy_(other)
        optimizer, losses = torch.optim.Adam(net.parameters(), lr=0.1), list[float]()
        for _ in range(4):
            optimizer.zero_grad()
            loss = (net(_operands()[0]) ** 2).mean()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return str(losses)

    def act() -> None:
        made.append(ts.script(Net()))
        train(made[0])

    def results() -> list[str]:
        return [train(net) for net in (made[0] if made else ts.script(Net()), ts.script(Net()))]

    return Life(act, results)


def stored() -> Life:
    """A module that is saved, loaded, called, frozen and saved again: there is a whole file or none."""
    folder = Path(tempfile.mkdtemp())
    path, x = folder / "net.pt", _operands()[0]
    net = ts.script(Net().eval())

    def act() -> None:
        ts.save(net, str(path))
        loaded = ts.load(str(path))
        loaded(x)
        frozen = ts.freeze(loaded)
        frozen(x)
        ts.save(frozen, str(path))

    def results() -> list[str]:
        texts = [str((ts.load(str(path)) if path.exists() else net)(x).detach())]
        texts.append(str([one.name for one in folder.iterdir() if one != path]))
        ts.save(net, str(path))
        again = ts.load(str(path))
        texts += [str(again(x)), str(ts.freeze(again)(x)), str(ts.freeze(net)(x)), str(net.graph)]
        path.unlink()
        folder.rmdir()
        return texts

    return Life(act, results)


def traced() -> Life:
    """A module and a function that are traced."""

    def trace() -> list[Any]:
        a, b = _operands()
        net = ts.trace(Net().eval(), a)
        return [net, ts.trace(lambda a, b: (a + b).reshape(-1, a.size(1)).sum(0), (a, b))]

    def results() -> list[str]:
        a, b = _operands()
        net, function = trace()
        return [
            str(a.size()),
            str(net.graph),
            str(function.graph),
            str(net(a)),
            str(function(a, b)),
        ]

    def act() -> None:
        net, function = trace()
        net(_operands()[0])
        function(*_operands())

    return Life(act, results)


LIVES = {life.__name__: life for life in (scripted, differentiated, trained, stored, traced)}


@cache
def _places(code: CodeType) -> frozenset[int]:
    """The instructions of a function before which an exception of a signal may be raised."""
    found, after = set[int](), False
    for one in dis.get_instructions(code):
        if after and one.opname not in ("RETURN_VALUE", "YIELD_VALUE"):
            found.add(one.offset)
        after = one.opname in ("CALL", "CALL_FUNCTION_EX", "JUMP_BACKWARD", "RESUME")
    return frozenset(found)


class Interrupt:
    """Counts places and raises `error` at number `place`."""

    def __init__(self, place: int, error: type[BaseException]) -> None:
        self.place, self.error = place, error
        self.count = 0
        self.where: list[str] = []

    def begin(self, frame: FrameType, event: str, argument: object) -> Any:
        """A function is called."""
        if not frame.f_code.co_filename.startswith(OURS) or frame.f_code.co_name == "__del__":
            return None
        frame.f_trace_opcodes = True
        return self.go_on

    def go_on(self, frame: FrameType, event: str, argument: object) -> Any:
        """The function does something."""
        if event == "opcode" and frame.f_lasti in _places(frame.f_code):
            self.count += 1
            if self.count == self.place:
                sys.settrace(None)
                self.where = [
                    f"{Path(each.filename).name}:{each.lineno} {each.name}"
                    for each in traceback.extract_stack(frame, 12)
                ]
                raise self.error("interrupted")
        return self.go_on


def _state() -> dict[str, str]:
    """What a process has one of, and calls change for a while."""
    return {
        "gradients": str(torch.is_grad_enabled()),
        "default dtype": str(torch.get_default_dtype()),
        "inference mode": str(torch.is_inference_mode_enabled()),
        "autocast": str(torch.is_autocast_enabled()),
        "collector": str(gc.isenabled()),
        "recursion": f"{sys.getrecursionlimit()} {_limit.users}",
        "recorders": f"{RECORDING.recorder} {RECORDERS}",
        "lock": str(compilation._lock._is_owned()),
        "threads": f"{threading.active_count()} {calls.threads}",
        "shown": _shown.name,
        "diverted": f"{_Diverted.by} {_Diverted.lock.locked()}",
        "numpy": str(np.geterr()),
        "filters": str(len(warnings.filters)),
        "profile": str(sys.getprofile()),
        "half written": str([*Path(os.environ["TORCHSCRIPT_DIALECT_CACHE"]).glob("*.tmp")]),
    }


class Outcome(NamedTuple):
    """How a life went."""

    count: int
    """The places that there were up to the one where it was interrupted."""
    where: list[str]
    problems: list[str]
    results: list[str]


def _live(life: Life, interrupt: Interrupt) -> Outcome:
    problems: list[str] = []
    before = _state()
    try:
        sys.settrace(interrupt.begin)
        try:
            life.act()
        finally:
            sys.settrace(None)
    except BaseException as error:
        # errors of memory and recursion are told in words of ours
        told = isinstance(error, RuntimeError) and interrupt.error is not KeyboardInterrupt
        if not interrupt.where or not (told or type(error) is interrupt.error):
            problems.append("".join(traceback.format_exception(error))[-2000:])
    else:
        if interrupt.where and interrupt.error is KeyboardInterrupt:
            problems.append("nobody heard of the interrupt")
    gc.collect()
    problems += [f"{k}: {before[k]}, then {v}" for k, v in _state().items() if v != before[k]]
    try:
        results = life.results()
    except BaseException as error:
        problems.append("".join(traceback.format_exception(error))[-2000:])
        results = []
    problems += [f"{k}: {before[k]}, at last {v}" for k, v in _state().items() if v != before[k]]
    return Outcome(interrupt.count, interrupt.where, problems, results)


@contextmanager
def _pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)


def live(name: str, place: int, error: type[BaseException]) -> Outcome:
    """A life in a process of its own; 0 for a place: nothing interrupts it."""
    with _pipe() as (reading, writing):
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)  # what hangs ends
            with tempfile.TemporaryDirectory() as folder, open(writing, "w") as out:
                os.environ["TORCHSCRIPT_DIALECT_CACHE"] = folder
                json.dump(_live(LIVES[name](), Interrupt(place, error)), out)
            os._exit(0)
        os.close(writing)
        with open(reading, closefd=False) as found:
            text = found.read()
        status = os.waitpid(child, 0)[1]
    return Outcome(*json.loads(text)) if text else Outcome(0, [], [f"it ended by {status}"], [])


def problems_of(name: str, count: int, draw: random.Random) -> list[str]:
    """What is wrong after some interrupts of a life, at places that are drawn."""
    whole = live(name, 0, KeyboardInterrupt)
    assert not whole.problems, whole.problems
    found: list[str] = []
    for number in range(count):
        place, error = draw.randrange(1, whole.count + 1), EXCEPTIONS[number % len(EXCEPTIONS)]
        ended = live(name, place, error)
        problems = list(ended.problems)
        if ended.results != whole.results:
            pairs = zip(whole.results, ended.results, strict=False)
            problems += [f"{one}\n-- then --\n{other}" for one, other in pairs if one != other][:1]
        found += [
            f"{name}, {error.__name__} at {place}, {ended.where[-6:]}: {one}" for one in problems
        ]
    return found


def main() -> None:
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    warnings.simplefilter("ignore")
    draw = random.Random(seed)
    for name in LIVES:
        problems = problems_of(name, count, draw)
        print(
            f"{name}: {count} interrupts, {len(problems)} problems", *problems, sep="\n", flush=True
        )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache_folder:
        os.environ |= {
            "TORCHSCRIPT_DIALECT_CACHE": cache_folder,
            "TORCHSCRIPT_DIALECT_BACKGROUND": "0",
            "TORCHSCRIPT_DIALECT_TIERED": "0",
        }
        main()
