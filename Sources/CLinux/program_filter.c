#include "program_filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define ARCHITECTURE AUDIT_ARCH_ARM
#else
#error "which system calls a program of the owner may make is not known for this processor"
#endif

// The calls that ordinary programs make. Not among them: administration of the system, looking into other processes, namespaces, mounts,
// keys, leaving the session, and interfaces with a history of holes. clone, ioctl and socket depend on their arguments, see below.
// Names stand under #ifdef where not every processor's table, or not every version of the kernel's headers, has them.
static const unsigned allowed[] = {
    // Files
    __NR_read, __NR_write, __NR_close, __NR_lseek, __NR_readv, __NR_writev, __NR_pread64, __NR_pwrite64, __NR_preadv, __NR_pwritev,
    __NR_preadv2, __NR_pwritev2, __NR_openat, __NR_fstat, __NR_statx, __NR_faccessat, __NR_fchmod, __NR_fchmodat, __NR_fchown, __NR_fchownat,
    __NR_linkat, __NR_symlinkat, __NR_readlinkat, __NR_unlinkat, __NR_mkdirat, __NR_mknodat, __NR_renameat2, __NR_utimensat, __NR_getdents64,
    __NR_getcwd, __NR_chdir, __NR_fchdir, __NR_umask, __NR_truncate, __NR_ftruncate, __NR_fallocate, __NR_fsync, __NR_fdatasync, __NR_sync,
    __NR_syncfs, __NR_statfs, __NR_fstatfs, __NR_flock, __NR_fcntl, __NR_dup, __NR_dup3, __NR_pipe2, __NR_sendfile, __NR_splice, __NR_tee,
    __NR_copy_file_range, __NR_readahead, __NR_setxattr, __NR_lsetxattr, __NR_fsetxattr, __NR_getxattr, __NR_lgetxattr, __NR_fgetxattr,
    __NR_listxattr, __NR_llistxattr, __NR_flistxattr, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr, __NR_inotify_init1,
    __NR_inotify_add_watch, __NR_inotify_rm_watch, __NR_io_setup, __NR_io_destroy, __NR_io_submit, __NR_io_cancel, __NR_io_getevents,
    // Memory
    __NR_brk, __NR_munmap, __NR_mremap, __NR_mprotect, __NR_madvise, __NR_msync, __NR_mincore, __NR_mlock, __NR_mlock2, __NR_munlock,
    __NR_mlockall, __NR_munlockall, __NR_memfd_create, __NR_membarrier, __NR_pkey_mprotect, __NR_pkey_alloc, __NR_pkey_free,
    // Processes and threads
    __NR_execve, __NR_execveat, __NR_exit, __NR_exit_group, __NR_wait4, __NR_waitid, __NR_kill, __NR_tkill, __NR_tgkill, __NR_getpid,
    __NR_getppid, __NR_gettid, __NR_getpgid, __NR_getsid, __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid, __NR_getresuid,
    __NR_getresgid, __NR_getgroups, __NR_setuid, __NR_setgid, __NR_setreuid, __NR_setregid, __NR_setresuid, __NR_setresgid, __NR_setgroups,
    __NR_setfsuid, __NR_setfsgid, __NR_capget, __NR_capset, __NR_prctl, __NR_seccomp, __NR_set_tid_address, __NR_set_robust_list,
    __NR_get_robust_list, __NR_futex, __NR_getrusage, __NR_prlimit64, __NR_setrlimit, __NR_getpriority, __NR_setpriority, __NR_ioprio_get,
    __NR_ioprio_set, __NR_sched_yield, __NR_sched_getaffinity, __NR_sched_setaffinity, __NR_sched_getscheduler, __NR_sched_setscheduler,
    __NR_sched_getparam, __NR_sched_setparam, __NR_sched_getattr, __NR_sched_setattr, __NR_sched_get_priority_max,
    __NR_sched_get_priority_min, __NR_sched_rr_get_interval, __NR_getcpu, __NR_uname, __NR_sysinfo, __NR_times, __NR_getrandom,
    // Signals and time
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigpending, __NR_rt_sigtimedwait, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo,
    __NR_rt_sigsuspend, __NR_rt_sigreturn, __NR_sigaltstack, __NR_restart_syscall, __NR_signalfd4, __NR_nanosleep, __NR_clock_nanosleep,
    // Reading of the clock's state; who may not set the clock is refused by the kernel (CAP_SYS_TIME).
    __NR_adjtimex, __NR_clock_adjtime,
    __NR_clock_gettime, __NR_clock_getres, __NR_gettimeofday, __NR_getitimer, __NR_setitimer, __NR_timer_create, __NR_timer_settime,
    __NR_timer_gettime, __NR_timer_getoverrun, __NR_timer_delete, __NR_timerfd_create, __NR_timerfd_settime, __NR_timerfd_gettime,
    // Waiting, and talking with others
    __NR_epoll_create1, __NR_epoll_ctl, __NR_epoll_pwait, __NR_eventfd2, __NR_pselect6, __NR_ppoll, __NR_socketpair, __NR_bind,
    __NR_listen, __NR_accept, __NR_accept4, __NR_connect, __NR_shutdown, __NR_getsockname, __NR_getpeername, __NR_getsockopt,
    __NR_setsockopt, __NR_sendto, __NR_recvfrom, __NR_sendmsg, __NR_recvmsg, __NR_sendmmsg, __NR_recvmmsg, __NR_shmget, __NR_shmat,
    __NR_shmdt, __NR_shmctl, __NR_semget, __NR_semop, __NR_semctl, __NR_msgget, __NR_msgsnd, __NR_msgrcv, __NR_msgctl, __NR_mq_open,
    __NR_mq_unlink, __NR_mq_timedsend, __NR_mq_timedreceive, __NR_mq_notify, __NR_mq_getsetattr,
#ifdef __NR_rseq
    __NR_rseq,
#endif
#ifdef __NR_close_range
    __NR_close_range,
#endif
#ifdef __NR_openat2
    __NR_openat2,
#endif
#ifdef __NR_faccessat2
    __NR_faccessat2,
#endif
#ifdef __NR_epoll_pwait2
    __NR_epoll_pwait2,
#endif
#ifdef __NR_pidfd_open
    __NR_pidfd_open, __NR_pidfd_send_signal,
#endif
#ifdef __NR_landlock_create_ruleset
    // A program takes rights from itself.
    __NR_landlock_create_ruleset, __NR_landlock_add_rule, __NR_landlock_restrict_self,
#endif
#ifdef __NR_futex_waitv
    __NR_futex_waitv,
#endif
#ifdef __NR_semtimedop
    __NR_semtimedop,
#endif
#ifdef __NR_mmap
    __NR_mmap,
#endif
#ifdef __NR_newfstatat
    __NR_newfstatat,
#endif
#ifdef __NR_fadvise64
    __NR_fadvise64,
#endif
#ifdef __NR_sync_file_range
    __NR_sync_file_range,
#endif
#ifdef __NR_getrlimit
    __NR_getrlimit,
#endif
#ifdef __NR_renameat
    __NR_renameat,
#endif
    // Of x86_64 and ARM: what newer tables leave out.
#ifdef __NR_open
    __NR_open, __NR_creat, __NR_stat, __NR_lstat, __NR_access, __NR_chmod, __NR_chown, __NR_lchown, __NR_link, __NR_symlink, __NR_readlink,
    __NR_unlink, __NR_mkdir, __NR_rmdir, __NR_mknod, __NR_rename, __NR_utimes, __NR_futimesat, __NR_getdents, __NR_dup2, __NR_pipe,
    __NR_inotify_init, __NR_fork, __NR_vfork, __NR_getpgrp, __NR_pause, __NR_signalfd, __NR_epoll_create, __NR_epoll_wait, __NR_eventfd,
    __NR_poll,
#endif
#ifdef __NR_select
    __NR_select,
#endif
#ifdef __NR_time
    __NR_time,
#endif
#ifdef __NR_utime
    __NR_utime,
#endif
#ifdef __NR_alarm
    __NR_alarm,
#endif
#ifdef __x86_64__
    __NR_arch_prctl,
#endif
#ifdef __arm__
    __NR_mmap2, __NR__llseek, __NR_stat64, __NR_lstat64, __NR_fstat64, __NR_fstatat64, __NR_statfs64, __NR_fstatfs64, __NR_truncate64,
    __NR_ftruncate64, __NR_fcntl64, __NR_sendfile64, __NR_arm_fadvise64_64, __NR_arm_sync_file_range, __NR_ugetrlimit, __NR__newselect,
    __NR_send, __NR_recv, __NR_lchown32, __NR_fchown32, __NR_chown32, __NR_getuid32, __NR_getgid32, __NR_geteuid32, __NR_getegid32,
    __NR_setreuid32, __NR_setregid32, __NR_getgroups32, __NR_setgroups32, __NR_setresuid32, __NR_getresuid32, __NR_setresgid32,
    __NR_getresgid32, __NR_setuid32, __NR_setgid32, __NR_setfsuid32, __NR_setfsgid32, __NR_sigaction, __NR_sigprocmask, __NR_sigpending,
    __NR_sigsuspend, __NR_sigreturn, __NR_nice,
    // Private calls of the processor: the caches after code was made, and where a thread keeps its own data.
    0x0f0002, 0x0f0005, 0x0f0006,
#endif
#ifdef __NR_clock_gettime64
    __NR_clock_adjtime64, __NR_clock_gettime64, __NR_clock_getres_time64, __NR_clock_nanosleep_time64, __NR_timer_gettime64, __NR_timer_settime64,
    __NR_timerfd_gettime64, __NR_timerfd_settime64, __NR_utimensat_time64, __NR_pselect6_time64, __NR_ppoll_time64,
    __NR_recvmmsg_time64, __NR_mq_timedsend_time64, __NR_mq_timedreceive_time64, __NR_semtimedop_time64, __NR_rt_sigtimedwait_time64,
    __NR_futex_time64, __NR_sched_rr_get_interval_time64, __NR_io_pgetevents_time64,
#endif
};

