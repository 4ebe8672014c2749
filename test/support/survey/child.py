"""The process that tries candidates: prints a line of JSON when it begins one and one when it is over."""

import contextlib
import importlib
import json
import signal
import socket
import sys
import traceback
import warnings
from collections.abc import Iterator
from typing import Any

import torch

import torchscript_dialect as ts
from support.survey.candidates import Candidate, of_module, whole_models
from support.survey.compare import Outcome, outcome

SECONDS = 120


class _TooLong(Exception):
    pass


def _stop(*_: object) -> None:
    raise _TooLong


def _no_network(*_: object) -> None:
    raise OSError("a survey fetches nothing")


def _candidates(module: str) -> list[Candidate]:
    if module.endswith(":models"):
        return whole_models(module.removesuffix(":models"))
    return of_module(importlib.import_module(module))


def main() -> None:
    """Reads names of modules, each with the names of candidates to leave out, from lines of standard input."""
    out = sys.stdout
    sys.stdout = sys.stderr
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, _stop)
    socket.socket.connect = _no_network  # weights that constructors ask for
    ts.background_compilation(False)
    for setup in sys.argv[1:]:
        importlib.import_module(setup)
    for line in sys.stdin:
        request = json.loads(line)
        for record in _records(request["module"], set(request["without"])):
            print(json.dumps(record), file=out, flush=True)
        print(json.dumps({"done": request["module"]}), file=out, flush=True)


def _records(module: str, without: set[str]) -> Iterator[dict[str, Any]]:
    try:
        found = _candidates(module)
    except BaseException as error:
        yield {"module": module, "import": f"{type(error).__name__}: {error}"[:300]}
        return
    for candidate in found:
        if candidate.name in without:
            continue
        yield {"begin": candidate.name, "kind": candidate.kind}
        made = _within_time(candidate)
        yield {"name": candidate.name, "kind": candidate.kind, **vars(made)}


def _within_time(candidate: Candidate) -> Outcome:
    signal.alarm(SECONDS)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return outcome(candidate)
    except _TooLong:
        return Outcome("fails", "takes too long: " + traceback.format_exc(limit=-3)[:500])
    except BaseException as error:
        return Outcome("no program", f"survey: {type(error).__name__}: {error}"[:300])
    finally:
        signal.alarm(0)


if __name__ == "__main__":
    main()
