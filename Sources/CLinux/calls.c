#include "private.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static tl_fault fault_hook;
static tl_trace trace_hook;
static void *hook_context;

void tl_interpose(tl_fault fault, tl_trace trace, void *context) {
    fault_hook = fault;
    trace_hook = trace;
    hook_context = context;
}

// One thread's own: simulations and tests run beside each other in one process.
static _Thread_local tl_fault thread_fault;
static _Thread_local void *thread_context;

void tl_interpose_thread(tl_fault fault, void *context) {
    thread_fault = fault;
    thread_context = context;
}

static _Thread_local size_t most_written;

void tl_interpose_short_writes(size_t most) { most_written = most; }

static size_t shortened(size_t count) { return most_written && most_written < count ? most_written : count; }

static _Thread_local tl_device thread_device;
static _Thread_local void *device_context;

void tl_interpose_device(tl_device device, void *context) {
    thread_device = device;
    device_context = context;
}

static const char *const names[] = {
#define TL_NAME(name) #name,
    TL_CALLS(TL_NAME)
#undef TL_NAME
};

const char *tl_call_name(int32_t call) {
    return call >= 0 && call < TL_CALL_COUNT ? names[call] : "?";
}

int64_t tl_before(tl_call call, int64_t argument) {
    if (thread_fault) {
        int32_t reason = thread_fault(thread_context, call, argument);
        if (reason) return -(int64_t)reason;
    }
    return fault_hook ? -(int64_t)fault_hook(hook_context, call, argument) : 0;
}

int64_t tl_after(tl_call call, int64_t argument, int64_t result) {
    if (trace_hook) trace_hook(hook_context, call, argument, result);
    return result;
}

int64_t tl_open(const char *path, int32_t flags, uint32_t mode) {
    RETURN_CALL(open, 0, open(path, flags | O_CLOEXEC, mode));
}

int64_t tl_openat(int32_t folder, const char *name, int32_t flags, uint32_t mode) {
    RETURN_CALL(open, folder, openat(folder, name, flags | O_CLOEXEC, mode));
}

// close(2) is never repeated: after EINTR Linux has already released the descriptor. An injected
// fault still closes, as the kernel does when it reports a delayed write error.
int64_t tl_close(int32_t fd) {
    int64_t result = tl_before(TL_CALL_close, fd);
    int64_t real = close(fd) == -1 && errno != EINTR ? -errno : 0;
    return tl_after(TL_CALL_close, fd, result ? result : real);
}

int64_t tl_read(int32_t fd, void *bytes, size_t count) { RETURN_CALL(read, fd, read(fd, bytes, count)); }
int64_t tl_write(int32_t fd, const void *bytes, size_t count) {
    RETURN_CALL(write, fd, write(fd, bytes, shortened(count)));
}
int64_t tl_pread(int32_t fd, void *bytes, size_t count, int64_t offset) {
    RETURN_CALL(pread, fd, pread(fd, bytes, count, offset));
}
int64_t tl_pwrite(int32_t fd, const void *bytes, size_t count, int64_t offset) {
    RETURN_CALL(pwrite, fd, pwrite(fd, bytes, shortened(count), offset));
}
int64_t tl_memfd(void) { RETURN_CALL(memfd, 0, memfd_create("talon", MFD_CLOEXEC)); }
int64_t tl_fsync(int32_t fd) { RETURN_CALL(fsync, fd, fsync(fd)); }
int64_t tl_rename(const char *from, const char *to) { RETURN_CALL(rename, 0, rename(from, to)); }
int64_t tl_unlink(const char *path) { RETURN_CALL(unlink, 0, unlink(path)); }
int64_t tl_unlinkat(int32_t folder, const char *name) { RETURN_CALL(unlink, folder, unlinkat(folder, name, 0)); }

// As in <linux/openat2.h>, which older systems that this is built on have not.
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#define TL_NO_XDEV 0x01
#define TL_NO_MAGICLINKS 0x02
#define TL_NO_SYMLINKS 0x04
#define TL_BENEATH 0x08
#define TL_NOREPLACE 1

