import CLinux
import Camera
import Foundation
import OwnAgent
import Runtime
import Testing

@testable import Board

/// Every file that has to survive a power cut, on a flash that refuses or is cut short at any one call.
@Suite("Files on a flash that fails")
struct FileFaultTests {
  /// Who writes files that a reader believes.
  enum Writer: CaseIterable {
    /// Identity, tokens, grants, journal, outbox, settings: all that has a keeper or is a record.
    case record
    /// A request to root's side, a kept photo, an export of the agent's memory, a status.
    case request, photo, export, status

    /// Writes contents, of which photos are one each.
    func write(_ text: String, _ number: Int64, in folder: String) throws {
      let bytes = Array(text.utf8)
      switch self {
      case .record:
        let store = try FileStore(folder: folder)
        try bytes.withUnsafeBufferPointer { (bytes) throws(StoreError) in
          try store.save(("grants" as StaticString).path, bytes)
        }
      case .request:
        let files = UpdateFolder(folder: folder, system: folder)
        try bytes.withUnsafeBufferPointer { (bytes) throws(Errno) in try files.write(request: bytes) }
      case .photo:
        let photo = KeptPhoto(number: number, time: 0, bytes: bytes.count)
        let files = try PhotoFolder(folder: folder)
        try bytes.withUnsafeBufferPointer { (bytes) throws(Errno) in try files.write(photo, bytes) }
      case .export:
        let sink = try MarkdownFileSink(path: folder + "/export.md")
        do {
          try bytes.withUnsafeBufferPointer { (bytes) throws(MemoryFault) in try sink.write(bytes) }
          try sink.finish()
        } catch {
          sink.cancel()
          throw error
        }
      case .status:
        let (path, fresh) = (try Path(folder + "/status"), try Path(folder + "/status.new"))
        try bytes.span.withUnsafeBytes { (bytes) throws(Errno) in try TextFile.replace(path, temporary: fresh, bytes) }
      }
    }

    /// What a reader believes, the newest.
    func read(in folder: String) throws -> String? {
      let buffer = FixedBuffer(capacity: 1_000)
      switch self {
      case .record:
        let count = try FileStore(folder: folder).load(("grants" as StaticString).path, into: buffer.bytes)?.count
        return count.map { String(decoding: buffer.bytes[..<$0], as: UTF8.self) }
      case .photo:
        let files = try PhotoFolder(folder: folder)
        var newest: KeptPhoto?
        try files.list { photo in
          if photo.number > newest?.number ?? 0 { newest = photo }
        }
        return try newest.map {
          String(decoding: buffer.bytes[..<(try files.read($0, into: buffer.bytes))], as: UTF8.self)
        }
      case .request: return try? String(contentsOfFile: folder + "/request", encoding: .utf8)
      case .export: return try? String(contentsOfFile: folder + "/export.md", encoding: .utf8)
      case .status: return try? String(contentsOfFile: folder + "/status", encoding: .utf8)
      }
    }
  }

  /// Counts the calls of this thread that write, and makes one of them fail.
  private final class Flash {
    private static let writing: Set = ["open", "write", "fsync", "rename", "mkdir"]
    private let (index, reason): (Int, Int32)
    private(set) var calls: [String] = []

    init(failing index: Int, _ reason: Errno) { (self.index, self.reason) = (index, reason.number) }

    func run(shortTo most: Int, _ body: () throws -> Void) rethrows {
      tl_interpose_short_writes(most)
      tl_interpose_thread(
        { context, call, _ in
          let flash = Unmanaged<Flash>.fromOpaque(context!).takeUnretainedValue()
          let name = String(cString: tl_call_name(call))
          guard Flash.writing.contains(name) else { return 0 }
          flash.calls.append(name)
          return flash.calls.count - 1 == flash.index ? flash.reason : 0
        }, Unmanaged.passUnretained(self).toOpaque())
      defer {
        tl_interpose_thread(nil, nil)
        tl_interpose_short_writes(0)
      }
      try body()
    }
  }

  private static let former = "what was there before"
  private static let new = "what is to be there from now on"

  @Test(
    "the former file or the whole new one is believed, nothing half-written stays, and the next write is done",
    arguments: Writer.allCases, [Errno.inputOutput, .noSpace, .readOnlyFileSystem, .quotaExceeded])
  func faults(writer: Writer, reason: Errno) throws {
    for most in [0, 1, 7] {
      var (index, isDone) = (0, false)
      while !isDone {
        let folder = NSTemporaryDirectory() + "faults-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try writer.write(Self.former, 1, in: folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let flash = Flash(failing: index, reason)
        var failure: (any Error)?
        do { try flash.run(shortTo: most) { try writer.write(Self.new, 2, in: folder) } } catch { failure = error }
        isDone = index >= flash.calls.count
        let place: Comment = "\(writer), \(reason.text) at call \(index) of \(flash.calls), writes of \(most)"
        // What fails is told, with its reason.
        #expect((failure == nil) == isDone, place)
        if let error = failure as? Errno { #expect(error == reason, place) }
        if let error = failure as? StoreError { #expect(error == .system(reason), place) }
        let found = try writer.read(in: folder)
        #expect(found == Self.new || !isDone && found == Self.former, place)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!left.contains { $0.hasSuffix(".new") }, place)
        if failure != nil, writer == .photo { #expect(left == names, place) }
        try writer.write(Self.new, 3, in: folder)
        #expect(try writer.read(in: folder) == Self.new, place)
        index += 1
      }
      #expect(index > 3, "\(writer) writes with \(index) calls")
    }
  }
}
