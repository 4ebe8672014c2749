"""The programs of test/frontend/graphs/Inputs as texts, with the graphs and errors that PyTorch makes of them.

`python test/support/frontend_graphs.py`, where PyTorch is installed, writes the golden files anew.
"""

import ast
import importlib.util
import json
import sys
from pathlib import Path

from support.canonical import canonical

ROOT = Path(__file__).parent.parent
PROGRAMS = ROOT / "frontend" / "graphs" / "Inputs"
GOLDEN = ROOT / "golden" / "frontend"


def programs() -> list[tuple[Path, str, str]]:
    """File, function name, and the text of the file with no other function, lines kept."""
    found: list[tuple[Path, str, str]] = []
    for path in sorted(PROGRAMS.glob("*.py")):
        lines = path.read_text().splitlines(keepends=True)
        functions = [
            node for node in ast.parse("".join(lines)).body if isinstance(node, ast.FunctionDef)
        ]
        for node in functions:
            kept = range(node.lineno - 1, node.end_lineno or len(lines))
            text = "".join(line if at in kept else "\n" for at, line in enumerate(lines))
            found.append((path, node.name, text))
    return found


def error_text(error: Exception) -> str:
    """The first line of an error's message, and where it is."""
    lines = [line for line in str(error).strip().splitlines() if line.strip()]
    place = next((line.rpartition("line ")[2] for line in lines if line.startswith("  File ")), "")
    return f"ERROR {lines[0].rstrip(':')} at line {place}\n"


def regenerate() -> None:
    """Write what PyTorch makes of each program."""
    import torch

    GOLDEN.mkdir(parents=True, exist_ok=True)
    for path in sorted(PROGRAMS.glob("*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
        texts: dict[str, str] = {}
        for where, name, _ in programs():
            if where != path:
                continue
            try:
                texts[name] = canonical(
                    str(torch.jit.script(getattr(module, name)).graph), path.name
                )
            except Exception as error:
                texts[name] = error_text(error)
        (GOLDEN / f"{path.stem}.json").write_text(json.dumps(texts, indent=1) + "\n")


if __name__ == "__main__":
    regenerate()
