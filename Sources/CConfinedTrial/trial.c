#include "confined_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tl_confine.h"

// The number, and arguments with which the call would do something where it is allowed.
#define CALLS(X)                                                                                                              \
    X(openat, AT_FDCWD, "/etc/hostname", O_RDONLY)                                                                            \
    X(socket, AF_INET, SOCK_STREAM, 0)                                                                                        \
    X(socketpair, AF_UNIX, SOCK_STREAM, 0)                                                                                    \
    X(connect, 0, "", 0)                                                                                                      \
    X(sendmsg, 0, 0, 0)                                                                                                       \
    X(recvmsg, 0, 0, 0)                                                                                                       \
    X(clone, SIGCHLD, 0, 0)                                                                                                   \
    X(clone3, 0, 0, 0)                                                                                                        \
    X(execve, "/bin/true", 0, 0)                                                                                              \
    X(execveat, AT_FDCWD, "/bin/true", 0)                                                                                     \
    X(kill, 1, 0, 0)                                                                                                          \
    X(tgkill, 1, 1, 0)                                                                                                        \
    X(ptrace, 0, 0, 0)                                                                                                        \
    X(process_vm_readv, 1, 0, 0)                                                                                              \
    X(process_vm_writev, 1, 0, 0)                                                                                             \
    X(pidfd_open, 1, 0, 0)                                                                                                    \
    X(memfd_create, "x", 0, 0)                                                                                                \
    X(ftruncate, 0, 0, 0)                                                                                                     \
    X(fcntl, 0, F_DUPFD, 0)                                                                                                   \
    X(dup, 0, 0, 0)                                                                                                           \
    X(ioctl, 0, 0, 0)                                                                                                         \
    X(unlinkat, AT_FDCWD, "/nowhere", 0)                                                                                      \
    X(mkdirat, AT_FDCWD, "/nowhere/x", 0)                                                                                     \
    X(fchmod, 0, 0700, 0)                                                                                                     \
    X(chdir, "/", 0, 0)                                                                                                       \
    X(chroot, "/", 0, 0)                                                                                                      \
    X(mount, "/", "/", 0)                                                                                                     \
    X(unshare, 0, 0, 0)                                                                                                       \
    X(setns, 0, 0, 0)                                                                                                         \
    X(setuid, 0, 0, 0)                                                                                                        \
    X(prctl, PR_SET_DUMPABLE, 1, 0)                                                                                           \
    X(prlimit64, 0, 0, 0)                                                                                                     \
    X(seccomp, 0, 0, 0)                                                                                                       \
    X(bpf, 0, 0, 0)                                                                                                           \
    X(perf_event_open, 0, 0, 0)                                                                                               \
    X(io_uring_setup, 1, 0, 0)                                                                                                \
    X(userfaultfd, 0, 0, 0)                                                                                                   \
    X(keyctl, 0, 0, 0)                                                                                                        \
    X(init_module, 0, 0, 0)                                                                                                   \
    X(reboot, 0, 0, 0)                                                                                                        \
    X(sysinfo, 0, 0, 0)                                                                                                       \
    X(getpid, 0, 0, 0)                                                                                                        \
    X(mprotect, 0, 0, PROT_EXEC)

// Memory that may be run, and what only exists as an older call.
enum { EXECUTABLE, MADE_EXECUTABLE, WRONG_ARCHITECTURE, EXTRA_COUNT };
static const char *const extras[] = {"mmap of memory that may be run", "mprotect of memory into such", "a number of another table (x32, ARM private)"};

static const struct {
    const char *name;
    long number;
    long arguments[3];
} calls[] = {
#define ROW(name, a, b, c) {#name, SYS_##name, {(long)(a), (long)(b), (long)(c)}},
    CALLS(ROW)
#undef ROW
};

enum { COUNT = sizeof calls / sizeof *calls };

static char page[65536] __attribute__((aligned(65536)));

int32_t confined_trial_count(void) { return COUNT + EXTRA_COUNT; }
const char *confined_trial_name(int32_t trial) { return trial < COUNT ? calls[trial].name : extras[trial - COUNT]; }

static void attempt(int32_t trial) {
    if (trial < COUNT) {
        const long *values = calls[trial].arguments;
        syscall(calls[trial].number, values[0], values[1], values[2], 0, 0, 0);
        return;
    }
    switch (trial - COUNT) {
    case EXECUTABLE: mmap(NULL, 65536, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); break;
    case MADE_EXECUTABLE: mprotect(page, sizeof page, PROT_READ | PROT_EXEC); break;
#if defined(__x86_64__)
    default: syscall(0x40000000L | SYS_getrandom, page, 1, 0);
#else
    default: syscall(0x0f0005, 0, 0, 0);
#endif
    }
}

