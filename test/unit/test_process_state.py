"""State that all users of a process share: each piece is named in docs/architecture.md, and caches are bounded."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = ROOT / "docs" / "architecture.md"
PACKAGES = ("torchscript_dialect", "lowering")

BOUNDED = {"Memo", "Log"}
"""What does not grow: tables that bound themselves, and logs, which keep counts."""
MUTATING = set(
    "add append appendleft clear discard extend insert pop popitem popleft remove setdefault update".split()
)

Functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class Module:
    """A file and what its names at module level stand for."""

    path: str
    tree: ast.Module
    own: dict[str, ast.expr]
    """The values that the file gives to names."""
    imported: dict[str, tuple[str, str]]
    """Names of other files of ours: the file, and the name there."""


def parse(path: str, text: str) -> Module:
    tree = ast.parse(text)
    own: dict[str, ast.expr] = {}
    imported: dict[str, tuple[str, str]] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            own[node.name] = ast.Name(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            own[node.target.id] = node.value
        elif isinstance(node, ast.Assign):
            own |= {t.id: node.value for t in node.targets if isinstance(t, ast.Name)}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGES):
            file = f"{(node.module or '').replace('.', '/')}.py"
            imported |= {alias.asname or alias.name: (file, alias.name) for alias in node.names}
    return Module(path, tree, own, imported)


@cache
def modules() -> list[Module]:
    return [
        parse(file.relative_to(ROOT).as_posix(), file.read_text())
        for package in PACKAGES
        for file in sorted((ROOT / package).rglob("*.py"))
    ]


def _is_cache(decorator: ast.expr) -> bool:
    """Whether a decorator is a cache of `functools`."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(target).rpartition(".")[2] in ("cache", "lru_cache")


