// Counts heap allocations of one thread. Linked into tests and benches only: it replaces malloc.

#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

#include <stdint.h>

/// Begins to count the allocations of this thread, from zero.
void tl_count_allocations(void);
/// Stops; answers how many there were.
uint64_t tl_counted_allocations(void);

#endif
