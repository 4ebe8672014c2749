"""How fast this machine is, for tests in which a hostile input must not take long."""

import time
from functools import cache


@cache
def pace() -> float:
    """Processor seconds that two million steps of a loop take: 0.12 on a fast machine of 2025, 0.3 on a slow one."""
    start = time.process_time()
    sum(i * i for i in range(2_000_000))
    return time.process_time() - start


def seconds_allowed() -> float:
    """Processor seconds that a hostile input may take."""
    return 16 * pace()
