// Counts the instructions that one thread executes, for tests that compare work instead of time.

#ifndef CSTEPCOUNTER_H
#define CSTEPCOUNTER_H

#include <stdint.h>

/// True when the processor counts, at no cost (perf_event_open(2)). Few virtual machines let it; there, and on x86_64 alone, the thread is
/// stepped through its instructions with a signal for each, which is slower by a factor of a thousand to twenty thousand.
int tl_steps_are_cheap(void);

/// Begins to count the instructions of this thread in its own code, not in the kernel, from zero. Stepping ends after `most` of them.
void tl_count_steps(uint64_t most);
/// Stops; answers how many there were, and -1 where nothing can count.
int64_t tl_counted_steps(void);

#endif
