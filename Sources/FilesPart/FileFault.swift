import Codec
import Runtime

/// Why a call for a file is answered with `ok: false`: a code of the reference (node-commands 4.13), and words.
public struct FileFault: Error {
  /// The codes that Talon uses.
  public enum Code: UInt8, Sendable {
    case invalidPath, notFound, permissionDenied, isDirectory, isFile, tooLarge, symlink, traversal, readError
    case writeError, exists, parentNotFound, integrity, invalidBase64

    /// As it is answered.
    public var name: StaticString {
      switch self {
      case .invalidPath: "INVALID_PATH"
      case .notFound: "NOT_FOUND"
      case .permissionDenied: "PERMISSION_DENIED"
      case .isDirectory: "IS_DIRECTORY"
      case .isFile: "IS_FILE"
      case .tooLarge: "FILE_TOO_LARGE"
      case .symlink: "SYMLINK_REDIRECT"
      case .traversal: "PATH_TRAVERSAL"
      case .readError: "READ_ERROR"
      case .writeError: "WRITE_ERROR"
      case .exists: "EXISTS_NO_OVERWRITE"
      case .parentNotFound: "PARENT_NOT_FOUND"
      case .integrity: "INTEGRITY_FAILURE"
      case .invalidBase64: "INVALID_BASE64"
      }
    }
  }

  /// What it is.
  public let code: Code
  /// Its words, without numbers.
  let text: StaticString
  /// The kernel's reason; nil: it is Talon's own.
  public let reason: Errno?
  /// What there is, and what is allowed.
  private let numbers: (Int64, Int64)?

  init(_ code: Code, _ text: StaticString, _ reason: Errno? = nil) {
    (self.code, self.text, self.reason) = (code, text, reason)
    numbers = nil
  }

  init(_ code: Code, _ text: StaticString, _ found: Int64, _ limit: Int64) {
    (self.code, self.text) = (code, text)
    reason = nil
    numbers = (found, limit)
  }

  /// Nobody waits any more.
  static var cancelled: FileFault { FileFault(.readError, "the call was cancelled") }

  /// Writes the message: "the file is too large: it has 9000000 bytes, and 8388608 are the limit".
  public func write(to writer: inout ByteWriter) {
    writer.text(text)
    if let reason {
      writer.text(": ")
      writer.text(reason.text)
      writer.text(" (errno ")
      writer.decimal(Int64(reason.number))
      writer.text(")")
    }
    guard let (found, limit) = numbers else { return }
    writer.text(": ")
    writer.decimal(found)
    writer.text(", and ")
    writer.decimal(limit)
    writer.text(" is the limit")
  }

  /// What the kernel says of a step on the way to a file.
  static func onTheWay(_ reason: Errno) -> FileFault {
    switch reason {
    case .noSuchFile: FileFault(.notFound, "there is no such file or folder")
    case .tooManyLinks: link
    case .notDirectory: FileFault(.notFound, "a part of the path is a file and not a folder")
    case .accessDenied, .notPermitted: FileFault(.permissionDenied, "this board's user talon may not open it", reason)
    case .otherFileSystem:
      FileFault(
        .permissionDenied, "another file system is mounted there: the owner can list it in [files] folders by itself")
    default: FileFault(.readError, "it cannot be opened", reason)
    }
  }

  static var link: FileFault {
    FileFault(.symlink, "a part of the path is a symbolic link, and Talon follows none: use the path that it points to")
  }

  /// What the kernel says of a step of writing.
  static func writing(_ reason: Errno) -> FileFault {
    switch reason {
    case .noSpace: FileFault(.writeError, "this board's disk is full, and nothing was written", reason)
    case .quotaExceeded: FileFault(.writeError, "the disk quota is used up, and nothing was written", reason)
    case .readOnlyFileSystem:
      FileFault(
        .writeError,
        "the folder is read-only for Talon: its service needs ReadWritePaths= for it, or its disk has failed", reason)
    case .inputOutput: FileFault(.writeError, "the disk does not work, and nothing was written", reason)
    case .accessDenied, .notPermitted:
      FileFault(.permissionDenied, "this board's user talon may not write there", reason)
    case .exists: FileFault(.exists, "there is a file of that name, and overwrite is not true")
    case .isFolder, .notDirectory: FileFault(.isDirectory, "there is a folder of that name")
    case .tooManyLinks: link
    default: FileFault(.writeError, "nothing was written", reason)
    }
  }
}
