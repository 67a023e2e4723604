#include "private.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t start_child(void (*enter)(const void *), const void *order) {
    volatile int failure = 0;
    sigset_t all, before;
    sigfillset(&all);
    // No handler of this program's runs in the child, which shares its memory.
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t pid = vfork();
    if (pid == 0) {
        enter(order);
        failure = errno;
        _exit(127);
    }
    int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid > 0 && failure) {
        while (waitpid(pid, NULL, 0) == -1 && errno == EINTR) {}
        error = failure;
        pid = -1;
    }
    errno = error;
    return pid;
}