static int64_t open_beneath(int32_t folder, const char *path, int32_t flags, uint32_t mode, int32_t leaves_mount) {
    // This call refuses what others ignore: a mode without a file to make, and O_LARGEFILE beside O_PATH.
    struct {
        uint64_t flags, mode, resolve;
    } how = {
        .flags = (uint64_t)(uint32_t)(flags | O_CLOEXEC | (flags & O_PATH ? 0 : O_LARGEFILE)),
        .mode = flags & O_CREAT ? mode : 0,
        .resolve = TL_BENEATH | TL_NO_SYMLINKS | TL_NO_MAGICLINKS | (leaves_mount ? 0 : TL_NO_XDEV),
    };
    return syscall(SYS_openat2, folder, path, &how, sizeof how);
}

int64_t tl_openat2(int32_t folder, const char *path, int32_t flags, uint32_t mode, int32_t leaves_mount) {
    RETURN_CALL(openat2, folder, open_beneath(folder, path, flags, mode, leaves_mount));
}

int64_t tl_renameat(int32_t folder, const char *from, const char *to, int32_t replaces) {
    RETURN_CALL(rename, folder, syscall(SYS_renameat2, folder, from, folder, to, replaces ? 0 : TL_NOREPLACE));
}

int64_t tl_mkdirat(int32_t folder, const char *name, uint32_t mode) {
    RETURN_CALL(mkdir, folder, mkdirat(folder, name, mode));
}

int64_t tl_rmdir(const char *path) { RETURN_CALL(unlink, 0, rmdir(path)); }
int64_t tl_access(const char *path) { RETURN_CALL(access, 0, access(path, R_OK | W_OK)); }
int64_t tl_mkdir(const char *path, uint32_t mode) { RETURN_CALL(mkdir, 0, mkdir(path, mode)); }

static void fill_stat(const struct stat *from, tl_stat_t *out) {
    out->size = from->st_size;
    out->mode = from->st_mode;
    out->uid = from->st_uid;
    out->gid = from->st_gid;
    out->device = from->st_rdev;
    out->disk_major = major(from->st_dev);
    out->disk_minor = minor(from->st_dev);
    out->inode = from->st_ino;
    out->modified_ms = (int64_t)from->st_mtim.tv_sec * 1000 + from->st_mtim.tv_nsec / 1000000;
}

int64_t tl_stat(const char *path, tl_stat_t *out) {
    struct stat status;
    CALL(stat, 0, stat(path, &status));
    if (result == 0) fill_stat(&status, out);
    return result;
}

int64_t tl_fstat(int32_t fd, tl_stat_t *out) {
    struct stat status;
    CALL(stat, fd, fstat(fd, &status));
    if (result == 0) fill_stat(&status, out);
    return result;
}

int64_t tl_lstat(const char *path, tl_stat_t *out) {
    struct stat status;
    CALL(stat, 0, lstat(path, &status));
    if (result == 0) fill_stat(&status, out);
    return result;
}

int64_t tl_lstatat(int32_t folder, const char *name, tl_stat_t *out) {
    struct stat status;
    CALL(stat, folder, fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW));
    if (result == 0) fill_stat(&status, out);
    return result;
}

int64_t tl_symlink(const char *target, const char *path) { RETURN_CALL(rename, 0, symlink(target, path)); }
int64_t tl_lchown(const char *path, uint32_t user, uint32_t group) {
    RETURN_CALL(chown, 0, lchown(path, user, group));
}

int64_t tl_readlink(const char *path, char *out, size_t count) { RETURN_CALL(read, 0, readlink(path, out, count)); }

int64_t tl_getdents(int32_t fd, void *bytes, size_t count) {
    RETURN_CALL(getdents, fd, syscall(SYS_getdents64, fd, bytes, count));
}

size_t tl_dirent(const void *bytes, size_t offset, const char **name) {
    const struct dirent64 *entry = (const void *)((const char *)bytes + offset);
    *name = entry->d_name;
    return offset + entry->d_reclen;
}

int64_t tl_lock(int32_t fd) { RETURN_CALL(lock, fd, flock(fd, LOCK_EX | LOCK_NB)); }

static void fill_space(const struct statvfs *from, tl_space_t *out) {
    out->total_bytes = (uint64_t)from->f_blocks * from->f_frsize;
    out->free_bytes = (uint64_t)from->f_bavail * from->f_frsize;
    out->is_read_only = (from->f_flag & ST_RDONLY) != 0;
}

