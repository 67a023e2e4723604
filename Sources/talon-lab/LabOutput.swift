import Foundation

/// What the commands write, and why it cannot be written. `FileHandle.write(_:)` ends the program with a trap when the
/// disk is full.
enum LabOutput {
  /// Writes results.
  static func write(_ data: Data, to handle: FileHandle = .standardOutput) throws {
    do { try handle.write(contentsOf: data) } catch {
      throw LabFailure("the output cannot be written: \(LabFailure.reason(error))")
    }
  }

  /// Prints a line to standard error. Ignores errors.
  static func note(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8)) }

  /// What `print` has left in its buffer.
  static func finish() throws {
    if fflush(nil) != 0 { throw LabFailure("the output cannot be written: \(String(cString: strerror(errno)))") }
  }

  /// Writes a file, in the place of one that is there.
  static func write(_ bytes: [UInt8], toFile path: String) throws {
    do { try Data(bytes).write(to: URL(fileURLWithPath: path)) } catch {
      throw LabFailure("\(path) cannot be written: \(LabFailure.reason(error))")
    }
  }
}

/// Why a command ends, in words.
struct LabFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// An error for a person to read: those of Foundation are made of domains and codes.
  static func readable(_ error: any Error) -> any Error {
    let found = error as NSError
    guard found.domain == NSCocoaErrorDomain || found.domain == NSPOSIXErrorDomain else { return error }
    let path = found.userInfo[NSFilePathErrorKey] as? String ?? (found.userInfo[NSURLErrorKey] as? URL)?.path
    return LabFailure((path.map { $0 + ": " } ?? "") + reason(error))
  }

  /// The system's reason where there is one.
  static func reason(_ error: any Error) -> String {
    var found = error as NSError
    while found.domain != NSPOSIXErrorDomain, let below = found.userInfo[NSUnderlyingErrorKey] as? NSError {
      found = below
    }
    if found.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(found.code))) }
    switch CocoaError.Code(rawValue: found.code) {
    case .fileNoSuchFile, .fileReadNoSuchFile: return "No such file or directory"
    case .fileReadNoPermission, .fileWriteNoPermission: return "Permission denied"
    case .fileWriteOutOfSpace: return "No space left on device"
    case .fileReadCorruptFile, .fileReadInapplicableStringEncoding: return "it is no text"
    default: return found.localizedDescription
    }
  }
}
