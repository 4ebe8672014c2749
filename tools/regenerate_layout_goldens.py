"""Write test/golden/layouts.json: what PyTorch gives for expressions over sparse, nested and packed tensors. Needs PyTorch."""

import json
import runpy
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

import torch  # noqa: E402

from support.layout_golden import as_json, evaluate, names_of  # noqa: E402
from support.sparse import ours  # noqa: E402

SUITES = ("sparse", "nested", "quantized_packing", "seldom_used")


def _as_ours(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return ours(value)
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        return [_as_ours(item) for item in value]
    return value


def described() -> dict[str, Any]:
    """For each suite what its expressions are over, and their results; without those that PyTorch has no kernel for."""
    found: dict[str, Any] = {}
    for suite in SUITES:
        module = runpy.run_path(str(ROOT / "test" / "oracle" / f"test_{suite}.py"))
        texts = [
            text.strip()
            for line in module["EXPRESSIONS"].strip().splitlines()
            for text in line.split(";")
        ]
        names = names_of(module["SETUP"], torch)
        results = [(text, evaluate(names, text)) for text in texts]
        kept = [
            [text, as_json(_as_ours(value))]
            for text, value in results
            if not isinstance(value, NotImplementedError)
        ]
        found[suite] = {"setup": module["SETUP"], "results": kept}
    return found


def main() -> None:
    lines: list[str] = []
    for suite, told in described().items():
        rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in told["results"])
        lines.append(
            f'{json.dumps(suite)}: {{"setup": {json.dumps(told["setup"])}, "results": [\n{rows}\n]}}'
        )
    target = ROOT / "test" / "golden" / "layouts.json"
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(lines)} suites in {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
