# RUN: ts-opt %s -p ts-convert-scalars-to-scf | filecheck %s
# RUN: ts-opt %s -p ts-convert-scalars-to-scf,ts-convert-to-llvm -t llvm | filecheck %s --check-prefix LLVM
# RUN: ts-opt %s --verify-equiv -p ts-convert-scalars-to-scf,scalars-to-llvm 2>&1 | filecheck %s --check-prefix VERIFIED

# VERIFIED:    a loop over numbers has words for results

# The loop carries its number, whether there is another, and whether nothing has failed: what is outside of the list is not read.
# CHECK-LABEL: func.func @kernel(%x: memref<?xi64>, %out: memref<?xi64>, %syms: memref<?xi64>, %begin: index, %end: index)
# CHECK:         scf.while ([[I:%.*]] = %{{.*}}, [[GO:%.*]] = %{{.*}}, [[FINE:%.*]] = %{{.*}}, [[S:%.*]] = %{{.*}}) : (i64, i1, i1, i64) -> (i64, i1, i1, i64) {
# CHECK-NEXT:      [[LESS:%.*]] = arith.cmpi slt, [[I]], %{{.*}} : i64
# CHECK-NEXT:      [[BOTH:%.*]] = arith.andi [[GO]], [[LESS]] : i1
# CHECK-NEXT:      [[ALL:%.*]] = arith.andi [[BOTH]], [[FINE]] : i1
# CHECK-NEXT:      scf.condition([[ALL]]) [[I]], [[GO]], [[FINE]], [[S]] : i64, i1, i1, i64
# CHECK:         } do {
# CHECK:           scf.if %{{.*}} -> (i64) {
# CHECK-NEXT:        [[AT:%.*]] = arith.index_cast %{{.*}} : i64 to index
# CHECK-NEXT:        [[ITEM:%.*]] = memref.load %x[[[AT]]] : memref<?xi64>
# CHECK-NEXT:        scf.yield [[ITEM]] : i64
# CHECK-NEXT:      } else {
# CHECK:           arith.floordivsi
# CHECK:         kernel.entry @kernel words 3 range 2 grain 1 work 2 cost 100000000 sizes @sizes
# LLVM-LABEL:  define void @kernel(
# LLVM:          phi i64
# LLVM:          sdiv i64
graph(%x : int[], %n : int):
  %t : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %s : int = prim::Loop(%n, %t, %zero)
    block0(%i : int, %p : int):
      %v : int = aten::__getitem__(%x, %i)
      %d : int = aten::floordiv(%v, %i)
      %q : int = aten::add(%p, %d)
      -> (%t, %q)
  return (%s)
