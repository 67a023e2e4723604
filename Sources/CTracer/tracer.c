// A filter of seccomp(2) stops the program at the calls of interest only, so that all others run at full speed.

#include "CTracer.h"

#include <errno.h>

#if defined(__x86_64__)

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// What the first arguments of a call are.
typedef enum { NOTHING, DESCRIPTOR, PATH, PATH_AT } target;

static const struct {
    const char *name;
    long number;
    target target;
} calls[] = {
#define TAKES(target, name) {#name, SYS_##name, target},
    TAKES(DESCRIPTOR, read) TAKES(DESCRIPTOR, write) TAKES(DESCRIPTOR, readv) TAKES(DESCRIPTOR, writev)
    TAKES(DESCRIPTOR, pread64) TAKES(DESCRIPTOR, close) TAKES(DESCRIPTOR, fsync) TAKES(DESCRIPTOR, fdatasync)
    TAKES(DESCRIPTOR, fstat) TAKES(DESCRIPTOR, lseek) TAKES(DESCRIPTOR, ioctl) TAKES(DESCRIPTOR, fcntl)
    TAKES(DESCRIPTOR, flock) TAKES(DESCRIPTOR, ftruncate) TAKES(DESCRIPTOR, fchown) TAKES(DESCRIPTOR, fchmod)
    TAKES(DESCRIPTOR, getdents64) TAKES(DESCRIPTOR, fstatfs) TAKES(DESCRIPTOR, connect) TAKES(DESCRIPTOR, bind)
    TAKES(DESCRIPTOR, pwrite64) TAKES(DESCRIPTOR, listen) TAKES(DESCRIPTOR, accept) TAKES(DESCRIPTOR, accept4)
    TAKES(DESCRIPTOR, sendto) TAKES(DESCRIPTOR, sendmsg) TAKES(DESCRIPTOR, recvfrom)
    TAKES(DESCRIPTOR, recvmsg) TAKES(DESCRIPTOR, shutdown) TAKES(DESCRIPTOR, getsockopt)
    TAKES(DESCRIPTOR, setsockopt) TAKES(DESCRIPTOR, getsockname) TAKES(DESCRIPTOR, getpeername)
    TAKES(DESCRIPTOR, epoll_wait) TAKES(DESCRIPTOR, epoll_pwait)
    TAKES(PATH, open) TAKES(PATH, stat) TAKES(PATH, lstat) TAKES(PATH, access) TAKES(PATH, mkdir) TAKES(PATH, rename)
    TAKES(PATH, unlink) TAKES(PATH, readlink) TAKES(PATH, statfs) TAKES(PATH, chmod) TAKES(PATH, execve)
    TAKES(PATH_AT, openat) TAKES(PATH_AT, newfstatat) TAKES(PATH_AT, statx) TAKES(PATH_AT, faccessat)
    TAKES(PATH_AT, faccessat2) TAKES(PATH_AT, mkdirat) TAKES(PATH_AT, unlinkat) TAKES(PATH_AT, renameat)
    TAKES(PATH_AT, renameat2) TAKES(PATH_AT, readlinkat)
    TAKES(NOTHING, epoll_create1) TAKES(NOTHING, epoll_ctl) TAKES(NOTHING, eventfd2) TAKES(NOTHING, signalfd4)
    TAKES(NOTHING, memfd_create) TAKES(NOTHING, adjtimex) TAKES(NOTHING, clock_adjtime)
    TAKES(NOTHING, timerfd_create) TAKES(NOTHING, pipe2) TAKES(NOTHING, socket) TAKES(NOTHING, socketpair)
    TAKES(NOTHING, poll) TAKES(NOTHING, ppoll) TAKES(NOTHING, dup) TAKES(NOTHING, dup3) TAKES(NOTHING, clone)
    TAKES(NOTHING, clone3) TAKES(NOTHING, getrandom) TAKES(NOTHING, uname) TAKES(NOTHING, sysinfo)
    TAKES(NOTHING, getpid) TAKES(NOTHING, gettid) TAKES(NOTHING, getuid) TAKES(NOTHING, geteuid)
    TAKES(NOTHING, getgid) TAKES(NOTHING, getegid) TAKES(NOTHING, kill) TAKES(NOTHING, tgkill)
    TAKES(NOTHING, brk) TAKES(NOTHING, mmap) TAKES(NOTHING, munmap) TAKES(NOTHING, mremap) TAKES(NOTHING, mprotect)
    TAKES(NOTHING, madvise) TAKES(NOTHING, futex) TAKES(NOTHING, exit) TAKES(NOTHING, exit_group)
    TAKES(NOTHING, rt_sigaction) TAKES(NOTHING, rt_sigprocmask) TAKES(NOTHING, rt_sigreturn)
    TAKES(NOTHING, sigaltstack) TAKES(NOTHING, arch_prctl) TAKES(NOTHING, prctl) TAKES(NOTHING, prlimit64)
    TAKES(NOTHING, set_tid_address) TAKES(NOTHING, set_robust_list) TAKES(NOTHING, rseq)
    TAKES(NOTHING, restart_syscall) TAKES(NOTHING, clock_gettime) TAKES(NOTHING, clock_nanosleep)
    TAKES(NOTHING, timer_create) TAKES(NOTHING, timer_settime) TAKES(NOTHING, timer_delete)
    TAKES(NOTHING, nanosleep) TAKES(NOTHING, sched_getaffinity) TAKES(NOTHING, sched_yield) TAKES(NOTHING, umask)
    TAKES(NOTHING, setpriority)
#undef TAKES
};
enum { CALLS = sizeof calls / sizeof *calls, UNKNOWN = CALLS };

