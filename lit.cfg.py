"""lit's configuration. Tests are rooted at the checkout, and its ts-opt is what RUN lines mean."""

# ruff: noqa: F821 (lit defines `config` and `lit_config`)

import importlib.util
import os
import sys
import tempfile

import lit.formats

root = os.path.dirname(os.path.abspath(__file__))

config.name = "torchscript_dialect"
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = root
config.test_exec_root = os.path.join(root, "build", "lit")
config.suffixes = [".mlir", ".ts", ".py"]
# Folders that hold pytest's files, inputs of tests, and everything that is no test.
config.excludes = [
    *("unit", "oracle", "support", "samples", "golden", "Inputs", "conftest.py", "lit.cfg.py"),
    *("corpus", "rejected", "everything", "models", "programs", "training"),
    *("build", "docs", "examples", "benchmarks", "tools"),
]

python = sys.executable
# A command only where it is a word of its own: not in a path, nor in the name of a file or pass.
alone = r"(?<![\w/.\-]){}(?![\w/.\-])".format
config.substitutions += [
    (alone("ts-opt"), f"{python} {root}/tools/ts-opt"),
    (alone("ts-run"), f"{python} {root}/tools/ts-run"),
    (alone("ts-reduce"), f"{python} {root}/tools/ts-reduce"),
    (alone("filecheck"), f"{python} -m filecheck"),
    (alone("xdsl-opt"), f"{python} -m xdsl.tools.xdsl_opt"),
    (alone("python"), python),
    ("%root", root),
    ("%examples", f"{root}/examples"),
]

# Not below the checkout: its folders may be writable by a group, and no cache is kept in such.
config.environment["TORCHSCRIPT_DIALECT_CACHE"] = os.path.join(
    tempfile.gettempdir(), f"torchscript_dialect-lit-{os.getuid()}"
)
config.environment["PYTHONPATH"] = root
# So that the tests can be run as on a lesser processor than this one.
config.environment["TORCHSCRIPT_DIALECT_CPU_CAPABILITY"] = os.environ.get(
    "TORCHSCRIPT_DIALECT_CPU_CAPABILITY", ""
)

if importlib.util.find_spec("torch") is not None:
    config.available_features.add("torch")
if importlib.util.find_spec("pycuda") is not None and os.path.exists("/dev/nvidiactl"):
    config.available_features.add("cuda")
