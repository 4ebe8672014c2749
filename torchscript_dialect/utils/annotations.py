"""The annotations of Python functions and classes."""

from __future__ import annotations

import importlib
import inspect
import sys
from typing import Any


def annotations_of(obj: Any) -> dict[str, Any]:
    """What an object is annotated with itself, by name. From Python 3.14 on annotations are evaluated when they are asked for
    (PEP 649): of those that name what there is none of, such as what only type checkers import, it is a `ForwardRef`.
    """
    if sys.version_info < (3, 14):
        return inspect.get_annotations(obj)
    library = importlib.import_module("annotationlib")
    return library.get_annotations(obj, format=library.Format.FORWARDREF)