// What malloc(3) asks the kernel for memory with, one after the other when it is refused: they are one call, "memory".
static const long memory_calls[] = {SYS_brk, SYS_mmap, SYS_mremap};
enum {
    MEMORY_CALLS = sizeof memory_calls / sizeof *memory_calls,
    MEMORY = CALLS + 1,
};

static int find_name(const char *name) {
    if (!strcmp(name, "memory")) return MEMORY;
    for (int i = 0; i < CALLS; i++) {
        if (!strcmp(calls[i].name, name)) return i;
    }
    return UNKNOWN;
}

static int find_number(long number) {
    for (int i = 0; i < CALLS; i++) {
        if (calls[i].number == number) return i;
    }
    return UNKNOWN;
}

// MARK: The program's side

// Stops at the call, or at those for memory, or at every call when it is UNKNOWN.
static int install_filter(int call) {
    const long one[MEMORY_CALLS] = {call < CALLS ? calls[call].number : -1, -1, -1};
    const long *numbers = call == MEMORY ? memory_calls : one;
    struct sock_filter some[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)numbers[0], 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)numbers[1], 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)numbers[2], 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE)};
    struct sock_fprog program = {.len = call == UNKNOWN ? 1 : 6, .filter = call == UNKNOWN ? all : some};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void become(char *const arguments[], int call) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == -1) _exit(127);
    raise(SIGSTOP);
    // What this process happens to have open shall not count among the program's descriptors.
    close_range(3, ~0u, 0);
    if (install_filter(call) == 0) execv(arguments[0], arguments);
    _exit(127);
}

// MARK: The tracer's side

typedef struct {
    pid_t process;
    int call;
    ctracer_fault fault;
    int32_t report;
    int has_started;
    uint32_t counts[CALLS + 2];
    // What the latest refused brk(2) was asked for. Its callers take turns.
    unsigned long long wanted_break;
} tracer;

static void copy_path(pid_t thread, uint64_t address, char *text, size_t size) {
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/mem", thread);
    int memory = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t count = memory == -1 ? -1 : pread(memory, text, size - 1, (off_t)address);
    if (memory != -1) close(memory);
    text[count < 0 ? 0 : count] = 0;
}

static void copy_target(pid_t thread, int call, const struct user_regs_struct *registers, char *text, size_t size) {
    char name[64];
    text[0] = 0;
    if (call >= CALLS) return;
    switch (calls[call].target) {
    case NOTHING: return;
    case PATH: return copy_path(thread, registers->rdi, text, size);
    case PATH_AT: return copy_path(thread, registers->rsi, text, size);
    case DESCRIPTOR: {
        snprintf(name, sizeof name, "/proc/%d/fd/%d", thread, (int)registers->rdi);
        ssize_t count = readlink(name, text, size - 1);
        text[count < 0 ? 0 : count] = 0;
    }
    }
}

static void write_down(const tracer *self, pid_t thread, int call, const struct user_regs_struct *registers) {
    char target[256];
    copy_target(thread, call, registers, target, sizeof target);
    if (call == MEMORY) {
        const char *name = calls[find_number((long)registers->orig_rax)].name;
        dprintf(self->report, "memory %u %s\n", self->counts[call], name);
        return;
    }
    if (call == UNKNOWN) {
        dprintf(self->report, "%llu %u %s\n", registers->orig_rax, self->counts[call], target);
    } else {
        dprintf(self->report, "%s %u %s\n", calls[call].name, self->counts[call], target);
    }
}

