"""The shape of the code base: which layer imports which, what an import loads, how long files are."""

import ast
import re
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGE = "torchscript_dialect"

LAYERS = tuple(
    "utils types tensor ops dialects serialization ir frontend analysis patterns backend transforms passes autodiff"
    " runtime autograd equivalence tracer api torch reducer universe cli".split()
)
FRONTEND = tuple("source unit sugared ir_emitter ssa define archive python compile".split())
FRONTEND_APART = {"ir_text", "passes", "__init__"}
"""What stands beside them: graph text, which shares nothing with source text, and the steps as passes."""
RUNTIME = tuple(
    "settings permissions admission native values specialization kernels interpreter executor".split()
)
RUNTIME_APART = {"cuda", "__init__"}
"""What stands beside them: devices, which are given kernels, and whose driver the interpreter asks."""
# The front door, which names all layers and loads each at its first use; only `cli` comes in by it.
ABOVE_ALL = {"__init__"}

# Libraries that only some files may import, and those only inside functions unless said otherwise.
LAZY = {
    "torch": (
        "torchscript_dialect/api/",
        "torchscript_dialect/frontend/",
        "torchscript_dialect/tensor/",
    ),
    "llvmlite": ("torchscript_dialect/utils/llvm.py",),
    "pycuda": ("torchscript_dialect/runtime/", "lowering/"),
}
UPSTREAM_LOWERING = {"llvm", "linalg", "vector", "memref"}

LONGEST_FILE = 650


@dataclass(frozen=True)
class Import:
    """One imported module, by its full dotted name."""

    file: Path
    line: int
    module: str
    at_module_level: bool

    @property
    def place(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line}: imports {self.module}"


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def _is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def _import_nodes(tree: ast.Module) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Import statements, with whether importing the file runs them."""
    waiting: list[tuple[ast.AST, bool]] = [
        (node, not _is_type_checking(node)) for node in tree.body
    ]
    while waiting:
        node, runs = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, runs
        inside = runs and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                waiting.append((child, inside and not _is_type_checking(child)))
            elif isinstance(child, ast.excepthandler | ast.match_case):
                waiting.append((child, inside))


@cache
def imports(file: Path) -> list[Import]:
    """Every import of `file`, relative ones resolved; `from a import b` is `a.b` where that is a module of ours."""
    return list(_imports(file))


def _imports(file: Path) -> Iterator[Import]:
    tree = ast.parse(file.read_text(), str(file))
    folder = file.parent.relative_to(ROOT).parts
    for node, runs in _import_nodes(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(file, node.lineno, alias.name, runs)
            continue
        base = folder[: len(folder) - node.level + 1] if node.level else ()
        prefix = ".".join((*base, *([node.module] if node.module else [])))
        for alias in node.names:
            inner = ROOT.joinpath(*prefix.split("."), alias.name)
            is_module = inner.is_dir() or inner.with_suffix(".py").exists()
            module = f"{prefix}.{alias.name}" if is_module else prefix
            yield Import(file, node.lineno, module, runs)


def layer_of(module: str) -> str | None:
    """The layer that `torchscript_dialect.<layer>...` belongs to; None for the package itself and other libraries."""
    parts = module.split(".")
    return parts[1] if parts[0] == PACKAGE and len(parts) > 1 else None


def file_layer(file: Path) -> str:
    return Path(file.relative_to(ROOT / PACKAGE).parts[0]).stem


def test_every_folder_is_a_layer() -> None:
    known = {*LAYERS, *ABOVE_ALL}
    unknown = {file_layer(file) for file in sources(PACKAGE)} - known
    assert not unknown, f"not in the list of layers: {sorted(unknown)}"


def test_layers_import_to_the_left() -> None:
    wrong: list[str] = []
    for file in sources(PACKAGE):
        layer = file_layer(file)
        if layer not in LAYERS:
            continue
        for item in imports(file):
            target = layer_of(item.module)
            if item.module == PACKAGE and layer != "cli":
                wrong.append(f"{item.place}, which stands above {layer}")
            elif target and target in LAYERS and LAYERS.index(target) > LAYERS.index(layer):
                wrong.append(f"{item.place}, which stands to the right of {layer}")
    assert not wrong, "\n".join(wrong)


def module_of(file: Path) -> str:
    """The dotted name of a file; a package is its `__init__.py`."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def import_graph(packages: Iterable[str]) -> dict[str, list[Import]]:
    """The imports of each module from modules of the packages: in functions and for types only, too."""
    files = {module_of(file): file for package in packages for file in sources(package)}
    return {
        module: [item for item in imports(file) if item.module in files and item.module != module]
        for module, file in files.items()
    }


