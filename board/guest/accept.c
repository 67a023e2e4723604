// accept PATH PROGRAM WORD...: listens at a socket, and starts the program for each connection, which is its standard input, as systemd does
// for a socket with Accept=yes.
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (count < 3 || strlen(words[1]) >= sizeof address.sun_path) return 64;
    strcpy(address.sun_path, words[1]);
    unlink(words[1]);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4)) return 71;
    // The kernel collects those that have ended.
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        int connection = accept4(listener, 0, 0, SOCK_CLOEXEC);
        if (connection < 0) continue;
        if (fork() == 0) {
            signal(SIGCHLD, SIG_DFL);
            dup2(connection, 0);
            execv(words[2], words + 2);
            _exit(71);
        }
        close(connection);
    }
}
