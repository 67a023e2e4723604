// Programs of the owner that an agent may run: what they inherit, and what they may take.

#ifndef TL_PROGRAM_H
#define TL_PROGRAM_H

#include <stdint.h>

/// A user of /etc/passwd, with the groups that /etc/group names it in.
typedef struct {
    uint32_t user, group;
    uint32_t groups[32];
    uint32_t group_count;
} tl_user;

/// Finds a user by name: 0, or a negated errno, ENOENT for one that is not there.
int64_t tl_find_user(const char *name, tl_user *out);

/// What a program may take (setrlimit(2)), the folder in which it begins, and whether it may have no sockets, and so no network. A negative
/// number leaves what this process may have.
typedef struct {
    int64_t address_bytes, cpu_seconds, file_bytes, open_files, processes;
    const char *folder;
    int32_t is_offline;
} tl_program_limits;

/// Runs a program with these descriptors as 0, 1 and 2, each above 2, and nothing else of this process: no other descriptor, an empty
/// environment, a session and process group of its own, which it cannot leave, and no signal blocked. `user`: whose
/// rights it gets, null for those of this process. It can gain no privileges, and a seccomp filter allows the calls of ordinary programs
/// alone: none that administrate the system, look into other processes, make namespaces, or leave the session. It is killed when the thread ends that started it.
/// Its process id, or a negated errno, also of execve(2).
int64_t tl_spawn_program(const char *path, char *const *arguments, int32_t input, int32_t output, int32_t errors,
                         const tl_user *user, const tl_program_limits *limits);

/// 1 when the child has exited, 2 when a signal has ended it; it stays unreaped, so that its process group keeps its number. 0 while it
/// runs; a negated errno.
int64_t tl_has_ended(int32_t pid);

#endif
