"""Write what PyTorch gives for the calls of models. Needs PyTorch.

test/golden/models.json is of those in test/samples/models.py, test/golden/published_models.json of those in test/models.
"""

import json
import sys
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from samples import golden, models, torch_side  # noqa: E402
from support import models as published  # noqa: E402


def main() -> None:
    samples()
    published_models()


def published_models() -> None:
    """For each file and call a summary of the result."""
    found = {}
    for name in published.names():
        file = published.load(name, "torch")
        model = torch.jit.script(published.make(file))
        with torch.no_grad(), torch.jit.optimized_execution(False):  # pyright: ignore[reportPrivateImportUsage]
            calls = [published.convert(call, torch.from_numpy) for call in file.CALLS]
            found[name] = [published.summary(model(*call)) for call in calls]
    lines = [f"{json.dumps(name)}: {json.dumps(calls)}" for name, calls in found.items()]
    published.GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(found)} models in {published.GOLDEN.relative_to(ROOT)}")


def samples() -> None:
    """For each model and call the result and, after it, the arguments that it wrote to."""
    found = {}
    for name, source in models.MODELS.items():
        function = getattr(torch.jit.CompilationUnit(source), name)
        memo = {}
        calls = []
        for arguments in models.arguments(name):
            operands = [torch_side.theirs(value, memo) for value in arguments]
            before = [value.copy() for value in arguments if hasattr(value, "copy")]
            result = function(*operands)
            written = [
                golden.as_json(torch_side.plain(operand))
                for operand, old in zip(operands, before)
                if (operand.numpy() != old).any()
            ]
            calls.append({"result": golden.as_json(torch_side.plain(result)), "written": written})
        found[name] = calls
    target = ROOT / "test" / "golden" / "models.json"
    lines = [f"{json.dumps(name)}: {json.dumps(calls)}" for name, calls in found.items()]
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(found)} models in {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
