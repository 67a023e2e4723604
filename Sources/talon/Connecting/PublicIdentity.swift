import Board
import Codec
import Gateway
import Runtime

/// The public half of this board's identity, where every user may read it, for gateways that verify a board over SSH
/// (newer-gateways 4.3). It exists only where `talon ssh-identity install` made its folder.
enum PublicIdentity {
  static let folder = "/var/lib/talon-public"
  private static let file = folder + "/identity.json"
  private static let fileBytes = 256

  /// The line that a gateway looks for: device id and raw public key, in one line of JSON.
  static func line(_ identity: NodeIdentity) -> [UInt8] {
    var key = InlineText<43>()
    key.fill { Base64.url.encode(identity.publicKey.span, into: $0) }
    let buffer = FixedBuffer(capacity: fileBytes)
    var writer = JSONWriter(into: buffer.bytes)
    writer.beginObject()
    writer.key("deviceId")
    writer.string(identity.id.span)
    writer.key("publicKey")
    writer.string(key.span)
    writer.endObject()
    return Array(buffer.bytes[..<writer.count])
  }

  /// Writes the copy; the folder's owner calls.
  static func write(_ identity: NodeIdentity) throws(Errno) {
    let line = line(identity)
    let (path, temporary) = (try Path(file), try Path(file + ".new"))
    var failure: Errno?
    line.withUnsafeBytes { bytes in
      do throws(Errno) { try TextFile.replace(path, temporary: temporary, bytes) } catch { failure = error }
    }
    if let failure { throw failure }
    // Whatever the umask is: it is there to be read.
    try Syscall.setPermissions(path, 0o644)
  }

  /// Keeps the copy true, where there is one, when the agent starts.
  static func refresh(_ identity: NodeIdentity, _ log: Log) {
    guard (try? Syscall.status(Path(folder)))?.isFolder == true else { return }
    do throws(Errno) {
      if try read() != line(identity) { try write(identity) }
    } catch {
      log.write(.warning, "state") { line in
        line.add("the public copy of the identity cannot be written (talon ssh-identity): ")
        line.add(error)
      }
    }
  }

  /// What is there; empty where nothing is.
  static func read() throws(Errno) -> [UInt8] {
    do throws(Errno) {
      let open = try Syscall.openPlain(Path(file), .read)
      defer { open.close() }
      let buffer = FixedBuffer(capacity: fileBytes)
      let count = try Syscall.readAll(open, into: UnsafeMutableRawBufferPointer(buffer.bytes))
      return Array(buffer.bytes[..<count])
    } catch {
      if error == .noSuchFile { return [] }
      throw error
    }
  }

  /// Id and key of a copy, if that is what it is; nil for anything else. The agent's user may write there, and others
  /// read it.
  static func parse(_ text: [UInt8]) -> (id: String, key: String)? {
    guard (try? JSONValidator.check(text.span, depthLimit: 2)) != nil else { return nil }
    let root = JSONView(text.span)
    let (id, key) = (root.text("deviceId"), root.text("publicKey"))
    guard id.utf8.count == 64, Fingerprint(text: id.utf8.span) != nil, key.utf8.count == 43 else { return nil }
    let buffer = FixedBuffer(capacity: 33)
    guard let count = try? Base64Decoder.decode(key.utf8.span, .url, padding: .optional, into: buffer.bytes),
      count == 32
    else { return nil }
    return (id, key)
  }

  /// Removes the copy and its folder.
  static func remove() throws(Errno) {
    for path in [file, file + ".new"] {
      do throws(Errno) { try Syscall.unlink(Path(path)) } catch { if error != .noSuchFile { throw error } }
    }
    do throws(Errno) { try Syscall.removeFolder(Path(folder)) } catch { if error != .noSuchFile { throw error } }
  }
}
