// RUN: ts-opt %s | filecheck %s
// RUN: ts-opt %s -t torchscript | filecheck %s --check-prefix=TEXT
// RUN: ts-opt %s -t torchscript | ts-opt -f torchscript | filecheck %s

// CHECK-LABEL: func.func @forward
// TEXT-LABEL: graph():
func.func @forward() {
  // CHECK-NEXT: %bool = prim.Constant() {value = true} : () -> !prim.bool
  // TEXT-NEXT:  %bool : bool = prim::Constant[value=1]()
  %bool = prim.Constant() {value = true} : () -> !prim.bool
  // CHECK-NEXT: %int = prim.Constant() {value = -9223372036854775808 : i64} : () -> !prim.int
  // TEXT-NEXT:  %int : int = prim::Constant[value=-9223372036854775808]()
  %int = prim.Constant() {value = -9223372036854775808 : i64} : () -> !prim.int
  // CHECK-NEXT: %float = prim.Constant() {value = 1.000000e-01 : f64} : () -> !prim.float
  // TEXT-NEXT:  %float : float = prim::Constant[value=0.10000000000000001]()
  %float = prim.Constant() {value = 0.1 : f64} : () -> !prim.float
  // CHECK-NEXT: %large = prim.Constant() {value = 1.000000e+10 : f64} : () -> !prim.float
  // TEXT-NEXT:  %large : float = prim::Constant[value=10000000000]()
  %large = prim.Constant() {value = 1.0e+10 : f64} : () -> !prim.float
  // CHECK-NEXT: %zero = prim.Constant() {value = -0.000000e+00 : f64} : () -> !prim.float
  // TEXT-NEXT:  %zero : float = prim::Constant[value=-0.]()
  %zero = prim.Constant() {value = -0.0 : f64} : () -> !prim.float
  // CHECK-NEXT: %inf = prim.Constant() {value = 0xfff0000000000000 : f64} : () -> !prim.float
  // TEXT-NEXT:  %inf : float = prim::Constant[value=-inf]()
  %inf = prim.Constant() {value = 0xfff0000000000000 : f64} : () -> !prim.float
  // CHECK-NEXT: %complex = prim.Constant() {value = #prim.complex_value<1.500000e+00 : f64, -2.000000e+00 : f64>} : () -> !prim.complex
  // TEXT-NEXT:  %complex : complex = prim::Constant[value=1.5-2.j]()
  %complex = prim.Constant() {value = #prim.complex_value<1.5 : f64, -2.0 : f64>} : () -> !prim.complex
  // CHECK-NEXT: %str = prim.Constant() {value = "it's \22a\22\\\0A"} : () -> !prim.str
  // TEXT-NEXT:  %str : str = prim::Constant[value="it\'s \"a\"\\\n"]()
  %str = prim.Constant() {value = "it's \"a\"\\\n"} : () -> !prim.str
  // CHECK-NEXT: %list = prim.Constant() {value = [1 : i64, 2 : i64]} : () -> !prim.list<!prim.int>
  // TEXT-NEXT:  %list : int[] = prim::Constant[value=[1, 2]]()
  %list = prim.Constant() {value = [1, 2]} : () -> !prim.list<!prim.int>
  // CHECK-NEXT: %bools = prim.Constant() {value = [true, false]} : () -> !prim.list<!prim.bool>
  // TEXT-NEXT:  %bools : bool[] = prim::Constant[value=[True, False]]()
  %bools = prim.Constant() {value = [true, false]} : () -> !prim.list<!prim.bool>
  // CHECK-NEXT: %tuple = prim.Constant() {value = [1 : i64, [true], unit]} : () -> !prim.tuple<!prim.int, !prim.tuple<!prim.bool>, !prim.none>
  // TEXT-NEXT:  %tuple : (int, (bool), NoneType) = prim::Constant[value=(1, (True,), None)]()
  %tuple = prim.Constant() {value = [1, [true], unit]} : () -> !prim.tuple<!prim.int, !prim.tuple<!prim.bool>, !prim.none>
  // CHECK-NEXT: %optional = prim.Constant() {value = [1.000000e+10 : f64]} : () -> !prim.optional<!prim.list<!prim.float>>
  // TEXT-NEXT:  %optional : float[]? = prim::Constant[value=[10000000000]]()
  %optional = prim.Constant() {value = [1.0e+10]} : () -> !prim.optional<!prim.list<!prim.float>>
  // CHECK-NEXT: %scalar = prim.Constant() {value = #prim.dense<Float, [], "0000C03F">} : () -> !prim.tensor<Float, sizes = []>
  // TEXT-NEXT:  %scalar : Float() = prim::Constant[value={1.5}]()
  %scalar = prim.Constant() {value = #prim.dense<Float, [], "0000C03F">} : () -> !prim.tensor<Float, sizes = []>
  // CHECK-NEXT: %untyped = prim.Constant() {value = #prim.dense<Float, [], "0000803F">} : () -> !prim.tensor
  // TEXT-NEXT:  %untyped : Tensor = prim::Constant[value=tensor<Float, [], "0000803F">]()
  %untyped = prim.Constant() {value = #prim.dense<Float, [], "0000803F">} : () -> !prim.tensor
  // CHECK-NEXT: %one = prim.Constant() {value = #prim.dense<Bool, [1, 1], "01">} : () -> !prim.tensor<Bool, sizes = [1, 1]>
  // TEXT-NEXT:  %one : Bool(1, 1) = prim::Constant[value={1}]()
  %one = prim.Constant() {value = #prim.dense<Bool, [1, 1], "01">} : () -> !prim.tensor<Bool, sizes = [1, 1]>
  // CHECK-NEXT: %many = prim.Constant() {value = #prim.dense<Short, [2], "0100FFFF">} : () -> !prim.tensor<Short, sizes = [2]>
  // TEXT-NEXT:  %many : Short(2) = prim::Constant[value=tensor<Short, [2], "0100FFFF">]()
  %many = prim.Constant() {value = #prim.dense<Short, [2], "0100FFFF">} : () -> !prim.tensor<Short, sizes = [2]>
  // CHECK-NEXT: %empty = prim.Constant() {value = #prim.dense<Float, [0, 3], "">} : () -> !prim.tensor<Float, sizes = [0, 3]>
  // TEXT-NEXT:  %empty : Float(0, 3) = prim::Constant[value=tensor<Float, [0, 3], "">]()
  %empty = prim.Constant() {value = #prim.dense<Float, [0, 3], "">} : () -> !prim.tensor<Float, sizes = [0, 3]>
  func.return
}

// CHECK-LABEL: func.func @generator
func.func @generator() -> !prim.generator {
  // CHECK-NEXT: prim.Constant() {value = #prim.generator<"cpu", 7>} : () -> !prim.generator
  %0 = prim.Constant() {value = #prim.generator<"cpu", 7>} : () -> !prim.generator
  func.return %0 : !prim.generator
}
