// RUN: ts-opt %s | filecheck %s
// RUN: ts-opt --print-op-generic %s | ts-opt | filecheck %s
// RUN: ts-opt -t torchscript %s | ts-opt -f torchscript | filecheck %s

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK-NEXT: %i = prim.Constant() {value = -3 : i64} : () -> !prim.int
  %i = prim.Constant() {value = -3 : i64} : () -> !prim.int
  // CHECK-NEXT: %none = prim.Constant() : () -> !prim.none
  %none = prim.Constant() : () -> !prim.none
  // CHECK-NEXT: %f = prim.Constant() {name = "constants"} : () -> !prim.function<"constants">
  %f = prim.Constant() {name = "constants"} : () -> !prim.function<"constants">
  func.return
}

// CHECK-LABEL: func.func @control
func.func @control(%c: !prim.bool, %n: !prim.int, %x: !prim.tensor) -> !prim.tensor {
  // CHECK-NEXT: %y = prim.If(%c) do ({
  // CHECK-NEXT:   prim.yield(%x) : (!prim.tensor) -> ()
  // CHECK-NEXT: }, {
  // CHECK-NEXT:   %z = aten.relu(%x) : (!prim.tensor) -> !prim.tensor
  // CHECK-NEXT:   prim.yield(%z) : (!prim.tensor) -> ()
  // CHECK-NEXT: }) : (!prim.bool) -> !prim.tensor
  %y = prim.If(%c) do ({
    prim.yield(%x) : (!prim.tensor) -> ()
  }, {
    %z = aten.relu(%x) : (!prim.tensor) -> !prim.tensor
    prim.yield(%z) : (!prim.tensor) -> ()
  }) : (!prim.bool) -> !prim.tensor
  // CHECK-NEXT: %r = prim.Loop(%n, %c, %y) do ({
  // CHECK-NEXT: ^bb0(%i: !prim.int, %a: !prim.tensor):
  // CHECK-NEXT:   prim.yield(%c, %a) : (!prim.bool, !prim.tensor) -> ()
  // CHECK-NEXT: }) : (!prim.int, !prim.bool, !prim.tensor) -> !prim.tensor
  %r = prim.Loop(%n, %c, %y) do ({
  ^bb0(%i: !prim.int, %a: !prim.tensor):
    prim.yield(%c, %a) : (!prim.bool, !prim.tensor) -> ()
  }) : (!prim.int, !prim.bool, !prim.tensor) -> !prim.tensor
  // CHECK-NEXT: prim.If(%c) do ({
  // CHECK-NEXT:   prim.yield() : () -> ()
  // CHECK-NEXT: }, {
  // CHECK-NEXT:   prim.yield() : () -> ()
  // CHECK-NEXT: }) : (!prim.bool) -> ()
  prim.If(%c) do ({
    prim.yield() : () -> ()
  }, {
    prim.yield() : () -> ()
  }) : (!prim.bool) -> ()
  func.return %r : !prim.tensor
}

// CHECK-LABEL: func.func @containers
func.func @containers(%i: !prim.int, %s: !prim.str) -> !prim.int {
  // CHECK-NEXT: %l = prim.ListConstruct(%i, %i) : (!prim.int, !prim.int) -> !prim.list<!prim.int>
  %l = prim.ListConstruct(%i, %i) : (!prim.int, !prim.int) -> !prim.list<!prim.int>
  // CHECK-NEXT: %a, %b = prim.ListUnpack(%l) : (!prim.list<!prim.int>) -> (!prim.int, !prim.int)
  %a, %b = prim.ListUnpack(%l) : (!prim.list<!prim.int>) -> (!prim.int, !prim.int)
  // CHECK-NEXT: %t = prim.TupleConstruct(%a, %s) : (!prim.int, !prim.str) -> !prim.tuple<!prim.int, !prim.str>
  %t = prim.TupleConstruct(%a, %s) : (!prim.int, !prim.str) -> !prim.tuple<!prim.int, !prim.str>
  // CHECK-NEXT: %c, %d = prim.TupleUnpack(%t) : (!prim.tuple<!prim.int, !prim.str>) -> (!prim.int, !prim.str)
  %c, %d = prim.TupleUnpack(%t) : (!prim.tuple<!prim.int, !prim.str>) -> (!prim.int, !prim.str)
  // CHECK-NEXT: %e = prim.TupleSlice(%t) {beg = 0 : i64, end = 1 : i64} : (!prim.tuple<!prim.int, !prim.str>) -> !prim.tuple<!prim.int>
  %e = prim.TupleSlice(%t) {beg = 0 : i64, end = 1 : i64} : (!prim.tuple<!prim.int, !prim.str>) -> !prim.tuple<!prim.int>
  // CHECK-NEXT: %f = prim.TupleIndex(%t, %i) : (!prim.tuple<!prim.int, !prim.str>, !prim.int) -> !prim.any
  %f = prim.TupleIndex(%t, %i) : (!prim.tuple<!prim.int, !prim.str>, !prim.int) -> !prim.any
  // CHECK-NEXT: %g = prim.DictConstruct(%s, %i) : (!prim.str, !prim.int) -> !prim.dict<!prim.str, !prim.int>
  %g = prim.DictConstruct(%s, %i) : (!prim.str, !prim.int) -> !prim.dict<!prim.str, !prim.int>
  func.return %c : !prim.int
}

