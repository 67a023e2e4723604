#include "private.h"
#include "program_filter.h"
#include "tl_confine.h"
#include "tl_program.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/seccomp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

// MARK: Users

// fgetpwent(3) and fgetgrent(3) read the files themselves: getpwnam(3) loads modules, which no static program can.
static int find_user(const char *name, tl_user *out) {
    FILE *file = fopen("/etc/passwd", "re");
    if (!file) return -1;
    struct passwd *entry;
    while ((entry = fgetpwent(file)) && strcmp(entry->pw_name, name) != 0) {}
    if (entry) *out = (tl_user){.user = entry->pw_uid, .group = entry->pw_gid, .groups = {entry->pw_gid}, .group_count = 1};
    fclose(file);
    if (!entry) {
        errno = ENOENT;
        return -1;
    }
    file = fopen("/etc/group", "re");
    if (!file) return 0;
    struct group *group;
    while (out->group_count < COUNT(out->groups) && (group = fgetgrent(file))) {
        for (char **member = group->gr_mem; *member; member++) {
            if (strcmp(*member, name) != 0 || group->gr_gid == out->group) continue;
            out->groups[out->group_count++] = group->gr_gid;
            break;
        }
    }
    fclose(file);
    return 0;
}

int64_t tl_find_user(const char *name, tl_user *out) { RETURN_CALL(open, 0, find_user(name, out)); }

// MARK: The child

typedef struct {
    const char *path;
    char *const *arguments;
    int32_t descriptors[3];
    const tl_user *user;
    const tl_program_limits *limits;
    struct sock_fprog filter;
    bool is_filtered;
} order;

// A negative value leaves what this process may have.
static int limit(int what, int64_t value) {
    if (value < 0) return 0;
    struct rlimit both = {.rlim_cur = (rlim_t)value, .rlim_max = (rlim_t)value};
    return setrlimit(what, &both);
}

// The calls themselves: glibc's functions would ask all threads of the parent, whose memory this still is, to do the same.
static int become(const tl_user *user) {
#ifdef __NR_setresuid32
    if (syscall(__NR_setgroups32, user->group_count, user->groups) == -1) return -1;
    if (syscall(__NR_setresgid32, user->group, user->group, user->group) == -1) return -1;
    return (int)syscall(__NR_setresuid32, user->user, user->user, user->user);
#else
    if (syscall(__NR_setgroups, user->group_count, user->groups) == -1) return -1;
    if (syscall(__NR_setresgid, user->group, user->group, user->group) == -1) return -1;
    return (int)syscall(__NR_setresuid, user->user, user->user, user->user);
#endif
}

static int set_limits(const tl_program_limits *limits) {
    if (limit(RLIMIT_CORE, 0) == -1 || limit(RLIMIT_AS, limits->address_bytes) == -1) return -1;
    if (limit(RLIMIT_CPU, limits->cpu_seconds) == -1 || limit(RLIMIT_FSIZE, limits->file_bytes) == -1) return -1;
    return limit(RLIMIT_NOFILE, limits->open_files) == -1 ? -1 : limit(RLIMIT_NPROC, limits->processes);
}

static void close_others(void) {
#ifdef __NR_close_range
    if (syscall(__NR_close_range, 3, ~0U, 0) == 0) return;
#endif
    // All of this program are closed by execve(2); this is for those that a library has left open.
    for (int fd = 3; fd < 1024; fd++) close(fd);
}

static void enter(const void *given) {
    const order *what = given;
    for (int place = 0; place < 3; place++) {
        if (dup2(what->descriptors[place], place) == -1) return;
    }
    if (setsid() == -1) return;
    if (what->user && become(what->user) == -1) return;
    if (chdir(what->limits->folder) == -1) return;
    // After the change of user, which takes it back.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == -1) return;
    close_others();
    if (set_limits(what->limits) == -1) return;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1) return;
    // The unit may give the agent the right to set the clock, which a program of the owner has no use for.
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == -1) return;
    if (what->is_filtered && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &what->filter, 0, 0) == -1) return;
    unblock_signals();
    char *environment[] = {NULL};
    execve(what->path, what->arguments, environment);
}

int64_t tl_spawn_program(const char *path, char *const *arguments, int32_t input, int32_t output, int32_t errors,
                         const tl_user *user, const tl_program_limits *limits) {
    // One that is moved onto another's place would be lost.
    if (input < 3 || output < 3 || errors < 3) return -EBADF;
    struct sock_filter code[PROGRAM_FILTER_MOST];
    order what = {.path = path, .arguments = arguments, .descriptors = {input, output, errors}, .user = user, .limits = limits,
                  .is_filtered = tl_has_seccomp() != 0};
    what.filter.filter = code;
    what.filter.len = (unsigned short)write_program_filter(code, limits->is_offline);
    RETURN_CALL(spawn, 0, start_child(enter, &what));
}

static int has_ended(int32_t pid) {
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == -1) return -1;
    return info.si_pid == 0 ? 0 : info.si_code == CLD_EXITED ? 1 : 2;
}

int64_t tl_has_ended(int32_t pid) { RETURN_CALL(wait, 0, has_ended(pid)); }
