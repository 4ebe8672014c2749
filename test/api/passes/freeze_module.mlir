// RUN: ts-opt %s -p ts-freeze-module | filecheck %s --check-prefix SCALE
// RUN: ts-opt %root/test/archives/linear.pt -o %t.mlir && ts-opt %t.mlir -p ts-freeze-module | filecheck %s
// RUN: ts-opt %root/test/archives/net.pt -p 'ts-freeze-module{numerics=true}' -t torchscript | filecheck %s --check-prefix FOLDED
// RUN: ts-opt %root/test/archives/net.pt -p 'ts-freeze-module{preserved=conv}' | filecheck %s --check-prefix KEPT
// RUN: ts-opt %root/test/archives/quantized_linear.pt -o %t.q.mlir && ts-opt %t.q.mlir -p ts-freeze-module | filecheck %s --check-prefix QUANTIZED
// RUN: echo 'builtin.module {}' > %t.none.mlir && not ts-opt %t.none.mlir -p ts-freeze-module 2>&1 | filecheck %s --check-prefix NONE

// SCALE:      prim.ClassType() {name = "__torch__.Scale", attributes = [], types = [], methods = ["forward"]}
// SCALE:      func.func @__torch__.Scale.forward
// SCALE-NEXT:   %weight = prim.Constant() {value = #prim.dense<Float, [2], "0000803F00000040">}
// SCALE-NEXT:   %0 = aten.mul.Tensor(%x, %weight)
// SCALE-NOT:  dialect_resources

builtin.module {
  prim.ClassType() {name = "__torch__.Scale", attributes = ["weight", "training"], types = [!prim.tensor, !prim.bool], methods = ["forward"], parameters = ["weight"]} : () -> ()
  prim.Module() do ({
    %module = prim.CreateObject() : () -> !prim.class<"__torch__.Scale">
    %weight = prim.Weight() {value = dense_resource<weight> : tensor<2xf32>} : () -> !prim.tensor
    prim.SetAttr(%module, %weight) {name = "weight"} : (!prim.class<"__torch__.Scale">, !prim.tensor) -> ()
    %training = prim.Constant() {value = false} : () -> !prim.bool
    prim.SetAttr(%module, %training) {name = "training"} : (!prim.class<"__torch__.Scale">, !prim.bool) -> ()
    prim.yield(%module) : (!prim.class<"__torch__.Scale">) -> ()
  }) : () -> ()
  func.func @__torch__.Scale.forward(%self: !prim.class<"__torch__.Scale">, %x: !prim.tensor) -> !prim.tensor {
    %weight = prim.GetAttr(%self) {name = "weight"} : (!prim.class<"__torch__.Scale">) -> !prim.tensor
    %0 = aten.mul.Tensor(%x, %weight) : (!prim.tensor, !prim.tensor) -> !prim.tensor
    func.return %0 : !prim.tensor
  }
}
{-#
  dialect_resources: {
    builtin: {
      weight: "0x400000000000803F00000040"
    }
  }
#-}

// CHECK:      prim.ClassType() {name = "__torch__.torch.nn.modules.linear.Linear", attributes = [], types = [], methods = ["forward"]}
// CHECK:      func.func @__torch__.torch.nn.modules.linear.Linear.forward
// CHECK-NEXT:   %bias = prim.Constant() {value = #prim.dense<Float, [3], "B891F4BE528BA9BEE80E53BE">}
// CHECK-NEXT:   %weight = prim.Constant() {value = #prim.dense<Float, [3, 4]
// CHECK-NEXT:   %0 = aten.linear(%input, %weight, %bias)
// CHECK-NEXT:   func.return %0

// FOLDED-LABEL: graph @__torch__.samples.archive_modules.Net.forward
// FOLDED:         aten::conv2d
// FOLDED-NOT:     aten::batch_norm
// FOLDED:         aten::linear

// What is preserved stays as it was, and what methods use of it is read.
// KEPT:     prim.ClassType() {name = "__torch__.samples.archive_modules.Net", attributes = ["conv"]
// KEPT:     prim.Weight() {value = dense_resource<conv_weight{{.*}}> : tensor<3x2x3x3xf32>}
// KEPT:     %{{.*}} = prim.GetAttr(%self) {name = "conv"}
// KEPT:     %[[WEIGHT:.*]] = prim.GetAttr(%{{.*}}) {name = "weight"}
// KEPT:     aten.conv2d(%x, %[[WEIGHT]]

// QUANTIZED: prim.Constant() {value = #prim.packed<"quantized.LinearPackedParamsBase", [#prim.dense<QInt8, [3, 4]
// QUANTIZED: quantized.linear_dynamic

// NONE: this is no module with its weights
