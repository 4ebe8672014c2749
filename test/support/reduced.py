"""What the report of a failed random program shows: the smallest program with the same kind of difference.

A text is interesting where `find` tells a difference. What it tells begins with what kind of difference it is, up to the first
colon; one that raises where it should not, or takes long, is no difference.
"""

import os
import warnings
from collections.abc import Callable

from torchscript_dialect.equivalence.time_limit import OutOfTime, time_limit
from torchscript_dialect.reducer import Form, Search

Find = Callable[[str], str | None]

SECONDS = float(os.environ.get("TORCHSCRIPT_DIALECT_REDUCE_SECONDS", "60"))
"""What the search may take."""
SECONDS_A_RUN = 5.0


def report(form: Form, text: str, find: Find) -> str:
    """What is wrong with a program, and the smallest one of which the same can be said."""
    told = find(text)
    assert told is not None
    kind = told.partition(":")[0]

    def is_interesting(candidate: str) -> bool:
        try:
            with warnings.catch_warnings(), time_limit(SECONDS_A_RUN):
                warnings.simplefilter("ignore")
                found = find(candidate)
        except (Exception, OutOfTime):
            return False
        return found is not None and found.partition(":")[0] == kind

    search = Search(form, text, is_interesting, seconds=SECONDS)
    smallest = search.run()
    return f"{told}\n{text}\nReduced in {search.tests} tests to\n{smallest}{find(smallest)}"
