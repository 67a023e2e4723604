#include "private.h"

#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

typedef int (*with_address)(int fd, const struct sockaddr *address, socklen_t size);

static int set_path(struct sockaddr_un *address, const char *path) {
    size_t length = strlen(path);
    if (length >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address->sun_path, path, length);
    return (int)(offsetof(struct sockaddr_un, sun_path) + length);
}

static int with_path(with_address call, int32_t fd, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (set_path(&address, path) == -1) return -1;
    return call(fd, (const struct sockaddr *)&address, sizeof address);
}

// A name in the abstract namespace is as long as its address says, and no zero ends it.
static ssize_t send_to(int fd, const char *path, const void *bytes, size_t count) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int size = set_path(&address, path);
    if (size == -1) return -1;
    if (*path == '@') address.sun_path[0] = 0;
    return sendto(fd, bytes, count, MSG_NOSIGNAL, (const struct sockaddr *)&address, (socklen_t)size);
}

int64_t tl_local_socket(void) {
    RETURN_CALL(socket, 0, socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}
int64_t tl_local_datagrams(void) {
    RETURN_CALL(socket, 0, socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}
int64_t tl_local_send(int32_t fd, const char *path, const void *bytes, size_t count) {
    RETURN_CALL(send, fd, send_to(fd, path, bytes, count));
}
int64_t tl_local_bind(int32_t fd, const char *path) { RETURN_CALL(bind, fd, with_path(bind, fd, path)); }
int64_t tl_local_connect(int32_t fd, const char *path) { RETURN_CALL(connect, fd, with_path(connect, fd, path)); }

static int peer_of(int fd, uint32_t *user, int32_t *process) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == -1) return -1;
    *user = peer.uid;
    *process = peer.pid;
    return 0;
}

int64_t tl_local_peer(int32_t fd, uint32_t *user, int32_t *process) {
    RETURN_CALL(getsockopt, fd, peer_of(fd, user, process));
}
int64_t tl_listen(int32_t fd, int32_t backlog) { RETURN_CALL(listen, fd, listen(fd, backlog)); }
int64_t tl_accept(int32_t fd) { RETURN_CALL(accept, fd, accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)); }
int64_t tl_chmod(const char *path, uint32_t mode) { RETURN_CALL(chmod, 0, chmod(path, mode)); }
