// RUN: ts-opt %s --verify-diagnostics --parsing-diagnostics --split-input-file | filecheck %s

// CHECK: prim::If has 2 region(s), not 1
func.func @one_block(%c: !prim.bool) {
  prim.If(%c) do ({
    prim.yield() : () -> ()
  }) : (!prim.bool) -> ()
  func.return
}

// -----

// CHECK: the condition of prim::If has type int where bool is expected
func.func @condition(%c: !prim.int) {
  prim.If(%c) do ({
    prim.yield() : () -> ()
  }, {
    prim.yield() : () -> ()
  }) : (!prim.int) -> ()
  func.return
}

// -----

// CHECK: block1 yields 0 values for 1 results
func.func @branch_count(%c: !prim.bool) {
  %x = prim.If(%c) do ({
    prim.yield(%c) : (!prim.bool) -> ()
  }, {
    prim.yield() : () -> ()
  }) : (!prim.bool) -> !prim.bool
  func.return
}

// -----

// CHECK: a result of block0 has type bool where int is expected
func.func @branch_type(%c: !prim.bool, %i: !prim.int) {
  %x = prim.If(%c) do ({
    prim.yield(%c) : (!prim.bool) -> ()
  }, {
    prim.yield(%i) : (!prim.int) -> ()
  }) : (!prim.bool) -> !prim.int
  func.return
}

// -----

// CHECK: the blocks of prim::If take no arguments
func.func @branch_arguments(%c: !prim.bool) {
  prim.If(%c) do ({
  ^bb0(%x: !prim.int):
    prim.yield() : () -> ()
  }, {
    prim.yield() : () -> ()
  }) : (!prim.bool) -> ()
  func.return
}

// -----

// CHECK: prim::Loop carries 1 values, but its block takes 0 and yields 0, and it has 0 results
func.func @carried(%n: !prim.int, %c: !prim.bool) {
  prim.Loop(%n, %c, %n) do ({
  ^bb0(%i: !prim.int):
    prim.yield(%c) : (!prim.bool) -> ()
  }) : (!prim.int, !prim.bool, !prim.int) -> ()
  func.return
}

// -----

// CHECK: the condition to go on has type int where bool is expected
func.func @go_on(%n: !prim.int, %c: !prim.bool) {
  prim.Loop(%n, %c) do ({
  ^bb0(%i: !prim.int):
    prim.yield(%i) : (!prim.int) -> ()
  }) : (!prim.int, !prim.bool) -> ()
  func.return
}

// -----

// CHECK: yielded value 0 has type str where int is expected
func.func @yielded(%n: !prim.int, %c: !prim.bool, %s: !prim.str) {
  %r = prim.Loop(%n, %c, %n) do ({
  ^bb0(%i: !prim.int, %a: !prim.int):
    prim.yield(%c, %s) : (!prim.bool, !prim.str) -> ()
  }) : (!prim.int, !prim.bool, !prim.int) -> !prim.int
  func.return
}

// -----

// CHECK: 1.500000e+00 : f64 is no constant of type int
func.func @constant() {
  %x = prim.Constant() {value = 1.5 : f64} : () -> !prim.int
  func.return
}

// -----

// CHECK: is no constant of type (int, int)
func.func @tuple_constant() {
  %x = prim.Constant() {value = [1, 2, 3]} : () -> !prim.tuple<!prim.int, !prim.int>
  func.return
}

// -----

// CHECK: an element has type str where int is expected
func.func @list(%s: !prim.str) {
  %x = prim.ListConstruct(%s) : (!prim.str) -> !prim.list<!prim.int>
  func.return
}

// -----

// CHECK: prim::TupleUnpack of a (int, str) does not give 1 values
func.func @unpack(%t: !prim.tuple<!prim.int, !prim.str>) {
  %x = prim.TupleUnpack(%t) : (!prim.tuple<!prim.int, !prim.str>) -> !prim.int
  func.return
}

// -----

// CHECK: prim::DictConstruct makes a dictionary of keys and values in turn
func.func @dictionary(%s: !prim.str) {
  %x = prim.DictConstruct(%s) : (!prim.str) -> !prim.dict<!prim.str, !prim.int>
  func.return
}

// -----

// CHECK: prim::GetAttr takes an object, not a Tensor
func.func @attribute_of(%x: !prim.tensor) {
  %y = prim.GetAttr(%x) {name = "w"} : (!prim.tensor) -> !prim.tensor
  func.return
}

// -----

// CHECK: prim::GetAttr needs the attribute 'name'
func.func @attribute(%m: !prim.class<"M">) {
  %y = prim.GetAttr(%m) : (!prim.class<"M">) -> !prim.tensor
  func.return
}

// -----

// CHECK: the first operand of prim::CallFunction is the function
func.func @call(%x: !prim.tensor) {
  %y = prim.CallFunction(%x) : (!prim.tensor) -> !prim.tensor
  func.return
}

