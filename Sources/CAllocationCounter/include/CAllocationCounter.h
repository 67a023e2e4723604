// Counts heap allocations of one thread, and lets them fail. Linked into tests and benches only: it replaces malloc.

#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

#include <stdint.h>

/// Begins to count the allocations of this thread, from zero.
void tl_count_allocations(void);
/// Stops; answers how many there were.
uint64_t tl_counted_allocations(void);

/// Lets an allocation of this thread fail, counted from 1 from now on, and all after it if `others` is not 0. Those of Swift's own
/// runtime are left out and not counted: it ends the program when it gets no memory.
void tl_fail_allocation(uint64_t number, int others);
/// Lets none fail any more; answers how many have.
uint64_t tl_failed_allocations(void);

#endif
