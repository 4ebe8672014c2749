# RUN: ts-opt -t torchscript %s | filecheck %s

# Early exits are results of ifs; where one branch throws, what it gives is Uninitialized.


def early(x: int):
    for i in range(x):
        if i > 3:
            return i
    return x


# CHECK:      graph @early(%x : int):
# CHECK:        %[[OUT:\d+]] : bool, %[[RESULT:\d+]] : int, %{{.*}} : int = prim::Loop(
# CHECK:            %{{.*}} = prim::If(
# CHECK:        %[[LAST:\d+]] : int = prim::If(%[[OUT]])
# CHECK-NEXT:     block0():
# CHECK-NEXT:       -> (%[[RESULT]])
# CHECK-NEXT:     block1():
# CHECK-NEXT:       -> (%x)
# CHECK-NEXT:   return (%[[LAST]])


def throws(i: int):
    if i < 0:
        raise ValueError("Negative input")
    else:
        return math.sqrt(i)
    print(i)


# CHECK:      graph @throws(%i : int):
# CHECK:        %[[NEVER:\d+]] : float = prim::Uninitialized()
# CHECK:        %[[RESULT:\d+]] : float = prim::If(
# CHECK-NEXT:     block0():
# CHECK-NEXT:        = prim::RaiseException(
# CHECK-NEXT:       -> (%[[NEVER]])
# CHECK-NEXT:     block1():
# CHECK-NEXT:       %[[ROOT:\d+]] : float = aten::sqrt(%i)
# CHECK-NEXT:       -> (%[[ROOT]])
# CHECK-NOT:    prim::Print
# CHECK:        return (%[[RESULT]])