def find_cycle(graph: Mapping[str, Sequence[Import]]) -> list[Import]:
    """The imports of a shortest circle; empty where there is none."""
    done: set[str] = set()
    found: list[Import] = []
    for start in graph:
        paths: dict[str, list[Import]] = {start: []}
        waiting = [start]
        for module in waiting:
            for item in graph[module]:
                path = [*paths[module], item]
                if item.module == start and (not found or len(path) < len(found)):
                    found = path
                if item.module not in paths and item.module not in done:
                    paths[item.module] = path
                    waiting.append(item.module)
        done.add(start)
    return found


def test_no_modules_import_each_other_in_a_circle() -> None:
    cycle = find_cycle(import_graph((PACKAGE, "lowering")))
    assert not cycle, "these imports make a circle:\n" + "\n".join(item.place for item in cycle)


def test_circles_are_found() -> None:
    here = Path(__file__)

    def graph(**edges: str) -> dict[str, list[Import]]:
        return {
            module: [Import(here, 1, each, True) for each in others]
            for module, others in edges.items()
        }

    assert find_cycle(graph(a="bc", b="c", c="")) == []
    assert [item.module for item in find_cycle(graph(a="b", b="c", c="d", d="b"))] == [
        "c",
        "d",
        "b",
    ]
    assert [item.module for item in find_cycle(graph(a="b", b="ca", c="a"))] == ["b", "a"]


@pytest.mark.parametrize(
    ("layer", "folders", "apart", "driver"),
    [
        ("frontend", FRONTEND, FRONTEND_APART, None),
        ("runtime", RUNTIME, RUNTIME_APART, f"{PACKAGE}.runtime.cuda.driver"),
    ],
)
def test_folders_of_a_layer_import_to_the_left(
    layer: str, folders: Sequence[str], apart: Collection[str], driver: str | None
) -> None:
    folder = ROOT / PACKAGE / layer
    wrong: list[str] = []
    for file in sources(f"{PACKAGE}/{layer}"):
        part = Path(file.relative_to(folder).parts[0]).stem
        assert part in {*folders, *apart}, f"{part} is not in the list of folders"
        if part in apart:
            continue
        for item in imports(file):
            if not item.module.startswith(f"{PACKAGE}.{layer}.") or item.module == driver:
                continue
            target = item.module.split(".")[2]
            if target not in folders or folders.index(target) > folders.index(part):
                wrong.append(f"{item.place}, which stands to the right of {part}")
    assert not wrong, "\n".join(wrong)


def test_lowering_stands_between_runtime_and_api() -> None:
    wrong = [
        item.place
        for file in sources(PACKAGE)
        for item in imports(file)
        if item.module.split(".")[0] == "lowering"
    ]
    for file in sources("lowering"):
        for item in imports(file):
            target = layer_of(item.module)
            is_right = target in LAYERS and LAYERS.index(target) >= LAYERS.index("api")
            if item.module == PACKAGE or is_right:
                wrong.append(item.place)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("library", LAZY)
def test_heavy_libraries_are_imported_late_and_in_few_places(library: str) -> None:
    wrong: list[str] = []
    for file in [*sources(PACKAGE), *sources("lowering")]:
        path = file.relative_to(ROOT).as_posix()
        for item in imports(file):
            if item.module.split(".")[0] != library:
                continue
            if not path.startswith(LAZY[library]):
                wrong.append(f"{item.place}, which this file may not")
            elif item.at_module_level:
                wrong.append(f"{item.place} at module level")
    assert not wrong, "\n".join(wrong)


def test_one_place_looks_for_pytorch() -> None:
    """What `sys.modules` has as `torch` may be the stand-in: `pytorch_state.loaded` tells."""
    look = re.compile(r"""modules\b.*["']torch["']|["']torch["'] (not )?in sys\.modules""")
    places = {
        file.relative_to(ROOT).as_posix()
        for file in [*sources(PACKAGE), *sources("lowering")]
        if look.search(file.read_text())
    }
    assert places == {"torchscript_dialect/tensor/pytorch_state.py"}


def _loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split())


