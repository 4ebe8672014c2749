// RUN: ts-opt %s -p ts-propagate-shapes,ts-create-autodiff-subgraphs,ts-differentiate | filecheck %s

// The sub-graph yields its result alone, from which the gradient of tanh is computed; of %b, which was broadcast, only the sizes are
// kept (df_sizes).
// CHECK-LABEL:   func.func @layer(%x: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>, %w: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>, %b: !prim.tensor<Float, sizes = [?], device = "cpu", requires_grad = true>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true> attributes {prim.recorded} {
// CHECK-NEXT:     %one = prim.Constant() {value = 1 : i64} : () -> !prim.int
// CHECK-NEXT:     %z = prim.DifferentiableGraph(%x, %w, %b) {df_input_vjps = [0 : i64], df_input_captured_inputs = [0 : i64, 1 : i64, 2 : i64], df_input_captured_outputs = [0 : i64], df_output_vjps = [0 : i64, 1 : i64, 2 : i64], df_sizes = [2 : i64]} do ({
// CHECK-NEXT:     ^bb0(%x_1: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, %w_1: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, %b_1: !prim.tensor<Float, sizes = [?], device = "cpu", requires_grad = false>):
// CHECK-NEXT:       %one_1 = prim.Constant() {value = 1 : i64} : () -> !prim.int
// CHECK-NEXT:       %p = aten.mm(%x_1, %w_1) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:       %y = aten.add.Tensor(%p, %b_1, %one_1) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?], device = "cpu", requires_grad = false>, !prim.int) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:       %z_1 = aten.tanh(%y) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:       prim.yield(%z_1) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> ()
// CHECK-NEXT:     }, {
// CHECK-NEXT:     ^bb0(%grad_z: !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, %x_2: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, %w_2: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, %b_2: !prim.tensor<Float, sizes = [?], device = "cpu", requires_grad = false>, %z_2: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>):
// CHECK-NEXT:       %grad_y = prim.GradOf(%grad_z) {name = "aten::tanh"} do ({
// CHECK-NEXT:         %0 = aten.tanh_backward(%grad_z, %z_2) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:         prim.yield(%0) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> ()
// CHECK-NEXT:       }) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:       %grad_p, %grad_b = prim.GradOf(%grad_y) {name = "aten::add"} do ({
// CHECK-NEXT:         %1 = aten.size(%b_2) : (!prim.tensor<Float, sizes = [?], device = "cpu", requires_grad = false>) -> !prim.list<!prim.int>
// CHECK-NEXT:         %2 = aten.size(%grad_y) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>) -> !prim.list<!prim.int>
// CHECK-NEXT:         %3 = aten._size_if_not_equal(%1, %2) : (!prim.list<!prim.int>, !prim.list<!prim.int>) -> !prim.optional<!prim.list<!prim.int>>
// CHECK-NEXT:         %4 = aten._grad_sum_to_size(%grad_y, %3) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.optional<!prim.list<!prim.int>>) -> !prim.tensor<Float, sizes = [?], strides = [?], device = "cpu", requires_grad = false>
// CHECK-NEXT:         prim.yield(%grad_y, %4) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?], strides = [?], device = "cpu", requires_grad = false>) -> ()
// CHECK-NEXT:       }) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>) -> (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?], strides = [?], device = "cpu", requires_grad = false>)
// CHECK-NEXT:       %grad_x, %grad_w = prim.GradOf(%grad_p) {name = "aten::mm"} do ({
// CHECK-NEXT:         %5 = aten.t(%w_2) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:         %6 = aten.mm(%grad_p, %5) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:         %7 = aten.t(%x_2) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:         %8 = aten.mm(%7, %grad_p) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:         prim.yield(%6, %8) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> ()
// CHECK-NEXT:       }) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>) -> (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>)
// CHECK-NEXT:       prim.yield(%grad_x, %grad_w, %grad_b) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?], strides = [?], device = "cpu", requires_grad = false>) -> ()
// CHECK-NEXT:     }) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>, !prim.tensor<Float, sizes = [?], device = "cpu", requires_grad = true>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>
// CHECK-NEXT:     func.return %z : !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>
// CHECK-NEXT:   }
func.func @layer(%x: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>, %w: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>, %b: !prim.tensor<Float, sizes = [?], device = "cpu", requires_grad = true>) -> !prim.tensor {
  %one = prim.Constant() {value = 1 : i64} : () -> !prim.int
  %p = aten.mm(%x, %w) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>) -> !prim.tensor
  %y = aten.add.Tensor(%p, %b, %one) : (!prim.tensor, !prim.tensor<Float, sizes = [?], device = "cpu", requires_grad = true>, !prim.int) -> !prim.tensor
  %z = aten.tanh(%y) : (!prim.tensor) -> !prim.tensor
  func.return %z : !prim.tensor
}

