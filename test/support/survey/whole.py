"""Whole models of published packages by both compilers: scripted, called three times in evaluation, and trained for a step.

    PYTHONPATH=.:test python -m support.survey.whole FILE.py [--only REGULAR EXPRESSION] [--out FILE.jsonl] [--setup MODULE ...]

`FILE.py` has a list `MODELS` of `Whole`, as `test/support/survey/whole_models.py` has. Each is tried in a process of its own, which is
forked from one that has imported the packages.
"""

import argparse
import importlib
import json
import os
import re
import resource
import runpy
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from threading import Timer
from typing import Any

import torch
from torch import nn

import torchscript_dialect as ts
from support.survey.compare import is_close, plain, run_seeded, told

STAGE_SECONDS = 60
"""Of the CPU, for one stage: making, scripting, a call, a step of training."""
_MEMORY = 9 << 30


@dataclass(frozen=True)
class Whole:
    """`make` gives a new module, `inputs` its arguments for a seed."""

    name: str
    make: Callable[[], nn.Module]
    inputs: Callable[[int], tuple[Any, ...]]
    trains: bool = True


@dataclass
class Report:
    """`script`, `theirs` and `calls` are seconds of the CPU; `their_calls` and `calls` are those of the calls."""

    name: str
    verdict: str = "not made"
    detail: str = ""
    training: str = ""
    their_script: float = 0.0
    script: float = 0.0
    their_calls: list[float] = field(default_factory=list)
    calls: list[float] = field(default_factory=list)


class _TooLong(BaseException):
    pass


def report(model: Whole) -> Report:
    """What became of a model."""
    made = Report(model.name)
    try:
        theirs, source = _made(model), _made(model)
        source.load_state_dict(theirs.state_dict())
    except BaseException as error:
        made.detail = told(error)
        return made
    try:
        start = time.thread_time()
        scripted = _staged(lambda: torch.jit.script(theirs))
        made.their_script = time.thread_time() - start
    except BaseException as error:
        made.verdict, made.detail = "no program", told(error)
        return made
    try:
        start = time.thread_time()
        ours = _staged(lambda: ts.script(source))
        made.script = time.thread_time() - start
    except BaseException as error:
        made.verdict, made.detail = "rejected", told(error)
        return made
    _call(model, scripted, ours, made)
    if made.verdict == "agrees" and model.trains:
        made.training = _train(model, scripted, ours)
    return made


def _made(model: Whole) -> nn.Module:
    torch.manual_seed(5)
    return _staged(model.make).eval()


def _staged(action: Callable[[], Any]) -> Any:
    signal.setitimer(signal.ITIMER_PROF, STAGE_SECONDS)
    try:
        return action()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _call(model: Whole, theirs: Any, ours: Any, made: Report) -> None:
    with torch.inference_mode():
        try:
            wanted = [_timed(theirs, model.inputs(seed), made.their_calls) for seed in range(4)]
        except BaseException as error:
            made.verdict, made.detail = "no inputs", told(error)
            return
        for seed in range(4):
            try:
                given = _timed(ours, model.inputs(seed), made.calls)
            except BaseException as error:
                made.verdict, made.detail = "fails", f"call {seed}: {told(error)}"
                return
            if not is_close(given, wanted[seed]):
                made.verdict = "differs"
                made.detail = f"call {seed}: {difference(given, wanted[seed])}"
                return
    made.verdict = "agrees"


def _timed(function: Any, arguments: tuple[Any, ...], seconds: list[float]) -> Any:
    start = time.thread_time()
    result = _staged(lambda: run_seeded(function, arguments))
    seconds.append(round(time.thread_time() - start, 4))
    return result


def _train(model: Whole, theirs: Any, ours: Any) -> str:
    """One step forward and backward with batch statistics and dropout: "agrees" or what does not."""
    try:
        wanted = _staged(lambda: _gradients(theirs, model.inputs(0)))
    except BaseException as error:
        return f"not trained: {told(error)[:200]}"
    if not wanted or not all(bool(torch.isfinite(g).all()) for g in wanted.values()):
        return "not trained: no finite gradients"
    try:
        given = _staged(lambda: _gradients(ours, model.inputs(0)))
    except BaseException as error:
        return f"fails: {told(error)}"
    if missing := sorted(wanted.keys() ^ given.keys()):
        return f"differs: gradients of {missing[:3]}"
    scale = max(float(g.abs().max()) for g in wanted.values())
    for name, gradient in wanted.items():
        if given[name].shape != gradient.shape:
            return f"differs: shape of {name}"
        far = float((given[name] - gradient).abs().max()) if gradient.numel() else 0.0
        if not far <= 2e-3 * float(gradient.abs().max()) + 1e-4 * scale:
            return f"differs: gradient of {name} by {far:.2g}, largest {float(gradient.abs().max()):.2g} of {scale:.2g}"
    return "agrees"


