"""Graphs whose `prim::ScalarGroup`s are not what passes make: run node by node, or refused in words, and never compiled wrongly.

Point 1 of docs/testing.md.
"""

import pytest

import torchscript_dialect as ts

GRAPH = """graph(%n : int, %x : {type}):
  {results} = prim::ScalarGroup_0(%n, %x)
  return (%r)
with prim::ScalarGroup_0 = graph(%n : int, %x : {type}):
  %t : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %s : int = prim::Loop({limit}, %t, %zero)
    block0(%i : int, %p : int):
      {line}
      -> (%t, %q)
  return ({given})
"""
ADD = "%q : int = aten::add(%p, %i)"


def text(line=ADD, *, type_="int", limit="%n", results="%r : int", given="%s"):
    return GRAPH.format(type=type_, limit=limit, line=line, results=results, given=given)


def test_nodes_that_no_native_loop_has_run_one_by_one():
    lines = {
        "%q : int = aten::add(%p, %i)\n       = prim::Print(%i)": 3,
        "%l : int[] = aten::append(%x, %i)\n      %q : int = aten::len(%x)": 6,
        "%w : str = aten::str(%i)\n      %q : int = aten::Int(%w)": 2,
    }
    for line, expected in lines.items():
        graph = ts.parse_ir(text(line, type_="int[]"))
        assert ts.run_graph(graph, 3, [7, 8, 9]) == expected


@pytest.mark.parametrize(
    "line", ["%q : int = aten::floordiv(%i, %zero)", "%q : int = aten::__getitem__(%x, %n)"]
)
def test_what_fails_is_told(line):
    with pytest.raises(RuntimeError, match="The following operation failed"):
        ts.run_graph(ts.parse_ir(text(line, type_="int[]")), 3, [1])


@pytest.mark.parametrize(
    "spoiled",
    [
        text(results="%r : float"),
        text(results="%r : int, %y : int"),
        text(given="%s, %s"),
        text(limit="%t"),
        text(limit="%x", type_="str"),
        text().replace("ScalarGroup_0(%n, %x)", "ScalarGroup_0(%n)"),
        text().replace("= graph(%n : int, %x", "= graph(%n : str, %x"),
    ],
)
def test_groups_that_do_not_fit_are_refused(spoiled):
    with pytest.raises(ts.TorchScriptError, match=r"prim::(ScalarGroup|Loop)"):
        ts.run_graph(ts.parse_ir(spoiled), 3, "a" if "%x : str" in spoiled else 1)


def test_what_may_not_be_touched_is_not():
    line = '%k : str = prim::Constant[value="x"]()\n       = aten::save(%k, %k)\n      ' + ADD
    with pytest.raises(RuntimeError, match="aten::save touches what programs from outside may not"):
        ts.run_graph(ts.parse_ir(text(line)), 3, 1)


@pytest.mark.parametrize("type_", ["Tensor", "(int, int)", "str", "int?"])
def test_kernels_of_what_has_no_form_are_refused(type_):
    graph = ts.parse_ir(text(type_=type_))
    with pytest.raises(ts.TorchScriptError, match="has no form in a loop over numbers"):
        ts.PassPipeline("ts-convert-scalars-to-scf").run(graph)


@pytest.mark.parametrize("type_", ["int[]", "float[]"])
def test_a_kernel_gives_no_lists(type_):
    results = f"%r : int, %y : {type_}"
    graph = ts.parse_ir(text(type_=type_, results=results, given="%s, %x"))
    with pytest.raises(ts.TorchScriptError, match="numbers alone"):
        ts.PassPipeline("ts-convert-scalars-to-scf").run(graph)


def test_a_kernel_has_no_operators_without_results():
    line = '%k : str = prim::Constant[value="x"]()\n       = aten::save(%k, %k)\n      ' + ADD
    with pytest.raises(ts.TorchScriptError, match="aten::save has no form in a loop over numbers"):
        ts.PassPipeline("ts-convert-scalars-to-scf").run(ts.parse_ir(text(line)))