// -----

// CHECK: prim::TypeCheck gives each of its operands and whether they fit
func.func @type_check(%x: !prim.tensor) {
  %y = prim.TypeCheck(%x) : (!prim.tensor) -> !prim.tensor
  func.return
}

// -----

// CHECK: prim::TensorExprGroup has 1 operands and 1 results, its sub-graph 0 and 1
func.func @group(%x: !prim.tensor) {
  %y = prim.TensorExprGroup(%x) do ({
    %a = prim.Constant() : () -> !prim.none
    prim.yield(%a) : (!prim.none) -> ()
  }) : (!prim.tensor) -> !prim.tensor
  func.return
}

// -----

// CHECK: an operand of prim::Update has type int where Tensor is expected
func.func @update(%x: !prim.tensor, %n: !prim.int) {
  prim.Update(%x, %n) : (!prim.tensor, !prim.int) -> ()
  func.return
}

// -----

// CHECK: a result of prim::TensorExprGroup has type NoneType where Tensor is expected
func.func @group_result() -> !prim.tensor {
  %y = prim.TensorExprGroup() do ({
    %a = prim.Constant() : () -> !prim.none
    prim.yield(%a) : (!prim.none) -> ()
  }) : () -> !prim.tensor
  func.return %y : !prim.tensor
}

// -----

// CHECK: expected a TorchScript value but found one of type i1
func.func @foreign(%c: i1) {
  prim.If(%c) do ({
    prim.yield() : () -> ()
  }, {
    prim.yield() : () -> ()
  }) : (i1) -> ()
  func.return
}

// -----

// CHECK: prim.Print(%x) : () -> ()
// CHECK: 1 operands but 0 operand types
func.func @operand_types(%x: !prim.int) {
  prim.Print(%x) : () -> ()
  func.return
}

// -----

// CHECK: prim.Print(%x) : !prim.int
// CHECK: expected (operand types) -> (result types)
func.func @signature(%x: !prim.int) {
  prim.Print(%x) : !prim.int
  func.return
}

// -----

