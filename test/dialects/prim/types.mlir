// RUN: ts-opt %s | filecheck %s
// RUN: ts-opt %s -t torchscript | filecheck %s --check-prefix=TEXT
// RUN: ts-opt %s -t torchscript | ts-opt -f torchscript -t torchscript | filecheck %s --check-prefix=TEXT

// CHECK-LABEL: func.func @simple(%a: !prim.int, %b: !prim.float, %c: !prim.complex, %d: !prim.bool, %e: !prim.number, %f: !prim.str, %g: !prim.none, %h: !prim.any
// TEXT-LABEL: graph @simple(%a : int,
// TEXT-NEXT:   %b : float,
// TEXT-NEXT:   %c : complex,
// TEXT-NEXT:   %d : bool,
// TEXT-NEXT:   %e : Scalar,
// TEXT-NEXT:   %f : str,
// TEXT-NEXT:   %g : NoneType,
// TEXT-NEXT:   %h : Any,
// TEXT-NEXT:   %i : list,
// TEXT-NEXT:   %j : tuple,
// TEXT-NEXT:   %k : Device,
// TEXT-NEXT:   %l : Generator,
// TEXT-NEXT:   %m : Stream,
// TEXT-NEXT:   %n : Storage,
// TEXT-NEXT:   %o : Capsule,
// TEXT-NEXT:   %p : AnyClassType,
// TEXT-NEXT:   %q : AnyEnumType):
func.func @simple(%a: !prim.int, %b: !prim.float, %c: !prim.complex, %d: !prim.bool, %e: !prim.number, %f: !prim.str, %g: !prim.none, %h: !prim.any, %i: !prim.any_list, %j: !prim.any_tuple, %k: !prim.device, %l: !prim.generator, %m: !prim.stream, %n: !prim.storage, %o: !prim.capsule, %p: !prim.any_class, %q: !prim.any_enum) {
  func.return
}

// CHECK-LABEL: func.func @containers(%a: !prim.list<!prim.int>, %b: !prim.optional<!prim.list<!prim.str>>, %c: !prim.dict<!prim.str, !prim.tensor>, %d: !prim.tuple<!prim.int, !prim.tuple<()>>, %e: !prim.tuple<!prim.int>, %f: !prim.future<!prim.tensor>, %g: !prim.union<[!prim.float, !prim.int, !prim.str]>, %h: !prim.tuple<"__torch__.P" : x = !prim.int, y = !prim.str>)
// TEXT-LABEL: graph @containers(%a : int[],
// TEXT-NEXT:   %b : str[]?,
// TEXT-NEXT:   %c : Dict(str, Tensor),
// TEXT-NEXT:   %d : (int, ()),
// TEXT-NEXT:   %e : (int),
// TEXT-NEXT:   %f : Future[Tensor],
// TEXT-NEXT:   %g : Union(float, int, str),
// TEXT-NEXT:   %h : NamedTuple(x : int, y : str)):
func.func @containers(%a: !prim.list<!prim.int>, %b: !prim.optional<!prim.list<!prim.str>>, %c: !prim.dict<!prim.str, !prim.tensor>, %d: !prim.tuple<!prim.int, !prim.tuple<()>>, %e: !prim.tuple<!prim.int>, %f: !prim.future<!prim.tensor>, %g: !prim.union<[!prim.float, !prim.int, !prim.str]>, %h: !prim.tuple<"__torch__.P" : x = !prim.int, y = !prim.str>) {
  func.return
}

// CHECK-LABEL: func.func @tensors(%a: !prim.tensor, %b: !prim.tensor<Float>, %c: !prim.tensor<Float, sizes = [2, ?]>, %d: !prim.tensor<Double, sizes = [2, 3], strides = [3, 1], device = "cuda:1", requires_grad = true>, %e: !prim.tensor<device = "cpu">, %f: !prim.tensor<Long, sizes = []>)
// TEXT-LABEL: graph @tensors(%a : Tensor,
// TEXT-NEXT:   %b : FloatTensor,
// TEXT-NEXT:   %c : Float(2, *),
// TEXT-NEXT:   %d : Double(2, 3, strides=[3, 1], requires_grad=1, device=cuda:1),
// TEXT-NEXT:   %e : Tensor(device=cpu),
// TEXT-NEXT:   %f : Long()):
func.func @tensors(%a: !prim.tensor, %b: !prim.tensor<Float>, %c: !prim.tensor<Float, sizes = [2, ?]>, %d: !prim.tensor<Double, sizes = [2, 3], strides = [3, 1], device = "cuda:1", requires_grad = true>, %e: !prim.tensor<device = "cpu">, %f: !prim.tensor<Long, sizes = []>) {
  func.return
}

// CHECK-LABEL: func.func @named(%a: !prim.class<"__torch__.M">, %b: !prim.enum<"__torch__.E">)
// TEXT-LABEL: graph @named(%a : __torch__.M,
// TEXT-NEXT:   %b : Enum<__torch__.E>):
func.func @named(%a: !prim.class<"__torch__.M">, %b: !prim.enum<"__torch__.E">) {
  func.return
}
