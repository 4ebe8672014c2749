"""Write test/archives/pytorch_VERSION: the programs of test/samples/old_programs.py, as the installed version of PyTorch saves them, and
`expected.json` with what that version gives for them. Needs PyTorch (1.0 or later) and NumPy, Python 3.6 or later, nothing of this
project:

    PYTHONPATH=<where PyTorch and NumPy are> python3.7 tools/regenerate_old_archives.py
"""
# ruff: noqa
# pyright: basic, reportAttributeAccessIssue=false, reportPrivateImportUsage=false, reportMissingImports=false

import io
import json
import os
import shutil
import sys
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.join(os.path.dirname(HERE), "test")
sys.path.append(os.path.join(TESTS, "samples"))

import numpy as np
import torch

import old_programs


def encoded(value):
    """A value as JSON; None of what is no result of a program."""
    if isinstance(value, torch.Tensor):
        flat = value.detach().reshape(-1)
        values = (flat.float() if flat.dtype == torch.float16 else flat).tolist()
        return {
            "dtype": str(value.dtype).replace("torch.", ""),
            "shape": list(value.shape),
            "values": values,
        }
    if isinstance(value, np.ndarray):
        return encoded(torch.from_numpy(value))
    if isinstance(value, tuple):
        return {"tuple": [encoded(one) for one in value]}
    if isinstance(value, list):
        return [encoded(one) for one in value]
    return value


def main():
    warnings.simplefilter("ignore")
    version = torch.__version__.split("+")[0]
    folder = os.path.join(TESTS, "archives", "pytorch_" + version)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    expected = {}
    for name, (make, args) in sorted(old_programs.PROGRAMS.items()):
        path = os.path.join(folder, name + ".pt")
        try:
            torch.manual_seed(0)
            torch.jit.save(make(), path)
            given = [
                torch.from_numpy(one.copy()) if isinstance(one, np.ndarray) else one for one in args
            ]
            with torch.no_grad():
                result = torch.jit.load(path)(*given)
        except Exception as error:
            print("%s does not make %s: %s" % (version, name, str(error).strip().splitlines()[-1:]))
            if os.path.exists(path):
                os.remove(path)
            continue
        expected[name] = {"arguments": [encoded(one) for one in args], "result": encoded(result)}
    with io.open(os.path.join(folder, "expected.json"), "w") as file:
        file.write(
            "{\n"
            + ",\n".join(
                '"%s": %s' % (name, json.dumps(one, sort_keys=True))
                for name, one in sorted(expected.items())
            )
        )
        file.write("\n}\n")
    print("%s: %d archives" % (version, len(expected)))


if __name__ == "__main__":
    main()
