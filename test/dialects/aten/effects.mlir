// RUN: xdsl-opt %s -p dce | filecheck %s --check-prefix=DCE
// RUN: xdsl-opt %s -p canonicalize | filecheck %s --check-prefix=DCE
// RUN: xdsl-opt %s -p cse | filecheck %s --check-prefix=CSE

// What only gives results goes with them; what acts, writes or is unknown stays.
// DCE-LABEL: func.func @unused
// CSE-LABEL: func.func @unused
func.func @unused(%x: !prim.tensor, %i: !prim.int, %b: !prim.bool, %s: !prim.str, %g: !prim.optional<!prim.generator>) {
  // DCE-NEXT: aten.warn(%s, %i)
  // DCE-NEXT: aten.set_grad_enabled(%b)
  // DCE-NEXT: aten.manual_seed(%i)
  // DCE-NEXT: aten.relu_(%x)
  // DCE-NEXT: func.return
  // CSE-NEXT: aten.warn(%s, %i)
  // CSE-NEXT: aten.set_grad_enabled(%b)
  // CSE-NEXT: aten.manual_seed(%i)
  // CSE-NEXT: aten.relu_(%x)
  // CSE-NEXT: func.return
  %0 = aten.mul.Tensor(%x, %x) : (!prim.tensor, !prim.tensor) -> !prim.tensor
  %1 = aten.bernoulli(%x, %g) : (!prim.tensor, !prim.optional<!prim.generator>) -> !prim.tensor
  %2 = aten.t(%x) : (!prim.tensor) -> !prim.tensor
  %3 = aten.add.int(%i, %i) : (!prim.int, !prim.int) -> !prim.int
  aten.warn(%s, %i) : (!prim.str, !prim.int) -> ()
  aten.set_grad_enabled(%b) : (!prim.bool) -> ()
  aten.manual_seed(%i) : (!prim.int) -> ()
  %5 = aten.relu_(%x) : (!prim.tensor) -> !prim.tensor
  func.return
}

// Equal numbers become one, and what memory tells where nothing is written in between. Tensors stay two: either may be written to.
// CSE-LABEL: func.func @twice
func.func @twice(%x: !prim.tensor, %i: !prim.int) -> (!prim.int, !prim.int, !prim.int, !prim.int, !prim.int, !prim.tensor, !prim.tensor) {
  // CSE-NEXT: [[SUM:%.+]] = aten.add.int(%i, %i)
  // CSE-NEXT: [[RANK:%.+]] = aten.dim(%x)
  // CSE-NEXT: aten.unsqueeze_(%x, %i)
  // CSE-NEXT: [[AFTER:%.+]] = aten.dim(%x)
  // CSE-NEXT: [[A:%.+]] = aten.neg(%x)
  // CSE-NEXT: [[B:%.+]] = aten.neg(%x)
  // CSE-NEXT: func.return [[SUM]], [[SUM]], [[RANK]], [[RANK]], [[AFTER]], [[A]], [[B]]
  %0 = aten.add.int(%i, %i) : (!prim.int, !prim.int) -> !prim.int
  %1 = aten.add.int(%i, %i) : (!prim.int, !prim.int) -> !prim.int
  %2 = aten.dim(%x) : (!prim.tensor) -> !prim.int
  %3 = aten.dim(%x) : (!prim.tensor) -> !prim.int
  %4 = aten.unsqueeze_(%x, %i) : (!prim.tensor, !prim.int) -> !prim.tensor
  %5 = aten.dim(%x) : (!prim.tensor) -> !prim.int
  %6 = aten.neg(%x) : (!prim.tensor) -> !prim.tensor
  %7 = aten.neg(%x) : (!prim.tensor) -> !prim.tensor
  func.return %0, %1, %2, %3, %5, %6, %7 : !prim.int, !prim.int, !prim.int, !prim.int, !prim.int, !prim.tensor, !prim.tensor
}
