import Board
import CLinux
import Codec
import Foundation
import Runtime

@testable import FilesPart

/// Folders on a real file system, and calls for files in them without an agent: `share` may be read, `inbox` written,
/// `state` has the keys, and `outside` is nobody's business.
final class ShareBench {
  let path: String
  let folders: SharedFolders
  let job: FileJob
  /// System calls that fail, by their names, and with which number.
  var faults: [String: Int32] = [:]
  private let request = FileRequest()
  private let text = FixedBuffer(capacity: 8 << 20)

  /// - Parameter isOld: the kernel, or a sandbox such as systemd's RestrictSUIDSGID=, has no `openat2(2)`.
  init(isOld: Bool = false) throws {
    path = "/tmp/talon-files-\(getpid())-\(UUID().uuidString.prefix(8))"
    for name in ["", "/share", "/inbox", "/state", "/outside"] { mkdir(path + name, 0o755) }
    folders = SharedFolders(
      [SharedFolder(path + "/share", isWritable: false), SharedFolder(path + "/inbox", isWritable: true)],
      stateFolder: path + "/state")
    job = try FileJob(folders, OpenSSLCryptography(), first: request)
    if isOld { faults["openat2"] = ENOSYS }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file by its path in the folder.
  func put(_ name: String, _ content: String = "") {
    _ = FileManager.default.createFile(atPath: path + "/" + name, contents: Data(content.utf8))
  }

  func content(_ name: String) -> String? {
    FileManager.default.contents(atPath: path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
  }

  func names(_ name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + name)) ?? []).sorted()
  }

  /// Does what is asked for; the code of what is wrong, or nil. `members` follow the path, with a comma before each.
  func call(_ command: FileCommand, _ name: String, _ members: String = "") -> String? {
    call(command, path: name.hasPrefix("/") ? name : path + "/" + name, members)
  }

  func call(_ command: FileCommand, path: String, _ members: String = "") -> String? {
    let parameters = "{\"path\":\(Self.quoted(path))\(members)}"
    var bytes = Array(parameters.utf8)
    let count = bytes.count
    bytes.withUnsafeMutableBufferPointer { text.bytes.baseAddress!.update(from: $0.baseAddress!, count: count) }
    let view = JSONView(Span(_unsafeElements: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<count])))
    do throws(FileFault) {
      try request.read(command, view, content: job.incoming)
      guard let folder = folders.folder(of: Span(_unsafeElements: request.path.bytes)) else { return "OUTSIDE" }
      request.folder = folder
      if command == .list { request.limit = Int64(Budget.listBytes) }
    } catch {
      return Self.name(error)
    }
    job.prepare(request)
    // For this thread alone.
    if !faults.isEmpty {
      tl_interpose_thread(
        { context, call, _ in
          let bench = Unmanaged<ShareBench>.fromOpaque(context!).takeUnretainedValue()
          return bench.faults[String(cString: tl_call_name(call))] ?? 0
        }, Unmanaged.passUnretained(self).toOpaque())
    }
    job.run()
    tl_interpose_thread(nil, nil)
    return job.fault.map { Self.name($0) }
  }

  /// What was read.
  var text8: String { String(decoding: job.outgoing.bytes[..<job.count], as: UTF8.self) }

  /// The last list.
  func list() throws -> [String: Any] {
    let data = Data(job.outgoing.bytes[..<job.count])
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  var digest: String { job.digest.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

  /// The message of the last call that failed.
  var message: String {
    var line = InlineText<512>()
    line.fill { bytes in
      var writer = ByteWriter(into: bytes)
      job.fault?.write(to: &writer)
      return min(writer.count, bytes.count)
    }
    return line.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  static func name(_ fault: FileFault) -> String { fault.code.name.description }

  static func quoted(_ text: String) -> String { String(decoding: try! JSONEncoder().encode(text), as: UTF8.self) }

  static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
