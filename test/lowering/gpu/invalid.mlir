// RUN: ts-opt %s -p ts-convert-gpu-to-nvvm --split-input-file --verify-diagnostics | filecheck %s

// CHECK: 'gpu.thread_id' of another dimension than x is not converted
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> (), kernel}> ({
    %0 = "gpu.thread_id"() <{dimension = #gpu<dim y>}> : () -> index
    "gpu.return"() : () -> ()
  }) {sym_name = "kernel"} : () -> ()
}) : () -> ()

// -----

// CHECK: 'gpu.wait' is not converted
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = () -> (), kernel}> ({
    "gpu.wait"() : () -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "kernel"} : () -> ()
}) : () -> ()
