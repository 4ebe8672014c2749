"""What tests share. Run by itself (`python -m support.random_kernels`) a module compiles at once, as in the suite: test/conftest.py."""

import os

for name in ("TIERED", "BACKGROUND"):
    os.environ.setdefault(f"TORCHSCRIPT_DIALECT_{name}", "0")
