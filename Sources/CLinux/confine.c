#include "private.h"
#include "tl_confine.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// MARK: What is shared

static int shared_memory(size_t count) {
    int fd = memfd_create("talon", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd == -1) return -1;
    if (ftruncate(fd, (off_t)count) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

int64_t tl_shared_memory(size_t count) { RETURN_CALL(memfd, 0, shared_memory(count)); }

int64_t tl_socket_pair(int32_t *one, int32_t *other) {
    int ends[2];
    CALL(socket, 0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
    if (result < 0) return result;
    *one = ends[0];
    *other = ends[1];
    return 0;
}

// MARK: Starting

static int fill_actions(posix_spawn_file_actions_t *files, const int32_t *descriptors, int32_t count) {
    for (int32_t index = 0; index < count; index++) {
        // One that is moved onto another's place would be lost.
        if (descriptors[index] < 3) return EBADF;
        int error = posix_spawn_file_actions_adddup2(files, descriptors[index], index);
        if (error) return error;
    }
    return posix_spawn_file_actions_addclosefrom_np(files, count);
}

static int fill_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
    if (!error) error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return error;
}

static int spawn_bare(const char *path, char *const *arguments, const int32_t *descriptors, int32_t count) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    pid_t pid = -1;
    // Scripts tell local time as the agent does.
    char zone[128] = "TZ=";
    const char *value = getenv("TZ");
    char *environment[] = {NULL, NULL};
    if (value && strlen(value) < sizeof zone - 3) environment[0] = strcat(zone, value);
    if ((errno = posix_spawn_file_actions_init(&files))) return -1;
    if ((errno = posix_spawnattr_init(&attributes))) {
        posix_spawn_file_actions_destroy(&files);
        return -1;
    }
    int error = fill_actions(&files, descriptors, count);
    if (!error) error = fill_attributes(&attributes);
    if (!error) error = posix_spawn(&pid, path, &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    errno = error;
    return error ? -1 : pid;
}

int64_t tl_spawn_bare(const char *path, char *const *arguments, const int32_t *descriptors, int32_t count) {
    RETURN_CALL(spawn, 0, spawn_bare(path, arguments, descriptors, count));
}

// MARK: The filter

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define ARCHITECTURE AUDIT_ARCH_ARM
#else
#error "which system calls a confined process may make is not known for this processor"
#endif

// Names that not every processor's table has. The numbers of x32 (bit 30) are in no list, and neither are ARM's private calls (0x0f0000).
static const unsigned computing[] = {
    __NR_exit, __NR_exit_group, __NR_brk, __NR_munmap, __NR_mremap, __NR_madvise, __NR_futex, __NR_clock_gettime, __NR_gettimeofday,
    __NR_getrandom, __NR_rt_sigreturn, __NR_restart_syscall,
#ifdef __NR_sigreturn
    __NR_sigreturn,
#endif
#ifdef __NR_time
    __NR_time,
#endif
#ifdef __NR_futex_time64
    __NR_futex_time64,
#endif
#ifdef __NR_clock_gettime64
    __NR_clock_gettime64,
#endif
};

// The timer is the script engine's, which leaves a script by force that does not look at the clock.
static const unsigned talking[] = {
    __NR_read, __NR_write, __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_gettid, __NR_timer_create, __NR_timer_settime, __NR_timer_delete,
#ifdef __NR_timer_settime64
    __NR_timer_settime64,
#endif
};

// Whose third argument says what may be done with memory: it may not be run.
static const unsigned mapping[] = {
    __NR_mprotect,
#ifdef __NR_mmap
    __NR_mmap,
#endif
#ifdef __NR_mmap2
    __NR_mmap2,
#endif
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct {
    struct sock_filter code[192];
    unsigned short count;
} program;

static void add(program *filter, struct sock_filter instruction) { filter->code[filter->count++] = instruction; }

static void load(program *filter, size_t offset) {
    add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

static void answer(program *filter, unsigned verdict) { add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, verdict)); }

/// Leaves out the instructions that follow unless what was loaded is `value`.
static void unless_equal(program *filter, unsigned value, unsigned char left_out) {
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, left_out));
}

static void allow(program *filter, const unsigned *calls, size_t count) {
    for (size_t index = 0; index < count; index++) {
        unless_equal(filter, calls[index], 1);
        answer(filter, SECCOMP_RET_ALLOW);
    }
}

static void write_filter(program *filter, int32_t work) {
    load(filter, offsetof(struct seccomp_data, arch));
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    answer(filter, SECCOMP_RET_KILL_PROCESS);
    load(filter, offsetof(struct seccomp_data, nr));
    allow(filter, computing, COUNT(computing));
    if (work == TL_CONFINED_TO_TALK) allow(filter, talking, COUNT(talking));
    for (size_t index = 0; index < COUNT(mapping); index++) {
        unless_equal(filter, mapping[index], 4);
        // Its lower half: every board that Talon runs on is little-endian.
        load(filter, offsetof(struct seccomp_data, args[2]));
        add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1));
        answer(filter, SECCOMP_RET_KILL_PROCESS);
        answer(filter, SECCOMP_RET_ALLOW);
    }
    answer(filter, SECCOMP_RET_KILL_PROCESS);
}

int32_t tl_has_seccomp(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != -1; }

static int64_t install_filter(int32_t work) {
    // A kernel with seccomp that refuses the filter is an error; one without cannot be helped.
    if (!tl_has_seccomp()) return 1;
    program filter = {.count = 0};
    write_filter(&filter, work);
    struct sock_fprog bytes = {.len = filter.count, .filter = filter.code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &bytes, 0, 0) == -1 ? -errno : 0;
}

// MARK: Limits

static int limit(int what, int64_t soft, int64_t hard) {
    struct rlimit value = {.rlim_cur = (rlim_t)soft, .rlim_max = (rlim_t)hard};
    return setrlimit(what, &value);
}

static int set_limits(const tl_allowance *allowance) {
    if (limit(RLIMIT_DATA, allowance->data_bytes, allowance->data_bytes) == -1) return -1;
    if (limit(RLIMIT_AS, allowance->address_bytes, allowance->address_bytes) == -1) return -1;
    if (limit(RLIMIT_CORE, 0, 0) == -1 || limit(RLIMIT_FSIZE, 0, 0) == -1) return -1;
    // Those that it holds stay; no other can be opened, and no process begun.
    if (limit(RLIMIT_NOFILE, 0, 0) == -1 || limit(RLIMIT_NPROC, 0, 0) == -1) return -1;
    if (allowance->cpu_seconds == 0) return 0;
    return limit(RLIMIT_CPU, allowance->cpu_seconds, allowance->cpu_seconds + 1);
}

bool tl_is_confined;

int64_t tl_confine(int32_t work, const tl_allowance *allowance) {
    tl_is_confined = true;
    // What the C library reads from a file the first time, it reads now.
    tzset();
    // It does not outlive the thread that waits for it.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == -1) return -errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1) return -errno;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == -1) return -errno;
    if (set_limits(allowance) == -1) return -errno;
    return install_filter(work);
}
