"""What the tools have in common that write files of the project: writing them, or saying that they are not up to date."""

import argparse
import sys
from collections.abc import Mapping
from difflib import unified_diff
from itertools import islice
from pathlib import Path


def write_or_check(description: str | None, texts: Mapping[Path, str]) -> int:
    """Writes the files, or with `--check` on the command line compares them; the tool's exit status, 1 where one is not up to date."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="only compare")
    is_check = parser.parse_args().check
    for path, text in texts.items():
        if not is_check:
            path.write_text(text, "utf-8")
            continue
        found = path.read_text("utf-8") if path.exists() else ""
        if found != text:
            print(f"{path.name} is not up to date: run {sys.argv[0]}", file=sys.stderr)
            changed = unified_diff(found.splitlines(), text.splitlines(), lineterm="", n=0)
            print(*islice(changed, 2, 10), sep="\n", file=sys.stderr)
            return 1
    return 0
