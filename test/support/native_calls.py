"""The mark of tests that ask whether, or how often, machine code ran: elsewhere the same programs are interpreted."""

import pytest

from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS

needs_native_calls = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="no native calls")
