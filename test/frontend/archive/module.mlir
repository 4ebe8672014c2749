// RUN: ts-opt %root/test/archives/linear.pt -o %t.mlir && cat %t.mlir | filecheck %s
// RUN: ts-opt %t.mlir | filecheck %s
// RUN: ts-opt %root/test/archives/linear.pt --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: ts-opt %root/test/archives/linear.pt --elide-weights | filecheck %s --check-prefix ELIDED
// RUN: ts-opt %root/test/archives/shared.pt -o %t.shared.mlir && ts-opt %t.shared.mlir | filecheck %s --check-prefix SHARED
// RUN: ts-opt %root/test/archives/hooked.pt --elide-weights | filecheck %s --check-prefix HOOKED
// RUN: ts-opt %root/test/archives/attributes.pt -o %t.enum.mlir && ts-opt %t.enum.mlir | filecheck %s --check-prefix ENUM
// RUN: ts-opt %root/test/archives/through_interface.pt -o %t.face.mlir && ts-opt %t.face.mlir | filecheck %s --check-prefix FACE

// CHECK:      prim.ClassType() {name = "__torch__.torch.nn.modules.linear.Linear", attributes = ["weight", "bias", "training", "_is_full_backward_hook"], types = [!prim.tensor, !prim.tensor, !prim.bool, !prim.none], methods = ["forward"], parameters = ["weight", "bias"], constants = ["in_features", "out_features"], values = [4 : i64, 3 : i64]} : () -> ()
// CHECK-NEXT: prim.Module() do ({
// CHECK-NEXT:   %module = prim.CreateObject() : () -> !prim.class<"__torch__.torch.nn.modules.linear.Linear">
// CHECK-NEXT:   %weight = prim.Weight() {value = dense_resource<weight> : tensor<3x4xf32>} : () -> !prim.tensor
// CHECK-NEXT:   prim.SetAttr(%module, %weight) {name = "weight"}
// CHECK:        prim.yield(%module)
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: func.func @__torch__.torch.nn.modules.linear.Linear.forward
// CHECK:      dialect_resources
// CHECK:      bias: "0x40000000B891F4BE528BA9BEE80E53BE"

// GENERIC: "prim.Weight"() {value = dense_resource<weight> : tensor<3x4xf32>} : () -> !prim.tensor

// ENUM: prim.EnumType() {name = "__torch__.samples.archive_modules.Color", members = ["RED", "GREEN"], values = [1 : i64, 2 : i64]} : () -> ()

// FACE: prim.InterfaceType() {name = "__torch__.samples.archive_modules.Layer", methods = ["forward"], arguments = {{\[\[}}"self", "x"{{\]\]}}, types = [({{.*}}, !prim.tensor) -> !prim.tensor], is_module = true} : () -> ()

// ELIDED:     dense_resource<weight> : tensor<3x4xf32>
// ELIDED-NOT: dialect_resources

// Tensors over one memory are over one resource, and a weight in two places is one value.
// SHARED:     prim.Weight() {value = dense_resource<base> : tensor<4x4xf32>}
// SHARED:     prim.Weight() {value = dense_resource<base> : tensor<16xf32>, sizes = [4 : i64], strides = [1 : i64], offset = 4 : i64}
// SHARED:     prim.Weight() {value = dense_resource<base> : tensor<16xf32>, sizes = [4 : i64, 4 : i64], strides = [1 : i64, 4 : i64], offset = 0 : i64}
// SHARED:     %one_weight = prim.Weight() {value = dense_resource<one_weight> : tensor<4x4xf32>}
// SHARED:     prim.SetAttr(%two, %one_weight) {name = "weight"}

// HOOKED: pre_hooks = ["_pre_hook"], hooks = ["_hook"]
