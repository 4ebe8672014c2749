"""Write test/archives: what torch.jit.save makes of the modules in test/samples/archive_modules.py. Needs PyTorch.

Each archive holds, as the extra file expected.json, what PyTorch gives for calls of the module that it loads from it. Names of samples
as arguments: only these.
"""

import io
import json
import sys
import warnings
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from samples.archive_modules import SAMPLES  # noqa: E402
from support import archives  # noqa: E402


def to_argument(array, memo):
    return memo.setdefault(id(array), torch.from_numpy(array))


def to_numpy(value):
    return value.detach().numpy() if isinstance(value, torch.Tensor) else None


def expected(data: bytes, calls) -> dict:
    with torch.jit.optimized_execution(False), torch.no_grad():  # pyright: ignore[reportPrivateImportUsage]
        return archives.record_of(
            lambda: torch.jit.load(io.BytesIO(data)), calls, to_argument, to_numpy
        )


def write(name: str) -> None:
    sample = SAMPLES[name]
    torch.manual_seed(0)
    module = sample.make()
    buffer = io.BytesIO()
    torch.jit.save(module, buffer)
    record = json.dumps(expected(buffer.getvalue(), sample.calls))
    path = archives.FOLDER / f"{name}.pt"
    torch.jit.save(module, str(path), _extra_files={"expected.json": record})


class Mobile(torch.nn.Module):
    """What test/archives/mobile.ptl holds; test_load.py has its results."""

    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(2, 2)
        with torch.no_grad():
            self.fc.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, -4.0]]))
            self.fc.bias.copy_(torch.tensor([0.5, -1.0]))

    def forward(self, x: torch.Tensor, n: int = 2):
        for _ in range(n):
            x = torch.relu(self.fc(x)) + 1
        return x


def main() -> None:
    warnings.simplefilter("ignore")
    chosen = sys.argv[1:] or list(SAMPLES)
    for name in chosen:
        try:
            write(name)
        except Exception as error:
            raise SystemExit(f"{name}: {error}") from error
    torch.jit.script(Mobile())._save_for_lite_interpreter(str(archives.FOLDER / "mobile.ptl"))
    size = sum(path.stat().st_size for path in archives.FOLDER.glob("*.pt"))
    print(f"{len(chosen)} archives, {size} bytes in all")


if __name__ == "__main__":
    main()
