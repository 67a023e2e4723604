// The one door to the kernel. Every system call of Talon is a function here, so that one place
// retries EINTR, turns -1 into a number, traces, and lets a test make any call fail.
//
// Result: zero or more on success, or a negated errno (the kernel's own convention), always
// 64 bits wide so that the Swift side is the same on 32-bit and 64-bit boards.

#ifndef TL_CALLS_H
#define TL_CALLS_H

#include <stddef.h>
#include <stdint.h>

// clang-format off
#define TL_CALLS(X) \
    X(open) X(close) X(read) X(write) X(fsync) X(rename) X(unlink) X(mkdir) X(stat) X(chown) X(getdents) \
    X(lock) X(ioctl) X(mmap) X(poll) X(epoll_create) X(epoll_ctl) X(epoll_wait) X(eventfd) \
    X(signalfd) X(socket) X(connect) X(send) X(recv) X(setsockopt) X(getsockopt) X(shutdown) \
    X(statvfs) X(termios) X(random) X(bind) X(getifaddrs) X(listen) X(accept) X(chmod) \
    X(memfd) X(pread) X(pwrite) X(access) X(adjtimex) X(settime) \
    X(pipe) X(fcntl) X(spawn) X(kill) X(wait) X(priority) X(inotify) X(openat2)
// clang-format on

typedef enum {
#define TL_NAME(name) TL_CALL_##name,
    TL_CALLS(TL_NAME)
#undef TL_NAME
    TL_CALL_COUNT,
} tl_call;

/// Name of a call, for traces: "open", "epoll_wait".
const char *tl_call_name(int32_t call);

/// Consulted before every call: returns 0 to go on, or the errno with which the call shall fail.
/// `argument` is the descriptor, or 0 where the call has none.
typedef int32_t (*tl_fault)(void *context, int32_t call, int64_t argument);
/// Told of every call afterwards, with its result.
typedef void (*tl_trace)(void *context, int32_t call, int64_t argument, int64_t result);

/// Installs the fault injector and the tracer (either may be null). Not for use while other
/// threads make calls.
void tl_interpose(tl_fault fault, tl_trace trace, void *context);
/// Installs a fault injector for the calls of this thread alone (null: none), consulted before the other.
void tl_interpose_thread(tl_fault fault, void *context);
/// The most bytes that one write(2) or pwrite(2) of this thread writes (0: as many as it is told), as flash does that is
/// nearly full.
void tl_interpose_short_writes(size_t most);

/// A device that exists in a test alone: answers an ioctl(2), with -1 and errno when it refuses.
typedef int (*tl_device)(void *context, int32_t fd, uint64_t request, void *argument);
/// Installs a device that answers every ioctl(2) of this thread (null: the kernel does).
void tl_interpose_device(tl_device device, void *context);

