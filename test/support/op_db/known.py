"""The strict list of the pairs that do not agree: `entry dtype,dtype: reason`, one line for each reason."""

from collections.abc import Mapping
from pathlib import Path

Pair = tuple[str, str]

PATH = Path(__file__).resolve().parents[2] / "oracle" / "op_db_disagreements.txt"
HEADER = """\
# The entries of PyTorch's operator database that do not agree with ours in full, by dtype, with the reason.
# A pair that is here and agrees is a failure, too: `python tools/op_db.py --update` takes it out.
"""


def read() -> dict[Pair, str]:
    """The reason of every pair in the list."""
    found: dict[Pair, str] = {}
    for line in PATH.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        pair, _, reason = line.partition(": ")
        entry, _, dtypes = pair.rpartition(" ")
        found.update({(entry, dtype): reason for dtype in dtypes.split(",")})
    return found


def write(reasons: Mapping[Pair, str]) -> None:
    """Replace the list."""
    lines: dict[tuple[str, str], list[str]] = {}
    for (entry, dtype), reason in sorted(reasons.items()):
        lines.setdefault((entry, reason), []).append(dtype)
    texts = [f"{entry} {','.join(dtypes)}: {reason}\n" for (entry, reason), dtypes in lines.items()]
    PATH.write_text(HEADER + "".join(texts))