// The last call of the kernel (6.1) that this list was made from: of later ones a C library has to think that they are not there.
enum { LAST_KNOWN = 450, CLONE3 = 435 };

// Namespaces; CLONE_NEWTIME (0x80) is a signal's number for clone(2).
enum {
    NAMESPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET,
};

// These write into a terminal's input, or into the console, as if a person had typed it, or load a line discipline.
static const unsigned refused_ioctls[] = {TIOCSTI, TIOCLINUX, TIOCCONS, TIOCSETD};

static const unsigned families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_CAN, AF_BLUETOOTH};

_Static_assert(PROGRAM_FILTER_MOST >= 4 * COUNT(allowed) + 64, "the filter needs more room");

typedef struct {
    struct sock_filter *code;
    size_t count;
} program;

static void add(program *filter, struct sock_filter instruction) { filter->code[filter->count++] = instruction; }

static void answer(program *filter, unsigned verdict) { add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, verdict)); }

static void refuse(program *filter, int error) { answer(filter, SECCOMP_RET_ERRNO | (unsigned)error); }

static void load(program *filter, size_t offset) {
    add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

// The lower half of an argument, which is all that the kernel reads of these: every board is little-endian.
static void load_argument(program *filter, int index) {
    load(filter, offsetof(struct seccomp_data, args) + (size_t)index * sizeof(uint64_t));
}

// Goes on when what was loaded compares with `value`; leaves out the next `left_out` instructions when it does not.
static void when(program *filter, unsigned short compares, unsigned value, size_t left_out) {
    add(filter, (struct sock_filter)BPF_JUMP((unsigned short)(BPF_JMP | compares | BPF_K), value, 0, (unsigned char)left_out));
}

// Numbers of calls follow each other, so that a few ranges are compared instead of each call.
static void allow(program *filter) {
    unsigned sorted[COUNT(allowed)];
    for (size_t count = 0; count < COUNT(allowed); count++) {
        size_t place = count;
        for (; place > 0 && sorted[place - 1] > allowed[count]; place--) sorted[place] = sorted[place - 1];
        sorted[place] = allowed[count];
    }
    for (size_t start = 0, end; start < COUNT(allowed); start = end) {
        for (end = start + 1; end < COUNT(allowed) && sorted[end] - sorted[end - 1] <= 1; end++) {}
        add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, sorted[end - 1], 2, 0));
        when(filter, BPF_JGE, sorted[start], 1);
        answer(filter, SECCOMP_RET_ALLOW);
    }
}

