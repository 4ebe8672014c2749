"""Graph text in a form in which two printers can be compared.

Kept: every operator, type, attribute, constant, block and the place in the source file of the program. Changed: value
names become `%0`, `%1`, ... in order of appearance; places in other files (PyTorch's own library) are left out, since the
two libraries are different files.
"""

import re
from itertools import groupby

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|%[\w.]+')
_PLACE = re.compile(r"\s*# (?P<path>[^\s:]+|<\w+>):(?P<line>\d+):(?P<column>\d+)$")
_WARNING = re.compile(r"\[warn_id=\d+\]")
"""The numbers of warnings: PyTorch counts through the process."""
_MANGLE = re.compile(r"___torch_mangle_\d+\.")


def with_base_names(text: str) -> str:
    """`text` with the folders of `# folder/file.py:line:column` comments removed."""

    def shorten(line: str) -> str:
        match = _PLACE.search(line)
        if not match:
            return line
        name = match["path"].rsplit("/", 1)[-1]
        return f"{line[: match.start()]} # {name}:{match['line']}:{match['column']}"

    return "\n".join(shorten(line) for line in text.splitlines()) + "\n"


def _with_sorted_constants(lines: list[str]) -> list[str]:
    """`lines` with neighbouring constants in order of their text, whatever the order they were made in."""
    done: list[str] = []
    for is_constant, group in groupby(lines, key=lambda line: " = prim::Constant" in line):
        run = list(group)
        if is_constant:
            run.sort(key=lambda line: line.partition(" : ")[2])
        done += run
    return done


def canonical(
    text: str, source_file: str | None = None, *, any_order_of_constants: bool = False
) -> str:
    """`text` with values renamed in order of appearance, and no places but those in `source_file` (a base name).

    any_order_of_constants: neighbouring constants are sorted; after inlining, their order in PyTorch depends on what
    else the process has compiled.
    """
    names: dict[str, str] = {}

    def rename(match: re.Match[str]) -> str:
        token = match[0]
        if token.startswith('"'):
            return token
        return names.setdefault(token, f"%{len(names)}")

    lines: list[str] = []
    for line in with_base_names(text).splitlines():
        place = _PLACE.search(line)
        if place and place["path"] != source_file:
            line = line[: place.start()]
        lines.append(line.rstrip())
    if any_order_of_constants:
        lines = _with_sorted_constants(lines)
    done: list[str] = []
    for line in lines:
        if line.startswith("with "):  # a graph of its own
            names.clear()
        done.append(_WARNING.sub("[warn_id=n]", _TOKEN.sub(rename, line)))
    renamed = "\n".join(done)
    return without_mangling(renamed.strip() + "\n")


def without_mangling(text: str) -> str:
    """`text` without the numbers that set equal class and function names apart."""
    return _MANGLE.sub("", text)
