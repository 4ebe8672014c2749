#!/usr/bin/env python3
"""Holds our operators against PyTorch's operator database. Needs PyTorch and expecttest.

    python tools/op_db.py [--entries NAME ...] [--dtypes NAME ...] [--shard I/N] [--samples N] [--errors]
        [--gradients [ORDER]] [--report] [--verbose] [--update]

Every sample of every entry, in its dtypes, layouts and variants, runs here and in PyTorch. The status is 1 where a pair (entry, dtype)
is not as test/oracle/op_db_disagreements.txt says. `--report` counts what differs, by reason; `--verbose` prints every difference;
`--update` takes out of the list what agrees and puts in what does not; a reason that stands there stays. `--errors` runs the calls that
PyTorch refuses, instead: the list is op_db_error_disagreements.txt. `--gradients` compares gradients in float64 and complex128, of
all samples unless told otherwise: the list is op_db_gradient_disagreements.txt; `--gradients 2` those of the gradients, of twelve
samples, where it is op_db_second_gradient_disagreements.txt. `--entries` takes patterns (`linalg.*`), `--shard 0/2` every second pair.
"""

import argparse
import sys
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from support.op_db import errors, gradients, known  # noqa: E402
from support.op_db.pairs import DTYPES, Outcome, against_list, outcome, pairs  # noqa: E402


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--entries", nargs="+", default=["*"])
    parser.add_argument("--dtypes", nargs="+")
    parser.add_argument("--shard", default="0/1")
    parser.add_argument("--samples", type=int)
    for flag in ("--report", "--verbose", "--errors", "--update"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument(
        "--gradients", type=int, nargs="?", const=1, choices=(1, 2), metavar="ORDER"
    )
    return parser.parse_args()


def report(outcomes: list[Outcome]) -> None:
    """What differs, by reason, the most frequent first; and how many pairs agree."""
    reasons = Counter(found.reason for found in outcomes if not found.agrees)
    examples = {found.reason: found.entry for found in outcomes if not found.agrees}
    for reason, count in reasons.most_common():
        print(f"{count:5}  {reason}  ({examples[reason]})")


def main() -> int:
    """Run the pairs that were asked for; the exit status."""
    options = arguments()
    part, parts = map(int, options.shard.split("/"))
    path, dtypes, everything = known.PAIRS, options.dtypes or DTYPES, pairs()
    if options.errors:
        path, dtypes = known.ERRORS, ["errors"]
        everything = [(name, "errors") for name in errors.names()]
    elif options.gradients:
        path = known.GRADIENTS if options.gradients == 1 else known.SECOND_GRADIENTS
        dtypes = options.dtypes or gradients.DTYPES
        everything = gradients.pairs(options.gradients)
    chosen = [
        (name, dtype)
        for name, dtype in everything[part::parts]
        if dtype in dtypes and any(fnmatch(name, pattern) for pattern in options.entries)
    ]
    outcomes: list[Outcome] = []
    for name, dtype in chosen:
        if options.errors:
            found = errors.outcome(name)
        elif options.gradients:
            found = gradients.outcome(name, dtype, options.samples, options.gradients)
        else:
            found = outcome(name, dtype, options.samples)
        outcomes.append(found)
        if options.verbose:
            for difference in found.differences or ["agrees"]:
                print(f"{name} {dtype}: {difference}", flush=True)
    if options.report:
        report(outcomes)
    agreeing = sum(found.agrees for found in outcomes)
    calls = sum(found.calls for found in outcomes)
    print(f"{agreeing} of {len(outcomes)} pairs agree, {calls} calls")
    reasons = known.read(path)
    if options.update:
        for found in outcomes:
            pair = (found.entry, found.dtype)
            if found.agrees:
                reasons.pop(pair, None)
            else:
                reasons.setdefault(pair, found.reason)
        known.write(reasons, path)
        return 0
    wrong = against_list(outcomes, reasons)
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
