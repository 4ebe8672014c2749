// RUN: xdsl-opt %s -p canonicalize | filecheck %s

// What is taken from a tuple made in sight is what went in. A list may be changed: it is not looked into.
// CHECK-LABEL: func.func @containers(%x: !prim.tensor, %n: !prim.int) -> (!prim.tensor, !prim.int, !prim.tensor) {
// CHECK-NEXT:    %l = prim.ListConstruct(%x) : (!prim.tensor) -> !prim.list<!prim.tensor>
// CHECK-NEXT:    %d = prim.ListUnpack(%l) : (!prim.list<!prim.tensor>) -> !prim.tensor
// CHECK-NEXT:    func.return %x, %n, %d : !prim.tensor, !prim.int, !prim.tensor
// CHECK-NEXT:    }
func.func @containers(%x: !prim.tensor, %n: !prim.int) -> (!prim.tensor, !prim.int, !prim.tensor) {
  %i = prim.Constant() {value = 0 : i64} : () -> !prim.int
  %t = prim.TupleConstruct(%x, %n) : (!prim.tensor, !prim.int) -> !prim.tuple<!prim.tensor, !prim.int>
  %a = prim.TupleIndex(%t, %i) : (!prim.tuple<!prim.tensor, !prim.int>, !prim.int) -> !prim.tensor
  %b, %c = prim.TupleUnpack(%t) : (!prim.tuple<!prim.tensor, !prim.int>) -> (!prim.tensor, !prim.int)
  %l = prim.ListConstruct(%x) : (!prim.tensor) -> !prim.list<!prim.tensor>
  %d = prim.ListUnpack(%l) : (!prim.list<!prim.tensor>) -> !prim.tensor
  func.return %a, %c, %d : !prim.tensor, !prim.int, !prim.tensor
}

// A function returns what is known of its result.
// CHECK-LABEL: func.func @refined(%x: !prim.tensor) -> !prim.tensor {
// CHECK-NEXT:    func.return %x : !prim.tensor
// CHECK-NEXT:    }
func.func @refined(%x: !prim.tensor) -> !prim.optional<!prim.tensor> {
  %0 = prim.unchecked_cast(%x) : (!prim.tensor) -> !prim.optional<!prim.tensor>
  func.return %0 : !prim.optional<!prim.tensor>
}

// Ints have 64 bits, floats have a signed zero and NaN.
// CHECK-LABEL: func.func @numbers() -> (!prim.int, !prim.float, !prim.float, !prim.bool) {
// CHECK-NEXT:    %0 = prim.Constant() {value = -9223372036854775808 : i64} : () -> !prim.int
// CHECK-NEXT:    %1 = prim.Constant() {value = -0.000000e+00 : f64} : () -> !prim.float
// CHECK-NEXT:    %2 = prim.Constant() {value = 0xfff8000000000000 : f64} : () -> !prim.float
// CHECK-NEXT:    %3 = prim.Constant() {value = false} : () -> !prim.bool
// CHECK-NEXT:    func.return %0, %1, %2, %3 : !prim.int, !prim.float, !prim.float, !prim.bool
// CHECK-NEXT:    }
func.func @numbers() -> (!prim.int, !prim.float, !prim.float, !prim.bool) {
  %most = prim.Constant() {value = 9223372036854775807 : i64} : () -> !prim.int
  %one = prim.Constant() {value = 1 : i64} : () -> !prim.int
  %0 = aten.add.int(%most, %one) : (!prim.int, !prim.int) -> !prim.int
  %zero = prim.Constant() {value = 0.000000e+00 : f64} : () -> !prim.float
  %1 = aten.neg.float(%zero) : (!prim.float) -> !prim.float
  %huge = prim.Constant() {value = 1.000000e+308 : f64} : () -> !prim.float
  %infinite = aten.mul.float(%huge, %huge) : (!prim.float, !prim.float) -> !prim.float
  %2 = aten.sub.float(%infinite, %infinite) : (!prim.float, !prim.float) -> !prim.float
  %3 = aten.eq.float(%2, %2) : (!prim.float, !prim.float) -> !prim.bool
  func.return %0, %1, %2, %3 : !prim.int, !prim.float, !prim.float, !prim.bool
}

