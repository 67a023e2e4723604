// Terminals and the programs that are run on them.

#ifndef TL_TERMINAL_H
#define TL_TERMINAL_H

#include <stddef.h>
#include <stdint.h>

/// How a terminal was set (struct termios), to be restored.
typedef struct {
    uint64_t words[16];
} tl_terminal_t;

/// Raw, without a controlling function of any byte and without waiting; `saved` gets what was set before.
int64_t tl_terminal_raw(int32_t fd, tl_terminal_t *saved);

/// Sets it as it was.
int64_t tl_terminal_restore(int32_t fd, const tl_terminal_t *saved);

/// Rows and columns, 0 where the terminal does not know: `rows << 16 | columns`. Fails for what is no terminal.
int64_t tl_terminal_size(int32_t fd);

/// A pipe, for reading and for writing; both ends are closed in programs that are run.
int64_t tl_pipe(int32_t *reader, int32_t *writer);

/// Makes a descriptor non-blocking.
int64_t tl_non_blocking(int32_t fd);

/// Runs a program with these standard descriptors, -1 for those that it shall share, and without blocked signals: its
/// process id. With `own_group` it leads a process group of its own, and is killed when the thread that calls this ends, in
/// whatever way (prctl(2), PR_SET_PDEATHSIG).
int64_t tl_spawn(
    const char *path, char *const *arguments, int32_t input, int32_t output, int32_t errors, int32_t own_group);

/// Everything else on this machine comes first from now on (setpriority(2), 19), and for the programs that are run.
int64_t tl_yield(void);

/// Sends a signal to a process, or with a negative id to a group.
int64_t tl_kill(int32_t pid, int32_t signal);

/// How a child ended: its exit code, or 128 and the signal's number; -EAGAIN while it runs, unless `waits`.
int64_t tl_wait(int32_t pid, int32_t waits);

/// A variable for the programs that are run.
int64_t tl_set_environment(const char *name, const char *value);

/// The path without symbolic links, null-terminated.
int64_t tl_real_path(const char *path, char *out, size_t count);

/// Gives `fd` the owner and the permissions of `like`.
int64_t tl_make_like(int32_t fd, int32_t like);

/// The folder that relative paths are below, null-terminated.
int64_t tl_current_folder(char *out, size_t count);

#endif
