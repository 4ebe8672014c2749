// RUN: not ts-opt %s -p ts-convert-to-llvm 2>&1 | filecheck %s

// What would need a math library is not lowered behind one's back.

// CHECK: math.tanh cannot be lowered to LLVM; run ts-expand-math first
func.func @tanh(%a: f32) -> f32 {
  %r = math.tanh %a : f32
  func.return %r : f32
}