// CHECK-LABEL: func.func @objects
func.func @objects(%m: !prim.class<"__torch__.M">, %x: !prim.tensor) -> !prim.tensor {
  // CHECK-NEXT: %w = prim.GetAttr(%m) {name = "w"} : (!prim.class<"__torch__.M">) -> !prim.tensor
  %w = prim.GetAttr(%m) {name = "w"} : (!prim.class<"__torch__.M">) -> !prim.tensor
  // CHECK-NEXT: prim.SetAttr(%m, %x) {name = "w"} : (!prim.class<"__torch__.M">, !prim.tensor) -> ()
  prim.SetAttr(%m, %x) {name = "w"} : (!prim.class<"__torch__.M">, !prim.tensor) -> ()
  // CHECK-NEXT: prim.Update(%w, %x) : (!prim.tensor, !prim.tensor) -> ()
  prim.Update(%w, %x) : (!prim.tensor, !prim.tensor) -> ()
  // CHECK-NEXT: %h = prim.HasAttr(%m) {name = "w"} : (!prim.class<"__torch__.M">) -> !prim.bool
  %h = prim.HasAttr(%m) {name = "w"} : (!prim.class<"__torch__.M">) -> !prim.bool
  // CHECK-NEXT: %o = prim.CreateObject() : () -> !prim.class<"__torch__.M">
  %o = prim.CreateObject() : () -> !prim.class<"__torch__.M">
  // CHECK-NEXT: %r = prim.CallMethod(%o, %x) {name = "forward"} : (!prim.class<"__torch__.M">, !prim.tensor) -> !prim.tensor
  %r = prim.CallMethod(%o, %x) {name = "forward"} : (!prim.class<"__torch__.M">, !prim.tensor) -> !prim.tensor
  // CHECK-NEXT: %k = prim.Constant() {name = "objects"} : () -> !prim.function<"objects">
  %k = prim.Constant() {name = "objects"} : () -> !prim.function<"objects">
  // CHECK-NEXT: %q = prim.CallFunction(%k, %m, %r) : (!prim.function<"objects">, !prim.class<"__torch__.M">, !prim.tensor) -> !prim.tensor
  %q = prim.CallFunction(%k, %m, %r) : (!prim.function<"objects">, !prim.class<"__torch__.M">, !prim.tensor) -> !prim.tensor
  func.return %q : !prim.tensor
}