int64_t tl_statvfs(const char *path, tl_space_t *out) {
    struct statvfs space;
    CALL(statvfs, 0, statvfs(path, &space));
    if (result == 0) fill_space(&space, out);
    return result;
}

int64_t tl_fstatvfs(int32_t folder, tl_space_t *out) {
    struct statvfs space;
    CALL(statvfs, folder, fstatvfs(folder, &space));
    if (result == 0) fill_space(&space, out);
    return result;
}

int64_t tl_ioctl(int32_t fd, uint64_t request, void *argument) {
    RETURN_CALL(ioctl, fd, thread_device ? thread_device(device_context, fd, request, argument)
                                         : ioctl(fd, (unsigned long)request, argument));
}

int64_t tl_terminal_lines(int32_t fd) {
    struct winsize size = {0};
    int64_t result = tl_ioctl(fd, TIOCGWINSZ, &size);
    return result < 0 ? result : size.ws_row;
}

int64_t tl_ioctl_of_library(int32_t fd, int64_t (*body)(void *), void *context) {
    RETURN_CALL(ioctl, fd, body(context));
}

static const struct {
    uint32_t baud;
    speed_t speed;
} speeds[] = {
    {1200, B1200},     {2400, B2400},     {4800, B4800},     {9600, B9600},     {19200, B19200},
    {38400, B38400},   {57600, B57600},   {115200, B115200}, {230400, B230400}, {460800, B460800},
    {921600, B921600},
};

static int set_raw(int32_t fd, uint32_t baud) {
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        if (speeds[i].baud != baud) continue;
        struct termios options;
        if (tcgetattr(fd, &options) == -1) return -1;
        cfmakeraw(&options);
        options.c_cflag = (options.c_cflag & ~(tcflag_t)(CSTOPB | CRTSCTS)) | CLOCAL | CREAD;
        options.c_cc[VMIN] = 0;
        options.c_cc[VTIME] = 0;
        cfsetispeed(&options, speeds[i].speed);
        cfsetospeed(&options, speeds[i].speed);
        if (tcsetattr(fd, TCSANOW, &options) == -1) return -1;
        return tcflush(fd, TCIFLUSH);
    }
    errno = EINVAL;
    return -1;
}

int64_t tl_serial_raw(int32_t fd, uint32_t baud) { RETURN_CALL(termios, fd, set_raw(fd, baud)); }

static int set_framing(int32_t fd, int32_t data_bits, int32_t parity, int32_t stop_bits) {
    struct termios options;
    if (tcgetattr(fd, &options) == -1) return -1;
    options.c_cflag &= ~(tcflag_t)(CSIZE | CSTOPB | PARENB | PARODD);
    options.c_cflag |= (tcflag_t)((data_bits == 7 ? CS7 : CS8) | (stop_bits == 2 ? CSTOPB : 0));
    if (parity) options.c_cflag |= (tcflag_t)(PARENB | (parity == 1 ? PARODD : 0));
    options.c_iflag = parity ? options.c_iflag | INPCK : options.c_iflag & ~(tcflag_t)INPCK;
    return tcsetattr(fd, TCSANOW, &options);
}

int64_t tl_serial_framing(int32_t fd, int32_t data_bits, int32_t parity, int32_t stop_bits) {
    RETURN_CALL(termios, fd, set_framing(fd, data_bits, parity, stop_bits));
}

int64_t tl_serial_discard(int32_t fd) { RETURN_CALL(termios, fd, tcflush(fd, TCIFLUSH)); }

int64_t tl_epoll_create(void) { RETURN_CALL(epoll_create, 0, epoll_create1(EPOLL_CLOEXEC)); }

int64_t tl_epoll_ctl(int32_t epoll, int32_t operation, int32_t fd, uint32_t events, uint32_t slot,
                     uint32_t generation) {
    struct epoll_event event = {.events = events, .data.u64 = (uint64_t)generation << 32 | slot};
    RETURN_CALL(epoll_ctl, fd, epoll_ctl(epoll, operation, fd, &event));
}

#define EVENTS_MAX 64