// Files.
int64_t tl_open(const char *path, int32_t flags, uint32_t mode);
/// openat(2), unlinkat(2), and fstatat(2) of a symbolic link itself: of a name in an opened folder.
int64_t tl_openat(int32_t folder, const char *name, int32_t flags, uint32_t mode);
int64_t tl_unlinkat(int32_t folder, const char *name);
/// openat2(2) of a path below an opened folder: no "..", no symbolic link of any kind and no mount point is crossed, whoever
/// renames what meanwhile. -ENOSYS before Linux 5.6. `leaves_mount`: mount points are crossed.
int64_t tl_openat2(int32_t folder, const char *path, int32_t flags, uint32_t mode, int32_t leaves_mount);
/// renameat2(2) of two names in one opened folder; without `replaces` -EEXIST where the second is taken, and -EINVAL where
/// the file system cannot tell.
int64_t tl_renameat(int32_t folder, const char *from, const char *to, int32_t replaces);
int64_t tl_mkdirat(int32_t folder, const char *name, uint32_t mode);
int64_t tl_close(int32_t fd);
int64_t tl_read(int32_t fd, void *bytes, size_t count);
int64_t tl_write(int32_t fd, const void *bytes, size_t count);
/// pread(2) and pwrite(2): the file's own place stays.
int64_t tl_pread(int32_t fd, void *bytes, size_t count, int64_t offset);
int64_t tl_pwrite(int32_t fd, const void *bytes, size_t count, int64_t offset);
/// A file without a name, in memory (memfd_create(2)). It grows as it is written, and is gone when it is closed.
int64_t tl_memfd(void);
int64_t tl_fsync(int32_t fd);
int64_t tl_rename(const char *from, const char *to);
int64_t tl_unlink(const char *path);
int64_t tl_rmdir(const char *path);
int64_t tl_mkdir(const char *path, uint32_t mode);
/// access(2): 0 when this user may read the file and write to it.
int64_t tl_access(const char *path);
typedef struct {
    int64_t size;
    uint32_t mode;
    uint32_t uid, gid;
    uint64_t device;
    /// The block device of the file's file system.
    uint32_t disk_major, disk_minor;
    uint64_t inode;
    /// When the contents were last changed: milliseconds since the Unix epoch.
    int64_t modified_ms;
} tl_stat_t;
int64_t tl_stat(const char *path, tl_stat_t *out);
int64_t tl_fstat(int32_t fd, tl_stat_t *out);
/// lstat(2): of a symbolic link itself.
int64_t tl_lstat(const char *path, tl_stat_t *out);
int64_t tl_lstatat(int32_t folder, const char *name, tl_stat_t *out);
/// lchown(2): never of what a link points to.
int64_t tl_lchown(const char *path, uint32_t user, uint32_t group);
/// symlink(2).
int64_t tl_symlink(const char *target, const char *path);
/// readlink(2): the bytes of a link's target, without a zero; as many as there is room for.
int64_t tl_readlink(const char *path, char *out, size_t count);
/// getdents64(2): fills `bytes` with directory entries; 0 at the end.
int64_t tl_getdents(int32_t fd, void *bytes, size_t count);
/// Reads one entry at `offset` of a filled getdents buffer; answers the offset of the next.
size_t tl_dirent(const void *bytes, size_t offset, const char **name);
/// An exclusive advisory lock, without waiting (flock(2)).
int64_t tl_lock(int32_t fd);
typedef struct {
    uint64_t total_bytes;
    uint64_t free_bytes;
    /// 1 when nothing can be written.
    int32_t is_read_only;
} tl_space_t;
int64_t tl_statvfs(const char *path, tl_space_t *out);
/// fstatvfs(3): of the file system of an opened folder.
int64_t tl_fstatvfs(int32_t folder, tl_space_t *out);

// Devices.
int64_t tl_ioctl(int32_t fd, uint64_t request, void *argument);
/// An ioctl(2) that a library makes by itself: `body` has it made, and answers as ioctl(2) does.
int64_t tl_ioctl_of_library(int32_t fd, int64_t (*body)(void *context), void *context);
/// Maps `length` bytes of a device at `offset`; the address comes back through `out`.
int64_t tl_mmap(int32_t fd, size_t length, int64_t offset, void **out);
/// Only for reading, here and there.
int64_t tl_mmap_read(int32_t fd, size_t length, void **out);
/// Anonymous memory: address space that costs a page only when it is touched. Given back by tl_munmap.
int64_t tl_reserve(size_t length, void **out);
/// The same between two pages that cannot be touched at all, its end as near to the second as an address of a multiple of 16 allows: who
/// goes beyond it is stopped (SIGSEGV) before anything is overwritten.
int64_t tl_reserve_guarded(size_t length, void **out);
/// Gives guarded memory back, at the length that it was reserved with.
void tl_unreserve_guarded(void *address, size_t length);
/// Gives all pages of guarded memory back to the kernel; they read as zero afterwards.
void tl_release_guarded(void *address, size_t length);
/// Gives the pages that begin in a part of reserved memory back to the kernel; they read as zero afterwards. The part
/// reaches to the end of the memory.
void tl_release_pages(void *address, size_t length);
void tl_munmap(void *address, size_t length);
/// Raw 8N1 without flow control at `baud` bits per second (termios(3)); -EINVAL for an odd rate.
int64_t tl_serial_raw(int32_t fd, uint32_t baud);

