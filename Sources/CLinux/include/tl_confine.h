// Processes that work on what strangers made: what they inherit, and what they may still ask of the kernel.

#ifndef TL_CONFINE_H
#define TL_CONFINE_H

#include <stddef.h>
#include <stdint.h>

/// Memory that two processes can share: a memfd_create(2) of `count` bytes whose size nobody can change any more (F_SEAL_SHRINK,
/// F_SEAL_GROW), so that no access of the other side can fault.
int64_t tl_shared_memory(size_t count);

/// Two sockets of this machine that are connected with each other (socketpair(2)), blocking; both are closed in programs that are run.
int64_t tl_socket_pair(int32_t *one, int32_t *other);

/// Runs a program (posix_spawn) that inherits these descriptors as 0, 1 and so on, and nothing else: no other descriptor, no variable but TZ,
/// no blocked signal, and nothing of this process's memory. Its process id. At most 3 descriptors, each above 2.
int64_t tl_spawn_bare(const char *path, char *const *arguments, const int32_t *descriptors, int32_t count);

/// What a process may take. Exceeding `cpu_seconds` ends it by SIGXCPU.
typedef struct {
    /// Of private writable memory (RLIMIT_DATA) and of address space (RLIMIT_AS), in bytes.
    int64_t data_bytes, address_bytes;
    /// 0: no limit.
    int64_t cpu_seconds;
} tl_allowance;

/// 1 when this kernel has seccomp; 0 when CONFIG_SECCOMP is off, or qemu-user stands in for a kernel.
int32_t tl_has_seccomp(void);

enum {
    /// Memory, the clock, and the end.
    TL_CONFINED_TO_COMPUTE,
    /// These, and read(2) and write(2) of what it holds, and timers and signals of its own thread.
    TL_CONFINED_TO_TALK,
};

/// Takes everything from this process, for good, that its work does not need: new privileges, being looked into by other processes of its user,
/// more memory and processor time than allowed, files, core dumps, and by a seccomp filter all system calls but those named above; any other
/// ends it (SIGSYS). No memory can be made executable.
/// 0; 1 when this kernel has no seccomp at all, and there is no filter; a negated errno when something was refused.
int64_t tl_confine(int32_t work, const tl_allowance *allowance);

#endif
