// RUN: ts-opt %s --verify-diagnostics --parsing-diagnostics --split-input-file | filecheck %s

// CHECK: operands of types (str) do not fit the schema aten::tanh(Tensor self) -> Tensor
func.func @operand(%s: !prim.str) {
  %x = aten.tanh(%s) : (!prim.str) -> !prim.tensor
  func.return
}

// -----

// CHECK: operands of types (Tensor, Tensor) do not fit the schema aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
func.func @defaults_are_explicit(%x: !prim.tensor) {
  %y = aten.add.Tensor(%x, %x) : (!prim.tensor, !prim.tensor) -> !prim.tensor
  func.return
}

// -----

// CHECK: 2 results where the schema aten::tanh(Tensor self) -> Tensor has 1
func.func @results(%x: !prim.tensor) {
  %y, %z = aten.tanh(%x) : (!prim.tensor) -> (!prim.tensor, !prim.tensor)
  func.return
}

// -----

// CHECK: a result of type Tensor where the schema aten::add.int(int a, int b) -> int gives int
func.func @result(%x: !prim.int) {
  %y = aten.add.int(%x, %x) : (!prim.int, !prim.int) -> !prim.tensor
  func.return
}

// -----

// CHECK: a result of type int where the schema aten::tanh(Tensor self) -> Tensor gives Tensor
func.func @tensor_result(%x: !prim.tensor) {
  %y = aten.tanh(%x) : (!prim.tensor) -> !prim.int
  func.return
}

// -----

// CHECK: aten::tanh takes and gives TorchScript values, not f32
func.func @foreign(%x: f32) {
  %y = aten.tanh(%x) : (f32) -> !prim.tensor
  func.return
}

// -----

// CHECK: operands of types (str[], int) do not fit the schema aten::append.t
func.func @type_variables(%l: !prim.list<!prim.str>, %i: !prim.int) {
  %a = aten.append.t(%l, %i) : (!prim.list<!prim.str>, !prim.int) -> !prim.list<!prim.str>
  func.return
}

// -----

// CHECK: Operation prim.NoSuchThing is not registered
func.func @namespace(%x: !prim.tensor) {
  %y = prim.NoSuchThing(%x) : (!prim.tensor) -> !prim.tensor
  func.return
}