def unbounded_caches(module: Module) -> Iterator[str]:
    """The functions with parameters whose results are kept without a bound that is written down."""
    for node in ast.walk(module.tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        arguments = node.args
        given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        if not given and arguments.vararg is None and arguments.kwarg is None:
            continue
        for decorator in filter(_is_cache, node.decorator_list):
            keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
            sizes = [keyword.value for keyword in keywords if keyword.arg == "maxsize"]
            if not sizes or ast.unparse(sizes[0]) == "None":
                yield f"{module.path}:{node.lineno}: {node.name}"


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, (ast.Assign, ast.Delete)):
        return node.targets
    return [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []


def _root(expr: ast.expr) -> str:
    """`a` of `a.b[c].d`."""
    while isinstance(expr, (ast.Attribute, ast.Subscript)):
        expr = expr.value
    return expr.id if isinstance(expr, ast.Name) else ""


def _changed_in(function: ast.AST) -> Iterator[ast.expr]:
    """What the body of a function changes: items and attributes it assigns to, and objects of calls that change them."""
    for node in ast.walk(function):
        for target in _targets(node):
            if isinstance(target, (ast.Subscript, ast.Attribute)):
                yield target.value
        call = node.func if isinstance(node, ast.Call) else None
        if isinstance(call, ast.Attribute) and call.attr in MUTATING:
            yield call.value


def _globals_of(function: ast.AST) -> set[str]:
    return {n for node in ast.walk(function) if isinstance(node, ast.Global) for n in node.names}


def _local_names(function: ast.AST) -> set[str]:
    """Parameters and variables of a function: they hide names of the module."""
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found - _globals_of(function)


def changed_state(module: Module) -> Iterator[tuple[str, str]]:
    """File and name of the module-level values that functions of a module change."""
    for function in ast.walk(module.tree):
        if not isinstance(function, Functions):
            continue
        changed = {*_globals_of(function), *map(_root, _changed_in(function))}
        for name in changed - _local_names(function) if changed else ():
            if name in module.own:
                yield module.path, name
            elif name in module.imported:
                yield module.imported[name]


def _changes_itself(class_: ast.ClassDef) -> bool:
    """Whether a method, other than the one that makes it, changes an object of a class beyond a bound."""
    methods = [node for node in class_.body if isinstance(node, ast.FunctionDef)]
    makers = [method for method in methods if method.name in ("__init__", "__new__")]
    bounded = {
        ast.unparse(target)
        for maker in makers
        for node in ast.walk(maker)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value and _is_bounded(node.value)
        for target in _targets(node)
    }
    return any(
        ast.unparse(changed) not in bounded and _root(changed) == "self"
        for method in methods
        if method not in makers
        for changed in _changed_in(method)
    )


def changing_objects(module: Module, known: Mapping[str, Module]) -> Iterator[tuple[str, str]]:
    """File and name of the objects at module level that change themselves."""
    for name, value in module.own.items():
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
            continue
        path, class_name = module.imported.get(value.func.id, (module.path, value.func.id))
        tree = known[path].tree if path in known else ast.Module([], [])
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and node.name == class_name and _changes_itself(node):
                yield module.path, name


def _is_bounded(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) in BOUNDED


def shared_state() -> set[tuple[str, str]]:
    known = {module.path: module for module in modules()}
    found: set[tuple[str, str]] = set()
    for module in known.values():
        for path, name in changed_state(module):
            owner = known.get(path)
            value = None if owner is None else owner.own.get(name)
            if value is not None:
                found.add((path, name))
        found.update(changing_objects(module, known))
    return {(path, name) for path, name in found if not _is_bounded(known[path].own[name])}


def documented() -> set[tuple[str, str]]:
    """File and name of the first column of the table under `Process-wide state`."""
    text = DOCUMENT.read_text()
    section = re.search(r"^## Process-wide state$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert section, "docs/architecture.md has no section `Process-wide state`"
    found: set[tuple[str, str]] = set()
    for row in re.findall(r"^\| (`[^|]*)\|", section[1], re.MULTILINE):
        path, *names = re.findall(r"`([^`]+)`", row)
        full = path if path.startswith(PACKAGES) else f"{PACKAGES[0]}/{path}"
        found |= {(full, name) for name in names}
    return found


def test_caches_have_a_bound() -> None:
    wrong = [place for module in modules() for place in unbounded_caches(module)]
    assert not wrong, "these caches grow without bound:\n" + "\n".join(wrong)


def test_shared_state_is_documented() -> None:
    found, listed = shared_state(), documented()
    new = "\n".join(f"{path}: {name}" for path, name in sorted(found - listed))
    assert not new, f"state that the table `Process-wide state` does not name:\n{new}"
    gone = "\n".join(f"{path}: {name}" for path, name in sorted(listed - found))
    assert not gone, f"the table `Process-wide state` names what is no state:\n{gone}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("_a = {}\ndef f(x):\n    _a[x] = 1", [("m.py", "_a")]),
        ("_a: list[int] = []\ndef f(x):\n    _a.append(x)", [("m.py", "_a")]),
        ("_a = 1\ndef f(x):\n    global _a\n    _a = x", [("m.py", "_a")]),
        ("_a = _State()\ndef f(x):\n    _a.x = x", [("m.py", "_a")]),
        ("class _A: ...\ndef f(x):\n    _A.x = x", [("m.py", "_A")]),
        ("class _A: ...\ndef f(x):\n    _A.x.append(1)", [("m.py", "_A")]),
        ("_a = {}\ndef f(x):\n    _a = {}\n    _a[x] = 1", []),
        ("_a = {}\n_a[1] = 2\ndef f(x):\n    return _a[x]", []),
        (
            "from torchscript_dialect.x import known\ndef f(x):\n    known.add(x)",
            [("torchscript_dialect/x.py", "known")],
        ),
    ],
)
def test_changed_state_is_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert list(changed_state(parse("m.py", text))) == expected


@pytest.mark.parametrize(
    ("decorator", "parameters", "is_wrong"),
    [
        ("cache", "x", True),
        ("functools.cache", "*x", True),
        ("lru_cache", "x", True),
        ("lru_cache(maxsize=None)", "x", True),
        ("lru_cache(maxsize=8)", "x", False),
        ("cache", "", False),
    ],
)
def test_unbounded_caches_are_found(decorator: str, parameters: str, is_wrong: bool) -> None:
    module = parse("m.py", f"@{decorator}\ndef f({parameters}): ...")
    assert bool(list(unbounded_caches(module))) == is_wrong
