#include "private.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

// An ignored signal stays ignored in a program that is run (execve(2)).
static void reset_signals(void) {
    struct sigaction plain = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &plain, NULL);
}

void unblock_signals(void) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

pid_t start_child(void (*enter)(const void *), const void *order) {
    volatile int failure = 0;
    sigset_t all, before;
    sigfillset(&all);
    // No handler of this program's runs in the child, which shares its memory.
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t pid = vfork();
    if (pid == 0) {
        reset_signals();
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
