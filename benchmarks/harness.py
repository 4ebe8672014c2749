"""Times the same program in several systems in one process, in interleaved rounds.

A machine that other work slows down slows all systems down alike when they take turns, so ratios of
medians hold where single figures do not.
"""

import gc
import importlib
import random
import statistics
import time
import timeit
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.peers import PEERS, Args, Peer

SECONDS_PER_TURN = 0.01
WARM_UP_CALLS = 12
# Between turns, in seconds: worker threads of the system before spin for a while (OpenBLAS 25 ms).
SETTLE = 0.04


@dataclass(frozen=True)
class Workload:
    """One program on inputs of one size.

    build: for each system, what makes its function (called once, may import). arguments: the arrays
    and tuples of arrays of a call. tolerance: relative and absolute, of the check against NumPy.
    """

    program: str
    size: str
    build: Mapping[str, Callable[[], Callable[..., Any]]]
    arguments: Callable[[], Args]
    tolerance: float = 1e-4
    leave_out: tuple[str, ...] = ()


@dataclass
class Measured:
    """Seconds per call of each system, one entry for each round; and why a system has none."""

    workload: Workload
    seconds: dict[str, list[float]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    def median(self, peer: str) -> float | None:
        return statistics.median(self.seconds[peer]) if self.seconds.get(peer) else None


def _timer(peer: Peer, function: Callable[..., Any], args: Args) -> timeit.Timer:
    names = [f"a{i}" for i in range(len(args))]
    namespace: dict[str, Any] = dict(zip(names, args, strict=True), f=function)
    if peer.name == "jax":
        namespace["wait"] = importlib.import_module("jax").block_until_ready
    return timeit.Timer(peer.call.format(args=", ".join(names)), globals=namespace)


def _prepare(peer: Peer, workload: Workload, expected: list[np.ndarray]) -> timeit.Timer:
    """Builds, warms up and checks against `expected`; AssertionError where the results differ."""
    function = workload.build[peer.name]()
    args = peer.arguments(workload.arguments())
    result = None
    for _ in range(WARM_UP_CALLS):
        result = function(*args)
    results = peer.results(result)
    assert len(results) == len(expected), f"{len(results)} results instead of {len(expected)}"
    tolerance = workload.tolerance
    for got, want in zip(results, expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)
    return _timer(peer, function, args)


def _reason(error: BaseException) -> str:
    """The exception in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:140]


def measure(workload: Workload, peers: list[str], rounds: int) -> Measured:
    """Times `workload` in all `peers` that are installed and able; each takes one turn a round."""
    measured = Measured(workload)
    expected = PEERS["numpy"].results(workload.build["numpy"]()(*workload.arguments()))
    timers: dict[str, tuple[timeit.Timer, int]] = {}
    for name in peers:
        peer = PEERS[name]
        if name not in workload.build or name in workload.leave_out or not peer.installed:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                timer = _prepare(peer, workload, expected)
                once = min(timer.repeat(3, 1))
        except Exception as error:  # a system that fails is a row of the table, not its end
            measured.left_out[name] = _reason(error)
            continue
        timers[name] = (timer, max(1, round(SECONDS_PER_TURN / max(once, 1e-8))))
    rng = random.Random(0)
    order = list(timers)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            rng.shuffle(order)
            for name in order:
                timer, number = timers[name]
                time.sleep(SETTLE)
                timer.timeit(max(1, number // 10))
                seconds = timer.timeit(number) / number
                measured.seconds.setdefault(name, []).append(seconds)
    finally:
        if collecting:
            gc.enable()
    return measured
