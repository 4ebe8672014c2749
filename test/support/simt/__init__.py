"""A SIMT interpreter, on NumPy, of the PTX that the project emits: it runs a kernel's threads in lockstep, with barriers, shared memory,
shuffles and atomics, and finds what a device forgives or only sometimes shows: accesses out of bounds, divergent barriers, data races.

`module.load` reads a module, `Memory` is a device's memory, and `launching.launch` runs a kernel. It proves indexing, arithmetic and synchronization; it
does not model the order of memory operations, the rounding of approximate instructions or time (PTX ISA, sections 6 to 9).
"""