int64_t tl_epoll_wait(int32_t epoll, tl_event *events, int32_t count, int32_t milliseconds) {
    struct epoll_event ready[EVENTS_MAX];
    if (count > EVENTS_MAX) count = EVENTS_MAX;
    int64_t result = tl_before(TL_CALL_epoll_wait, epoll);
    if (result == 0) {
        result = epoll_wait(epoll, ready, count, milliseconds);
        if (result == -1) result = errno == EINTR ? 0 : -errno;
    }
    for (int64_t i = 0; i < result; i++) {
        events[i].events = ready[i].events;
        events[i].slot = (uint32_t)ready[i].data.u64;
        events[i].generation = (uint32_t)(ready[i].data.u64 >> 32);
    }
    return tl_after(TL_CALL_epoll_wait, epoll, result);
}

int64_t tl_poll(int32_t fd, uint32_t events, int32_t other, int32_t milliseconds) {
    struct pollfd wanted[2] = {{.fd = fd, .events = (short)events}, {.fd = other, .events = POLLIN}};
    CALL(poll, fd, poll(wanted, 2, milliseconds));
    if (result <= 0) return result;
    return (wanted[0].revents ? 1 : 0) | (wanted[1].revents ? 2 : 0);
}

int64_t tl_eventfd(void) { RETURN_CALL(eventfd, 0, eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)); }

static int watch_folder(const char *path) {
    int watcher = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (watcher == -1) return -1;
    if (inotify_add_watch(watcher, path, IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR) != -1) return watcher;
    int reason = errno;
    close(watcher);
    errno = reason;
    return -1;
}

int64_t tl_watch_folder(const char *path) { RETURN_CALL(inotify, 0, watch_folder(path)); }

static void ignore_signal(int number) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) == -1 || (action.sa_flags & SA_SIGINFO) || action.sa_handler != SIG_DFL) return;
    action = (struct sigaction){.sa_handler = SIG_IGN};
    sigaction(number, &action, NULL);
}

// A signal that nobody has handled would end the program where it has no meaning here. Faults (SIGSEGV and the like, SIGABRT, SIGQUIT)
// go on ending it, for they leave a core dump. With SIGXFSZ ignored, write(2) returns EFBIG.
static void ignore_signals(void) {
    static const int meaningless[] = {SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT, SIGXCPU, SIGXFSZ};
    for (size_t index = 0; index < sizeof meaningless / sizeof *meaningless; index++) ignore_signal(meaningless[index]);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) ignore_signal(number);
}

static int open_signals(void) {
    ignore_signals();
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGHUP);
    sigset_t reported = blocked;
    sigaddset(&blocked, SIGPIPE);
    // Those of the text console (tl_console_signals), for every thread, for the kernel picks any that takes them.
    sigaddset(&blocked, SIGUSR1);
    sigaddset(&blocked, SIGUSR2);
    if (sigprocmask(SIG_BLOCK, &blocked, NULL) == -1) return -1;
    return signalfd(-1, &reported, SFD_NONBLOCK | SFD_CLOEXEC);
}

int64_t tl_signalfd(void) { RETURN_CALL(signalfd, 0, open_signals()); }

int64_t tl_next_signal(int32_t fd) {
    struct signalfd_siginfo info;
    CALL(read, fd, read(fd, &info, sizeof info));
    if (result < 0) return result;
    return result == sizeof info ? (int64_t)info.ssi_signo : -EIO;
}