/// Data bits (7, 8), parity (0 none, 1 odd, 2 even) and stop bits (1, 2) of a raw line.
int64_t tl_serial_framing(int32_t fd, int32_t data_bits, int32_t parity, int32_t stop_bits);

/// Leaves out what has arrived and was not read (tcflush(3)).
int64_t tl_serial_discard(int32_t fd);
/// Lines that a terminal shows (TIOCGWINSZ), 0 when it does not know; -ENOTTY for what is no terminal.
int64_t tl_terminal_lines(int32_t fd);

// Waiting.
#define TL_IN 0x001
#define TL_OUT 0x004
#define TL_ERR 0x008
#define TL_HUP 0x010
typedef struct {
    uint32_t events;
    uint32_t slot;
    uint32_t generation;
} tl_event;
int64_t tl_epoll_create(void);
/// `operation`: 1 add, 2 remove, 3 change (EPOLL_CTL_*).
int64_t tl_epoll_ctl(int32_t epoll, int32_t operation, int32_t fd, uint32_t events, uint32_t slot,
                     uint32_t generation);
/// At most 64 events a call; an interrupted wait is 0 events.
int64_t tl_epoll_wait(int32_t epoll, tl_event *events, int32_t count, int32_t milliseconds);
/// poll(2) on one or two descriptors (`other` may be -1). Bit 0 of the result: `fd` is ready,
/// bit 1: `other` is.
int64_t tl_poll(int32_t fd, uint32_t events, int32_t other, int32_t milliseconds);
int64_t tl_eventfd(void);
/// inotify(7) on a folder: a descriptor, non-blocking, that reports files which were written and closed, or got their
/// name.
int64_t tl_watch_folder(const char *path);
/// Blocks TERM, INT, HUP, PIPE, USR1 and USR2 for every thread and answers a descriptor that reports the first three. The other signals
/// that would end the program without a fault of its own (timers, I/O, limits, power, realtime) are ignored from then on.
int64_t tl_signalfd(void);
/// The next signal number of a signal descriptor, or -EAGAIN.
int64_t tl_next_signal(int32_t fd);

// Network. An address is 4 or 16 bytes.
#define TL_STREAM 1
#define TL_DATAGRAM 2
/// Reads a literal address ("192.0.2.1", "2001:db8::1", "fe80::1%eth0"): its byte count, or 0 when it is not one, or its
/// interface is not there. `scope` is the interface's number; 0 without one.
int32_t tl_literal_address(const char *text, uint8_t address[16], uint32_t *scope);
int64_t tl_socket(int32_t family_bytes, int32_t type);
int64_t tl_connect(int32_t fd, const uint8_t *address, int32_t family_bytes, uint32_t scope, uint16_t port);
int64_t tl_socket_error(int32_t fd);
/// Nagle off, keepalive on (after 30 s idle), `user_timeout` ms until unacknowledged data ends it, and at
/// most 64 KiB unsent in the kernel, so that a pong never waits behind megabytes of a photo.
int64_t tl_tcp_options(int32_t fd, uint32_t user_timeout);
int64_t tl_send(int32_t fd, const void *bytes, size_t count);
int64_t tl_recv(int32_t fd, void *bytes, size_t count);
int64_t tl_shutdown(int32_t fd);

// Multicast DNS (RFC 6762): one UDP socket a family for all interfaces.
/// Prepares a datagram socket: a port of its own, hop limit 255, and the receiving interface told with each packet.
int64_t tl_multicast_options(int32_t fd, int32_t family_bytes);
/// Sends one packet to a group by one interface.
int64_t tl_send_multicast(int32_t fd, const uint8_t *group, int32_t family_bytes, uint32_t interface, uint16_t port,
                          const void *bytes, size_t count);
