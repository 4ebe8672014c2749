"""Write test/archives: what torch.jit.save makes of the modules in test/samples/archive_modules.py. Needs PyTorch.

Each archive holds, as the extra file expected.json, what PyTorch gives for calls of the module that it loads from it. Names of samples
as arguments: only these.
"""

import io
import json
import sys
import warnings
import zipfile
from pathlib import Path

import numpy as np
import torch
from torch.jit.mobile import _backport_for_mobile_to_buffer

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


class Machine(torch.nn.Module):
    """Every instruction of bytecode but calls, for test/archives/bytecode_*.ptl."""

    last: torch.Tensor | None

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2)])
        self.calls = 0
        self.last = None
        self.names = torch.jit.Attribute([], list[str])
        self.shift = torch.nn.Parameter(torch.ones(2))

    def _first(self, sizes: list[int], above: int) -> int:
        for n, size in enumerate(sizes):
            if size > above:
                return n
        return -1

    def forward(self, x: torch.Tensor, n: int = 2, bias: torch.Tensor | None = None):
        self.calls += 1
        y = self.layers[0](x) + self.shift
        for i in range(n):
            y = y + i if i > 1 else y * 0.5
            if i > 4:
                break
        while bool(y.sum() > 3):
            y = y - 1
        if bias is not None and bias.dim() > 0:
            y = y + bias
        last = self.last
        if last is not None:
            y = y + last
        self.last = y
        if n > 9:
            raise RuntimeError(f"{n} is too many")
        parts = [y.relu() for _ in range(n)]
        table = {"sum": y.sum(), "n": torch.full([1], n / 2)}
        a, b = y.chunk(2, 1)
        names = self.names
        names.append(f"{n}{a.size(0)}")  # pyright: ignore[reportAttributeAccessIssue]
        pair = (a, b, len(parts), (n,))
        rows = torch.jit.annotate(list[list[float]], y.tolist())
        return (
            (pair[1:3], table["sum"], self._first([1, n, 5], 3), names, rows),
            (not y.is_cuda, y.dtype == torch.float32, y.to("cpu"), x is y, torch.tensor(n)),
        )


def without_source(data: bytes, extra: dict[str, str]) -> bytes:
    """A mobile archive less its source."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(out, "w") as left:
        for name in whole.namelist():
            if "/code/" not in name:
                left.writestr(name, whole.read(name))
        for name, text in extra.items():
            left.writestr(f"archive/extra/{name}", text)
    return out.getvalue()


def write_flat() -> None:
    """Archives in FlatBuffers: test/archives/flat_*.ptl."""
    for name in ("net", "generic", "dtypes", "quantized"):
        torch.manual_seed(0)
        module = SAMPLES[name].make()
        buffer = io.BytesIO()
        torch.jit.save(module, buffer)
        record = json.dumps(expected(buffer.getvalue(), SAMPLES[name].calls) | {"texts": {}})
        path = archives.FOLDER / f"flat_{name}.ptl"
        torch.jit.save_jit_module_to_flatbuffer(  # pyright: ignore[reportPrivateImportUsage]
            module, str(path), _extra_files={"expected.json": record}
        )
        print(f"{path.name}: {path.stat().st_size} bytes")


def write_bytecode() -> None:
    x = np.array([[1.0, -2.0], [0.5, 0.25]], np.float32)
    calls = [(x, 0), (x, 2, x[:1]), (x, 7, np.ones((), np.float32)), (x, 12)]
    torch.manual_seed(0)
    samples = {
        "machine": (torch.jit.script(Machine()), [("forward", args) for args in calls], (4, 6, 8)),
        "quantized": (SAMPLES["quantized"].make(), SAMPLES["quantized"].calls, (8,)),
    }
    for name, (module, chosen, versions) in samples.items():
        buffer = io.BytesIO()
        torch.jit.save(module, buffer)
        record = json.dumps(expected(buffer.getvalue(), chosen) | {"texts": {}})
        newest = module._save_to_buffer_for_lite_interpreter()
        for version in versions:
            data = newest
            if version != 8:
                data = _backport_for_mobile_to_buffer(io.BytesIO(newest), version)
            path = archives.FOLDER / f"bytecode_{name}_{version}.ptl"
            path.write_bytes(without_source(data, {"expected.json": record}))


def main() -> None:
    warnings.simplefilter("ignore")
    chosen = sys.argv[1:] or list(SAMPLES)
    for name in chosen:
        try:
            write(name)
        except Exception as error:
            raise SystemExit(f"{name}: {error}") from error
    torch.jit.script(Mobile())._save_for_lite_interpreter(str(archives.FOLDER / "mobile.ptl"))
    write_bytecode()
    write_flat()
    size = sum(path.stat().st_size for path in archives.FOLDER.glob("*.pt"))
    print(f"{len(chosen)} archives, {size} bytes in all")


if __name__ == "__main__":
    main()