// What exp gives is captured, for it costs more than to read it; the sum is computed once more. The gradient of %e from outside is
// for second derivatives.
// CHECK-LABEL:   func.func @recomputed(%x: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>, %y: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true> attributes {prim.recorded} {
// CHECK-NEXT:     %one = prim.Constant() {value = 1 : i64} : () -> !prim.int
// CHECK-NEXT:     %z = prim.DifferentiableGraph(%x, %y) {df_input_vjps = [0 : i64, 1 : i64], df_input_captured_inputs = [0 : i64, 1 : i64], df_input_captured_outputs = [1 : i64], df_output_vjps = [0 : i64, 1 : i64], df_sizes = []} do ({
// CHECK-NEXT:     ^bb0(%x_1: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, %y_1: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>):
// CHECK-NEXT:       %one_1 = prim.Constant() {value = 1 : i64} : () -> !prim.int
// CHECK-NEXT:       %e = aten.exp(%x_1) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:       %s = aten.add.Tensor(%x_1, %y_1, %one_1) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, !prim.int) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:       %z_1 = aten.mul.Tensor(%e, %s) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:       prim.yield(%z_1, %e) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> ()
// CHECK-NEXT:     }, {
// CHECK-NEXT:     ^bb0(%grad_z: !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, %grad_e: !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, %x_2: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, %y_2: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, %e_1: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>):
// CHECK-NEXT:       %one_2 = prim.Constant() {value = 1 : i64} : () -> !prim.int
// CHECK-NEXT:       %s_1 = aten.add.Tensor(%x_2, %y_2, %one_2) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, !prim.int) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:       %grad_e_1, %grad_s = prim.GradOf(%grad_z) {name = "aten::mul"} do ({
// CHECK-NEXT:         %0 = aten.mul.Tensor(%grad_z, %s_1) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:         %1 = aten.mul.Tensor(%grad_z, %e_1) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:         prim.yield(%0, %1) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> ()
// CHECK-NEXT:       }) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>) -> (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>)
// CHECK-NEXT:       %grad_x, %grad_y = prim.GradOf(%grad_s) {name = "aten::add"} do ({
// CHECK-NEXT:         prim.yield(%grad_s, %grad_s) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>) -> ()
// CHECK-NEXT:       }) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>) -> (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>)
// CHECK-NEXT:       %2 = prim.AutogradAdd(%grad_e_1, %grad_e) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:       %grad_x_1 = prim.GradOf(%2) {name = "aten::exp"} do ({
// CHECK-NEXT:         %3 = aten.mul.Tensor(%2, %e_1) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:         prim.yield(%3) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = false>) -> ()
// CHECK-NEXT:       }) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:       %4 = prim.AutogradAdd(%grad_x, %grad_x_1) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>) -> !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>
// CHECK-NEXT:       prim.yield(%4, %grad_y) : (!prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>, !prim.tensor<Float, sizes = [?, ?], strides = [?, ?], device = "cpu", requires_grad = false>) -> ()
// CHECK-NEXT:     }) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>) -> !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>
// CHECK-NEXT:     func.return %z : !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>
// CHECK-NEXT:   }
func.func @recomputed(%x: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>, %y: !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>) -> !prim.tensor {
  %one = prim.Constant() {value = 1 : i64} : () -> !prim.int
  %e = aten.exp(%x) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>) -> !prim.tensor
  %s = aten.add.Tensor(%x, %y, %one) : (!prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>, !prim.tensor<Float, sizes = [?, ?], device = "cpu", requires_grad = true>, !prim.int) -> !prim.tensor
  %z = aten.mul.Tensor(%e, %s) : (!prim.tensor, !prim.tensor) -> !prim.tensor
  func.return %z : !prim.tensor
}
