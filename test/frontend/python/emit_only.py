# RUN: ts-opt --emit-only -t torchscript %s | filecheck %s

# What the emitter makes: numbers at the start, a store for each assignment, a load for each use, and the loop's
# condition in a block of its own.


def f(i: int):
    while i < 5:
        if i == 3:
            i += 1
            continue
        i += 2
    return i


# CHECK:      graph @f(%i : int):
# CHECK-NEXT:   %0 : int = prim::Constant[value=2]()
# CHECK-NEXT:   %1 : int = prim::Constant[value=1]()
# CHECK-NEXT:   %2 : int = prim::Constant[value=3]()
# CHECK-NEXT:   %3 : int = prim::Constant[value=5]()
# CHECK-NEXT:   %4 : int = prim::Constant[value=9223372036854775807]()
# CHECK-NEXT:    = prim::Store[name="i"](%i)
# CHECK-NEXT:    = prim::Loop(%4)
# CHECK-NEXT:     block0(%5 : int):
# CHECK-NEXT:       %i.1 : int = prim::Load[name="i"]()
# CHECK-NEXT:       %6 : bool = aten::eq(%i.1, %2)
# CHECK-NEXT:        = prim::If(%6)
# CHECK:             = prim::ContinueStmt()
# CHECK:          block1():
# CHECK:            %7 : bool = aten::lt(
# CHECK-NEXT:       -> (%7)
# CHECK:       = prim::ReturnStmt(
# CHECK-NEXT:  %8 : int = prim::Uninitialized()
# CHECK-NEXT:  return (%8)
