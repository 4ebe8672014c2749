"""Messages of errors: the source, and who asked for what is being compiled."""

from torchscript_dialect.utils.errors import (
    NotSupportedError,
    TorchScriptError,
    compiling,
)
from torchscript_dialect.utils.source_range import Source, SourceRange

SOURCE = Source("def f(x):\n    return g(x)\n", "f.py")
CALL = SourceRange(SOURCE, 21, 25)
SHOWN = '  File "f.py", line 2\ndef f(x):\n    return g(x)\n           ~~~~ <--- HERE'


def test_message_then_source():
    assert str(TorchScriptError("what", CALL)) == f"what:\n{SHOWN}"
    assert str(TorchScriptError("what")) == "what"
    assert isinstance(NotSupportedError("what"), RuntimeError)


def test_calls_are_told_innermost_first():
    with compiling("f") as call:
        call.at = CALL
        with compiling("g"):
            inner = TorchScriptError("what", CALL)
            with compiling("h"):
                innermost = TorchScriptError("what")
    note = f"'g' is being compiled since it was called from 'f'\n{SHOWN}"
    assert str(inner) == f"what:\n{SHOWN}\n{note}"
    assert str(innermost) == f"what\n'h' is being compiled since it was called from 'g'\n{note}"


def test_the_stack_is_left_with_the_function():
    with compiling("f"):
        pass
    assert str(TorchScriptError("what")) == "what"