typedef struct {
    /// Of the interface that the packet came in by; 0 when the kernel did not say.
    uint32_t interface;
    /// Of the sender.
    uint16_t port;
    /// 1 when the sender is this machine, by a loopback address.
    uint8_t is_loopback;
} tl_origin_t;
/// One packet; -EMSGSIZE when it did not fit, and is gone.
int64_t tl_receive_multicast(int32_t fd, void *bytes, size_t count, tl_origin_t *origin);
/// The numbers of the interfaces that are up and can carry multicast: how many, at most `count`.
int64_t tl_multicast_interfaces(uint32_t *interfaces, size_t count);

// The kernel's news of the network (rtnetlink(7)).
/// A socket that hears of links, addresses and routes.
int64_t tl_network_news(void);
/// Asks for everything there is of one kind: 18 links, 22 addresses, 26 routes (RTM_GET...).
int64_t tl_network_dump(int32_t fd, uint16_t kind);
/// One datagram of the kernel; -ENOBUFS when some were lost, -EMSGSIZE when one did not fit. What another process sends
/// counts as empty.
int64_t tl_network_receive(int32_t fd, void *bytes, size_t count);
/// A socket that hears of devices that come and go (NETLINK_KOBJECT_UEVENT); tl_network_receive takes its datagrams.
int64_t tl_device_news(void);
/// A socket for questions alone, of NETLINK_ROUTE (0) or NETLINK_GENERIC (16). tl_send asks, tl_network_receive hears.
int64_t tl_network_questions(int32_t protocol);

// Stream sockets of this machine (unix(7)), non-blocking. A path has at most 107 bytes.
int64_t tl_local_socket(void);
int64_t tl_local_bind(int32_t fd, const char *path);
int64_t tl_local_connect(int32_t fd, const char *path);
/// Who listens at the other end of a connected socket, as the kernel knows it (SO_PEERCRED, unix(7)).
int64_t tl_local_peer(int32_t fd, uint32_t *user, int32_t *process);
int64_t tl_listen(int32_t fd, int32_t backlog);
/// The next client, non-blocking; -EAGAIN when there is none.
int64_t tl_accept(int32_t fd);
int64_t tl_chmod(const char *path, uint32_t mode);
/// A datagram socket of this machine, for sending alone.
int64_t tl_local_datagrams(void);
/// Sends one datagram to the socket at `path`; "@name" stands for the name in the abstract namespace.
int64_t tl_local_send(int32_t fd, const char *path, const void *bytes, size_t count);

// System.
int64_t tl_random(void *bytes, size_t count);
int64_t tl_monotonic_ns(void);
/// Processor time of the calling thread.
int64_t tl_thread_ns(void);
/// Processor time of this process, and bytes that it has had written to disks (getrusage(2)).
int64_t tl_process_ns(void);
int64_t tl_written_bytes(void);
int64_t tl_wall_ms(void);
/// Minutes that local time is ahead of UTC at an instant, in milliseconds since the Unix epoch.
int32_t tl_local_offset_minutes(int64_t wall_ms);
/// Sets the date: milliseconds since the Unix epoch (clock_settime(2)).
int64_t tl_set_wall_ms(int64_t milliseconds);
int64_t tl_hostname(char *bytes, size_t count);
int32_t tl_pid(void);
uint32_t tl_uid(void);

// Constants of <fcntl.h> that Swift needs under one name on every libc.
extern const int32_t TL_O_RDONLY, TL_O_WRONLY, TL_O_RDWR, TL_O_CREAT, TL_O_EXCL, TL_O_TRUNC,
    TL_O_NONBLOCK, TL_O_NOCTTY, TL_O_DIRECTORY, TL_O_NOFOLLOW, TL_O_TMPFILE, TL_O_PATH;

#endif
