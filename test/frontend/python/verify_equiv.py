# RUN: ts-opt %s --verify-equiv -p inlining,ts-constant-pooling,canonicalize -t torchscript 2>&1 | filecheck %s

# What cannot be run is told, and the rest is verified.

# CHECK: ts-opt: note: --verify-equiv did not run @waits: there are no random values of type Future[int]
# CHECK: graph @waits


def waits(x: Future[int]) -> int:
    return 1


def changes(x: Tensor, n: int) -> List[Tensor]:
    x += n
    return [x, x.t()]