// brk(2) says no by the break as it is: it is asked for that instead, and the caller's register is put back when it returns.
static int refuse_break(tracer *self, pid_t thread, struct user_regs_struct *registers) {
    self->wanted_break = registers->rdi;
    registers->rdi = 0;
    ptrace(PTRACE_SETREGS, thread, NULL, registers);
    return PTRACE_SYSCALL;
}

// A process that the program starts inherits the filter, so it has to be traced as well, for without a tracer its calls fail (ENOSYS). But its
// calls are not counted, and none is made to fail.
static int is_of_program(const tracer *self, pid_t thread) { return syscall(SYS_tgkill, self->process, thread, 0) == 0; }

// Returns the request that lets the thread go on.
static int at_call(tracer *self, pid_t thread) {
    struct user_regs_struct registers;
    if (!self->has_started || !is_of_program(self, thread)) return PTRACE_CONT;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &registers) == -1) return PTRACE_CONT;
    int call = self->call == MEMORY ? MEMORY : find_number((long)registers.orig_rax);
    uint32_t occurrence = ++self->counts[call];
    if (!self->fault.call) {
        write_down(self, thread, call, &registers);
        return PTRACE_CONT;
    }
    uint32_t first = self->fault.occurrence, last = first + (call == MEMORY ? CTRACER_MEMORY_TRIES - 1 : 0);
    if (call != self->call || occurrence < first || occurrence > last) return PTRACE_CONT;
    if (occurrence == first) write_down(self, thread, call, &registers);
    if (registers.orig_rax == SYS_brk) return refuse_break(self, thread, &registers);
    // close(2) releases the descriptor whatever it returns; only its answer is replaced, when the call returns.
    if (registers.orig_rax == SYS_close) return PTRACE_SYSCALL;
    registers.orig_rax = (unsigned long long)-1;
    registers.rax = (unsigned long long)-self->fault.error;
    ptrace(PTRACE_SETREGS, thread, NULL, &registers);
    return PTRACE_CONT;
}

static void at_return(const tracer *self, pid_t thread) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &registers) == -1) return;
    if (registers.orig_rax == SYS_brk) {
        registers.rdi = self->wanted_break;
    } else {
        registers.rax = (unsigned long long)-self->fault.error;
    }
    ptrace(PTRACE_SETREGS, thread, NULL, &registers);
}

static void stopped(tracer *self, pid_t thread, int status) {
    int request = PTRACE_CONT, signal = 0;
    switch (status >> 8) {
    case SIGTRAP | PTRACE_EVENT_SECCOMP << 8: request = at_call(self, thread); break;
    case SIGTRAP | PTRACE_EVENT_EXEC << 8:
        if (thread != self->process) break;
        self->has_started = 1;
        dprintf(self->report, "pid %d\n", self->process);
        break;
    case SIGTRAP | PTRACE_EVENT_CLONE << 8:
    case SIGTRAP | PTRACE_EVENT_FORK << 8:
    case SIGTRAP | PTRACE_EVENT_VFORK << 8: break;
    case SIGTRAP | 0x80: at_return(self, thread); break;
    case SIGSTOP: break;  // how a new thread begins
    default: signal = WSTOPSIG(status);
    }
    // A thread that was killed meanwhile is no longer there, and that is all right.
    ptrace(request, thread, NULL, (void *)(intptr_t)signal);
}

int32_t ctracer_run(char *const arguments[], ctracer_fault fault, int32_t report) {
    tracer self = {.call = fault.call ? find_name(fault.call) : UNKNOWN, .fault = fault, .report = report};
    if (fault.call && self.call == UNKNOWN) {
        errno = EINVAL;
        return -1;
    }
    self.process = fork();
    if (self.process == -1) return -1;
    if (self.process == 0) become(arguments, self.call);
    int status;
    if (waitpid(self.process, &status, 0) == -1) return -1;
    long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                   PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD;
    if (ptrace(PTRACE_SETOPTIONS, self.process, NULL, (void *)options) == -1) return -1;
    ptrace(PTRACE_CONT, self.process, NULL, NULL);
    while (1) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread == -1 && errno == EINTR) continue;
        if (thread == -1) return -1;
        if (WIFSTOPPED(status)) stopped(&self, thread, status);
        if (thread != self.process) continue;
        if (WIFEXITED(status)) return WEXITSTATUS(status);
        if (!WIFSIGNALED(status)) continue;
        dprintf(report, "signal %d\n", WTERMSIG(status));
        return 128 + WTERMSIG(status);
    }
}

#else

int32_t ctracer_run(char *const arguments[], ctracer_fault fault, int32_t report) {
    (void)arguments, (void)fault, (void)report;
    errno = ENOSYS;
    return -1;
}

#endif
