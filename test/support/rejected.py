"""Programs that are no TorchScript: test/frontend/rejected/<area>.py, written against one library or the other.

Every public function and class of a file is a program: functions and script classes are scripted, module classes are made
without arguments first. `SOURCES` has programs as text for `torch.jit.CompilationUnit`, `CALLS` functions that script something
else, `SUGGESTIONS` says for names that are nearly right what ours has to propose.
"""

import importlib.util
import inspect
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from support.loader import flavoured

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "frontend" / "rejected"
GOLDEN = ROOT / "golden" / "frontend" / "rejected.json"
NEWER = {(3, minor): GOLDEN.with_name(f"rejected_since_3_{minor}.json") for minor in (12, 14)}
KNOWN_DIFFERENCES = GOLDEN.parent / "rejected_differences.json"

_PLACE = re.compile(r'^ *File "(?:.*/)?(.*)", line (\d+)')
_CALL = re.compile(r"^ *'(.*)' is being compiled since it was called from '(.*)'")
_MARKS = re.compile(r"^ *(~+)( <--- HERE)?$")
_ADDRESS = re.compile(r"0x[0-9a-f]+")
_MANGLING = re.compile(r"___torch_mangle_\d+\.")
_UNIT = re.compile(r" \(of Python compilation unit at: \w+\)")
_CLASS = re.compile(r"__torch__(\.\w+)*\.(\w+)")
_REWORDED = (
    (re.compile(r"^object has no attribute (\w+)"), r"has no attribute '\1'"),
    (re.compile(r"^<object object at 0x> is not a callable object"), r"cannot be called"),
    (re.compile(r"^(Module '\w+' has no attribute .* to a TorchScript type)\..*"), r"\1"),
    (re.compile(r"^(Could not unify type list) since .*"), r"\1"),
    (re.compile(r"^(Could not cast attribute '\w+' to type [^:]*): .*"), r"\1"),
    (re.compile(r"^(.*): SourceRange at.*"), r"\1"),
    (re.compile(r"^expected ident (but found .*)"), r"\1"),
    (re.compile(r"^(.*) \(<unknown>, line \d+\)"), r"\1"),
    (
        re.compile(r"^(Type annotation was inferred to be) ([^`]*)(but the type of.*):"),
        r"\1 `\2`, \3",
    ),
    (re.compile(r"^'Tensor' object has no attribute or method '\w+'"), r"cannot be called"),
)
"""What PyTorch says, and what ours has to say instead."""

Record = dict[str, Any]


@dataclass
class Program:
    """Something that cannot be compiled: `attempt` tries to. `suggestion` is the name that was meant."""

    area: str
    name: str
    attempt: Callable[[], Any]
    suggestion: str | None = None


def areas() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.py"))