// CHECK: invalid.mlir:{{.*}}
// CHECK: the content of a tensor is a string of hex digits
func.func @hex() {
  %x = prim.Constant() {value = #prim.dense<Float, [1], "xyz">} : () -> !prim.tensor
  func.return
}

// -----

// CHECK: a tensor of Float and shape [2] has 8 bytes, not 4
func.func @content() {
  %x = prim.Constant() {value = #prim.dense<Float, [2], "00000000">} : () -> !prim.tensor
  func.return
}

// -----

// CHECK: no constant has the shape [0, 4611686018427387904]
func.func @shape() {
  %x = prim.Constant() {value = #prim.dense<Float, [0, 4611686018427387904], "">} : () -> !prim.tensor
  func.return
}

// -----

// CHECK: 'Flaot' is not a supported dtype
func.func @dtype() {
  %x = prim.Constant() {value = #prim.dense<Flaot, [1], "00000000">} : () -> !prim.tensor
  func.return
}

// -----

// CHECK: 'shape' is neither a dtype nor a property of a tensor
func.func @property(%x: !prim.tensor<Float, shape = [2]>) {
  func.return
}

// -----

// CHECK: 'Flaot' is neither a dtype nor a property of a tensor
func.func @tensor_dtype(%x: !prim.tensor<Flaot>) {
  func.return
}

// -----

// CHECK: either all fields of a tuple have names or none has
func.func @fields(%x: !prim.tuple<x = !prim.int, !prim.str>) {
  func.return
}

// -----

// CHECK: () -> () is no TorchScript type
func.func @element(%x: !prim.tuple<!prim.int, () -> ()>) {
  func.return
}

// -----

// CHECK: the attribute 'beg' of prim::TupleSlice is "1 + 1", not an int of 64 bits
func.func @slice_by_text(%x: !prim.tuple<!prim.int>) {
  %y = prim.TupleSlice(%x) {beg = "1 + 1", end = 1 : i64} : (!prim.tuple<!prim.int>) -> !prim.tuple<!prim.int>
  func.return
}

// -----

// CHECK: the slice has type (int) where (str) is expected
func.func @slice_type(%x: !prim.tuple<!prim.int>) {
  %y = prim.TupleSlice(%x) {beg = 0 : i64, end = 1 : i64} : (!prim.tuple<!prim.int>) -> !prim.tuple<!prim.str>
  func.return
}

// -----

// CHECK: the attribute 'chunks' of prim::ConstantChunk is 0 : i64, not an int of 64 bits, 1 or more
func.func @no_chunks(%x: !prim.tensor) {
  prim.ConstantChunk(%x) {chunks = 0 : i64, dim = 0 : i64} : (!prim.tensor) -> ()
  func.return
}

// -----

// CHECK: prim::ConstantChunk of 2 chunks has 1 results
func.func @chunk_count(%x: !prim.tensor) {
  %y = prim.ConstantChunk(%x) {chunks = 2 : i64, dim = 0 : i64} : (!prim.tensor) -> !prim.tensor
  func.return
}

// -----

// CHECK: the attribute 'name' of prim::GetAttr is "a.b", not a name of letters, digits and underscores
func.func @dotted_attribute(%x: !prim.class<"__torch__.A">) {
  %y = prim.GetAttr(%x) {name = "a.b"} : (!prim.class<"__torch__.A">) -> !prim.int
  func.return
}

// -----

// CHECK: prim::CreateObject is of an object, not of a int
func.func @created() {
  %y = prim.CreateObject() : () -> !prim.int
  func.return
}

// -----

// CHECK: the first operand of prim::CallMethod is the object
func.func @method_of_number(%x: !prim.int) {
  %y = prim.CallMethod(%x) {name = "f"} : (!prim.int) -> !prim.int
  func.return
}

// -----

// CHECK: the attribute 'types' of prim::isinstance is [1 : i64], not a list of types
func.func @isinstance_of_number(%x: !prim.any) {
  %y = prim.isinstance(%x) {types = [1 : i64]} : (!prim.any) -> !prim.bool
  func.return
}

// -----

// CHECK: the attribute 'callee' of prim::PythonOp is -1 : i64, not an int of 64 bits, 0 or more
func.func @callee() {
  %y = prim.PythonOp() {name = "f", callee = -1 : i64} : () -> !prim.tensor
  func.return
}

// -----

// CHECK: an element has type int where str is expected
func.func @unpacked(%x: !prim.tuple<!prim.int>) {
  %y = prim.TupleUnpack(%x) : (!prim.tuple<!prim.int>) -> !prim.str
  func.return
}

// -----

// CHECK: prim::TupleIndex takes a tuple, not a int
func.func @indexed(%x: !prim.int) {
  %y = prim.TupleIndex(%x, %x) : (!prim.int, !prim.int) -> !prim.str
  func.return
}

// -----

// CHECK: a value has type int where str is expected
func.func @dictionary(%x: !prim.int) {
  %y = prim.DictConstruct(%x, %x) : (!prim.int, !prim.int) -> !prim.dict<!prim.int, !prim.str>
  func.return
}

// -----

// CHECK: 'A\n' is no qualified name of a type
func.func @class_name(%x: !prim.class<"A\n">) {
  func.return
}

// -----

// CHECK: 'cpu)' is no device
func.func @device_name(%x: !prim.tensor<Float, device = "cpu)">) {
  func.return
}

// -----

// CHECK: a prim::Constant with a name is a function
func.func @named_number() {
  %x = prim.Constant() {value = 1 : i64, name = "f"} : () -> !prim.int
  func.return
}

// -----

// CHECK: prim::ClassType has as many types as attributes
prim.ClassType() {name = "__torch__.M", attributes = ["a"], types = [], methods = []} : () -> ()

// -----

// CHECK: prim::EnumType has as many values as members
prim.EnumType() {name = "__torch__.E", members = ["A", "B"], values = [1 : i64]} : () -> ()

// -----

// CHECK: prim::InterfaceType has arguments and a type for each method
prim.InterfaceType() {name = "__torch__.I", methods = ["f"], arguments = [["self"]], types = [(!prim.tensor, !prim.tensor) -> !prim.tensor]} : () -> ()

// -----

// CHECK: prim::Weight has sizes, strides and an offset, or none
func.func @half_a_view() {
  %w = prim.Weight() {value = dense_resource<w> : tensor<4xf32>, sizes = [2 : i64]} : () -> !prim.tensor
  func.return
}

// -----

// CHECK: prim::Module yields one module
prim.Module() do ({
  prim.yield() : () -> ()
}) : () -> ()

// -----

// CHECK: prim::Weight is a node of prim::Module
func.func @a_weight() {
  %w = prim.Weight() {value = dense_resource<w> : tensor<4xf32>} : () -> !prim.tensor
  func.return
}

// -----

// CHECK: the result of prim::isinstance has type bool where int is expected
func.func @a_false_claim(%x: !prim.tensor) {
  %is = prim.isinstance(%x) {types = [!prim.int]} : (!prim.tensor) -> !prim.int
  func.return
}

// -----

// CHECK: the result of prim::fork has type Future[Tensor] where Future[Device] is expected
func.func @a_task_of_another_type(%x: !prim.tensor) {
  %f = prim.fork(%x) do ({
  ^bb0(%y: !prim.tensor):
    prim.yield(%y) : (!prim.tensor) -> ()
  }) : (!prim.tensor) -> !prim.future<!prim.device>
  func.return
}
