// RUN: ts-opt %s -p ts-matmul-to-loops --split-input-file | filecheck %s
// RUN: ts-opt %s -p "ts-matmul-to-loops{width=8}" --split-input-file | filecheck %s --check-prefix=NARROW

// x @ w.t(): both contiguous along K. One row: eight columns, whose sums end up in one vector.

// CHECK-LABEL: func.func @dot_one_row
// CHECK-NOT: linalg
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>,
// CHECK-COUNT-9: vector.maskedload
// CHECK-NOT: vector.maskedload
// CHECK: vector.shuffle
// CHECK-COUNT-1: vector.maskedstore
// CHECK: func.return
func.func @dot_one_row(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %k: index, %n: index) {
  %z = arith.constant 0.0 : f32
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [1, %k], strides: [%k, 1] : memref<?xf32> to memref<1x?xf32, strided<[?, 1]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [1, %k] : memref<?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [1, %n], strides: [%n, 1] : memref<?xf32> to memref<1x?xf32, strided<[?, 1]>>
  linalg.fill ins(%z : f32) outs(%y : memref<1x?xf32, strided<[?, 1]>>)
  linalg.matmul ins(%x, %w : memref<1x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[1, ?]>>) outs(%y : memref<1x?xf32, strided<[?, 1]>>)
  func.return
}

// -----

// x @ w, several rows: panels are packed to the stack, and which depends on the sizes. For each k a tile of eight rows takes
// two vectors of w and broadcasts an element of each row of x. Without a fill the product is added to C.

// CHECK-LABEL: func.func @tiles
// CHECK-SAME: passthrough = {{\[\["probe-stack", "inline-asm"\]\]}}
// CHECK-NOT: linalg
// CHECK: memref.alloca(%{{.*}}) {alignment = 64 : i64} : memref<?xf64>
// CHECK: memref_ext.prefetch %{{.*}}, read
// CHECK: vector.store
// CHECK: vector.maskedload
// CHECK: vector.store
// CHECK-COUNT-8: memref_ext.prefetch %{{.*}}, write
// CHECK: scf.for {{.*}} -> (index, vector<8xf64>,
// CHECK-COUNT-2: vector.load
// CHECK-COUNT-8: vector.broadcast
// CHECK-NOT: vector.broadcast
// CHECK-COUNT-16: vector.maskedload
// CHECK: scf.if
// CHECK-COUNT-16: vector.store
// CHECK: } else {
// CHECK-COUNT-16: vector.maskedstore
// CHECK: func.return
func.func @tiles(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>, %m: index, %k: index, %n: index) {
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1] : memref<?xf64> to memref<?x?xf64, strided<[?, 1]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%n, 1] : memref<?xf64> to memref<?x?xf64, strided<[?, 1]>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf64> to memref<?x?xf64, strided<[?, 1]>>
  linalg.matmul ins(%x, %w : memref<?x?xf64, strided<[?, 1]>>, memref<?x?xf64, strided<[?, 1]>>) outs(%y : memref<?x?xf64, strided<[?, 1]>>)
  func.return
}

// -----

// Strides that only the caller knows: plain loops.

// CHECK-LABEL: func.func @plain
// CHECK-NOT: vector
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args
// CHECK: func.return
func.func @plain(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %k: index, %n: index, %s: index) {
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %k], strides: [%k, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%s, %k] : memref<?xf32> to memref<?x?xf32, strided<[?, ?]>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [%n, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  linalg.matmul ins(%x, %w : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, ?]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  func.return
}

// -----

// x @ w.t(): few rows are dots, many are tiles, whose panels of w are transposed in squares of eight.

