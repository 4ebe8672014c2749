"""One candidate by both compilers: what became of it."""

import copy
import inspect
import random
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

import torchscript_dialect as ts
from support.canonical import canonical, without_mangling
from support.survey.candidates import Candidate
from support.survey.inputs import attempts

CALLS = 3
_SEED = 5


@dataclass
class Outcome:
    """`verdict` is one of VERDICTS, `detail` what an error said, `graph` and `code` whether these texts are equal, `seconds` what
    ours took.
    """

    verdict: str
    detail: str = ""
    graph: bool | None = None
    code: bool | None = None
    seconds: float = 0.0


VERDICTS = {
    "not made": "no module without further arguments",
    "no program": "torch.jit does not take it",
    "rejected": "torch.jit takes it, ours does not",
    "no inputs": "scripted by both; no arguments were found that PyTorch's runs with",
    "agrees": "three calls give the same",
    "differs": "they do not",
    "fails": "ours raises where PyTorch's does not",
}


def outcome(candidate: Candidate) -> Outcome:
    """Script, call and compare."""
    try:
        theirs, source = _made(candidate), _made(candidate)
    except Exception as error:
        return Outcome("not made", told(error))
    try:
        scripted = torch.jit.script(theirs)
    except Exception as error:
        return Outcome("no program", told(error))
    if not hasattr(scripted, "graph"):
        return Outcome("no program", "a class")
    start = time.process_time()
    try:
        ours = ts.script(source)
        text = str(ours.graph)
    except Exception as error:
        return Outcome("rejected", told(error))
    made = Outcome("no inputs", graph=canonical(text) == canonical(str(scripted.graph)))
    made.code = without_mangling(ours.code) == without_mangling(scripted.code)
    made.seconds = time.process_time() - start
    _call(scripted, ours, _signature(source), made)
    made.seconds = time.process_time() - start
    return made


def _made(candidate: Candidate) -> Any:
    """A module with the parameters of a seed: what is made anew is whole, where copies of modules may lack what was set on them."""
    torch.manual_seed(_SEED)
    np.random.seed(_SEED)
    random.seed(_SEED)
    return candidate.make()


def _signature(function: Any) -> inspect.Signature:
    return inspect.signature(function.forward if isinstance(function, nn.Module) else function)


def _call(theirs: Any, ours: Any, signature: inspect.Signature, made: Outcome) -> None:
    with torch.no_grad():
        for make in attempts(signature):
            try:
                wanted = [run_seeded(theirs, make(_SEED + call).values()) for call in range(CALLS)]
                again = [run_seeded(theirs, make(_SEED + call).values()) for call in range(CALLS)]
            except Exception:
                continue
            if all(map(is_close, again, wanted)):  # else memory that nobody has written to
                break
        else:
            return
        for call in range(CALLS):
            try:
                given = run_seeded(ours, make(_SEED + call).values())
            except Exception as error:
                made.verdict, made.detail = "fails", f"call {call}: {told(error)}"
                return
            if not is_close(given, wanted[call]):
                shown = f"{plain(given)} is not {plain(wanted[call])}"
                made.verdict, made.detail = (
                    "differs",
                    f"call {call}: {' '.join(shown.split())}"[:600],
                )
                return
    made.verdict = "agrees"


def run_seeded(function: Any, arguments: Iterable[Any]) -> Any:
    torch.manual_seed(_SEED)
    return copy.deepcopy(function(*arguments))


def is_close(ours: Any, theirs: Any) -> bool:
    """Whether two results are equal but for rounding, which is told by the largest number of a tensor."""
    ours, theirs = plain(ours), plain(theirs)
    if type(ours) is not type(theirs):
        return False
    if isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(is_close, ours, theirs))
    if isinstance(theirs, dict):
        same = ours.keys() == theirs.keys()
        return same and all(is_close(ours[key], theirs[key]) for key in theirs)
    if isinstance(theirs, float | complex):
        ours, theirs = torch.tensor(ours), torch.tensor(theirs)
    if not isinstance(theirs, torch.Tensor):
        return ours == theirs
    if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape):
        return False
    exact = torch.complex128 if theirs.is_complex() else torch.float64
    ours, theirs = ours.to(exact), theirs.to(exact)
    known = theirs[theirs.isfinite()].abs()
    largest = float(known.max()) if known.numel() else 0.0
    return torch.allclose(ours, theirs, rtol=1e-3, atol=1e-4 * max(largest, 1.0), equal_nan=True)


def plain(value: Any) -> Any:
    """Tensors as PyTorch's, containers as lists and dicts, anything else as its text."""
    if isinstance(value, torch.Tensor):
        return value.detach()
    if isinstance(value, ts.Tensor):
        return torch.from_dlpack(value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, bool | int | float | complex):
        return value
    return re.sub("0x[0-9a-f]+", "", str(value))


def told(error: BaseException) -> str:
    lines = [
        line.strip() for line in re.sub(r"\x1b\[\d*m", "", str(error)).splitlines() if line.strip()
    ]
    return f"{type(error).__name__}: " + " | ".join(lines)[:600]
