"""Live functions and classes: trees and ranges as PyTorch has them, places in the real file."""

import importlib.util
import inspect
from pathlib import Path
from types import FunctionType

import pytest

from torchscript_dialect.frontend.source import python_ast
from torchscript_dialect.frontend.source.parser import parse
from torchscript_dialect.frontend.source.tree import walk
from torchscript_dialect.frontend.source.tree_views import Assign, ClassDef, Def, StringLiteral
from torchscript_dialect.utils.errors import FrontendError, NotSupportedError

TREES = Path(__file__).parent.parent.parent.parent / "golden" / "trees"
_spec = importlib.util.spec_from_file_location("tree_programs", TREES / "programs.py")
assert _spec is not None and _spec.loader is not None
programs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(programs)
FUNCTIONS = {n: f for n, f in vars(programs).items() if isinstance(f, FunctionType)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_tree_and_ranges_are_pytorchs(name: str):
    tree, ranges = (TREES / f"{name}.txt").read_text().split("\n---\n")
    made = python_ast.get_jit_def(FUNCTIONS[name], name)
    assert str(made) == tree
    mine = {f"{part.lo} {part.hi} {type(part).__name__}" for part in walk(made)}
    assert set(ranges.splitlines()) <= mine


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_parser_makes_the_same_tree(name: str):
    [parsed] = parse(inspect.getsource(FUNCTIONS[name]))
    assert isinstance(parsed, Def)
    made = python_ast.get_jit_def(FUNCTIONS[name], name)
    for mine, other in zip(parsed.decl.params, made.decl.params, strict=True):
        assert mine.ident.same(other.ident)
        assert str(mine.type) == str(other.type)
        assert mine.kwarg_only == other.kwarg_only
    assert parsed.statements.same(made.statements)


def test_places_are_those_of_the_file():
    made = python_ast.get_jit_def(programs.tanh_fn, "tanh_fn")
    lines = (TREES / "programs.py").read_text().splitlines()
    assign = made.statements[0]
    assert isinstance(assign, Assign) and assign.rhs is not None
    place = assign.rhs.range.file_line_col()
    assert place is not None
    assert Path(place[0]) == TREES / "programs.py"
    assert lines[place[1] - 1][place[2] :] == "a + b"


class Counter:
    """A class with one of everything."""

    start = 1
    step: int = 2

    def __init__(self, x: int):
        self.x: int = x

    def text(self):
        # type: () -> str
        return """two
        lines"""

    @staticmethod
    def twice(x: int):
        return x * 2

    @classmethod
    def make(cls, x: int):
        return cls(x)

    @property
    def value(self) -> int:
        return self.x

    @value.setter
    def value(self, new: int):
        self.x = new


def test_classes_have_methods_by_name_and_the_rest_apart():
    made = python_ast.get_jit_class_def(Counter, "Counter")
    methods = [method.name.name for method in made.body if isinstance(method, Def)]
    assert methods == ["__init__", "make", "text"]
    assert made.properties is not None and made.assigns is not None
    assert [prop.getter.name.name for prop in made.properties] == ["__value_getter"]
    assert [prop.setter is not None for prop in made.properties] == [True]
    assert len(made.assigns) == 2


def test_self_has_the_type_of_the_class():
    made = python_ast.get_jit_def(Counter.text, "text", "Counter")
    assert str(made.decl.params[0].type) == "(variable (ident Counter))"
    assert str(made.decl.return_type) == "(variable (ident str))"


def test_a_class_method_knows_its_class():
    made = python_ast.get_jit_def(Counter.make, "make", "Counter", is_classmethod=True)
    first = made.statements[0]
    assert isinstance(first, Assign)
    assert str(first.lhs) == "(variable (ident cls))"
    assert str(first.rhs) == "(variable (ident Counter))"


def test_strings_keep_their_indentation():
    made = python_ast.get_jit_def(Counter.text, "text", "Counter")
    [text] = [tree for tree in walk(made) if isinstance(tree, StringLiteral)]
    assert text.text == "two\n        lines"


def test_the_parser_sees_the_same_methods():
    source = inspect.getsource(Counter)
    [parsed] = parse(source)
    assert isinstance(parsed, ClassDef)
    methods = {m.name.name: m for m in parsed.body if isinstance(m, Def)}
    for method in python_ast.get_jit_class_def(Counter, "Counter").body:
        if isinstance(method, Def) and method.name.name != "make":
            assert method.statements.same(methods[method.name.name].statements)


def test_unused_functions_raise():
    def unused(a: "Nonsense", *more):  # noqa: F821 # pyright: ignore
        return lambda: more

    unused._torchscript_modifier = "unused (ignored and replaced)"  # pyright: ignore
    made = python_ast.get_jit_def(unused, "unused")
    assert str(made.decl.params[0].type) == "(variable (ident Any))"
    assert "Cannot call @unused methods" in str(made)


def test_what_is_not_supported_is_underlined():
    def bad(x):
        y = x
        return y, lambda: x

    with pytest.raises(NotSupportedError) as caught:
        python_ast.get_jit_def(bad, "bad")
    line = inspect.getsourcelines(bad)[1] + 2
    assert str(caught.value) == (
        "Lambda aren't supported:\n"
        f'  File "{__file__}", line {line}\n'
        "    def bad(x):\n"
        "        y = x\n"
        "        return y, lambda: x\n"
        "                  ~ <--- HERE"
    )


def test_keyword_only_defaults_are_refused():
    def bad(x, *, y=2):
        return y

    with pytest.raises(NotSupportedError, match="keyword-only arguments with defaults"):
        python_ast.get_jit_def(bad, "bad")


def test_lambdas_and_builtins_have_no_tree():
    with pytest.raises(FrontendError, match="Expected a single top-level function"):
        python_ast.get_jit_def(lambda x: x, "f")
    with pytest.raises(FrontendError, match="Can't get source for"):
        python_ast.get_jit_def(len, "len")


def test_a_function_has_one_tree_as_long_as_its_code_is_the_same():
    def doubled(x):
        return x + x

    def halved(x):
        return x / 2

    first = python_ast.get_jit_def(doubled, "f")
    assert python_ast.get_jit_def(doubled, "f") is first
    assert python_ast.get_jit_def(doubled, "g").name.name == "g"
    doubled._torchscript_modifier = "unused"  # type: ignore[attr-defined]
    assert "unused" in str(python_ast.get_jit_def(doubled, "f"))
    del doubled._torchscript_modifier  # type: ignore[attr-defined]
    doubled.__code__ = halved.__code__
    assert "2" in str(python_ast.get_jit_def(doubled, "f"))


def test_equal_code_of_two_files_has_two_trees(tmp_path: Path):
    trees: list[Def] = []
    for name in ("one.py", "other.py"):
        (tmp_path / name).write_text("def f(x):\n    return x\n")
        spec = importlib.util.spec_from_file_location("same", tmp_path / name)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        trees.append(python_ast.get_jit_def(module.f, "f"))
    assert [Path(str(tree.source.filename)).name for tree in trees] == ["one.py", "other.py"]
