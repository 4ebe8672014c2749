# RUN: ts-opt --emit-only %s -p ts-convert-to-ssa,ts-exit-transforms -t torchscript | filecheck %s --check-prefix BEFORE
# RUN: ts-opt --emit-only %s -p ts-convert-to-ssa,ts-exit-transforms,ts-lift-closures -t torchscript | filecheck %s

# What is forked is a closure, which sees the values around it, and then a sub-graph that gets them as inputs.


def g(x: int):
    return x + 1


def f(x: int):
    fut = torch.jit.fork(g, x)
    return torch.jit.wait(fut)


# BEFORE-LABEL: graph @f(%x : int):
# BEFORE:         %fut : Future[int] = prim::Closure()
# BEFORE-NEXT:      block0():
# BEFORE:             prim::CallFunction(%{{.*}}, %x)

# CHECK-LABEL: graph @f(%x : int):
# CHECK:         %fut : Future[int] = prim::fork_0(%x)
# CHECK-NEXT:    %[[R:\d+]] : int = aten::wait(%fut)
# CHECK-NEXT:    return (%[[R]])
# CHECK-NEXT:  with prim::fork_0 = graph(%x : int):
# CHECK-NEXT:    %[[G:\d+]] : Function = prim::Constant[name="g"]()
# CHECK-NEXT:    %[[V:\d+]] : int = prim::CallFunction(%[[G]], %x)
# CHECK-NEXT:    return (%[[V]])
