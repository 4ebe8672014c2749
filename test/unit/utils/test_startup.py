"""Imports with deferred formats, and pauses of the garbage collector."""

import gc
import subprocess
import sys
import weakref
from math import inf

import pytest
from xdsl.irdl.declarative_assembly_format import FormatProgram

from torchscript_dialect.utils import collection
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.startup import formats_deferred

SCRIPT = """
from torchscript_dialect.utils.startup import formats_deferred
with formats_deferred():
    from xdsl.dialects import arith, builtin, func
from xdsl.context import Context
from xdsl.parser import Parser
context = Context()
for one in (arith.Arith, builtin.Builtin, func.Func):
    context.load_dialect(one)
text = '''builtin.module {
  func.func @f(%a: i32, %b: i32) -> i1 {
    %c = arith.addi %a, %b : i32
    %d = arith.cmpi slt, %c, %b : i32
    func.return %d : i1
  }
}'''
found = str(Parser(context, text).parse_module())
assert found == text, found
"""


def test_deferred_formats_print_and_parse():
    subprocess.run([sys.executable, "-c", SCRIPT], check=True)


ONE_OPERATOR = """
from torchscript_dialect.cli.mlir_text import MLIRParser
from torchscript_dialect.dialects import operators
from torchscript_dialect.dialects.context import make_context
text = '''
builtin.module {
  func.func @f(%x : !prim.tensor) -> !prim.tensor {
    %y = aten.relu(%x) : (!prim.tensor) -> !prim.tensor
    func.return %y : !prim.tensor
  }
}
'''
MLIRParser(make_context(), text).parse_module()
print(operators._operator_class.cache_info().currsize)
"""


def test_a_text_makes_the_classes_of_its_own_operators_only():
    found = subprocess.run(
        [sys.executable, "-c", ONE_OPERATOR], check=True, capture_output=True, text=True
    )
    assert int(found.stdout) < 20


def test_formats_are_deferred_inside_only():
    before = FormatProgram.from_str
    with pytest.raises(ZeroDivisionError), formats_deferred():
        assert FormatProgram.from_str is not before
        assert FormatProgram.from_str("not a format", None) is not None  # pyright: ignore
        raise ZeroDivisionError
    assert FormatProgram.from_str is before


def test_an_error_in_a_deferred_format_shows_at_its_first_use():
    from xdsl.utils.exceptions import ParseError

    with formats_deferred():
        program = FormatProgram.from_str("$nothing", _definition())
    with pytest.raises(ParseError, match="nothing"):
        _ = program.stmts


def _definition():
    from xdsl.dialects.func import ReturnOp

    return ReturnOp.get_irdl_definition()


def test_the_collector_is_paused_and_goes_on_if_it_was():
    assert gc.isenabled()
    with without_collection():
        assert not gc.isenabled()
        with without_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


@pytest.fixture
def nothing_frozen(monkeypatch):
    """What the suite has frozen is thawed for a while."""
    monkeypatch.setattr(collection._Off, "frozen_until", -inf)
    gc.unfreeze()
    yield
    gc.freeze()


@pytest.mark.usefixtures("nothing_frozen")
def test_what_was_made_without_the_collector_counts_as_old():
    """The collector looked at all of it as soon as it was back."""
    gc.collect()
    with without_collection():
        kept = [[] for _ in range(50_000)]
    assert gc.get_count()[0] < 1000
    assert gc.get_freeze_count() == 0
    assert len(gc.get_objects(generation=2)) > len(kept)
    kept.append(kept)
    alive = weakref.ref(_Ring(kept))
    gc.collect()
    assert alive() is None, "what becomes garbage later is found"


class _Ring:
    def __init__(self, other):
        self.cycle = [self, other]


def test_frozen_objects_stay_frozen():
    kept = []
    gc.freeze()
    with without_collection():
        pass
    assert all(found is not kept for found in gc.get_objects())