/// Runs `body` in a child: what it returns, or 1000 and the signal that ended it.
static int32_t in_child(int32_t (*body)(int32_t, int64_t), int32_t first, int64_t second) {
    pid_t pid = fork();
    if (pid == -1) return -errno;
    if (pid == 0) {
        // A thread of a test blocks signals; a confined process begins without.
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        syscall(SYS_exit_group, body(first, second));
    }
    int status = 0;
    while (waitpid(pid, &status, 0) == -1 && errno == EINTR) {}
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int confine(int32_t work, int64_t data_bytes, int64_t seconds) {
    // Address space that a test's process has already does not count against what it asks for.
    tl_allowance allowance = {data_bytes, INT64_C(1) << 46, seconds};
    return tl_confine(work, &allowance) == 0;
}

static int32_t forbidden(int32_t trial, int64_t work) {
    if (!confine((int32_t)work, INT64_C(1) << 40, 0)) return 99;
    attempt(trial);
    return 0;
}

int32_t confined_trial(int32_t trial, int32_t work) {
    int32_t result = in_child(forbidden, trial, work);
    return result == 99 ? 2000 : result;
}

static int32_t compute(int32_t work, int64_t data_bytes) {
    if (!confine(work, INT64_C(1) << 40, 0)) return 1;
    char *memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 2;
    memset(memory, 1, 1 << 20);
    memory = mremap(memory, 1 << 20, 1 << 21, MREMAP_MAYMOVE);
    if (memory == MAP_FAILED || madvise(memory, 1 << 20, MADV_DONTNEED) || mprotect(memory, 1 << 20, PROT_READ)) return 3;
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) || syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now)) return 4;
    if (syscall(SYS_getrandom, page, 16, 0) != 16) return 5;
    if (munmap(memory, 1 << 21)) return 6;
    (void)data_bytes;
    return 0;
}

static int32_t take_too_much(int32_t work, int64_t data_bytes) {
    if (!confine(work, data_bytes, 0)) return 1;
    void *memory = mmap(NULL, (size_t)data_bytes + 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED && errno == ENOMEM ? 0 : 7;
}

int32_t confined_trial_work(int32_t work, int64_t data_bytes) {
    int32_t result = in_child(compute, work, data_bytes);
    return result ? result : in_child(take_too_much, work, data_bytes);
}

static int32_t burn(int32_t work, int64_t data_bytes) {
    if (!confine(work, data_bytes, 1)) return 1;
    // A minute is far beyond the limit, also where a virtual machine stood still for a while.
    const clock_t enough = (clock_t)60 * CLOCKS_PER_SEC;
    while (clock() < enough) {}
    return 2;
}

int32_t confined_trial_burn(void) { return in_child(burn, TL_CONFINED_TO_COMPUTE, INT64_C(1) << 40); }

static volatile sig_atomic_t rings;
static void ring(int number) { (void)number, rings++; }

static int32_t talk(int32_t work, int64_t line) {
    if (!confine(work, INT64_C(1) << 40, 0)) return 1;
    char byte;
    if (read((int)line, &byte, 1) != 1 || write((int)line, &byte, 1) != 1) return 2;
    struct sigaction action = {.sa_handler = ring};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 3};
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    timer_t timer;
    if (sigaction(SIGRTMIN + 3, &action, NULL) || timer_create(CLOCK_MONOTONIC, &event, &timer)) return 3;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + 3);
    if (sigprocmask(SIG_UNBLOCK, &set, NULL)) return 4;
    struct itimerspec when = {.it_value.tv_nsec = 1000000};
    if (timer_settime(timer, 0, &when, NULL)) return 5;
    while (!rings) {}
    return timer_delete(timer) ? 6 : 0;
}

int32_t confined_trial_talk(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == -1 || write(ends[0], "x", 1) != 1) return 8;
    int32_t result = in_child(talk, TL_CONFINED_TO_TALK, ends[1]);
    char byte = 0;
    if (!result && (read(ends[0], &byte, 1) != 1 || byte != 'x')) result = 9;
    close(ends[0]);
    close(ends[1]);
    return result;
}
