"""Prints how long a call takes in each system, and how many times ours is faster.

    python -m benchmarks.run [--programs tanh ...] [--peers ours jax ...] [--rounds N] [--json FILE]

Every system that is installed takes part, in one process: inputs prepared for each, each warmed up,
results checked against NumPy's, then rounds in which all take turns; the table shows medians.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from benchmarks.harness import Measured, measure
from benchmarks.peers import PEERS
from benchmarks.workloads import workloads


def micro(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1e6:.2f}"


def row(measured: Measured, peers: list[str]) -> list[str]:
    """Microseconds of each system, then the best other system, then its time over ours."""
    workload = measured.workload
    medians = {peer: median for peer in peers if (median := measured.median(peer)) is not None}
    others = {peer: median for peer, median in medians.items() if peer != "ours"}
    best = min(others, key=others.__getitem__) if others else None
    ours = medians.get("ours")
    ratio = f"{others[best] / ours:.2f}" if best and ours else "-"
    times = [micro(medians.get(peer)) for peer in peers]
    return [workload.program, workload.size, *times, best or "-", ratio]


def ratios(measured: Measured, peers: list[str]) -> list[str]:
    """Time of each system over ours; over the best one's where ours did not run."""
    medians = {peer: median for peer in peers if (median := measured.median(peer)) is not None}
    base = medians.get("ours", min(medians.values(), default=1.0))
    shown = [f"{medians[peer] / base:.2f}" if peer in medians else "-" for peer in peers]
    return [measured.workload.program, measured.workload.size, *shown]


def table(head: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(line[i]) for line in [head, *rows]) for i in range(len(head))]
    lines = [
        "  ".join(
            cell.ljust(width) if i < 2 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in [head, *rows]
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def main() -> int:
    programs = sorted({workload.program for workload in workloads()})
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", nargs="+", choices=programs, default=programs)
    parser.add_argument("--peers", nargs="+", choices=list(PEERS), default=list(PEERS))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path, help="also write all measurements to this file")
    options = parser.parse_args()
    peers = [peer for peer in PEERS if peer in options.peers and PEERS[peer].installed]
    measurements: list[Measured] = []
    for workload in workloads():
        if workload.program not in options.programs:
            continue
        measured = measure(workload, peers, options.rounds)
        measurements.append(measured)
        print(f"{workload.program} {workload.size}: done", file=sys.stderr)
        for peer, reason in measured.left_out.items():
            print(f"  left out {peer}: {reason}", file=sys.stderr)
    print(f"microseconds per call, medians of {options.rounds} rounds, {os.cpu_count()} CPUs")
    head = ["program", "size", *peers]
    print(table([*head, "best other", "best/ours"], [row(m, peers) for m in measurements]))
    print("\ntime over ours (over the fastest where ours did not run)")
    print(table(head, [ratios(m, peers) for m in measurements]))
    if options.json:
        data = [
            {"program": m.workload.program, "size": m.workload.size, "seconds": m.seconds}
            for m in measurements
        ]
        options.json.write_text(json.dumps(data, indent=1) + "\n")
    failed = [m for m in measurements if "ours" in m.left_out]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
