// RUN: ts-opt %s -p ts-outline-math --split-input-file | filecheck %s
// RUN: ts-opt %s -p ts-outline-math,ts-expand-math,ts-convert-to-llvm --split-input-file -t llvm | filecheck %s --check-prefix IR

// What is applied twice to one type is a function of its own; what is applied once stays.
// CHECK-LABEL: func.func @twice(%x: f32, %v: vector<4xf32>)
// CHECK-NEXT:  %a = func.call @math.tanh.f32(%x) : (f32) -> f32
// CHECK-NEXT:  %b = func.call @math.tanh.f32(%a) : (f32) -> f32
// CHECK-NEXT:  %c = math.exp %b : f32
// CHECK-NEXT:  %d = math.tanh %v : vector<4xf32>
// CHECK:       func.func private @math.tanh.f32(%{{.*}}: f32) -> f32 attributes {passthrough = ["alwaysinline"]} {
// CHECK-NEXT:    %{{.*}} = math.tanh %{{.*}} : f32
// CHECK-NEXT:    func.return %{{.*}} : f32

// IR-LABEL: define float @twice
// IR:       [[A:%.*]] = call float @math.tanh.f32(float %{{.*}})
// IR-NEXT:  call float @math.tanh.f32(float [[A]])
// IR-LABEL: define internal float @math.tanh.f32(float %{{.*}}) nounwind "no-builtins" alwaysinline
// IR:       call float @llvm.copysign.f32
func.func @twice(%x: f32, %v: vector<4xf32>) -> (f32) {
  %a = math.tanh %x : f32
  %b = math.tanh %a : f32
  %c = math.exp %b : f32
  %d = math.tanh %v : vector<4xf32>
  func.return %c : f32
}

// -----

// Two operands; and what has flags of its own stays where it is.
// CHECK-LABEL: func.func @others
// CHECK-NEXT:  func.call @math.powf.f64(%x, %y) : (f64, f64) -> f64
// CHECK-NEXT:  func.call @math.powf.f64(%y, %x) : (f64, f64) -> f64
// CHECK-NEXT:  math.sin %x fastmath<fast> : f64
// CHECK-NEXT:  math.sin %y fastmath<fast> : f64
// CHECK-NEXT:  math.sqrt %x : f64
// CHECK-NEXT:  math.sqrt %y : f64
// CHECK:       func.func private @math.powf.f64(%{{.*}}: f64, %{{.*}}: f64) -> f64
// IR-LABEL: define double @others
func.func @others(%x: f64, %y: f64) -> (f64) {
  %a = math.powf %x, %y : f64
  %b = math.powf %y, %x : f64
  %c = math.sin %x fastmath<fast> : f64
  %d = math.sin %y fastmath<fast> : f64
  %e = math.sqrt %x : f64
  %f = math.sqrt %y : f64
  func.return %b : f64
}
