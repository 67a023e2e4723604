import CLinux

/// The kernel's reason for refusing a call: a number from `errno(3)`.
public struct Errno: Error, Equatable, Sendable {
  /// The positive number, as in `<errno.h>`.
  public let number: Int32

  /// A reason from its number.
  public init(_ number: Int32) { self.number = number }

  public static let notPermitted = Errno(1)
  public static let noSuchFile = Errno(2)
  public static let inputOutput = Errno(5)
  public static let noSuchDeviceOrAddress = Errno(6)
  public static let wouldBlock = Errno(11)
  public static let outOfMemory = Errno(12)
  public static let accessDenied = Errno(13)
  public static let busy = Errno(16)
  public static let exists = Errno(17)
  public static let otherFileSystem = Errno(18)
  public static let noSuchDevice = Errno(19)
  public static let notDirectory = Errno(20)
  public static let isFolder = Errno(21)
  public static let invalidArgument = Errno(22)
  public static let tooManyOpenFiles = Errno(24)
  public static let noSpace = Errno(28)
  public static let readOnlyFileSystem = Errno(30)
  public static let brokenPipe = Errno(32)
  public static let outOfRange = Errno(34)
  /// ENOSYS: the kernel is older than the call.
  public static let noSuchCall = Errno(38)
  public static let tooManyLinks = Errno(40)
  /// EBADFD, in Talon: the path names something that is not a regular file (`Syscall.openPlain`).
  public static let notPlainFile = Errno(77)
  public static let messageTooLong = Errno(90)
  public static let notSupported = Errno(95)
  public static let noBufferSpace = Errno(105)
  public static let addressInUse = Errno(98)
  public static let connectionReset = Errno(104)
  public static let timedOut = Errno(110)
  public static let connectionRefused = Errno(111)
  public static let inProgress = Errno(115)
  public static let quotaExceeded = Errno(122)
  /// ESTALE, in Talon: the name is another file's by now (`FolderEntry`).
  public static let otherFile = Errno(116)
  public static let remoteInputOutput = Errno(121)

  /// What a person reads in the log: "no such file or directory".
  @export(interface)
  public var text: StaticString {
    switch self {
    case .notPermitted: "operation not permitted"
    case .noSuchFile: "no such file or directory"
    case .inputOutput: "input/output error"
    case .noSuchDeviceOrAddress: "no such device or address"
    case .wouldBlock: "busy, try again"
    case .outOfMemory: "out of memory"
    case .accessDenied: "permission denied"
    case .busy: "device or resource busy"
    case .exists: "already exists"
    case .noSuchDevice: "no such device"
    case .otherFileSystem: "lies on another file system"
    case .notDirectory: "not a directory"
    case .invalidArgument: "invalid argument"
    case .tooManyOpenFiles: "too many open files"
    case .noSpace: "no space left on device"
    case .brokenPipe: "broken pipe"
    case .outOfRange: "number out of range"
    case .tooManyLinks: "is a symbolic link, which is not followed"
    case .notPlainFile: "not a regular file"
    case .messageTooLong: "message too long"
    case .noBufferSpace: "no buffer space available"
    case .addressInUse: "address already in use"
    case .connectionReset: "connection reset by peer"
    case .timedOut: "timed out"
    case .connectionRefused: "connection refused"
    case .inProgress: "in progress"
    case .quotaExceeded: "disk quota exceeded"
    case .otherFile: "another file has its name by now"
    case .notSupported: "not supported"
    case .remoteInputOutput: "remote input/output error"
    case Errno(4): "interrupted"
    case Errno(21): "is a directory"
    case Errno(23): "too many open files in the system"
    case Errno(25): "not a terminal or not this kind of device"
    case Errno(26): "the program's file is being written"
    case Errno(27): "file too large"
    case Errno(30): "read-only file system"
    case Errno(36): "name too long"
    case Errno(37): "no locks available"
    case Errno(38): "not known to this kernel"
    case Errno(71): "protocol error"
    case Errno(98): "address already in use"
    case Errno(99): "address not available"
    case Errno(101): "network is unreachable"
    case Errno(103): "connection aborted"
    case Errno(107): "not connected"
    case Errno(113): "no route to host"
    default: "system error"
    }
  }

  /// True when the cause is the board's state and not the request: the same call may succeed later.
  public var isTransient: Bool {
    switch self {
    case .inputOutput, .wouldBlock, .outOfMemory, .busy, .tooManyOpenFiles, .noBufferSpace, Errno(4), Errno(23): true
    default: false
    }
  }
}

/// Turns a shim's result (a count, or a negated errno) into a value or a thrown reason.
@inline(__always)
@discardableResult
func check(_ result: Int64) throws(Errno) -> Int64 {
  if result < 0 { throw Errno(Int32(truncatingIfNeeded: -result)) }
  return result
}
