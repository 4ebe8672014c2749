// RUN: ts-opt %s -t llvm | filecheck %s

// What functions ask of LLVM is kept where they come from text.
// CHECK: define void @asks() nounwind "no-builtins" {
// CHECK: define void @asks_with_a_value() nounwind "probe-stack"="inline-asm" {
// CHECK: define void @asks_nothing() {
builtin.module {
  llvm.func @asks() attributes {passthrough = ["nounwind", "no-builtins"]} {
    llvm.return
  }
  llvm.func @asks_with_a_value() attributes {passthrough = ["nounwind", ["probe-stack", "inline-asm"]]} {
    llvm.return
  }
  llvm.func @asks_nothing() {
    llvm.return
  }
}