@pytest.mark.parametrize(
    "statement", ["import torchscript_dialect", "from torchscript_dialect import torch"]
)
def test_import_loads_little(statement: str) -> None:
    loaded = _loaded_by(statement)
    heavy = {
        name for name in loaded if name.split(".")[0] in ("llvmlite", "torch", "lowering", "pycuda")
    }
    heavy |= {f"xdsl.dialects.{name}" for name in UPSTREAM_LOWERING} & loaded
    assert not heavy, f"{statement} loads {sorted(heavy)}"


# Parts of the standard library that take long to load; where a library of others needs them, they are its business.
SLOW_TO_LOAD = set(
    "argparse asyncio concurrent.futures csv email http importlib.metadata multiprocessing socket sqlite3 unittest urllib.request"
    " xml zipfile".split()
)


def test_import_loads_no_slow_part_of_the_standard_library() -> None:
    loaded = _loaded_by("import torchscript_dialect")
    theirs = sorted(name for name in loaded if name.split(".")[0] in ("xdsl", "numpy", "ml_dtypes"))
    public = [name for name in theirs if not name.startswith("numpy.") and "._" not in name]
    slow = SLOW_TO_LOAD & (loaded - _loaded_by(f"import {', '.join(public)}"))
    assert not slow, f"import torchscript_dialect loads {sorted(slow)}"


def test_import_makes_no_table_of_class_names() -> None:
    """Python asks a module that it imports from for `__path__`, which is no name of an op."""
    code = (
        "import torchscript_dialect\n"
        "from torchscript_dialect.dialects import class_names\n"
        "assert not class_names._by_letters.cache_info().currsize\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_dataclasses_have_docstrings() -> None:
    """Python works out a signature for the docstring of those without, which takes as long as some make."""
    code = (
        "import inspect\n"
        "import numpy, ml_dtypes, xdsl.parser, xdsl.passes, xdsl.pattern_rewriter, xdsl.dialects.func\n"
        "signature, asked = inspect.signature, []\n"
        "inspect.signature = lambda of, *args, **kwargs: asked.append(of) or signature(of, *args, **kwargs)\n"
        "import torchscript_dialect\n"
        "ours = ('torchscript_dialect', 'lowering')\n"
        "found = {of.__name__ for of in asked if isinstance(of, type) and of.__module__.startswith(ours)}\n"
        "assert not found, found\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_files_are_short() -> None:
    files = [
        file
        for folder in (PACKAGE, "lowering", "test", "tools", "benchmarks")
        for file in sources(folder)
    ]
    long = [
        f"{file.relative_to(ROOT)}: {count} lines"
        for file in files
        if (count := len(file.read_text().splitlines())) > LONGEST_FILE
    ]
    assert not long, "\n".join(long)


def test_no_test_reads_a_clock_of_fine_steps() -> None:
    """A machine that does other things must fail no test: support/work.py counts what is done, benchmarks/ measures time."""
    timed = [
        f"{file.relative_to(ROOT)}: {clock}"
        for file in sources("test/unit")
        if file != Path(__file__)
        for clock in ("process_time", "perf_counter", "timeit")
        if clock in file.read_text()
    ]
    assert not timed, "\n".join(timed)


def test_ci_runs_the_command_of_the_readme() -> None:
    """The last fenced command under the heading `Tests` is what .ci/run runs, word for word."""
    readme = (ROOT / "README.md").read_text()
    section = re.search(r"^## Tests$(.*?)(?=^## |\Z)", readme, re.MULTILINE | re.DOTALL)
    assert section, "README.md has no section Tests"
    command = re.search(r"```sh\n(.*?)\n```", section[1], re.DOTALL)
    assert command, "the section Tests has no command"
    assert command[1] in (ROOT / ".ci" / "run").read_text()


@pytest.mark.parametrize("layer", ["analysis", "transforms"])
def test_facts_of_operators_stand_in_the_table(layer: str) -> None:
    """Passes ask what an operator does; they keep no lists of names."""
    named = re.compile(r"\b(?:aten|prim)::\w+[\w.]*(?:\W+(?:aten|prim)::\w+)")
    for path in sources(f"{PACKAGE}/{layer}"):
        for node in ast.walk(ast.parse(path.read_text())):
            lists = isinstance(node, ast.Call) and ast.unparse(node.func).endswith("'.split")
            assert not lists, f"{path}:{getattr(node, 'lineno', 0)}: a list of names"
            if isinstance(node, (ast.Set, ast.Dict, ast.Tuple, ast.List)):
                assert not named.search(ast.unparse(node)), (
                    f"{path}:{node.lineno}: operators by name"
                )