def load(area: str, flavour: str) -> dict[str, Program]:
    """The programs of a file by name; `flavour` says what `torch` means, "torch" or "ours"."""
    name = f"rejected_{area}"
    with flavoured(flavour):
        spec = importlib.util.spec_from_file_location(name, FOLDER / f"{area}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # where `inspect` looks for the source of classes
        spec.loader.exec_module(module)
    members = vars(module)
    jit = members["torch"].jit
    attempts: dict[str, Callable[[], Any]] = {}
    for key, member in members.items():
        if key.startswith("_") or getattr(member, "__module__", None) != name:
            continue
        if inspect.isclass(member) and issubclass(member, members["torch"].nn.Module):
            attempts[key] = lambda class_=member: jit.script(class_())
        elif inspect.isclass(member) or inspect.isfunction(member):
            attempts[key] = partial(jit.script, member)
    for key, text in members.get("SOURCES", {}).items():
        attempts[key] = partial(jit.CompilationUnit, text)
    attempts |= members.get("CALLS", {})
    hints = members.get("SUGGESTIONS", {})
    return {key: Program(area, key, each, hints.get(key)) for key, each in attempts.items()}


def _marked(lines: list[str], start: int) -> tuple[int, int] | None:
    """Column and length of the first underlined text behind `lines[start]`, before another place."""
    for line in lines[start + 1 :]:
        if (found := _MARKS.match(line)) is not None:
            return found.start(1), len(found[1])
        if _PLACE.match(line) or _CALL.match(line):
            break
    return None


def parse_message(text: str, folder: Path = FOLDER) -> Record:
    """What a message says: the statement, line, column and length of what it shows, and the calls that led there. Places count
    in the files of a folder.
    """
    text = text.replace(f"{folder}/", "")
    lines = _MANGLING.sub("", _ADDRESS.sub("0x", text)).split("\n")
    places = [index for index, line in enumerate(lines) if _PLACE.match(line)]
    calls = [index for index, line in enumerate(lines) if _CALL.match(line)]
    unnamed = [index - 1 for index, line in enumerate(lines) if _MARKS.match(line)]
    end = min([len(lines), *places[:1], *calls[:1], *unnamed[:1]])
    statement = [line.rstrip() for line in lines[:end] if line.strip()]
    record: Record = {"statement": statement, "place": None, "calls": []}
    if places and places[0] == end:
        record["place"] = _place(lines, end, folder)
    for index in calls:
        found = _CALL.match(lines[index])
        assert found is not None
        behind = lines[index + 1] if index + 1 < len(lines) else ""
        place = _place(lines, index + 1, folder) if _PLACE.match(behind) else None
        record["calls"].append([found[1], found[2], place])
    return record


def _place(lines: list[str], index: int, folder: Path) -> list[int | None] | None:
    """Line, column and length; None where it is in a library. Where only a line break is meant nothing is underlined."""
    found = _PLACE.match(lines[index])
    assert found is not None
    if found[1] != "<string>" and not (folder / found[1]).exists():
        return None
    column, length = _marked(lines, index) or (None, None)
    return [int(found[2]), column, length]


def describe(program: Program) -> Record | None:
    """The record of what is raised, None if nothing is."""
    try:
        program.attempt()
    except Exception as error:
        return {"error": type(error).__name__, **parse_message(str(error))}
    return None


def _normal(text: str) -> str:
    """Without what depends on the library that a class is from; blanks count as one."""
    return " ".join(_CLASS.sub(r"\2", _UNIT.sub("", text)).split()).rstrip(":. ")


def _meant(line: str) -> str:
    for pattern, replacement in _REWORDED:
        if (found := pattern.match(line)) is not None:
            return _normal(found.expand(replacement))
    return _normal(line)


def _same_place(ours: list[int | None] | None, theirs: list[int | None]) -> bool:
    """Where PyTorch underlines nothing it means a line break: ours shows the line that it ends, or the next."""
    if theirs[1] is None and ours is not None:
        line = theirs[0]
        assert line is not None
        return ours[0] in (line - 1, line)
    return ours is not None and ours[:2] == theirs[:2]


_VARIANTS = "The following variants are available"


def _variants(statement: list[str]) -> dict[str, str]:
    """By the schema of an overload that did not fit, why."""
    found: dict[str, str] = {}
    schema = ""
    for line in map(str.strip, statement):
        if re.match(r"[\w:.]+\(.*\) -> .*:$", line):
            schema = line
        elif line.startswith("The original call is"):
            break
        elif schema:
            found[schema] = found.get(schema, "") + line
    return found


def _calls(record: Record) -> list[Any]:
    """Callee, caller, line and column of each."""
    return [[*names, place and place[:2]] for *names, place in record["calls"]]


def difference(ours: Record, theirs: Record) -> str | None:
    """What ours lacks, None if nothing. Ours may say more than theirs, and list other overloads."""
    if theirs["place"] is not None and not _same_place(ours["place"], theirs["place"]):
        return f"place is {ours['place']}, should be {theirs['place']}"
    if theirs["place"] is not None and _calls(theirs) != _calls(ours):
        return f"calls are {ours['calls']}, should be {theirs['calls']}"
    said, meant = ours["statement"], theirs["statement"]
    if any(_VARIANTS in line for line in meant):
        known = _variants(meant)
        for schema, why in _variants(said).items():
            if _normal(known.get(schema, why)) not in _normal(why):
                return f"{schema} {why} should be {known[schema]}"
        said, meant = said[:1], meant[:1]
    whole = _normal("\n".join(said))
    if missing := next((line for line in meant if _meant(line) not in whole), None):
        return f"statement is {whole!r}, should have {_meant(missing)!r}"
    return None


def golden(before: tuple[int, int] = sys.version_info[:2]) -> dict[str, dict[str, Record]]:
    """What PyTorch says with the oldest Python that we know, and in its place what it says since newer ones up to `before`: of parts
    of f-strings, for one, Python 3.11 knows no places.
    """
    records: dict[str, dict[str, Record]] = json.loads(GOLDEN.read_text())
    for version in sorted(NEWER):
        if version <= before:
            for area, newer in json.loads(NEWER[version].read_text()).items():
                records[area] |= newer
    return records


def known_differences() -> dict[str, str]:
    """By `area.program`, why it differs."""
    return json.loads(KNOWN_DIFFERENCES.read_text()) if KNOWN_DIFFERENCES.exists() else {}
