"""The strict list of the pairs that do not agree: `entry dtype,dtype: reason`, one line for each reason."""

from collections.abc import Mapping
from pathlib import Path

Pair = tuple[str, str]

_FOLDER = Path(__file__).resolve().parents[2] / "oracle"
PAIRS, ERRORS = _FOLDER / "op_db_disagreements.txt", _FOLDER / "op_db_error_disagreements.txt"
GRADIENTS = _FOLDER / "op_db_gradient_disagreements.txt"
SECOND_GRADIENTS = _FOLDER / "op_db_second_gradient_disagreements.txt"
SECOND_GRADIENTS_HEADER = """\
# The entries of PyTorch's operator database whose gradients of gradients do not agree with ours in full, by dtype, with the reason.
# A pair that is here and agrees is a failure, too: `python tools/op_db.py --gradients 2 --update` takes it out.
"""
GRADIENTS_HEADER = """\
# The entries of PyTorch's operator database whose gradients do not agree with ours in full, by dtype, with the reason.
# A pair that is here and agrees is a failure, too: `python tools/op_db.py --gradients --update` takes it out.
"""
ERRORS_HEADER = """\
# The entries of PyTorch's operator database of whose wrong calls (`error_inputs`) some are not refused here as there, with the reason.
# An entry that is here and agrees is a failure, too: `python tools/op_db.py --errors --update` takes it out.
"""
HEADER = """\
# The entries of PyTorch's operator database that do not agree with ours in full, by dtype, with the reason.
# A pair that is here and agrees is a failure, too: `python tools/op_db.py --update` takes it out.
"""


def read(path: Path = PAIRS) -> dict[Pair, str]:
    """The reason of every pair in a list."""
    found: dict[Pair, str] = {}
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        pair, _, reason = line.partition(": ")
        entry, _, dtypes = pair.rpartition(" ")
        found.update({(entry, dtype): reason for dtype in dtypes.split(",")})
    return found


def write(reasons: Mapping[Pair, str], path: Path = PAIRS) -> None:
    """Replace a list."""
    lines: dict[tuple[str, str], list[str]] = {}
    for (entry, dtype), reason in sorted(reasons.items()):
        lines.setdefault((entry, reason), []).append(dtype)
    texts = [f"{entry} {','.join(dtypes)}: {reason}\n" for (entry, reason), dtypes in lines.items()]
    headers = {
        PAIRS: HEADER,
        ERRORS: ERRORS_HEADER,
        GRADIENTS: GRADIENTS_HEADER,
        SECOND_GRADIENTS: SECOND_GRADIENTS_HEADER,
    }
    path.write_text(headers[path] + "".join(texts))
