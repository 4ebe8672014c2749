"""ts-opt as a new user meets it: every mistake is one message and exit status 1, never a traceback."""

from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from xdsl.utils.exceptions import VerifyException

from support import hostile_archives as hostile
from torchscript_dialect.cli.ts_opt import main
from torchscript_dialect.types.named import ClassType

GRAPH = "graph(%x : Tensor):\n  return (%x)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.ts").write_text(GRAPH)
    (tmp_path / "good.foo").write_text(GRAPH)
    (tmp_path / "empty.ts").write_text("")
    (tmp_path / "blank.mlir").write_text(" \n\n")
    (tmp_path / "garbage.ts").write_bytes(b"graph\n\x93\xfe\x00")
    (tmp_path / "garbage.mlir").write_bytes(bytes(range(255, 0, -1)))
    (tmp_path / "bad.ts").write_text("graph(%x : Tensor):\n  return (%y)\n")
    (tmp_path / "bad.mlir").write_text("func.func @f( {\n}\n")
    (tmp_path / "folder.ts").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["missing.ts"], "missing.ts: No such file or directory"),
        (["folder.ts"], "folder.ts: Is a directory"),
        (["empty.ts"], "empty.ts: the input is empty"),
        (["blank.mlir"], "blank.mlir: the input is empty"),
        (["garbage.ts"], "garbage.ts:2: this is no UTF-8 text"),
        (["garbage.mlir"], "garbage.mlir:1: this is no UTF-8 text"),
        (
            ["good.foo"],
            "good.foo: its name does not say what it holds; choose with -f from mlir, torchscript",
        ),
        (["-p", "nope", "good.ts"], "-p nope: there is no pass 'nope'"),
        (
            ["-p", "canonicalize,ts-vectorise-loops{width=4}", "good.ts"],
            "-p canonicalize,ts-vectorise-loops{width=4}: there is no pass 'ts-vectorise-loops'; did you mean"
            " 'ts-vectorize-loops'?",
        ),
        (
            ["-p", "ts-vectorize-loops{nope=1}", "good.ts"],
            "-p ts-vectorize-loops{nope=1}: Provided arguments",
        ),
        (
            ["-p", "ts-vectorize-loops{width=a}", "good.ts"],
            "-p ts-vectorize-loops{width=a}: Incompatible types",
        ),
        (
            ["-p", "ts-vectorize-loops{", "good.ts"],
            "-p ts-vectorize-loops{: Error parsing pass pipeline",
        ),
        (["-p", ",", "good.ts"], "-p ,: Error parsing pass pipeline"),
        (["-t", "nope", "good.ts"], "argument -t/--target: invalid choice: 'nope' (choose from"),
        (["-f", "nope", "good.ts"], "argument -f/--frontend: invalid choice: 'nope' (choose from"),
        (["--nope", "good.ts"], "unrecognized arguments: --nope (see ts-opt --help)"),
        (["-o", "no/such/folder", "good.ts"], "no/such/folder: No such file or directory"),
        (["-t", "llvm", "good.ts"], "-t llvm takes a module in the llvm dialect"),
        (["-t", "asm", "good.ts"], "-t asm takes a module in the llvm dialect"),
        (["bad.ts"], 'the value %y is not defined here:\n  File "bad.ts", line 2\n'),
        (["bad.mlir"], "bad.mlir:1:15\n"),
        (
            ["-p", "ts-convert-torch-to-linalg", "good.ts"],
            "the sizes of an input of the group are not known",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes(
    folder: Path, args: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(args) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"ts-opt: error: {message}")
    assert "Traceback (most recent call last)" not in err


def test_the_extension_or_the_option_says_what_a_file_holds(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["good.ts"]) == 0
    by_name = capsys.readouterr().out
    assert main(["-f", "torchscript", "good.foo"]) == 0
    assert capsys.readouterr().out == by_name
    assert by_name.startswith("builtin.module {\n  func.func @forward(%x: !prim.tensor)")


@pytest.mark.parametrize("before", ["", "# RUN: ts-opt\n\n"])
def test_standard_input_is_the_text_of_a_graph_or_mlir(
    folder: Path, before: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in (before + GRAPH, "func.func @f() {\n  func.return\n}"):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text.encode())))
        assert main([]) == 0
        assert capsys.readouterr().out.startswith("builtin.module {\n  func.func")


def test_targets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-t", "torchscript", "good.ts"]) == 0
    assert capsys.readouterr().out == GRAPH
    assert main(["-t", "dot", "good.ts"]) == 0
    assert capsys.readouterr().out.startswith('digraph "forward" {')


def test_errors_of_graph_text_are_diagnostics_too(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "two.ts").write_text(f"{(folder / 'bad.ts').read_text()}// -----\n{GRAPH}")
    assert main(["--parsing-diagnostics", "--split-input-file", "two.ts"]) == 0
    out = capsys.readouterr().out
    assert "the value %y is not defined here" in out and "func.func @forward" in out


def test_output_goes_to_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-t", "torchscript", "good.ts", "-o", "out.ts"]) == 0
    assert capsys.readouterr().out == ""
    assert (folder / "out.ts").read_text() == GRAPH


def test_help_is_no_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith("usage: ts-opt")


