#!/usr/bin/env python3
"""Writes docs/passes.md: every pass with its contract, its options, the pipelines that have it, and an example.

The contract is the docstring of the pass's file, and of its class. The example is the first of the pass's lit test, run by what its
RUN line names before the pass, and then by the pass.
"""

import ast
import dataclasses
import inspect
import io
import re
import sys
import tempfile
from contextlib import redirect_stdout
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from xdsl.passes import ModulePass  # noqa: E402

from lowering import pipelines as lowering_lists  # noqa: E402
from lowering.universe import LOWERING_UNIVERSE  # noqa: E402
from torchscript_dialect.cli.ts_opt import main as ts_opt  # noqa: E402
from torchscript_dialect.passes.lists import PassLists  # noqa: E402
from torchscript_dialect.passes.named import pipeline  # noqa: E402
from torchscript_dialect.passes.table import PASS_FOLDERS, own_passes  # noqa: E402
from torchscript_dialect.transforms import pipelines as lists  # noqa: E402

OTHER_TESTS = {
    "ts-expand-math": "test/lowering/math/exponential.mlir",
    "ts-convert-to-ssa": "test/frontend/python/convert_to_ssa.py",
    "ts-use-saving-forms": "test/patterns/saving_forms.ts",
}
"""Where the lit test of a pass is, if not in a file of its name."""
WITHOUT_HOST = {
    "linalg-to-llvm": lowering_lists.LINALG_TO_LLVM,
    "loops-to-llvm": lowering_lists.LOOPS_TO_LLVM,
}
"""Pipelines without the options that suit the processor of whoever writes the document."""
LONGEST = 40
"""Lines of an example; of a longer one the middle is left out."""
HEAD = """\
# Passes

Written by `tools/generate_pass_docs.py`; a test compares it with what the passes do. Each pass is its file: `transforms/x_y.py` is
`ts-x-y`. `ts-opt -p` and `ts.PassPipeline` take their names, with options in braces: `ts-constant-propagation{immutable-types=true}`.

## Pipelines

"""


def passes() -> dict[str, type[ModulePass]]:
    """The passes of this project, by name."""
    found = {**own_passes(), **LOWERING_UNIVERSE.all_passes}
    return {name: load() for name, load in found.items()}


def document() -> str:
    """The text of docs/passes.md."""
    parts = [HEAD, *map(_pipeline_line, PassLists())]
    titles = {f"torchscript_dialect/{folder}": folder for folder in PASS_FOLDERS}
    by_folder: dict[str, list[type[ModulePass]]] = {folder: [] for folder in titles}
    for class_ in passes().values():
        folder = Path(inspect.getfile(class_)).relative_to(ROOT).parent.as_posix()
        by_folder.setdefault(folder, []).append(class_)
    for folder, classes in by_folder.items():
        parts.append(f"\n## {folder}\n")
        parts += [_section(class_) for class_ in classes]
    return "".join(parts)


def _pipeline_line(name: str) -> str:
    constant = name.upper().replace("-", "_")
    files = (lists.__file__, lowering_lists.__file__)
    why = next(
        docs[constant] for file in files if constant in (docs := _attribute_docs(Path(file)))
    )
    names = WITHOUT_HOST.get(name) or str(pipeline(PassLists(), name)).split(",")
    text = ", ".join(f"`{one}`" for one in names)
    return f"- **{name}**: {_one_line(why)} {text}\n"


def _section(class_: type[ModulePass]) -> str:
    contract = inspect.cleandoc(sys.modules[class_.__module__].__doc__ or "")
    parts = [f"\n### {class_.name}\n\n{contract}\n"]
    own = inspect.cleandoc(class_.__doc__ or "")
    if own and not own.startswith((f"{class_.__name__}(", "See the module")):
        parts.append(f"\n{own}\n")
    parts += _options(class_)
    having = pipelines_with(class_)
    if having:
        parts.append(f"\nPipelines: {', '.join(having)}.\n")
    before, after, language = example(class_)
    parts.append(f"\n```{language}\n{before}```\n\nbecomes\n\n```{language}\n{after}```\n")
    return "".join(parts)


