# RUN: ts-opt %s -p "ts-decompose-ops,ts-constant-propagation,ts-dead-code-elimination" -t torchscript | filecheck %s

# Attention has a kernel of its own, but where it draws numbers.
# CHECK-LABEL: graph @attention(
# CHECK:         %{{.*}} : Tensor = aten::scaled_dot_product_attention(
# CHECK-NOT:     = aten::scaled_dot_product_attention(
# CHECK:         = aten::softmax(
# CHECK:         = aten::dropout(
graph @attention(%q : Tensor):
  %zero : float = prim::Constant[value=0.]()
  %half : float = prim::Constant[value=0.5]()
  %no : bool = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %a : Tensor = aten::scaled_dot_product_attention(%q, %q, %q, %none, %zero, %no, %none, %no)
  %b : Tensor = aten::scaled_dot_product_attention(%a, %q, %q, %none, %half, %no, %none, %no)
  return (%b)
