"""Gives hostile inputs to `ts-opt` and `ts-run` in a process of its own, in which Python audits what is touched.

`python hostile_input_runner.py FOLDER` writes a line of JSON a case: what the tool told, its exit status, seconds of the CPU, how much
memory the process grew, and the audited events.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import signal
import sys
import time
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from support.hostile_inputs import Case, cases
from torchscript_dialect.cli import ts_opt, ts_run

MEMORY = 3 << 30
SECONDS = 30.0
"""Of the CPU, after which a call is stopped: it hangs."""

TOUCHING = (
    *("os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "subprocess.Popen", "pty.spawn"),
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.truncate"),
    *("socket.connect", "socket.bind", "socket.getaddrinfo", "urllib.Request", "shutil.rmtree"),
)  # fmt: skip
FUNCTION = "def f(x: int):\n    return x\n"


class Hangs(BaseException):
    pass


class Recorder:
    """Keeps what would touch anything."""

    def __init__(self) -> None:
        self.events: list[str] = []
        sys.addaudithook(self.hear)

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        is_write = event == "open" and bool(arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        if is_write or event in TOUCHING:
            self.events.append(f"{event} {str(arguments)[:200]}")


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def called(case: Case) -> tuple[int | str, str]:
    """The exit status of the tool, or what it raised, and what it told on standard error."""
    arguments = case.arguments
    if "--inspect" in arguments:
        arguments = ("--inspect", case.name)
    elif case.tool == "ts-opt" or case.name == "a.py" or case.name.endswith(".pt"):
        arguments = (case.name, *arguments)
    tool = ts_opt if case.tool == "ts-opt" else ts_run
    told = io.StringIO()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(told):
            status: int | str = tool.main(list(arguments))
    except BaseException as error:
        status = f"{type(error).__name__}: {str(error)[:300]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return status, told.getvalue()


def give_up(*_: object) -> None:
    raise Hangs


def main() -> None:
    os.chdir(sys.argv[1])
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGPROF, give_up)
    Path("f.py").write_text(FUNCTION)
    every = list(cases())
    called(every[0])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    recorder = Recorder()
    for case in every:
        Path(case.name).write_bytes(case.content)
        recorder.events.clear()
        memory, start = megabytes(), time.process_time()
        status, told = called(case)
        record = {
            "what": f"{case.what}: {case.tool} {case.name} {' '.join(case.arguments)}",
            "is_error": case.is_error,
            "status": status,
            "told": told[:4000],
            "length": len(told),
            "seconds": time.process_time() - start,
            "megabytes": megabytes() - memory,
            "events": list(recorder.events),
        }
        print(json.dumps(record), flush=True)
        Path(case.name).unlink()


if __name__ == "__main__":
    main()