int64_t tl_socket(int32_t family_bytes, int32_t type) {
    RETURN_CALL(socket, 0, socket(family_bytes == 16 ? AF_INET6 : AF_INET,
                                  (type == TL_STREAM ? SOCK_STREAM : SOCK_DGRAM) | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

static int do_connect(int32_t fd, const uint8_t *address, int32_t family_bytes, uint32_t scope, uint16_t port) {
    if (family_bytes == 16) {
        struct sockaddr_in6 to = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_scope_id = scope};
        memcpy(&to.sin6_addr, address, 16);
        return connect(fd, (struct sockaddr *)&to, sizeof to);
    }
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    memcpy(&to.sin_addr, address, 4);
    return connect(fd, (struct sockaddr *)&to, sizeof to);
}

int64_t tl_connect(int32_t fd, const uint8_t *address, int32_t family_bytes, uint32_t scope, uint16_t port) {
    RETURN_CALL(connect, fd, do_connect(fd, address, family_bytes, scope, port));
}

int32_t tl_literal_address(const char *text, uint8_t address[16], uint32_t *scope) {
    char alone[INET6_ADDRSTRLEN];
    const char *zone = strchr(text, '%');
    *scope = 0;
    if (zone) {
        size_t length = (size_t)(zone - text);
        if (length >= sizeof alone) return 0;
        memcpy(alone, text, length);
        alone[length] = 0;
        *scope = if_nametoindex(zone + 1);
        if (!*scope) *scope = (uint32_t)strtoul(zone + 1, NULL, 10);
        return *scope && inet_pton(AF_INET6, alone, address) == 1 ? 16 : 0;
    }
    if (inet_pton(AF_INET, text, address) == 1) return 4;
    return inet_pton(AF_INET6, text, address) == 1 ? 16 : 0;
}

int64_t tl_socket_error(int32_t fd) {
    int error = 0;
    socklen_t size = sizeof error;
    CALL(getsockopt, fd, getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size));
    return result < 0 ? result : -(int64_t)error;
}

static int set_tcp_options(int32_t fd, uint32_t user_timeout) {
    int on = 1, idle = 30, interval = 10, count = 3, unsent = 65536;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == -1) return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on) == -1) return -1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle) == -1) return -1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval) == -1) return -1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count) == -1) return -1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent) == -1) return -1;
    return setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &user_timeout, sizeof user_timeout);
}

int64_t tl_tcp_options(int32_t fd, uint32_t user_timeout) {
    RETURN_CALL(setsockopt, fd, set_tcp_options(fd, user_timeout));
}

int64_t tl_send(int32_t fd, const void *bytes, size_t count) {
    RETURN_CALL(send, fd, send(fd, bytes, count, MSG_NOSIGNAL));
}
int64_t tl_recv(int32_t fd, void *bytes, size_t count) { RETURN_CALL(recv, fd, recv(fd, bytes, count, 0)); }
int64_t tl_shutdown(int32_t fd) { RETURN_CALL(shutdown, fd, shutdown(fd, SHUT_WR)); }

int64_t tl_random(void *bytes, size_t count) { RETURN_CALL(random, 0, getrandom(bytes, count, 0)); }

static int64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t tl_monotonic_ns(void) { return nanoseconds(CLOCK_MONOTONIC); }
int64_t tl_thread_ns(void) { return nanoseconds(CLOCK_THREAD_CPUTIME_ID); }
int64_t tl_process_ns(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }

int64_t tl_written_bytes(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == -1) return 0;
    // Blocks of 512 bytes (task_io_get_oublock), which some libraries count in 32 bits.
    return (int64_t)usage.ru_oublock * 512;
}

int32_t tl_local_offset_minutes(int64_t wall_ms) {
    const time_t seconds = (time_t)(wall_ms / 1000);
    struct tm local;
    if (localtime_r(&seconds, &local) == NULL) return 0;
    return (int32_t)(local.tm_gmtoff / 60);
}

int64_t tl_wall_ms(void) { return nanoseconds(CLOCK_REALTIME) / 1000000; }

int64_t tl_set_wall_ms(int64_t milliseconds) {
    struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
    RETURN_CALL(settime, 0, clock_settime(CLOCK_REALTIME, &time));
}

int64_t tl_hostname(char *bytes, size_t count) { return gethostname(bytes, count) == -1 ? -errno : 0; }
int32_t tl_pid(void) { return getpid(); }
uint32_t tl_uid(void) { return geteuid(); }

const int32_t TL_O_RDONLY = O_RDONLY, TL_O_WRONLY = O_WRONLY, TL_O_RDWR = O_RDWR, TL_O_CREAT = O_CREAT,
              TL_O_EXCL = O_EXCL, TL_O_TRUNC = O_TRUNC, TL_O_NONBLOCK = O_NONBLOCK, TL_O_NOCTTY = O_NOCTTY,
              TL_O_DIRECTORY = O_DIRECTORY, TL_O_NOFOLLOW = O_NOFOLLOW, TL_O_TMPFILE = O_TMPFILE,
              TL_O_PATH = O_PATH;
