"""Graph texts of somebody who wants more than a result: every structural node with every attribute spoiled in every way.

`TOKEN` stands in all names, places, texts and attributes, as code that would give itself away: what is generated from such a
graph must not hold it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

TOKEN = "zqx7"
"""Part of no word of ours."""

PAYLOAD = f"__import__('os').system('touch {TOKEN}')"
PLACE = f" # /etc/{TOKEN}:1:0"


class Hostile(NamedTuple):
    """A graph text, and what was spoiled in it."""

    name: str
    text: str
    arguments: str
    """The kinds of its arguments: `t` a tensor, `i` an int, `s` a text, `p` a pair of ints, `l` a list of ints, `m` a module, `b` a
    bool."""


class Template(NamedTuple):
    """A node to be spoiled: its operands by kind, its results, its attributes as they should be, and its blocks."""

    operands: str = ""
    results: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    blocks: str = ""
    subgraph: str = ""


_TYPES = {
    "t": "Tensor",
    "i": "int",
    "s": "str",
    "p": "(int, int)",
    "l": "int[]",
    "b": "bool",
    "a": "Any",
    "o": f"__torch__.{TOKEN}",
    "m": "__torch__.Holder",
    "f": "Future(Tensor)",
    "n": f"InterfaceType<{TOKEN}>",
}
_RESULTS = {**_TYPES, "F": "Function", "d": "Dict(str, int)", "1": "(int)", "e": f"Enum<{TOKEN}>"}

TEMPLATES: dict[str, Template] = {
    "prim::yield": Template("i"),
    "prim::Constant": Template(
        "", "i", (("value", "1"), ("name", f'"{TOKEN}"'), ("fallback", "1"))
    ),
    "prim::ListConstruct": Template("ii", "l"),
    "prim::ListUnpack": Template("l", "ii"),
    "prim::TupleConstruct": Template("ii", "p"),
    "prim::TupleUnpack": Template("p", "ii"),
    "prim::TupleIndex": Template("pi", "i"),
    "prim::TupleSlice": Template("p", "1", (("beg", "0"), ("end", "1"))),
    "prim::DictConstruct": Template("si", "d"),
    "prim::If": Template("b", "", (), "    block0():\n      -> ()\n    block1():\n      -> ()\n"),
    "prim::Loop": Template("ib", "", (), "    block0(%i : int):\n      -> (%b0)\n"),
    "prim::With": Template("", "", (), "    block0():\n      -> ()\n    block1():\n      -> ()\n"),
    "prim::Enter": Template("o", "i"),
    "prim::Exit": Template("o", "i"),
    "prim::Load": Template("", "i", (("name", f'"{TOKEN}"'),)),
    "prim::Store": Template("i", "", (("name", f'"{TOKEN}"'),)),
    "prim::BreakStmt": Template(),
    "prim::ContinueStmt": Template(),
    "prim::ComprehensionScope": Template("", "", (), "    block0():\n      -> ()\n"),
    "prim::LoopContinuation": Template("i"),
    "prim::ReturnStmt": Template("i"),
    "prim::Uninitialized": Template("", "i"),
    "prim::RaiseException": Template("ss"),
    "prim::ConstantChunk": Template("t", "t", (("chunks", "1"), ("dim", "0"))),
    "prim::profile": Template("t", "t", (("profiled_type", "Float(2)"),)),
    "prim::profile_ivalue": Template("a", "a", (("seen_none", "0"), ("seen", "0"))),
    "prim::RequiresGradCheck": Template("t", "tb", (("types", "[Float(2)]"),)),
    "prim::Guard": Template("t", "t"),
    "prim::BailOut": Template("it", "t", (("index", "0"),)),
    "prim::BailOutPoint": Template("t", "", (("index", "0"),)),
    "prim::BailoutTemplate": Template("", "i", (), "", "t"),
    "prim::TypeCheck": Template("t", "tb", (("types", "[Float(2)]"),)),
    "prim::TensorExprGroup": Template("t", "t", (), "", "t"),
    "prim::Update": Template("tt"),
    "prim::FusionGroup": Template("t", "t", (), "", "t"),
    "prim::ScalarGroup": Template("i", "i", (), "", "i"),
    "prim::DifferentiableGraph": Template(
        "t",
        "t",
        (
            ("df_input_vjps", "[0]"),
            ("df_input_captured_inputs", "[0]"),
            ("df_input_captured_outputs", "[0]"),
            ("df_output_vjps", "[0]"),
            ("df_sizes", "[0]"),
        ),
        "",
        "t",
    ),
    "prim::GradOf": Template(
        "t", "t", (("name", '"aten::neg"'),), "    block0():\n      -> (%t0)\n"
    ),
    "prim::FallbackGraph": Template("t", "t", (), "", "t"),
    "prim::GetAttr": Template("m", "i", (("name", '"number"'),)),
    "prim::SetAttr": Template("mi", "", (("name", '"number"'),)),
    "prim::HasAttr": Template("m", "b", (("name", '"number"'),)),
    "prim::CreateObject": Template("", "o"),
    "prim::CallFunction": Template("i", "t"),
    "prim::CallMethod": Template("mi", "i", (("name", '"forward"'),)),
    "prim::Closure": Template("", "i", (), "    block0():\n      -> ()\n"),
    "prim::fork": Template("t", "f", (), "", "t"),
    "prim::Print": Template("si"),
    "prim::PythonOp": Template("i", "i", (("name", f'"{TOKEN}"'), ("callee", "0"))),
    "prim::isinstance": Template("t", "b", (("types", "[Tensor]"),)),
    "prim::unchecked_cast": Template("a", "o"),
    "prim::ClassType": Template(
        "",
        "",
        (
            ("name", f'"{TOKEN}"'),
            ("attributes", '["number"]'),
            ("types", "[int]"),
            ("methods", '["forward"]'),
            ("parameters", "[]"),
            ("buffers", "[]"),
            ("constants", '["number"]'),
            ("values", "[1]"),
            ("hooks", "[]"),
            ("pre_hooks", "[]"),
        ),
    ),
    "prim::EnumType": Template(
        "", "", (("name", f'"{TOKEN}"'), ("members", '["A"]'), ("values", "[1]"))
    ),
    "prim::InterfaceType": Template(
        "",
        "",
        (
            ("name", f'"{TOKEN}"'),
            ("methods", '["forward"]'),
            ("arguments", '[["self"]]'),
            ("types", "[Tensor]"),
            ("is_module", "1"),
        ),
    ),
    "prim::Weight": Template(
        "",
        "t",
        (
            ("value", "1"),
            ("dtype", '"float32"'),
            ("sizes", "[1]"),
            ("strides", "[1]"),
            ("offset", "0"),
        ),
    ),
    "prim::Module": Template("m", "", (), "    block0():\n      -> (%m)\n"),
}
"""By kind, all of them."""

SPOILED: dict[str, str] = {
    "code": f'"{PAYLOAD}"',
    "token": f'"{TOKEN}"',
    "dunder": '"__class__"',
    "globals": '"__globals__"',
    "definition": '"_definition"',
    "dotted": f'"number.{TOKEN}"',
    "line break": f'"{TOKEN}\\n    {PAYLOAD}"',
    "bracket": f'"0]; {PAYLOAD} #"',
    "empty text": '""',
    "negative": "-1",
    "huge": str(2**63),
    "longer than long": "9" * 30,
    "float": "1.5",
    "nan": "nan",
    "nothing": "None",
    "list": f'[1, "{PAYLOAD}"]',
    "type": f"__torch__.{TOKEN}",
    "types": f"[__torch__.{TOKEN}, int]",
    "tensor": 'tensor<Float, [1], "00000000">',
    "wild tensor": 'tensor<Bool, [4], "02FF8001">',
    "negative tensor": 'tensor<Float, [-1, -1], "00000000">',
}
"""What an attribute is spoiled with."""

UNKNOWN = "callee eval exec types value name beg end chunks dim".split()
"""Attributes that some node reads, on nodes that do not."""


def node(kind: str, attributes: dict[str, str], claims: str | None = None) -> Hostile:
    """A graph of one node of a kind with these attributes, among tokens; its first result `claims` to have that type."""
    template = TEMPLATES[kind]
    names = [f"{letter}{index}" for index, letter in enumerate(template.operands)]
    inputs = [f"%{n} : {_TYPES[n[0]]}" for n in names]
    if "prim::Loop" in kind:
        names = ["i0", "b0"]
        inputs = ["%i0 : int", "%b0 : bool"]
    inputs.append(f"%{TOKEN}.1 : int")
    types = [_RESULTS[letter] for letter in template.results]
    if claims is not None:
        types[0] = claims
    results = [f"%{TOKEN}_{i} : {type_}" for i, type_ in enumerate(types)]
    inside = ", ".join(f"{key}={value}" for key, value in attributes.items())
    shown = f"{kind}_0" if template.subgraph else kind
    line = (
        f"  {', '.join(results)} = {shown}[{inside}]({', '.join('%' + n for n in names)}){PLACE}\n"
    )
    if not inside:
        line = line.replace("[]", "")
    last = f"%{TOKEN}_0" if results else f"%{TOKEN}.1"
    returned = template.results[:1]
    text = (
        f"graph @{TOKEN}({', '.join(inputs)}):\n"
        f'  %{TOKEN}.2 : str = prim::Constant[value="{PAYLOAD}"](){PLACE}\n'
        f"   = prim::Print(%{TOKEN}.2){PLACE}\n{line}{template.blocks}  return ({last})\n"
    )
    if template.subgraph:
        text += (
            f"with {kind}_0 = graph(%{TOKEN} : Tensor):\n"
            f"  %y : Tensor = aten::relu(%{TOKEN}){PLACE}\n  return (%y)\n"
        )
    spoiled = " ".join(f"{key}={value[:40]}" for key, value in attributes.items())
    return Hostile(f"{kind} {spoiled} {returned}", text, template.operands + "i")


def hostile_graphs() -> Iterator[Hostile]:
    """Every structural node as it should be, with every attribute spoiled or left out, and with attributes of others."""
    for kind, template in TEMPLATES.items():
        right = dict(template.attributes)
        if kind == "prim::Constant":
            right = {"value": "1"}
        yield node(kind, right)
        for name, _ in template.attributes:
            for spoiled in SPOILED.values():
                yield node(kind, right | {name: spoiled})
            yield node(kind, {key: value for key, value in right.items() if key != name})
        others = {name: f'"{PAYLOAD}"' for name in UNKNOWN if name not in right}
        yield node(kind, right | others)
    yield from _casts()
    yield from _others()


def _casts() -> Iterator[Hostile]:
    """What is passed as one thing and used as another."""
    uses = {
        "attribute": f'%r : Any = prim::GetAttr[name="__class__"](%c){PLACE}',
        "method": f'%r : Any = prim::CallMethod[name="__init__"](%c){PLACE}',
        "function": f"%r : Any = prim::CallFunction(%c){PLACE}",
        "submodule": f"%r : Any = prim::ModuleContainerIndex(%c, %s){PLACE}",
        "has": f'%r : bool = prim::HasAttr[name="__dict__"](%c){PLACE}',
        "enter": f"%r : Any = prim::Enter(%c){PLACE}",
        "format": f"%r : str = aten::format(%s, %c){PLACE}",
        "percent": f"%r : str = aten::percentFormat(%s, %c){PLACE}",
        "len": f"%r : int = aten::len(%c){PLACE}",
        "wait": f"%r : Any = aten::wait(%c){PLACE}",
        "value": f"%r : int = prim::EnumValue(%c){PLACE}",
        "name": f"%r : str = prim::EnumName(%c){PLACE}",
        "add": f"%r : Tensor = aten::add(%c, %c, %i){PLACE}",
        "string": f"%r : str = aten::strip(%c, %s){PLACE}",
    }
    for use, line in uses.items():
        for letter in "tismplb":
            for type_ in ("o", "n", "a", "f", "t", "s", "F", "e", "l"):
                declared = _RESULTS[type_]
                text = (
                    f"graph(%x : {_TYPES[letter]}, %s : str, %i : int):\n"
                    f"  %a : Any = prim::unchecked_cast(%x)\n"
                    f"  %c : {declared} = prim::unchecked_cast(%a){PLACE}\n"
                    f"  {line}\n  return (%r)\n"
                )
                yield Hostile(f"{use} of {letter} as {declared}", text, f"{letter}si")


_FORMATS = ("{0.__class__}", "{0.__init__.__globals__}", "%(x)s", "%n", "{!r:>999999999}", "%*d")


def _others() -> Iterator[Hostile]:
    for template in _FORMATS:
        for operator in ("format", "percentFormat"):
            text = (
                f'graph(%t : Tensor):\n  %f : str = prim::Constant[value="{template}"]()\n'
                f"  %r : str = aten::{operator}(%f, %t){PLACE}\n  return (%r)\n"
            )
            yield Hostile(f"{operator} {template}", text, "t")
    for name in ("os", "system", "eval", "__import__", TOKEN):
        text = (
            f'graph(%s : str):\n  %f : Function = prim::Constant[name="{name}"]()\n'
            f"  %r : Any = prim::CallFunction(%f, %s){PLACE}\n  return (%r)\n"
        )
        yield Hostile(f"function {name}", text, "s")
    for operator, operands in (
        ("aten::save", "%t, %s"),
        ("aten::from_file", "%s"),
        ("aten::warn", "%s, %i"),
        ("prim::rpc_sync", "%s"),
        (f"{TOKEN}::{TOKEN}", "%t"),
        ("prim::IgnoredPythonOp", "%t"),
        ("prim::PythonOp", "%t"),
    ):
        results = "" if operator in ("aten::save", "aten::warn") else "%r : Tensor "
        text = (
            f"graph(%t : Tensor, %s : str, %i : int):\n  {results}= {operator}({operands}){PLACE}\n"
            "  return (%t)\n"
        )
        yield Hostile(operator, text, "tsi")
    fields = ("__class__", "__reduce__", "_fields", "class", TOKEN, "__getattribute__")
    for field in fields:
        text = (
            f"graph(%t : Tensor):\n  %r : NamedTuple({field} : Tensor, x : Tensor) ="
            f" prim::TupleConstruct(%t, %t){PLACE}\n  return (%r)\n"
        )
        yield Hostile(f"NamedTuple of {field}", text, "t")
    for place in ("/etc/passwd:1:0", f"{__file__}:1:0", "<stdin>:1:0", "/dev/stdin:1:0"):
        text = f"graph(%t : Tensor):\n  %r : Tensor = aten::mm(%t, %t) # {place}\n  return (%r)\n"
        yield Hostile(f"place {place}", text, "t")
