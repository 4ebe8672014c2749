# RUN: ts-opt -t torchscript %s | filecheck %s

# A with statement is an Enter and an Exit; a return inside leaves through the Exit.


class Scale:
    def __init__(self, by: int):
        self.by = by

    def __enter__(self):
        return self.by

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        pass


def f(x: int):
    with Scale(2) as by:
        if x > 3:
            return x * by
    return x


# CHECK:      graph @f(%x : int):
# CHECK:        %[[OBJECT:\d+]] : __torch__.Scale = prim::CreateObject()
# CHECK:        %by : int = prim::Enter(%[[OBJECT]])
# CHECK:        prim::If(
# CHECK:        %{{\d+}} : Tensor = prim::Exit(%[[OBJECT]])
# CHECK-NEXT:   %{{\d+}} : int = prim::If(
