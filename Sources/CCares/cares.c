#include "CCares.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "tl_calls.h"

static int failed(int64_t result) {
    errno = (int)-result;
    return -1;
}

static ares_socket_t open_socket(int family, int type, int protocol, void *context) {
    (void)protocol, (void)context;
    int64_t fd = tl_socket(family == AF_INET6 ? 16 : 4, type == SOCK_STREAM ? TL_STREAM : TL_DATAGRAM);
    return fd < 0 ? failed(fd) : (ares_socket_t)fd;
}

static int close_socket(ares_socket_t fd, void *context) {
    (void)context;
    return (int)tl_close(fd);
}

static int connect_socket(ares_socket_t fd, const struct sockaddr *to, ares_socklen_t size, void *context) {
    (void)size, (void)context;
    int64_t result;
    if (to->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const void *)to;
        result = tl_connect(fd, v6->sin6_addr.s6_addr, 16, v6->sin6_scope_id, ntohs(v6->sin6_port));
    } else {
        const struct sockaddr_in *v4 = (const void *)to;
        result = tl_connect(fd, (const uint8_t *)&v4->sin_addr, 4, 0, ntohs(v4->sin_port));
    }
    return result < 0 ? failed(result) : 0;
}

static ares_ssize_t receive(ares_socket_t fd, void *bytes, size_t count, int flags, struct sockaddr *from,
                            ares_socklen_t *size, void *context) {
    (void)flags, (void)context;
    // The sockets are connected, so the sender is the peer: c-ares compares it with its server.
    if (from && size && getpeername(fd, from, size) == -1) return -1;
    int64_t result = tl_recv(fd, bytes, count);
    return result < 0 ? failed(result) : (ares_ssize_t)result;
}

static ares_ssize_t transmit(ares_socket_t fd, const struct iovec *parts, int count, void *context) {
    (void)context;
    uint8_t whole[1024];
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        if (length + parts[i].iov_len > sizeof whole) return failed(-EMSGSIZE);
        memcpy(whole + length, parts[i].iov_base, parts[i].iov_len);
        length += parts[i].iov_len;
    }
    int64_t result = tl_send(fd, whole, length);
    return result < 0 ? failed(result) : (ares_ssize_t)result;
}

static const struct ares_socket_functions through_the_door = {
    open_socket, close_socket, connect_socket, receive, transmit,
};

ares_channel tl_ares_channel(ares_sock_state_cb changed, void *context, const char *lookups) {
    struct ares_options options = {
        .sock_state_cb = changed, .sock_state_cb_data = context, .timeout = 2000, .tries = 2,
        .lookups = (char *)lookups};
    ares_channel channel = NULL;
    int mask = ARES_OPT_SOCK_STATE_CB | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | (lookups ? ARES_OPT_LOOKUPS : 0);
    if (ares_init_options(&channel, &options, mask) != ARES_SUCCESS) return NULL;
    ares_set_socket_functions(channel, &through_the_door, NULL);
    return channel;
}

void tl_ares_ask(ares_channel channel, const char *name, ares_addrinfo_callback answer, void *context) {
    struct ares_addrinfo_hints hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    ares_getaddrinfo(channel, name, NULL, &hints, answer, context);
}

int32_t tl_ares_address(const struct ares_addrinfo_node *node, uint8_t address[16], uint32_t *scope) {
    *scope = 0;
    if (node->ai_family == AF_INET) {
        memcpy(address, &((const struct sockaddr_in *)node->ai_addr)->sin_addr, 4);
        return 4;
    }
    if (node->ai_family != AF_INET6) return 0;
    const struct sockaddr_in6 *v6 = (const void *)node->ai_addr;
    memcpy(address, &v6->sin6_addr, 16);
    *scope = v6->sin6_scope_id;
    return 16;
}

int64_t tl_ares_timeout(ares_channel channel) {
    struct timeval left;
    if (!ares_timeout(channel, NULL, &left)) return -1;
    return (int64_t)left.tv_sec * 1000 + (left.tv_usec + 999) / 1000;
}
