/* What stands for libcuda.so.1 where there is no driver: every function of it hands its name and its arguments to one callback, which
   `driver.py` gives. SYMBOLS, the functions, is defined on the compiler's command line as F(cuInit) F(cuMemAlloc_v2) and so on. */

#include <stdint.h>
#include <string.h>

typedef int (*callback)(const char *name, const uint64_t *arguments);

/* Where nobody stands for the driver, as at the end of a process, it is no longer there (CUDA_ERROR_DEINITIALIZED). */
static int nobody(const char *name, const uint64_t *arguments)
{
    if (strncmp(name, "cuGetError", 10) == 0)
        *(const char **)arguments[1] = "deinitialized";
    return 4;
}

static callback handle = nobody;

void stand_in_use(callback given) { handle = given ? given : nobody; }

/* Arguments are integers and pointers, passed as 64 bits each; a callee that takes fewer does not look at the rest. */
#define F(name)                                                                                                                    \
    int name(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h, uint64_t i, uint64_t j, \
             uint64_t k)                                                                                                           \
    {                                                                                                                              \
        const uint64_t arguments[] = {a, b, c, d, e, f, g, h, i, j, k};                                                            \
        return handle(#name, arguments);                                                                              \
    }

SYMBOLS
