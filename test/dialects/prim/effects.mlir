// RUN: xdsl-opt %s -p dce | filecheck %s --check-prefix=DCE
// RUN: xdsl-opt %s -p cse | filecheck %s --check-prefix=CSE

// A branch or loop has the effects of what it holds.
// DCE-LABEL: func.func @blocks
func.func @blocks(%n: !prim.int, %t: !prim.bool, %x: !prim.tensor, %s: !prim.str) {
  // DCE-NEXT: prim.Loop(%n, %t) do ({
  // DCE-NEXT: ^bb0(%i: !prim.int):
  // DCE-NEXT:   prim.Print(%s)
  // DCE-NEXT:   prim.yield(%t)
  // DCE-NEXT: })
  // DCE-NEXT: func.return
  %a = prim.If(%t) do ({
    %b = aten.neg(%x) : (!prim.tensor) -> !prim.tensor
    prim.yield(%b) : (!prim.tensor) -> ()
  }, {
    prim.yield(%x) : (!prim.tensor) -> ()
  }) : (!prim.bool) -> !prim.tensor
  prim.Loop(%n, %t) do ({
  ^bb0(%i: !prim.int):
    %d = aten.neg(%x) : (!prim.tensor) -> !prim.tensor
    prim.Print(%s) : (!prim.str) -> ()
    prim.yield(%t) : (!prim.bool) -> ()
  }) : (!prim.int, !prim.bool) -> ()
  func.return
}

// Lists are objects, whose elements may change; tuples are not.
// CSE-LABEL: func.func @objects
func.func @objects(%x: !prim.tensor, %i: !prim.int) -> (!prim.list<!prim.tensor>, !prim.list<!prim.tensor>, !prim.list<!prim.int>, !prim.list<!prim.int>, !prim.tuple<!prim.tensor, !prim.int>, !prim.tuple<!prim.tensor, !prim.int>) {
  // CSE-NEXT: [[A:%.+]] = prim.ListConstruct(%x)
  // CSE-NEXT: [[B:%.+]] = prim.ListConstruct(%x)
  // CSE-NEXT: [[C:%.+]] = prim.Constant()
  // CSE-NEXT: [[D:%.+]] = prim.Constant()
  // CSE-NEXT: [[E:%.+]] = prim.TupleConstruct(%x, %i)
  // CSE-NEXT: func.return [[A]], [[B]], [[C]], [[D]], [[E]], [[E]]
  %a = prim.ListConstruct(%x) : (!prim.tensor) -> !prim.list<!prim.tensor>
  %b = prim.ListConstruct(%x) : (!prim.tensor) -> !prim.list<!prim.tensor>
  %c = prim.Constant() {value = [1]} : () -> !prim.list<!prim.int>
  %d = prim.Constant() {value = [1]} : () -> !prim.list<!prim.int>
  %e = prim.TupleConstruct(%x, %i) : (!prim.tensor, !prim.int) -> !prim.tuple<!prim.tensor, !prim.int>
  %f = prim.TupleConstruct(%x, %i) : (!prim.tensor, !prim.int) -> !prim.tuple<!prim.tensor, !prim.int>
  func.return %a, %b, %c, %d, %e, %f : !prim.list<!prim.tensor>, !prim.list<!prim.tensor>, !prim.list<!prim.int>, !prim.list<!prim.int>, !prim.tuple<!prim.tensor, !prim.int>, !prim.tuple<!prim.tensor, !prim.int>
}
