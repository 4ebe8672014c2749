"""Whether a pass kept what a program does: functions and kernels are run before and after it on the same random inputs.

`PassPipeline(..., verify_equiv=True)` and `ts-opt --verify-equiv` ask for it; `passes/watch.py` finds it by name, as it stands above
the interpreter.
"""
