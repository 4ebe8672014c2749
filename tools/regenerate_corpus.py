#!/usr/bin/env python3
"""Writes test/golden/frontend/corpus/<area>.json from PyTorch: graphs, code, schemas and results of the corpus.

    python tools/regenerate_corpus.py [AREA ...]

PyTorch must be installed. A program that PyTorch rejects is an error: it does not belong into the corpus.
"""

import argparse
import json
import sys
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from support import corpus  # noqa: E402
from support.canonical import canonical, without_mangling  # noqa: E402


def to_text(records: dict[str, Any]) -> str:
    """JSON in which graphs and calls are one line each."""
    parts: list[str] = []
    for name, record in records.items():
        lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in record.items()]
        parts.append(f" {json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def describe(program: corpus.Program) -> corpus.Record:
    """The record of one program."""
    import torch

    scripted = torch.jit.script(program.make())
    is_module = isinstance(scripted, torch.jit.ScriptModule)
    methods = scripted._c._method_names() if is_module else []
    texts: dict[str, Any] = {}
    for name in methods or [""]:
        method = scripted._c._get_method(name) if methods else scripted
        file = f"{program.area}.py"
        texts[name or program.name] = {
            "graph": canonical(str(method.graph), file),
            "inlined": canonical(str(method.inlined_graph), file, any_order_of_constants=True),
            "code": without_mangling(method.code),
            "schema": without_mangling(str(method.schema)),
        }
    return {"texts": texts}


def describe_calls(program: corpus.Program) -> list[corpus.Record]:
    """The records of its calls."""
    import torch

    scripted = torch.jit.script(program.make())
    return [run(program, scripted, one) for one in program.cases]


def run(program: corpus.Program, scripted: Any, one: corpus.Case) -> corpus.Record:
    """The record of one call, without PyTorch's own optimizer, whose fused results have other strides."""
    import torch

    def to_argument(array: Any, memo: dict[int, Any]) -> Any:
        return memo.setdefault(id(array), torch.from_numpy(array))

    def to_numpy(value: Any) -> Any:
        return value.detach().resolve_conj().numpy() if isinstance(value, torch.Tensor) else None

    if isinstance(scripted, torch.jit.ScriptModule):
        scripted = getattr(torch.jit.script(program.make()), one.method)
    with torch.jit.optimized_execution(False):  # pyright: ignore[reportPrivateImportUsage]
        return corpus.call(scripted, one, to_argument, to_numpy)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("areas", nargs="*", metavar="AREA")
    areas = parser.parse_args().areas or corpus.areas()
    warnings.simplefilter("ignore")  # torch.jit announces its retirement
    corpus.GOLDEN.mkdir(parents=True, exist_ok=True)
    rejected = total = 0
    for area in areas:
        records: dict[str, Any] = {}
        programs = corpus.load(area, "torch")
        for name, program in programs.items():
            try:
                assert len(program.cases) >= 2, "a program needs two cases"
                records[name] = describe(program)
            except Exception as error:
                rejected += 1
                print(f"{area}.{name}: {type(error).__name__}: {error}\n", file=sys.stderr)
        # Only now: PyTorch inlines less once something has run without its optimizer.
        for name, record in records.items():
            record["calls"] = describe_calls(programs[name])
        failing = sum("error" in one for record in records.values() for one in record["calls"])
        total += len(records)
        print(f"{area}: {len(records)} programs, {failing} calls that fail")
        (corpus.GOLDEN / f"{area}.json").write_text(to_text(records))
    print(f"{total} programs, {rejected} rejected")
    return int(rejected > 0)


if __name__ == "__main__":
    sys.exit(main())
