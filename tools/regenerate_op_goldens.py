"""Write test/golden/ops.json: PyTorch's results on the first samples of each operator. Needs PyTorch."""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from samples import golden, torch_side  # noqa: E402
from samples.exceptions import DIFFERENT  # noqa: E402
from torchscript_dialect.ops import registry  # noqa: E402


def main() -> None:
    """One line for each operator, so that differences read well."""
    lines: list[str] = []
    for name in sorted(name for name, _ in registry.attached()):
        operator = registry.find(name)
        if name in DIFFERENT or name in torch_side.UNREACHABLE:
            continue
        if operator is None or operator.kernel is None:
            continue
        described = golden.describe(name)
        if described is not None:
            lines.append(f"{json.dumps(name)}: {json.dumps(described, separators=(',', ':'))}")
    target = ROOT / "test" / "golden" / "ops.json"
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(lines)} operators in {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
