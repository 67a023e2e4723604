#include "private.h"
#include "tl_terminal.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

extern char **environ;

_Static_assert(sizeof(struct termios) <= sizeof(tl_terminal_t), "struct termios has grown");

static int make_raw(int32_t fd, tl_terminal_t *saved) {
    struct termios options;
    if (tcgetattr(fd, &options) == -1) return -1;
    memcpy(saved, &options, sizeof options);
    cfmakeraw(&options);
    // A break is a zero byte, and a byte with a wrong parity is left as it came.
    options.c_iflag &= ~(tcflag_t)(IXON | IXOFF | BRKINT | PARMRK);
    options.c_cc[VMIN] = 0;
    options.c_cc[VTIME] = 0;
    return tcsetattr(fd, TCSANOW, &options);
}

int64_t tl_terminal_raw(int32_t fd, tl_terminal_t *saved) { RETURN_CALL(termios, fd, make_raw(fd, saved)); }

int64_t tl_terminal_restore(int32_t fd, const tl_terminal_t *saved) {
    struct termios options;
    memcpy(&options, saved, sizeof options);
    // TCSANOW: a line that is blocked must not keep the program from ending.
    RETURN_CALL(termios, fd, tcsetattr(fd, TCSANOW, &options));
}

int64_t tl_terminal_size(int32_t fd) {
    struct winsize size = {0};
    CALL(ioctl, fd, ioctl(fd, TIOCGWINSZ, &size));
    return result < 0 ? result : (int64_t)size.ws_row << 16 | size.ws_col;
}

int64_t tl_pipe(int32_t *reader, int32_t *writer) {
    int ends[2];
    CALL(pipe, 0, pipe2(ends, O_CLOEXEC));
    if (result < 0) return result;
    *reader = ends[0];
    *writer = ends[1];
    return 0;
}

static int set_non_blocking(int32_t fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags == -1 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

int64_t tl_non_blocking(int32_t fd) { RETURN_CALL(fcntl, fd, set_non_blocking(fd)); }

typedef struct {
    const char *path;
    char *const *arguments;
    // Of the program's first three, -1: the parent's.
    int32_t descriptors[3];
    bool leads_group;
    pid_t parent;
} order;

static void enter(const void *given_order) {
    const order *what = given_order;
    for (int place = 0; place < 3; place++) {
        int32_t given = what->descriptors[place];
        if (given == place ? fcntl(place, F_SETFD, 0) == -1 : given >= 0 && dup2(given, place) == -1) return;
    }
    if (what->leads_group) {
        if (setpgid(0, 0) == -1 || prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == -1) return;
        // One whose end came before that is told to nobody.
        if (getppid() != what->parent) _exit(127);
    }
    unblock_signals();
    execve(what->path, what->arguments, environ);
}

int64_t tl_spawn(
    const char *path, char *const *arguments, int32_t input, int32_t output, int32_t errors, int32_t own_group) {
    order what = {.path = path, .arguments = arguments, .descriptors = {input, output, errors}, .leads_group = own_group != 0,
                  .parent = getpid()};
    RETURN_CALL(spawn, 0, start_child(enter, &what));
}

int64_t tl_kill(int32_t pid, int32_t signal) { RETURN_CALL(kill, 0, kill(pid, signal)); }

int64_t tl_yield(void) { RETURN_CALL(priority, 0, setpriority(PRIO_PROCESS, 0, 19)); }

int64_t tl_wait(int32_t pid, int32_t waits) {
    int status = 0;
    CALL(wait, 0, waitpid(pid, &status, waits ? 0 : WNOHANG));
    if (result < 0) return result;
    if (result == 0) return -EAGAIN;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int64_t tl_set_environment(const char *name, const char *value) { return setenv(name, value, 1) == -1 ? -errno : 0; }

static int real_path(const char *path, char *out, size_t count) {
    char *real = realpath(path, NULL);
    if (!real) return -1;
    size_t length = strlen(real);
    if (length < count) memcpy(out, real, length + 1);
    free(real);
    if (length < count) return 0;
    errno = ENAMETOOLONG;
    return -1;
}

int64_t tl_real_path(const char *path, char *out, size_t count) {
    RETURN_CALL(open, 0, real_path(path, out, count));
}

static int make_like(int32_t fd, int32_t like) {
    struct stat status;
    if (fstat(like, &status) == -1) return -1;
    // FAT has no owners, and who is not root cannot give away: then the rights must be no wider than before.
    if (fchown(fd, status.st_uid, status.st_gid) == -1 && errno != EPERM) return -1;
    return fchmod(fd, status.st_mode & 07777) == -1 && errno != EPERM ? -1 : 0;
}

int64_t tl_make_like(int32_t fd, int32_t like) { RETURN_CALL(chown, fd, make_like(fd, like)); }

int64_t tl_current_folder(char *out, size_t count) { return getcwd(out, count) ? 0 : -errno; }
