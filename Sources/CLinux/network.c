#include "private.h"

#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// MARK: Multicast

static int set_multicast_options(int32_t fd, int32_t family_bytes) {
    int on = 1, hops = 255;
    if (family_bytes == 16) {
        // Without this, the IPv6 socket would also take what belongs to the IPv4 one.
        if (setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == -1) return -1;
        if (setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on) == -1) return -1;
        if (setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_LOOP, &on, sizeof on) == -1) return -1;
        return setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, &hops, sizeof hops);
    }
    if (setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &on, sizeof on) == -1) return -1;
    if (setsockopt(fd, IPPROTO_IP, IP_MULTICAST_LOOP, &on, sizeof on) == -1) return -1;
    return setsockopt(fd, IPPROTO_IP, IP_MULTICAST_TTL, &hops, sizeof hops);
}

static int64_t bind_anywhere(int32_t fd, int32_t family_bytes) {
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    const struct sockaddr *address = family_bytes == 16 ? (void *)&v6 : (void *)&v4;
    RETURN_CALL(bind, fd, bind(fd, address, family_bytes == 16 ? sizeof v6 : sizeof v4));
}

int64_t tl_multicast_options(int32_t fd, int32_t family_bytes) {
    CALL(setsockopt, fd, set_multicast_options(fd, family_bytes));
    return result < 0 ? result : bind_anywhere(fd, family_bytes);
}

static ssize_t send_by(int32_t fd, const uint8_t *group, int32_t family_bytes, uint32_t interface, uint16_t port,
                       const void *bytes, size_t count) {
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_scope_id = interface};
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (family_bytes == 16) {
        memcpy(&v6.sin6_addr, group, 16);
        message.msg_name = &v6;
        message.msg_namelen = sizeof v6;
        return sendmsg(fd, &message, MSG_NOSIGNAL);
    }
    memcpy(&v4.sin_addr, group, 4);
    message.msg_name = &v4;
    message.msg_namelen = sizeof v4;
    union {
        char bytes[CMSG_SPACE(sizeof(struct in_pktinfo))];
        struct cmsghdr header;
    } control = {.bytes = {0}};
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    control.header.cmsg_level = IPPROTO_IP;
    control.header.cmsg_type = IP_PKTINFO;
    control.header.cmsg_len = CMSG_LEN(sizeof(struct in_pktinfo));
    struct in_pktinfo info = {.ipi_ifindex = (int)interface};
    memcpy(CMSG_DATA(&control.header), &info, sizeof info);
    return sendmsg(fd, &message, MSG_NOSIGNAL);
}

int64_t tl_send_multicast(int32_t fd, const uint8_t *group, int32_t family_bytes, uint32_t interface, uint16_t port,
                          const void *bytes, size_t count) {
    RETURN_CALL(send, fd, send_by(fd, group, family_bytes, interface, port, bytes, count));
}

static void fill_origin(const struct sockaddr_storage *from, struct msghdr *message, tl_origin_t *origin) {
    memset(origin, 0, sizeof *origin);
    if (from->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const void *)from;
        origin->port = ntohs(v6->sin6_port);
        origin->is_loopback = IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
    } else {
        const struct sockaddr_in *v4 = (const void *)from;
        origin->port = ntohs(v4->sin_port);
        origin->is_loopback = ntohl(v4->sin_addr.s_addr) >> 24 == 127;
    }
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_PKTINFO) {
            struct in_pktinfo info;
            memcpy(&info, CMSG_DATA(part), sizeof info);
            origin->interface = (uint32_t)info.ipi_ifindex;
        } else if (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_PKTINFO) {
            struct in6_pktinfo info;
            memcpy(&info, CMSG_DATA(part), sizeof info);
            origin->interface = info.ipi6_ifindex;
        }
    }
}

// A datagram whose end was cut off is -EMSGSIZE.
static ssize_t receive_whole(int32_t fd, struct msghdr *message) {
    ssize_t count = recvmsg(fd, message, 0);
    if (count >= 0 && message->msg_flags & MSG_TRUNC) {
        errno = EMSGSIZE;
        return -1;
    }
    return count;
}

int64_t tl_receive_multicast(int32_t fd, void *bytes, size_t count, tl_origin_t *origin) {
    struct sockaddr_storage from = {0};
    union {
        char bytes[256];
        struct cmsghdr header;
    } control;
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &part, .msg_iovlen = 1,
        .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    CALL(recv, fd, receive_whole(fd, &message));
    if (result >= 0) fill_origin(&from, &message, origin);
    return result;
}

static int is_listed(const uint32_t *interfaces, size_t count, uint32_t number) {
    for (size_t i = 0; i < count; i++) {
        if (interfaces[i] == number) return 1;
    }
    return 0;
}

int64_t tl_multicast_interfaces(uint32_t *interfaces, size_t count) {
    struct ifaddrs *all = NULL;
    CALL(getifaddrs, 0, getifaddrs(&all));
    if (result < 0) return result;
    size_t found = 0;
    for (struct ifaddrs *one = all; one && found < count; one = one->ifa_next) {
        if (!(one->ifa_flags & IFF_UP) || !(one->ifa_flags & IFF_MULTICAST)) continue;
        uint32_t number = if_nametoindex(one->ifa_name);
        if (number && !is_listed(interfaces, found, number)) interfaces[found++] = number;
    }
    freeifaddrs(all);
    return (int64_t)found;
}

// MARK: News

static int64_t open_netlink(int protocol) {
    RETURN_CALL(socket, 0, socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol));
}

static int64_t open_news(int protocol, uint32_t groups) {
    int64_t fd = open_netlink(protocol);
    if (fd < 0) return fd;
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
    CALL(bind, fd, bind((int)fd, (struct sockaddr *)&address, sizeof address));
    if (result == 0) return fd;
    tl_close((int32_t)fd);
    return result;
}

int64_t tl_network_news(void) {
    return open_news(NETLINK_ROUTE, RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE |
                                        RTMGRP_IPV6_ROUTE);
}

// The kernel speaks to the first group; udev, when it is there, to the second.
int64_t tl_device_news(void) { return open_news(NETLINK_KOBJECT_UEVENT, 1); }

int64_t tl_network_questions(int32_t protocol) { return open_netlink(protocol); }

int64_t tl_network_dump(int32_t fd, uint16_t kind) {
    struct {
        struct nlmsghdr header;
        struct rtgenmsg body;
    } request = {
        .header = {
            .nlmsg_len = NLMSG_LENGTH(sizeof(struct rtgenmsg)),
            .nlmsg_type = kind,
            .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
        .body = {.rtgen_family = AF_UNSPEC}};
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    RETURN_CALL(send, fd,
                sendto(fd, &request, request.header.nlmsg_len, 0, (struct sockaddr *)&kernel, sizeof kernel));
}

int64_t tl_network_receive(int32_t fd, void *bytes, size_t count) {
    struct sockaddr_nl from = {0};
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &part, .msg_iovlen = 1};
    CALL(recv, fd, receive_whole(fd, &message));
    return result > 0 && from.nl_pid != 0 ? 0 : result;
}
