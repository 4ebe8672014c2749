"""Write test/golden/values.json: what PyTorch makes of random calls of operators of strings, numbers and containers. Needs
PyTorch. The calls are stored too, so that the file says something whatever is called later.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from samples import torch_side  # noqa: E402
from support import random_values  # noqa: E402
from torchscript_dialect.ops import registry  # noqa: E402

COUNT = 2500


def main() -> None:
    lines: list[str] = []
    for name, arguments in random_values.calls(COUNT, seed=0):
        result, after = torch_side.run(registry.find(name), lambda given=arguments: given)
        if not isinstance(result, UnicodeDecodeError):
            lines.append(random_values.golden_line(name, arguments, result, after))
    target = ROOT / "test" / "golden" / "values.json"
    target.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(f"{len(lines)} calls in {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
