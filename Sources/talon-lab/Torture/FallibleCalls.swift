import Foundation

/// Which system calls fail, and how: the errors are those that the call's manual page allows on a healthy kernel.
/// Left out is what Talon would have to do wrong by itself (EBADF, EFAULT, EINVAL), and what a person did and must mend
/// (EACCES, ENOENT): tests of their own show what is said then.
enum FallibleCalls {
  static let errors: [String: [Int32]] = [
    "access": [ENOMEM, EIO],
    // A sandbox that hides the clock.
    "adjtimex": [EPERM],
    "bind": [EADDRINUSE, ENOMEM],
    "accept4": [EMFILE, ECONNABORTED],
    "chmod": [EIO, EROFS],
    "clock_adjtime": [EPERM],
    "clone": [EAGAIN, ENOMEM],
    "clone3": [EAGAIN, ENOMEM],
    // The descriptor is gone all the same.
    "close": [EIO, EINTR],
    "connect": [ECONNREFUSED, ENETUNREACH, EADDRNOTAVAIL],
    "epoll_create1": [EMFILE, ENOMEM],
    "epoll_ctl": [ENOMEM, ENOSPC],
    "epoll_wait": [EINTR],
    "eventfd2": [EMFILE, ENOMEM],
    "fchown": [EPERM, EIO],
    "fcntl": [EAGAIN],
    "fdatasync": [EIO, ENOSPC],
    "flock": [EINTR, ENOLCK],
    "fstat": [ENOMEM, EIO],
    "fsync": [EIO, ENOSPC],
    "getdents64": [EIO, ENOMEM],
    "getpeername": [ENOBUFS, ENOTCONN],
    "getrandom": [EINTR, ENOSYS],
    "getsockname": [ENOBUFS],
    "getsockopt": [ENOBUFS, ENOMEM],
    "ioctl": [EIO, ENOTTY],
    "lchown": [EPERM, EIO],
    "listen": [EADDRINUSE],
    "lseek": [EIO, ESPIPE],
    "lstat": [ENOMEM, EIO],
    "memfd_create": [EMFILE, ENOMEM],
    "mkdir": [ENOSPC, EROFS],
    "newfstatat": [ENOMEM, EIO],
    "open": [EMFILE, EIO],
    "openat": [EMFILE, EIO],
    "pipe2": [EMFILE, ENFILE],
    "poll": [EINTR, ENOMEM],
    // A kernel without seccomp: PR_GET_SECCOMP.
    "prctl": [EINVAL],
    "pread64": [EIO, EINTR],
    "pwrite64": [EIO, ENOSPC, EINTR],
    "read": [EIO, EINTR],
    "readlink": [EIO, ENOMEM],
    "rmdir": [EIO, EROFS],
    "recvfrom": [ECONNRESET, ENOMEM, EINTR],
    "recvmsg": [ENOBUFS, EINTR],
    "rename": [EIO, ENOSPC],
    "sendmsg": [ENOBUFS, ENETUNREACH],
    "sendto": [ECONNRESET, EPIPE, ENOBUFS, EINTR],
    "setpriority": [EPERM],
    "setsockopt": [ENOMEM, ENOPROTOOPT],
    "shutdown": [ENOTCONN],
    "signalfd4": [EMFILE, ENOMEM],
    "socket": [EMFILE, ENOBUFS],
    "socketpair": [EMFILE, ENOMEM],
    "stat": [ENOMEM, EIO],
    "statfs": [EIO, ENOSYS],
    // Scripts then end where they look at the clock.
    "timer_create": [EAGAIN, ENOMEM],
    "timerfd_create": [EMFILE],
    "unlink": [EIO, EROFS],
    "write": [EIO, ENOSPC, EINTR],
    "writev": [EIO, ENOSPC],
  ]

  /// What malloc(3) asks the kernel with. Refused alone it hardly ever reaches the program, for malloc asks in another
  /// way; the tracer refuses several in a row, as one call of the name "memory".
  static let memory: Set = ["brk", "mmap", "mremap"]

  /// What never fails in a test, with the reason.
  static let spared: [String: String] = {
    let reasons: [(String, [String])] = [
      ("fails as \"memory\"", memory.sorted()),
      ("gives memory back, or protects what is there", ["munmap", "mprotect", "madvise"]),
      (
        "set-up of the C library, whose failure it takes for a broken kernel",
        ["arch_prctl", "set_tid_address", "set_robust_list", "rseq", "prlimit64"]
      ),
      ("a lock that fails is no lock", ["futex"]),
      (
        "fails with wrong arguments alone",
        [
          "rt_sigaction", "rt_sigprocmask", "sigaltstack", "sched_getaffinity", "sysinfo", "uname", "clock_gettime",
          "timer_settime", "timer_delete", "kill", "wait4",
        ]
      ),
      (
        "cannot fail",
        [
          "getpid", "gettid", "getuid", "geteuid", "getgid", "getegid", "umask", "sched_yield", "rt_sigreturn",
          "restart_syscall",
        ]
      ),
      ("does not return", ["exit", "exit_group"]),
    ]
    return Dictionary(
      uniqueKeysWithValues: reasons.flatMap { reason, calls in calls.map { ($0, reason) } })
  }()

  static let names: [Int32: String] = [
    EADDRINUSE: "EADDRINUSE", EADDRNOTAVAIL: "EADDRNOTAVAIL", EAGAIN: "EAGAIN",
    ECONNABORTED: "ECONNABORTED", ECONNREFUSED: "ECONNREFUSED", ECONNRESET: "ECONNRESET", EINTR: "EINTR",
    EINVAL: "EINVAL",
    EIO: "EIO", EMFILE: "EMFILE",
    ENETUNREACH: "ENETUNREACH", ENFILE: "ENFILE", ENOBUFS: "ENOBUFS", ENOLCK: "ENOLCK",
    ENOMEM: "ENOMEM", ENOPROTOOPT: "ENOPROTOOPT", ENOSPC: "ENOSPC", ENOSYS: "ENOSYS", ENOTCONN: "ENOTCONN",
    ENOTTY: "ENOTTY", EPERM: "EPERM", EPIPE: "EPIPE", EROFS: "EROFS", ESPIPE: "ESPIPE",
  ]
}

/// Why a run was no good.
struct TortureError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