def pipelines_with(class_: type[ModulePass]) -> list[str]:
    """The names of the pipelines that have a pass."""
    return [
        name
        for name in PassLists()
        if any(isinstance(one, class_) for one in pipeline(PassLists(), name).passes)
    ]


def _options(class_: type[ModulePass]) -> list[str]:
    docs = _attribute_docs(Path(inspect.getfile(class_)))
    fields: list[Any] = list(dataclasses.fields(class_))
    lines = [
        f"- `{field.name.replace('_', '-')}={str(field.default).lower()}`:"
        f" {_one_line(docs.get(field.name, ''))}\n"
        for field in fields
    ]
    return ["\n", *lines] if lines else []


def _attribute_docs(file: Path) -> dict[str, str]:
    """The strings that stand after assignments in a file, by what is assigned to."""
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(file.read_text())):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for statement, following in pairwise(body):
            target = getattr(statement, "target", None) or next(
                iter(getattr(statement, "targets", ())), None
            )
            value = following.value if isinstance(following, ast.Expr) else None
            if isinstance(target, ast.Name) and isinstance(value, ast.Constant):
                found[target.id] = str(value.value)
    return found


def _one_line(text: str) -> str:
    return " ".join(text.split())


def test_of(name: str) -> Path:
    """The lit test of a pass."""
    if name in OTHER_TESTS:
        return ROOT / OTHER_TESTS[name]
    stem = name.removeprefix("ts-").replace("-", "_")
    folders = ("transforms", *PASS_FOLDERS[1:], "lowering")
    found = [file for folder in folders for file in (ROOT / "test" / folder).rglob(f"{stem}.*")]
    if not found:
        raise FileNotFoundError(f"the pass {name} has no lit test {stem}.*")
    return found[0]


def example(class_: type[ModulePass]) -> tuple[str, str, str]:
    """What a pass is given, what it makes of it, and the language of both."""
    file = test_of(class_.name)
    run, code = _first_case(file, class_.name)
    earlier, is_there, _ = run.partition(class_.name)
    if not is_there:
        raise ValueError(f"{file}: no RUN line names {class_.name}")
    is_low = "lowering" in class_.__module__
    options = ["--emit-only"] if file.suffix == ".py" else []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, f"example{file.suffix}")
        source.write_text(code)
        before = _printed([*options, "-p", earlier.rstrip(","), str(source)], is_low)
        after = _printed([*options, "-p", earlier + class_.name, str(source)], is_low)
    return _shortened(before), _shortened(after), "mlir" if is_low else "text"


def _first_case(file: Path, name: str) -> tuple[str, str]:
    """The passes of the first RUN line that names the pass, and the first program after it; of Python source, all of it."""
    text = file.read_text()
    runs = re.findall(r"RUN: .*?-p \"?([\w,{}=-]+)", text)
    run = next((one for one in runs if re.search(rf"\b{name}(?![\w-])", one)), "")
    marks = re.compile(r"\s*(#(?!-\}|[\w ]*= affine)|//)")
    head: list[str] = []
    is_source = file.suffix == ".py"
    for part in [text] if is_source else re.split(r"\n\s*\n|\n// -----\n", text):
        lines = [line for line in part.splitlines() if not marks.match(line)]
        if lines and all(line.startswith("#") for line in lines):
            head += lines  # names of attributes, for what follows
        elif lines:
            return run, "\n".join([*head, *lines, ""])
    raise ValueError("there is no program")


def _printed(arguments: list[str], is_low: bool) -> str:
    stream = io.StringIO()
    with redirect_stdout(stream):
        status = ts_opt([*arguments, "-t", "mlir" if is_low else "torchscript"])
    if status:
        raise ValueError(f"ts-opt {' '.join(arguments)} failed")
    place = re.escape(str(Path(arguments[-1]).parent))
    return re.sub(rf" # {place}/example(\.\w+:\d+:\d+)", "", stream.getvalue()).strip() + "\n"


def _shortened(text: str) -> str:
    lines = text.splitlines()
    if len(lines) > LONGEST:
        lines = [*lines[: LONGEST - 6], "...", *lines[-5:]]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    (ROOT / "docs" / "passes.md").write_text(document())