// CHECK-LABEL: func.func @few_or_many_rows
// CHECK: arith.constant 24 : index
// CHECK: arith.cmpi sge
// CHECK: scf.if
// CHECK-NEXT: func.call @few_or_many_rows_tiles(
// CHECK-NEXT: } else {
// CHECK-NOT: memref.alloca
// A tile of four rows by four columns, and one of a row by eight columns for the rows that are left.
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>,
// CHECK-COUNT-16: vector.fma
// CHECK-NOT: vector.fma
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>,
// CHECK-COUNT-8: vector.fma
// CHECK-NOT: vector.fma
// CHECK-LABEL: func.func private @few_or_many_rows_tiles
// CHECK: memref.alloca
// CHECK: scf.for
// CHECK-COUNT-8: vector.maskedload {{.*}} vector<8xf32>
// CHECK-COUNT-24: vector.shuffle
// CHECK-COUNT-8: vector.store
// CHECK: vector.fma
// CHECK: func.return
func.func @few_or_many_rows(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %m: index, %k: index, %n: index) {
  %z = arith.constant 0.0 : f32
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [1, %k] : memref<?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  linalg.fill ins(%z : f32) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  linalg.matmul ins(%x, %w : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[1, ?]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  func.return
}

// -----

// With 16 registers a tile has six rows; a transposed left operand is broadcast, too.

// NARROW-LABEL: func.func @both_turned
// NARROW: memref.alloca
// NARROW: vector.shuffle
// NARROW-COUNT-6: memref_ext.prefetch %{{.*}}, write
// NARROW: scf.for {{.*}} -> (index, vector<8xf32>,
// NARROW-COUNT-6: vector.broadcast
// NARROW-NOT: vector.broadcast
// NARROW: func.return
func.func @both_turned(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %m: index, %k: index, %n: index) {
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [1, %m] : memref<?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [1, %k] : memref<?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  linalg.matmul ins(%x, %w : memref<?x?xf32, strided<[1, ?]>>, memref<?x?xf32, strided<[1, ?]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  func.return
}

// -----

// Factors of 16 bits become float32 where they are packed, both of them. Rows that a vector is not whole of are copied one by one.

// CHECK-LABEL: func.func @halves
// CHECK: %[[PANELS:.*]] = memref.alloca({{.*}} : memref<?xf32>
// CHECK: %[[ROWS:.*]] = memref.alloca({{.*}} : memref<?xf32>
// CHECK: %[[X:.*]] = vector.load {{.*}} vector<16xbf16>
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[X]] : vector<16xbf16> to vector<16xf32>
// CHECK-NEXT: vector.store %[[WIDE]]
// CHECK: memref.load {{.*}} : memref<?xbf16>
// CHECK-NEXT: arith.extf {{.*}} : bf16 to f32
// CHECK: vector.load %b[{{.*}}] {{.*}} vector<16xbf16>
// CHECK-NEXT: arith.extf {{.*}} : vector<16xbf16> to vector<16xf32>
// CHECK: vector.fma
// CHECK-NOT: bf16
// CHECK: func.return

// The dots of a row: AVX2 has no masks for lanes of 16 bits, so whole vectors are loaded without.

// NARROW-LABEL: func.func @row_of_halves
// NARROW: scf.for
// NARROW-COUNT-9: vector.load {{.*}} vector<8xbf16>
// NARROW-NOT: vector.load
// NARROW: scf.for
// NARROW-COUNT-9: vector.maskedload {{.*}} vector<8xbf16>
// NARROW-NOT: vector.maskedload
// NARROW: func.return
func.func @halves(%a: memref<?xbf16>, %b: memref<?xbf16>, %c: memref<?xf32>, %n: index) {
  %z = arith.constant 0.0 : f32
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %n], strides: [%n, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%n, %n], strides: [%n, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [%n, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  linalg.fill ins(%z : f32) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  linalg_ext.matmul ins(%x, %w : memref<?x?xbf16, strided<[?, 1]>>, memref<?x?xbf16, strided<[?, 1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  func.return
}
func.func @row_of_halves(%a: memref<?xbf16>, %b: memref<?xbf16>, %c: memref<?xf32>, %k: index, %n: index) {
  %z = arith.constant 0.0 : f32
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [1, %k], strides: [%k, 1] : memref<?xbf16> to memref<1x?xbf16, strided<[?, 1]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [1, %k] : memref<?xbf16> to memref<?x?xbf16, strided<[1, ?]>>
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [1, %n], strides: [%n, 1] : memref<?xf32> to memref<1x?xf32, strided<[?, 1]>>
  linalg.fill ins(%z : f32) outs(%y : memref<1x?xf32, strided<[?, 1]>>)
  linalg_ext.matmul ins(%x, %w : memref<1x?xbf16, strided<[?, 1]>>, memref<?x?xbf16, strided<[1, ?]>>) outs(%y : memref<1x?xf32, strided<[?, 1]>>)
  func.return
}
