# RUN: ts-opt %S/Inputs/complex.ts -p ts-convert-torch-to-linalg | filecheck %s
# RUN: ts-opt %S/Inputs/complex.ts -p ts-convert-torch-to-linalg,ts-fuse-elementwise,ts-bufferize,ts-tile-rows,ts-plan-memory,ts-linalg-to-loops,ts-outline-kernel | filecheck %s --check-prefix LOOPS

# RUN: ts-opt %S/Inputs/complex.ts --verify-equiv -p ts-convert-torch-to-linalg,linalg-to-llvm

# Bodies take complex numbers apart, compute with real ones, and put them together.
# CHECK-LABEL: func.func @kernel(%x: tensor<?x?xcomplex<f32>>, %y: tensor<?xcomplex<f32>>
# CHECK:         ^bb0([[X:%.*]]: complex<f32>, %{{.*}}: complex<f32>):
# CHECK-NEXT:      [[RE:%.*]] = complex.re [[X]] : complex<f32>
# CHECK-NEXT:      [[IM:%.*]] = complex.im [[X]] : complex<f32>
# CHECK-NEXT:      [[NEG:%.*]] = arith.negf [[IM]] : f32
# CHECK-NEXT:      [[CONJ:%.*]] = complex.create [[RE]], [[NEG]] : complex<f32>
# CHECK-NEXT:      linalg.yield [[CONJ]] : complex<f32>

# A sum is that of each part.
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
# CHECK:           [[PART:%.*]] = complex.re
# CHECK:           [[WIDE:%.*]] = arith.extf [[PART]] : f32 to f64
# CHECK-NEXT:      arith.addf %{{.*}}, [[WIDE]] : f64
# CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
# CHECK:           [[PART:%.*]] = complex.im
# CHECK:           arith.extf [[PART]] : f32 to f64

# The length of a float32 is computed in float64; a real number is added as a complex one, times 1 + 0i.
# CHECK:         math.sqrt {{.*}} : f64
# CHECK:         complex.create

# Parts are read where they are used.
# CHECK:         complex.re
# CHECK:         complex.im
# CHECK:         arith.mulf
# CHECK:         math.atan2

# In loops there are none: buffers hold their parts.
# LOOPS-LABEL: func.func @kernel(%x: memref<?xf32>, %y: memref<?xf32>
# LOOPS-NOT:     complex
