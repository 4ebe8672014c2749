"""`ts-run`: what it runs, writes and refuses; one message says what is wrong with which file.

Point 7 of docs/testing.md.
"""

import os
from pathlib import Path

import numpy as np
import pytest

from torchscript_dialect.cli.ts_run import main

ARCHIVES = Path(__file__).parents[2] / "archives"

SOURCE = "def double(x):\n    return x + x\n\n\ndef both(x, y):\n    return x - y, [x, y]\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text(SOURCE)
    np.save("x.npy", np.arange(3, dtype=np.float32))
    np.save("y.npy", np.ones(3, np.float32))
    return tmp_path


def test_results_are_printed(folder, capsys):
    assert main(["model.py", "x.npy", "-f", "double"]) == 0
    assert capsys.readouterr().out == "output = tensor([0., 2., 4.])\n"


FILE = """
from typing import List
import torch.nn as nn

EPS: float = 1e-5
__all__ = ["Net", "scaled"]


class Net(nn.Module):
    def __init__(self):
        super().__init__()


def scaled(x):
    return torch.nn.functional.normalize(x, dim=0) * torch.norm(x)


if __name__ == "__main__":
    print(Net())
"""


def test_a_file_of_pythons_runs_its_own_last_function(folder, capsys):
    """What a function calls of libraries stood behind it, and was run; what is no definition was refused."""
    (folder / "file.py").write_text(FILE)
    assert main(["file.py", "x.npy"]) == 0
    assert capsys.readouterr().out == "output = tensor([0., 1., 2.])\n"


def test_results_are_written_by_name(folder):
    assert main(["model.py", "x.npy", "y.npy", "-o", "out.npz"]) == 0
    with np.load("out.npz") as written:
        assert sorted(written) == ["output_0", "output_1_0", "output_1_1"]
        np.testing.assert_array_equal(written["output_0"], [-1, 0, 1])
    assert sorted(path.name for path in folder.glob("*.npz")) == ["out.npz"]


def _damaged():
    with open("bad.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00\xff")


def _empty():
    open("bad.npy", "w").close()


def _pickled():
    np.save("bad.npy", np.array([object()], dtype=object), allow_pickle=True)


def _several():
    with open("bad.npy", "wb") as file:
        np.savez(file, a=np.ones(2), b=np.ones(2))


def _text():
    np.save("bad.npy", np.array(["a"]))


def _foreign():
    np.save("bad.npy", np.ones(2, ">f4"))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (_damaged, "bad.npy is no file of an array (.npy), or is damaged"),
        (_empty, "bad.npy is no file of an array (.npy), or is damaged"),
        (_pickled, "bad.npy is no file of an array (.npy), or is damaged"),
        (_several, "bad.npy holds several arrays (.npz)"),
        (_text, "bad.npy: can't convert an array of NumPy type '<U1'"),
        (_foreign, "bad.npy: given numpy array has byte order different"),
        (lambda: None, "bad.npy: No such file or directory"),
    ],
)
def test_files_that_are_no_arrays(folder, capsys, make, message):
    make()
    assert main(["model.py", "bad.npy", "-f", "double"]) == 1
    assert capsys.readouterr().err.startswith(f"ts-run: error: {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["model.py"], "both() is missing value for argument 'x'"),
        (
            ["model.py", "-f", "triple"],
            "model.py holds no function 'triple'; it holds double, both",
        ),
        (["model.txt"], "model.txt is neither TorchScript source (.py) nor an archive"),
        (["model.pt"], "model.pt: No such file or directory"),
        (["nothing.py"], "nothing.py: No such file or directory"),
        (["model.py", "x.npy", "-f", "double", "-o", "no/out.npz"], "no"),
    ],
)
def test_what_cannot_be_run(folder, capsys, arguments, message):
    assert main(arguments) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_the_umask_is_honoured(folder, mask, mode):
    before = os.umask(mask)
    try:
        assert main(["model.py", "x.npy", "-f", "double", "-o", "out.npz"]) == 0
    finally:
        os.umask(before)
    assert (folder / "out.npz").stat().st_mode & 0o777 == mode
    assert not list(folder.glob("*.part"))


def test_messages_name_the_file_that_was_given(folder, capsys):
    (folder / "latin.py").write_bytes(b"def f(x):\n    return x  # \xe9\n")
    assert main(["latin.py", "x.npy"]) == 1
    assert capsys.readouterr().err == "ts-run: error: latin.py:2: this is no UTF-8 text\n"
    assert main(["model.py", "x.npy", "-f", "double", "-o", "nowhere/out.npz"]) == 1
    assert capsys.readouterr().err == (
        "ts-run: error: nowhere/out.npz: No such file or directory\n"
    )
    assert main(["model.py", "gone.npy", "-f", "double"]) == 1
    assert "gone.npy: No such file or directory" in capsys.readouterr().err


