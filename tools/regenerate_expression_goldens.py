"""Write test/golden/expressions.json: what PyTorch makes of expressions of hard values. Needs PyTorch."""

import json
import math  # noqa: F401  (PyTorch finds it here)
import sys
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

import torch  # noqa: E402

from samples.golden import as_json  # noqa: E402
from support.value_expressions import cases, compiled, outcome  # noqa: E402


def in_pytorch(text: str) -> Any:
    """Compiled here, where `torch` and `math` are names."""
    return torch.jit.CompilationUnit(text)


def main() -> None:
    warnings.simplefilter("ignore")
    lines: list[str] = []
    for case in cases():
        function = compiled(case, in_pytorch)
        results = [outcome(function, arguments) for arguments in case.calls]
        pairs = [
            [as_json(arguments), as_json(result)]
            for arguments, result in zip(case.calls, results, strict=True)
            if not isinstance(result, UnicodeDecodeError)
        ]
        lines.append(json.dumps([case.signature, case.expression, pairs], separators=(",", ":")))
    target = ROOT / "test" / "golden" / "expressions.json"
    target.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(f"{len(lines)} functions in {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