// CHECK-LABEL: func.func @checks
func.func @checks(%x: !prim.tensor, %o: !prim.optional<!prim.int>, %s: !prim.str) -> !prim.int {
  // CHECK-NEXT: %is = prim.isinstance(%o) {types = [!prim.int]} : (!prim.optional<!prim.int>) -> !prim.bool
  %is = prim.isinstance(%o) {types = [!prim.int]} : (!prim.optional<!prim.int>) -> !prim.bool
  // CHECK-NEXT: %i = prim.unchecked_cast(%o) : (!prim.optional<!prim.int>) -> !prim.int
  %i = prim.unchecked_cast(%o) : (!prim.optional<!prim.int>) -> !prim.int
  // CHECK-NEXT: %u = prim.Uninitialized() : () -> !prim.int
  %u = prim.Uninitialized() : () -> !prim.int
  // CHECK-NEXT: prim.RaiseException(%s, %s) : (!prim.str, !prim.str) -> ()
  prim.RaiseException(%s, %s) : (!prim.str, !prim.str) -> ()
  // CHECK-NEXT: prim.Print(%s, %i) : (!prim.str, !prim.int) -> ()
  prim.Print(%s, %i) : (!prim.str, !prim.int) -> ()
  // CHECK-NEXT: %a, %b = prim.ConstantChunk(%x) {chunks = 2 : i64, dim = -1 : i64} : (!prim.tensor) -> (!prim.tensor, !prim.tensor)
  %a, %b = prim.ConstantChunk(%x) {chunks = 2 : i64, dim = -1 : i64} : (!prim.tensor) -> (!prim.tensor, !prim.tensor)
  // CHECK-NEXT: %p = prim.profile(%a) {profiled_type = !prim.tensor<Float>} : (!prim.tensor) -> !prim.tensor
  %p = prim.profile(%a) {profiled_type = !prim.tensor<Float>} : (!prim.tensor) -> !prim.tensor
  // CHECK-NEXT: %q, %fits = prim.TypeCheck(%p) {types = [!prim.tensor<Float>]} : (!prim.tensor) -> (!prim.tensor<Float>, !prim.bool)
  %q, %fits = prim.TypeCheck(%p) {types = [!prim.tensor<Float>]} : (!prim.tensor) -> (!prim.tensor<Float>, !prim.bool)
  func.return %i : !prim.int
}

// CHECK-LABEL: func.func @groups
func.func @groups(%x: !prim.tensor) -> !prim.tensor {
  // CHECK-NEXT: %y = prim.TensorExprGroup(%x) do ({
  // CHECK-NEXT: ^bb0(%a: !prim.tensor):
  // CHECK-NEXT:   %b = aten.tanh(%a) : (!prim.tensor) -> !prim.tensor
  // CHECK-NEXT:   prim.yield(%b) : (!prim.tensor) -> ()
  // CHECK-NEXT: }) : (!prim.tensor) -> !prim.tensor
  %y = prim.TensorExprGroup(%x) do ({
  ^bb0(%a: !prim.tensor):
    %b = aten.tanh(%a) : (!prim.tensor) -> !prim.tensor
    prim.yield(%b) : (!prim.tensor) -> ()
  }) : (!prim.tensor) -> !prim.tensor
  // CHECK-NEXT: %z = prim.DifferentiableGraph(%y) do ({
  // CHECK-NEXT: ^bb0(%c: !prim.tensor):
  // CHECK-NEXT:   %d = prim.FusionGroup(%c) do ({
  // CHECK-NEXT:   ^bb0(%e: !prim.tensor):
  // CHECK-NEXT:     prim.yield(%e) : (!prim.tensor) -> ()
  // CHECK-NEXT:   }) : (!prim.tensor) -> !prim.tensor
  // CHECK-NEXT:   prim.yield(%d) : (!prim.tensor) -> ()
  // CHECK-NEXT: }) : (!prim.tensor) -> !prim.tensor
  %z = prim.DifferentiableGraph(%y) do ({
  ^bb0(%c: !prim.tensor):
    %d = prim.FusionGroup(%c) do ({
    ^bb0(%e: !prim.tensor):
      prim.yield(%e) : (!prim.tensor) -> ()
    }) : (!prim.tensor) -> !prim.tensor
    prim.yield(%d) : (!prim.tensor) -> ()
  }) : (!prim.tensor) -> !prim.tensor
  func.return %z : !prim.tensor
}

// CHECK-LABEL: func.func @before_ssa
func.func @before_ssa(%x: !prim.int) -> !prim.int {
  // CHECK-NEXT: prim.Store(%x) {name = "a"} : (!prim.int) -> ()
  prim.Store(%x) {name = "a"} : (!prim.int) -> ()
  // CHECK-NEXT: %y = prim.Load() {name = "a"} : () -> !prim.int
  %y = prim.Load() {name = "a"} : () -> !prim.int
  // CHECK-NEXT: prim.BreakStmt() : () -> ()
  prim.BreakStmt() : () -> ()
  // CHECK-NEXT: prim.ContinueStmt() : () -> ()
  prim.ContinueStmt() : () -> ()
  // CHECK-NEXT: prim.ReturnStmt(%y) : (!prim.int) -> ()
  prim.ReturnStmt(%y) : (!prim.int) -> ()
  func.return %y : !prim.int
}