def test_what_no_file_of_arrays_holds_is_refused(folder, capsys):
    (folder / "text.py").write_text("def f(x):\n    return x, None\n")
    assert main(["text.py", "x.npy", "-o", "out.npz"]) == 1
    assert "output_1 is a NoneType, which an .npz file cannot hold" in capsys.readouterr().err
    assert not list(folder.glob("out*"))


def test_an_archive_is_run(tmp_path, capsys):
    np.save(tmp_path / "x.npy", np.ones((2, 4), np.float32))
    path = str(ARCHIVES / "linear.pt")
    assert main([path, str(tmp_path / "x.npy")]) == 0
    assert capsys.readouterr().out.startswith("output = tensor([[")
    assert main([path, str(tmp_path / "x.npy"), "-f", "backward"]) == 1
    assert "holds no method 'backward'; it holds forward" in capsys.readouterr().err


def test_arguments_are_files_json_and_literals(folder, capsys):
    (folder / "mix.py").write_text(
        "def f(x, n: int, f: float, t: str, l: List[int]):\n    return x * n + f, t, l\n"
    )
    (folder / "l.json").write_text("[4, 5]")
    assert main(["mix.py", "x.npy", "3", "2.5", '"text"', "l.json"]) == 0
    assert capsys.readouterr().out == (
        "output_0 = tensor([2.5000, 5.5000, 8.5000])\noutput_1 = text\n"
        "output_2_0 = 4\noutput_2_1 = 5\n"
    )


def test_lists_are_tensors_where_tensors_are_taken(folder, capsys):
    (folder / "mix.py").write_text(
        "def f(x, m: Optional[Tensor], l: List[Tensor], n: List[int], d: Dict[str, Tensor], t: Tuple[Tensor, int]):\n"
        "    return x, m, l[0] + n[0], d['a'], t[0]\n"
    )
    (folder / "x.json").write_text("[[1, 2.5], [3, 4]]")
    given = ["x.json", "[True]", "[[1, 2]]", "[3]", "{'a': [0.5]}", "([7], 1)"]
    assert main(["mix.py", "-f", "f", *given]) == 0
    assert capsys.readouterr().out == (
        "output_0 = tensor([[1.0000, 2.5000],\n        [3.0000, 4.0000]])\noutput_1 = tensor([True])\n"
        "output_2 = tensor([4, 5])\noutput_3 = tensor([0.5000])\noutput_4 = tensor([7])\n"
    )
    assert main([str(ARCHIVES / "linear.pt"), "[[0.0, 0.0, 0.0, 1.0]]"]) == 0
    assert capsys.readouterr().out.startswith("output = tensor([[")


@pytest.mark.parametrize("text", ["[1, [2]]", "['a']", "[[1], [1, 2]]"])
def test_lists_that_make_no_tensor(folder, capsys, text):
    assert main(["model.py", "-f", "double", text]) == 1
    assert "ts-run: error: argument 'x' is no tensor: " in capsys.readouterr().err


def test_arrays_of_a_file_are_arguments_by_name_or_in_order(folder, capsys):
    np.savez("named.npz", y=np.ones(1, np.float32), x=np.zeros(1, np.float32))
    np.savez("ordered.npz", np.zeros(1, np.float32), np.ones(1, np.float32))
    for file in ("named.npz", "ordered.npz"):
        assert main(["model.py", file]) == 0
        assert capsys.readouterr().out.startswith("output_0 = tensor([-1.])")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x.np", "x.np is neither a file (.npy, .npz, .json) nor a literal such as 3"),
        ("__import__('os')", "is neither a file"),
        ("bad.json", "bad.json is no JSON"),
        ("bad.npz", "bad.npz is no file of arrays (.npz), or is damaged"),
    ],
)
def test_what_is_no_argument(folder, capsys, text, message):
    (folder / "bad.json").write_text("{")
    (folder / "bad.npz").write_bytes(b"PK\x03\x04 no archive")
    assert main(["model.py", text, "-f", "double"]) == 1
    assert message in capsys.readouterr().err


def test_time_graph_and_version(folder, capsys):
    assert main(["model.py", "x.npy", "-f", "double", "--time"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "output = tensor([0., 2., 4.])\n"
    assert shown.err.startswith("first call ") and "best of 10 more" in shown.err
    assert main(["model.py", "-f", "double", "--graph"]) == 0
    assert "aten::add(%x, %x" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out.startswith("ts-run ")
