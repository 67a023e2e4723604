// Which system calls a program of the owner may make.

#ifndef PROGRAM_FILTER_H
#define PROGRAM_FILTER_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>

/// Instructions that a filter has at most.
enum { PROGRAM_FILTER_MOST = 1536 };

/// Writes the seccomp filter: it allows a list of calls, some only with certain arguments, and refuses all others with EPERM, or with ENOSYS
/// those that a C library does without. How many instructions it has.
size_t write_program_filter(struct sock_filter *code, int32_t is_offline);

#endif
