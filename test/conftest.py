"""What every test shares: a cache folder of its own, and the oracle tests left out, aloud, where PyTorch is missing."""

import gc
import importlib.util
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ORACLE = Path(__file__).parent / "oracle"
HAS_TORCH = importlib.util.find_spec("torch") is not None

# Before anything of the package is imported: tests neither read nor fill the user's cache of compiled objects.
_cache = tempfile.TemporaryDirectory(prefix="torchscript_dialect-tests-")
os.environ["TORCHSCRIPT_DIALECT_CACHE"] = _cache.name
# Devices that are interpreted run PTX; the tests of cubins say where a ptxas is.
os.environ["TORCHSCRIPT_DIALECT_PTXAS"] = "0"
# Which call is the first native one does not depend on time.
os.environ["TORCHSCRIPT_DIALECT_BACKGROUND"] = "0"
# Nor on how many functions other tests have compiled.
os.environ["TORCHSCRIPT_DIALECT_TIERED"] = "0"

import numpy as np  # noqa: E402

from torchscript_dialect.api.concrete_types import concrete_type_store  # noqa: E402
from torchscript_dialect.tensor.generator import seed_all  # noqa: E402
from torchscript_dialect.tensor.grad_mode import enabled  # noqa: E402


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    if not HAS_TORCH and collection_path.is_relative_to(ORACLE):
        return True
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """PyTorch announces the retirement of torch.jit at every use; that is its business, not a failure of ours."""
    for item in items:
        if item.path.is_relative_to(ORACLE):
            item.add_marker(pytest.mark.filterwarnings("ignore:`?torch.jit:DeprecationWarning"))
            item.add_marker(pytest.mark.filterwarnings("ignore:`?torch.jit:FutureWarning"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not HAS_TORCH:
        terminalreporter.write_line(
            "The oracle tests (test/oracle) were left out: PyTorch is not installed. The golden files stand in for it."
        )


@pytest.fixture(scope="session", autouse=True)
def _remove_cache() -> Iterator[None]:
    yield
    _cache.cleanup()


@pytest.fixture(autouse=True, scope="module")
def _small_heap() -> None:
    """Collections look at what the tests of a file make: millions of objects, the tests themselves first, take seconds each time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _same_recursion_limit() -> Iterator[None]:
    """Who raises the limit of recursion lowers it again: PyTorch ends in a crash where its compiler may call itself too often."""
    before = sys.getrecursionlimit()
    yield
    after = sys.getrecursionlimit()
    sys.setrecursionlimit(before)
    assert after == before


@pytest.fixture(autouse=True)
def _same_random_numbers() -> None:
    """What a test draws does not depend on what ran before, so that a failure can be had again."""
    random.seed(0)
    np.random.seed(0)
    seed_all(0)
    torch = sys.modules.get("torch")
    if torch is not None:
        # manual_seed asks for the generators of all devices, at length.
        torch.default_generator.manual_seed(0)


@pytest.fixture(autouse=True)
def _own_types() -> None:
    """No module has the type, and the plans, of one that another test has compiled."""
    concrete_type_store.clear()


@pytest.fixture
def without_gradients() -> Iterator[None]:
    """For tests of what modules compute, whose parameters require gradients."""
    with enabled(False):
        yield


@pytest.fixture(autouse=True)
def _no_device_left_in_use() -> Iterator[None]:
    """Whoever asks for a device does so for itself: later tests run what processes without one run."""
    yield
    arrays = sys.modules.get("torchscript_dialect.tensor.device_array")
    if arrays is not None:
        arrays.use_device(False)


@pytest.fixture(autouse=True)
def _same_torch() -> Iterator[None]:
    """Who loads a program of examples/ with PyTorch leaves ours behind for those that import it later (`flavoured`)."""
    yield
    chosen = sys.modules.get("examples._torch")
    assert (
        chosen is None or os.environ.get("TORCHSCRIPT_DIALECT_EXAMPLES", "ours") == chosen.FLAVOUR
    )
