# RUN: ts-opt %s --verify-equiv -p ts-convert-torch-to-linalg,linalg-to-llvm 2>&1 | filecheck %s
# RUN: ts-opt %s --verify-equiv -p ts-convert-torch-to-linalg -o %t.mlir && ts-opt %t.mlir --verify-equiv -p linalg-to-llvm 2>&1 | filecheck %s --check-prefix TEXT

# Every step keeps what the kernel computes, from the graph down to machine code; from text in input form down to loops, as text does not
# become machine code.

# CHECK-NOT: ts-opt:
# CHECK: llvm.func @kernel
# TEXT-NOT: ts-opt: error
# TEXT: ts-opt: note: --verify-equiv did not run @kernel: machine code of @kernel, of text that came in, is not run

graph(%x : Float(4, 6, strides=[1, 4], requires_grad=0, device=cpu), %y : Half(6, strides=[1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %a : Float(4, 6, strides=[1, 4], requires_grad=0, device=cpu) = aten::add(%x, %y, %1)
  %dims : int[] = prim::Constant[value=[1]]()
  %keep : bool = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %b : Float(4, strides=[1], requires_grad=0, device=cpu) = aten::sum(%a, %dims, %keep, %none)
  return (%b)
