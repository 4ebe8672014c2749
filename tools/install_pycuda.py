"""Build pycuda from its source distribution for the tests of the GPU path, which run it over a stand-in of the driver.

A plain `pip install pycuda` links against libcuda and libcurand, which a machine without a GPU does not have. The build needs no more
than a C++ compiler and CUDA's headers, which are looked for in CUDA_ROOT, or in /usr/local/cuda.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "2026.1"
ROOT = Path(os.environ.get("CUDA_ROOT", "/usr/local/cuda"))
CONFIGURATION = f"""
CUDA_ROOT = {str(ROOT)!r}
CUDA_INC_DIR = [{str(ROOT / "include")!r}]
CUDADRV_LIBNAME = []
CUDADRV_LIB_DIR = []
CUDA_ENABLE_CURAND = False
CXXFLAGS = ["-O1"]
LDFLAGS = []
"""
"""What the build reads from siteconf.py. The driver's functions are looked for where the process has them."""


def pip(*arguments: str) -> None:
    """Run pip in this environment."""
    subprocess.run([sys.executable, "-m", "pip", "--quiet", *arguments], check=True)


def main() -> None:
    """Build and install it."""
    if not (ROOT / "include" / "cuda.h").exists():
        sys.exit(f"no {ROOT / 'include' / 'cuda.h'}: set CUDA_ROOT to a CUDA toolkit")
    pip("install", "setuptools", "wheel", "numpy", "pytools", "mako", "platformdirs")
    with tempfile.TemporaryDirectory() as folder:
        pip(
            "download", "--no-deps", "--no-build-isolation", "--no-binary", ":all:",
            "--dest", folder, f"pycuda=={VERSION}",
        )  # fmt: skip
        (archive,) = Path(folder).glob("pycuda-*.tar.gz")
        with tarfile.open(archive) as source:
            source.extractall(folder, filter="data")
        unpacked = Path(folder) / f"pycuda-{VERSION}"
        (unpacked / "siteconf.py").write_text(CONFIGURATION)
        pip("install", "--no-deps", "--no-build-isolation", str(unpacked))


if __name__ == "__main__":
    main()