TYPED = """graph(%x : Float(4, strides=[1], requires_grad=0, device=cpu)):
  %y : Tensor = aten::tanh(%x)
  %z : Tensor = aten::mul(%y, %x)
  return (%z)
"""


def test_a_pipeline_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "typed.ts"
    file.write_text(TYPED)
    options = ["-p", "inlining,runtime-optimizations", "-t", "torchscript", str(file)]
    assert main(options) == 0
    assert "prim::TensorExprGroup" in capsys.readouterr().out
    assert main(["--time-passes", "--print-between-passes", *options]) == 0
    out, err = capsys.readouterr()
    assert out.count("IR after ts-fuse-tensorexprs:") == 1
    names = [line.split()[0] for line in err.splitlines()]
    assert names[:2] == ["pass", "ts-inline"] and names[-1] == "total"
    assert "ts-fuse-tensorexprs" in names


def test_ir_is_checked_between_passes_unless_that_is_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from torchscript_dialect.passes import pass_pipeline

    checked: list[object] = []
    monkeypatch.setattr(pass_pipeline, "verify", checked.append)
    file = tmp_path / "typed.ts"
    file.write_text(TYPED)
    assert main(["-p", "ts-inline,ts-peephole", str(file)]) == 0
    assert len(checked) == 2
    assert main(["--disable-verify", "-p", "ts-inline", str(file)]) == 0
    assert len(checked) == 2
    with pytest.raises(VerifyException):  # attributes check themselves all the same, and afterwards
        ClassType("a name that is none")
    capsys.readouterr()


def test_a_malformed_node_of_graph_text_is_shown_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nodes = [f"  %a{i} : Tensor = aten::relu(%x)\n" for i in range(2000)]
    nodes[1000] = "  %a, %b = prim::ConstantChunk(%x) # other.py:7:3\n"
    file = tmp_path / "bad.ts"
    file.write_text(f"graph(%x : Tensor):\n{''.join(nodes)}  return (%a)\n")
    assert main([str(file)]) == 1
    message = capsys.readouterr().err
    assert "prim::ConstantChunk needs the attribute 'chunks'" in message
    assert f'File "{file}", line 1002\n' in message and "(at other.py:7:3)" in message
    assert len(message) < 1000


ARCHIVES = Path(__file__).parents[2] / "archives"


def test_an_archive_is_read(capsys):
    assert main([str(ARCHIVES / "linear.pt"), "-t", "torchscript"]) == 0
    assert "aten::linear(%input, %weight, %bias)" in capsys.readouterr().out


def test_a_damaged_archive_is_one_message(tmp_path, capsys):
    path = tmp_path / "model.pt"
    path.write_bytes((ARCHIVES / "linear.pt").read_bytes()[:-30])
    for arguments in ([str(path)], ["--inspect", str(path)]):
        assert main(arguments) == 1
        error = capsys.readouterr().err
        assert error.startswith("ts-opt: error: ")
        assert error.count("\n") == 1


def test_an_archive_is_inspected(capsys):
    assert main(["--inspect", str(ARCHIVES / "through_interface.pt")]) == 0
    out = capsys.readouterr().out
    assert "ThroughInterface: forward" in out
    assert "aten::mul.Scalar" in out
    assert "  layer.offset: float32[4], 16 bytes" in out


def test_an_ordinary_module_does_not_stop_the_functions_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its `super()`, generators and lambdas were errors, though nobody compiles them."""
    file = tmp_path / "model.py"
    file.write_text(
        "from torch import nn\n"
        "class Model(nn.Module):\n"
        "    def __init__(self, *layers):\n"
        "        super().__init__()\n"
        "        self.hooks = [lambda x: x]\n"
        "    def parts(self):\n"
        "        yield self\n"
        "class Pair(NamedTuple):\n"
        "    left: int\n"
        "def beside(x):\n"
        "    return torch.relu(x)\n"
    )
    assert main([str(file), "-t", "torchscript"]) == 0
    assert "graph @beside" in capsys.readouterr().out


def test_a_quote_that_nothing_closes_takes_linear_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """xDSL's lexer takes two to the power of the length of its line, and would not end."""
    path = tmp_path / "quote.mlir"
    path.write_text('func.func @f() {\n  %m = "' + "x" * 100 + "\n}\n")
    main([str(path)])
    assert "before closing string literal" in capsys.readouterr().err
    for name in ("plain", "a\\22b\\0A\\09\\\\"):
        path.write_text(f'builtin.module attributes {{name = "{name}"}} {{\n}}\n')
        main([str(path)])
        assert f'"{name}"' in capsys.readouterr().out


def test_a_state_that_touches_files_is_not_set(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (source,) = [text for what, text in hostile.sources() if what == "a state that writes a file"]
    path = tmp_path / "model.pt"
    path.write_bytes(hostile.packed(hostile.small(**{"code/__torch__.py": source})))
    assert main([str(path)]) == 1
    assert "aten::save" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["model.pt"]


def test_methods_that_touch_files_are_printed(tmp_path, capsys):
    path = tmp_path / "model.pt"
    path.write_bytes(hostile.with_method("ops.aten.save(self.x, 'written')"))
    assert main([str(path), "--elide-weights"]) == 0
    assert "aten.save" in capsys.readouterr().out
