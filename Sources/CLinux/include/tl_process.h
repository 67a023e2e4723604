// The process itself: its arguments, other processes, and starting over.

#ifndef TL_PROCESS_H
#define TL_PROCESS_H

#include <stdint.h>

/// The command line, caught before `main`: Embedded Swift has no other way to it.
int32_t tl_argument_count(void);
const char *tl_argument(int32_t index);

/// Ends the process where it cannot go on without memory, with a sentence and EX_OSERR (sysexits.h), after which systemd starts it again. A confined
/// process has nobody to say it to, and may not: it ends with the code alone.
_Noreturn void tl_end_without_memory(void);

/// An environment variable, or null.
const char *tl_environment(const char *name);

/// Removes an environment variable, so that no child has it.
void tl_forget_environment(const char *name);

/// Gives up root for good: acts as this user, with this group and those that /etc/group names the user in. 0, or a negated
/// errno, after which the process must not go on.
int64_t tl_become(uint32_t user, uint32_t group);

/// Sends SIGHUP to a process: 0, or a negated errno.
int64_t tl_hang_up(int32_t pid);

/// Runs this program again in place of itself, with the same arguments and, unless the value is null, an environment variable more. Returns only
/// on failure: a negated errno.
int64_t tl_start_over(const char *name, const char *value);

/// Gives back the memory that an idle program does not need: free pages of the heap, dead ones of the main thread's stack, and the code and
/// constants of its file, which come back from the page cache by themselves. For the main thread.
void tl_trim(void);

/// Ends the process.
void tl_exit(int32_t code) __attribute__((noreturn));

#endif