size_t write_program_filter(struct sock_filter *code, int32_t is_offline) {
    program filter = {.code = code};
    load(&filter, offsetof(struct seccomp_data, arch));
    // Another table of calls (i386, x32) would be a way around the list.
    add(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    answer(&filter, SECCOMP_RET_KILL_PROCESS);
    load(&filter, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    when(&filter, BPF_JGE, 0x40000000, 1);
    answer(&filter, SECCOMP_RET_KILL_PROCESS);
#endif
    allow(&filter);
    when(&filter, BPF_JEQ, __NR_clone, 4);
    load_argument(&filter, 0);
    when(&filter, BPF_JSET, NAMESPACES, 1);
    refuse(&filter, EPERM);
    answer(&filter, SECCOMP_RET_ALLOW);
    when(&filter, BPF_JEQ, __NR_ioctl, 2 * COUNT(refused_ioctls) + 2);
    load_argument(&filter, 1);
    for (size_t index = 0; index < COUNT(refused_ioctls); index++) {
        when(&filter, BPF_JEQ, refused_ioctls[index], 1);
        refuse(&filter, EPERM);
    }
    answer(&filter, SECCOMP_RET_ALLOW);
    // Offline, of any family: a name server, or a program with more rights, would be asked through a local one.
    if (!is_offline) {
        when(&filter, BPF_JEQ, __NR_socket, 2 * COUNT(families) + 2);
        load_argument(&filter, 0);
        for (size_t index = 0; index < COUNT(families); index++) {
            when(&filter, BPF_JEQ, families[index], 1);
            answer(&filter, SECCOMP_RET_ALLOW);
        }
        refuse(&filter, EAFNOSUPPORT);
    }
    // Its flags are in memory, where no filter can read them; C libraries use clone(2) then.
    when(&filter, BPF_JEQ, CLONE3, 1);
    refuse(&filter, ENOSYS);
    when(&filter, BPF_JGT, LAST_KNOWN, 1);
    refuse(&filter, ENOSYS);
    refuse(&filter, EPERM);
    return filter.count;
}