def _gradients(module: Any, arguments: tuple[Any, ...]) -> dict[str, torch.Tensor]:
    module.train()
    torch.manual_seed(5)
    total: Any = None
    for part in _floats(module(*arguments)):
        weights = torch.arange(float(part.numel())).cos().reshape(tuple(part.shape))
        term = (part * weights).sum()
        total = term if total is None else total + term
    total.backward()
    return {
        name: plain(parameter.grad).to(torch.float64)
        for name, parameter in module.named_parameters()
        if parameter.grad is not None
    }


def _floats(value: Any) -> list[Any]:
    if isinstance(value, torch.Tensor | ts.Tensor):
        return [value] if value.requires_grad else []
    parts = (
        value.values()
        if isinstance(value, dict)
        else value
        if isinstance(value, list | tuple)
        else ()
    )
    return [part for item in parts for part in _floats(item)]


def difference(ours: Any, theirs: Any) -> str:
    """The first tensors that differ, by how much."""
    ours, theirs = plain(ours), plain(theirs)
    if isinstance(theirs, list) and isinstance(ours, list) and len(ours) == len(theirs):
        return next(
            difference(a, b) for a, b in zip(ours, theirs, strict=True) if not is_close(a, b)
        )
    if isinstance(theirs, dict) and isinstance(ours, dict) and ours.keys() == theirs.keys():
        return next(
            f"{key}: {difference(ours[key], theirs[key])}"
            for key in theirs
            if not is_close(ours[key], theirs[key])
        )
    if isinstance(theirs, torch.Tensor) and isinstance(ours, torch.Tensor):
        if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape):
            return f"{ours.dtype}{list(ours.shape)} is not {theirs.dtype}{list(theirs.shape)}"
        far = (ours.double() - theirs.double()).abs().max()
        return f"by {float(far):.3g}, largest {float(theirs.double().abs().max()):.3g}, shape {list(theirs.shape)}"
    return f"{str(ours)[:200]} is not {str(theirs)[:200]}"


def in_child(model: Whole) -> Report:
    """The report of a forked process; what kills or hangs it is a report too."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        signal.signal(signal.SIGPROF, _stop)
        text = json.dumps(asdict(report(model)))
        with os.fdopen(writer, "w") as file:
            file.write(text)
        os._exit(0)
    os.close(writer)
    guard = Timer(20 * STAGE_SECONDS, os.kill, (child, signal.SIGKILL))
    guard.start()
    with os.fdopen(reader) as file:
        text = file.read()
    guard.cancel()
    _, status = os.waitpid(child, 0)
    if text:
        return Report(**json.loads(text))
    return Report(model.name, "fails", f"the process dies: status {status}")


def _stop(*_: object) -> None:
    raise _TooLong("takes too long")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--only", default="")
    parser.add_argument("--out")
    parser.add_argument("--setup", nargs="*", default=[])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    for name in options.setup:
        importlib.import_module(name)
    ts.background_compilation(False)
    models: list[Whole] = runpy.run_path(options.file)["MODELS"]
    done: set[str] = set()
    if options.out and os.path.exists(options.out):
        with open(options.out) as file:
            done = {json.loads(line)["name"] for line in file}
    counts: Counter[str] = Counter()
    for model in models:
        if model.name in done or not re.search(options.only, model.name):
            continue
        made = in_child(model)
        counts[made.verdict] += 1
        if made.training:
            counts["training " + made.training.split(":")[0]] += 1
        print(
            made.verdict,
            made.name,
            f"script {made.their_script:.1f} {made.script:.1f} calls {made.their_calls} {made.calls}",
            made.training[:300],
            made.detail,
            flush=True,
        )
        if options.out:
            with open(options.out, "a") as file:
                print(json.dumps(asdict(made)), file=file)
    print(dict(counts))


if __name__ == "__main__":
    sys.modules.setdefault("support.survey.whole", sys.modules["__main__"])
    main()
