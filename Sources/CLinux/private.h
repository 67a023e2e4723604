// The choke point, for the files of this module that make system calls.

#ifndef TL_PRIVATE_H
#define TL_PRIVATE_H

#include <stdbool.h>
#include <errno.h>
#include <sys/types.h>

#include "tl_calls.h"

int64_t tl_before(tl_call call, int64_t argument);
int64_t tl_after(tl_call call, int64_t argument, int64_t result);

// Consult the injector, make the call until a signal no longer interrupts it, turn -1 into -errno, trace.
#define CALL(name, argument, expression)                                    \
    int64_t result = tl_before(TL_CALL_##name, (argument));                 \
    if (result == 0) {                                                      \
        do {                                                                \
            result = (int64_t)(expression);                                 \
        } while (result == -1 && errno == EINTR);                           \
        if (result == -1) result = -errno;                                  \
    }                                                                       \
    result = tl_after(TL_CALL_##name, (argument), result)

#define RETURN_CALL(name, argument, expression) \
    CALL(name, argument, expression);           \
    return result

/// A child in which `enter` makes it another program; it returns only when something was refused, with errno, and there is no
/// child then. Until then the child shares this memory (vfork(2)), so that a failure can be told without a pipe, and a board with
/// little memory need not promise all of the agent's twice. The id of the process, or -1 with errno. In `enter` every signal has its default
/// action and is blocked.
pid_t start_child(void (*enter)(const void *), const void *order);
/// The last thing that `enter` does before execve(2).
void unblock_signals(void);

/// This process has called tl_confine.
extern bool tl_is_confined;

#endif
