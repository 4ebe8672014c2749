# RUN: ts-opt --emit-only -p ts-convert-to-ssa -t torchscript %s | filecheck %s

# Variables are values, the loop carries what it changes, `continue` is a LoopContinuation with the condition inlined.


def f(i: int):
    while i < 5:
        if i == 3:
            i += 1
            continue
        i += 2
    return i


# CHECK:      graph @f(%i : int):
# CHECK:        %5 : bool = aten::lt(%i, %3)
# CHECK-NEXT:   %i.1 : int = prim::Loop(%4, %5, %i)
# CHECK-NEXT:     block0(%6 : int, %i.2 : int):
# CHECK-NEXT:       %7 : bool = aten::eq(%i.2, %2)
# CHECK-NEXT:       %i.3 : int = prim::If(%7)
# CHECK-NEXT:         block0():
# CHECK-NEXT:           %i.4 : int = aten::add(%i.2, %1)
# CHECK-NEXT:           %8 : bool = aten::lt(%i.4, %3)
# CHECK-NEXT:            = prim::LoopContinuation(%8, %i.4)
# CHECK-NEXT:           -> (%i.4)
# CHECK-NEXT:         block1():
# CHECK-NEXT:           -> (%i.2)
# CHECK-NEXT:       %i.5 : int = aten::add(%i.3, %0)
# CHECK-NEXT:       %9 : bool = aten::lt(%i.5, %3)
# CHECK-NEXT:       -> (%9, %i.5)
# CHECK-NEXT:    = prim::ReturnStmt(%i.1)