// What fails, fails when the program comes there; a text of a million letters is made where it is needed.
// CHECK-LABEL: func.func @stays(%f: !prim.float) -> (!prim.int, !prim.str, !prim.bool) {
// CHECK-NEXT:    %one = prim.Constant() {value = 1 : i64} : () -> !prim.int
// CHECK-NEXT:    %zero = prim.Constant() {value = 0 : i64} : () -> !prim.int
// CHECK-NEXT:    %0 = aten.floordiv.int(%one, %zero) : (!prim.int, !prim.int) -> !prim.int
// CHECK-NEXT:    %s = prim.Constant() {value = "x"} : () -> !prim.str
// CHECK-NEXT:    %million = prim.Constant() {value = 1000000 : i64} : () -> !prim.int
// CHECK-NEXT:    %1 = aten.ljust(%s, %million, %s) : (!prim.str, !prim.int, !prim.str) -> !prim.str
// CHECK-NEXT:    %2 = aten.eq.float(%f, %f) : (!prim.float, !prim.float) -> !prim.bool
// CHECK-NEXT:    func.return %0, %1, %2 : !prim.int, !prim.str, !prim.bool
// CHECK-NEXT:    }
func.func @stays(%f: !prim.float) -> (!prim.int, !prim.str, !prim.bool) {
  %one = prim.Constant() {value = 1 : i64} : () -> !prim.int
  %zero = prim.Constant() {value = 0 : i64} : () -> !prim.int
  %0 = aten.floordiv.int(%one, %zero) : (!prim.int, !prim.int) -> !prim.int
  %s = prim.Constant() {value = "x"} : () -> !prim.str
  %million = prim.Constant() {value = 1000000 : i64} : () -> !prim.int
  %1 = aten.ljust(%s, %million, %s) : (!prim.str, !prim.int, !prim.str) -> !prim.str
  %2 = aten.eq.float(%f, %f) : (!prim.float, !prim.float) -> !prim.bool
  func.return %0, %1, %2 : !prim.int, !prim.str, !prim.bool
}

// Arithmetic with neutral numbers, and tests that types decide.
// CHECK-LABEL: func.func @known(%i: !prim.int, %x: !prim.tensor) -> (!prim.int, !prim.bool) {
// CHECK-NEXT:    %0 = prim.Constant() {value = 2 : i64} : () -> !prim.int
// CHECK-NEXT:    %1 = aten.add.int(%i, %0) : (!prim.int, !prim.int) -> !prim.int
// CHECK-NEXT:    %2 = prim.Constant() {value = false} : () -> !prim.bool
// CHECK-NEXT:    func.return %1, %2 : !prim.int, !prim.bool
// CHECK-NEXT:    }
func.func @known(%i: !prim.int, %x: !prim.tensor) -> (!prim.int, !prim.bool) {
  %none = prim.Constant() : () -> !prim.none
  %one = prim.Constant() {value = 1 : i64} : () -> !prim.int
  %0 = aten.mul.int(%one, %i) : (!prim.int, !prim.int) -> !prim.int
  %1 = aten.add.int(%0, %one) : (!prim.int, !prim.int) -> !prim.int
  %2 = aten.add.int(%1, %one) : (!prim.int, !prim.int) -> !prim.int
  %3 = aten.__is__(%x, %none) : (!prim.tensor, !prim.none) -> !prim.bool
  func.return %2, %3 : !prim.int, !prim.bool
}

// Branches that are decided, and what a loop does not change.
// CHECK-LABEL: func.func @control_flow(%x: !prim.tensor, %n: !prim.int) -> (!prim.tensor, !prim.tensor) {
// CHECK-NEXT:    %true = prim.Constant() {value = true} : () -> !prim.bool
// CHECK-NEXT:    %0 = aten.neg(%x) : (!prim.tensor) -> !prim.tensor
// CHECK-NEXT:    %1 = prim.Loop(%n, %true, %0) do ({
// CHECK-NEXT:    ^bb0(%i: !prim.int, %b: !prim.tensor):
// CHECK-NEXT:    %2 = aten.mul.Tensor(%x, %b) : (!prim.tensor, !prim.tensor) -> !prim.tensor
// CHECK-NEXT:    prim.yield(%true, %2) : (!prim.bool, !prim.tensor) -> ()
// CHECK-NEXT:    }) : (!prim.int, !prim.bool, !prim.tensor) -> !prim.tensor
// CHECK-NEXT:    func.return %x, %1 : !prim.tensor, !prim.tensor
// CHECK-NEXT:    }
func.func @control_flow(%x: !prim.tensor, %n: !prim.int) -> (!prim.tensor, !prim.tensor) {
  %true = prim.Constant() {value = true} : () -> !prim.bool
  %0 = prim.If(%true) do ({
    %1 = aten.neg(%x) : (!prim.tensor) -> !prim.tensor
    prim.yield(%1) : (!prim.tensor) -> ()
  }, {
    prim.yield(%x) : (!prim.tensor) -> ()
  }) : (!prim.bool) -> !prim.tensor
  %2, %3 = prim.Loop(%n, %true, %x, %0) do ({
  ^bb0(%i: !prim.int, %a: !prim.tensor, %b: !prim.tensor):
    %4 = aten.mul.Tensor(%a, %b) : (!prim.tensor, !prim.tensor) -> !prim.tensor
    prim.yield(%true, %a, %4) : (!prim.bool, !prim.tensor, !prim.tensor) -> ()
  }) : (!prim.int, !prim.bool, !prim.tensor, !prim.tensor) -> (!prim.tensor, !prim.tensor)
  func.return %2, %3 : !prim.tensor, !prim.tensor
}
