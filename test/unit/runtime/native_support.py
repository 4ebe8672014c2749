"""What the tests of native callables share."""

from torchscript_dialect.backend import KernelSpec, Sym, TensorInput, TensorOutput

S0, S1, S2, S3 = (Sym(i) for i in range(4))
ADD = KernelSpec(
    inputs=(TensorInput("float32", (S0, S1)), TensorInput("float32", (S0, S1))),
    outputs=(TensorOutput("float32", (S0, S1)),),
    num_syms=2,
    total=(S0, S1),
)


def slow(*args, **kwargs):
    return ("slow", args, kwargs)
