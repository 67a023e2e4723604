// Runs a program under ptrace(2) and lets one of its system calls fail, for talon-lab and for x86_64 alone.

#ifndef CTRACER_H
#define CTRACER_H

#include <stdint.h>

enum {
    /// How many calls for memory are refused one after the other: the heap grows no more, a mapping instead of it, another arena with half of
    /// its address space, and what is asked for next.
    CTRACER_MEMORY_TRIES = 8,
};

/// Which call fails: the `occurrence`-th (from 1) of the whole process, all its threads together, counted from exec.
typedef struct {
    /// Its name as in syscall(2), or NULL: every call is written down and none fails. "memory" is brk, mmap and mremap, counted together,
    /// of which several in a row fail (CTRACER_MEMORY_TRIES): one alone hardly ever reaches the program, for malloc(3) asks for its memory in another way.
    const char *call;
    uint32_t occurrence;
    /// The error it returns, as in errno(3).
    int32_t error;
} ctracer_fault;

/// Runs `arguments[0]` until it ends, and returns its exit code, or 128 and the signal that killed it. -1 with errno
/// set when it cannot be run, EINVAL for a call that the tracer has no name for.
///
/// What it sees goes to `report`, a line each: "pid NUMBER" at exec, then "NAME OCCURRENCE TARGET" for each call, or
/// for the one that failed; TARGET is the path or what the descriptor stands for. Last, "signal NUMBER" when one
/// killed it.
///
/// The calling process must have one thread and no other children.
int32_t ctracer_run(char *const arguments[], ctracer_fault fault, int32_t report);

#endif
