#!/usr/bin/env python3
"""Runs every test of the checkout, lit's and then pytest's, spread over processes; exit status 0 when nothing failed.

    python tools/run_tests.py [--workers N] [--lit PATH ...] [--pytest ARGUMENT ...]
    python tools/run_tests.py --device cuda

With `--device cuda`, the tests of kernels for GPUs run on the first real device, in one process; those that let a driver fail, or look
at what it was asked, are left out. Where there is no device, an error says so and what to do, and the exit status is 2.

Without PyTorch the oracle tests are left out, and the run says so; nothing else needs PyTorch.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIT = "import sys; from lit.main import main; sys.argv[0] = 'lit'; main()"
REAL_DEVICE = "TORCHSCRIPT_DIALECT_REAL_DEVICE"
"""Set where tests are to run on a real device: test/support/simt/fixtures.py."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""For PyTorch and NumPy where several processes share the cores: threads that wait for each other there take twice as long."""
ON_DEVICE = ("test/unit/runtime/cuda", "test/unit/lowering/ptx")
LIT_OUTCOMES = {
    "PASS": "passed",
    "FLAKYPASS": "passed",
    "XFAIL": "xfailed",
    "UNSUPPORTED": "skipped",
    "SKIPPED": "skipped",
    "EXCLUDED": "deselected",
}


def lit_command(report: Path, workers: int, paths: list[str]) -> list[str]:
    options = ["-v", f"-j{workers}", "--no-progress-bar", f"--output={report}"]
    return [sys.executable, "-c", LIT, *options, *(paths or ["test"])]


def pytest_command(report: Path, workers: int, arguments: list[str]) -> list[str]:
    options = [f"--junitxml={report}", f"--numprocesses={workers}", "--dist=loadfile"]
    options.append("--max-worker-restart=0")  # else xdist waits for ever after a crash
    return [sys.executable, "-m", "pytest", *options, *arguments]


def lit_counts(report: Path) -> Counter[str]:
    tests = json.loads(report.read_text())["tests"] if report.exists() else []
    return Counter(LIT_OUTCOMES.get(test["code"], "failed") for test in tests)


def pytest_counts(report: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    if not report.exists():
        return counts
    for suite in ElementTree.parse(report).getroot().iter("testsuite"):
        total, failed, errors, skipped = (
            int(suite.get(key, "0")) for key in ("tests", "failures", "errors", "skipped")
        )
        counts += Counter(
            passed=total - failed - errors - skipped, failed=failed, error=errors, skipped=skipped
        )
    return counts


def closing_line(counts: Counter[str], seconds: float) -> str:
    words = ["failed", "passed", "skipped", "deselected", "xfailed", "error"]
    shown = [f"{counts[word]} {word}" for word in words if counts[word] or word == "passed"]
    return f" {', '.join(shown)} in {seconds:.2f}s ".center(80, "=")


def on_device() -> int:
    """Run the tests of kernels for GPUs on a real device; the exit status."""
    sys.path.insert(0, str(ROOT))
    from torchscript_dialect.runtime.cuda.driver import CudaError, driver

    try:
        device = driver().device
    except CudaError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    major, minor = device.compute_capability()
    os.environ[REAL_DEVICE] = "1"
    command = [sys.executable, "-m", "pytest", "-q", *ON_DEVICE]
    return run(f"pytest on {device.name()}, of compute capability {major}.{minor}", command)


def run(title: str, command: list[str]) -> int:
    print(f"\n----- {title} -----", flush=True)
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--workers", type=int, default=2, help="processes at a time (default 2)")
    parser.add_argument("--lit", nargs="+", default=[], metavar="PATH", help="only these for lit")
    parser.add_argument(
        "--pytest", nargs="+", default=[], metavar="ARG", help="arguments for pytest"
    )
    parser.add_argument("--device", choices=["cuda"], help="run the tests of a real device")
    options = parser.parse_args()
    if options.device is not None:
        return on_device()
    if options.workers > 1:
        os.environ.update({name: os.environ.get(name, one) for name, one in ONE_THREAD.items()})
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        lit_report, pytest_report = Path(folder, "lit.json"), Path(folder, "pytest.xml")
        lit = run("lit", lit_command(lit_report, options.workers, options.lit))
        python = run("pytest", pytest_command(pytest_report, options.workers, options.pytest))
        counts = lit_counts(lit_report) + pytest_counts(pytest_report)
    good = lit == 0 and python == 0
    if not good and not counts["failed"] and not counts["error"]:
        counts["error"] += 1
        print(f"lit ended with {lit}, pytest with {python}")
    if importlib.util.find_spec("torch") is None:
        print("\nThe oracle tests (test/oracle) were left out: PyTorch is not installed.")
        print("`pip install torch==2.13.0` brings them in; the golden files stand in for it.")
    print(f"\n{closing_line(counts, time.monotonic() - start)}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
