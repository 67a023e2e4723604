import Foundation
import Glibc

/// The folder that holds everything the gateway must remember. Every file in it is private to its owner.
struct StateFolder: Sendable {
  let url: URL

  /// `$XDG_STATE_HOME/talon-gateway`, by default under `~/.local/state`.
  static var defaultPath: String {
    let environment = ProcessInfo.processInfo.environment
    let base = environment["XDG_STATE_HOME"] ?? NSHomeDirectory() + "/.local/state"
    return base + "/talon-gateway"
  }

  init(path: String) {
    url = URL(fileURLWithPath: path, isDirectory: true).absoluteURL
  }

  var path: String { url.path }

  func path(of name: String) -> String { url.appendingPathComponent(name).path }

  /// Creates the folder, readable by its owner only.
  func create() throws {
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// The file's bytes, or nil when it does not exist.
  func read(_ name: String) throws -> Data? {
    let file = url.appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try Data(contentsOf: file)
  }

  /// Replaces a file so that a crash leaves either the old or the new one: temporary file, fsync, rename.
  func write(_ name: String, _ data: Data) throws {
    let temporary = path(of: ".\(name).new")
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemFailure("cannot create \(temporary)") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: data)
    try file.synchronize()
    try file.close()
    guard rename(temporary, path(of: name)) == 0 else {
      throw SystemFailure("cannot replace \(path(of: name))")
    }
  }
}

extension StateFolder {
  /// A record from its JSON file; nil when there is none yet.
  func decode<Record: Decodable>(_ type: Record.Type, from name: String) throws -> Record? {
    guard let data = try read(name) else { return nil }
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      throw GatewayFailure("\(path(of: name)) is damaged: \(error)")
    }
  }

  /// Replaces the JSON file of a record.
  func encode(_ record: some Encodable, to name: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try write(name, encoder.encode(record))
  }
}

/// A failed system call, with what was being attempted.
struct SystemFailure: Error, CustomStringConvertible {
  let description: String

  /// Call at once after the failure: it reads `errno`.
  init(_ attempt: String) {
    description = "\(attempt): \(String(cString: strerror(errno)))"
  }
}

/// A failure in words for the person at the terminal.
struct GatewayFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
