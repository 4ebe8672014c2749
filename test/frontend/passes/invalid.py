# RUN: not ts-opt --emit-only %s -p ts-exit-transforms 2>&1 | filecheck %s --check-prefix EXIT
# RUN: not ts-opt --emit-only %s -p ts-canonicalize-modified-loops 2>&1 | filecheck %s --check-prefix LOOPS

# What needs values says so where it gets loads and stores.


def f(n: int):
    while n < 5:
        n += 2
    return n


# EXIT: ts-opt: error: ts-exit-transforms comes after ts-convert-to-ssa, and @f still has prim::Store
# LOOPS: ts-opt: error: ts-canonicalize-modified-loops comes after ts-convert-to-ssa, and @f still has prim::Store
