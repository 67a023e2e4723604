import COpenSSL
import Runtime
import Updates

/// The files of updates on a board: `update` in the agent's state folder, and the folder in which root's side reports.
public final class UpdateFolder: UpdateFiles {
  private let folder: String
  private let system: String
  private var bundle: Descriptor?
  private var source: Descriptor?
  /// Bytes of the bundle: those that were added to the digest, and those that were there when it was opened.
  private var (digested, standing): (Int64, Int64) = (0, 0)
  private var digest: UnsafeMutableRawPointer?

  /// The folder of requests and bundles, which is made at the first need, and that of root's side. Opens nothing.
  @export(interface)
  public init(folder: String, system: String) {
    self.folder = folder
    self.system = system
  }

  deinit { close() }

  /// Where a bundle stands while it is made and installed.
  public static func bundlePath(_ folder: String) -> String { folder + "/bundle.raucb" }

  // MARK: Root's side

  public func read(_ file: RootFile, into bytes: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Int? {
    let path = try Path(system + (file == .slot ? "/slot" : "/answer"))
    let opened: Descriptor
    do throws(Errno) {
      opened = try Syscall.openPlain(path, .read)
    } catch {
      if error == .noSuchFile { return nil }
      throw error
    }
    defer { opened.close() }
    return try Syscall.readAll(opened, into: UnsafeMutableRawBufferPointer(bytes))
  }

  public func write(request: UnsafeBufferPointer<UInt8>) throws(Errno) {
    try makeFolder()
    let (path, temporary) = (try Path(folder + "/request"), try Path(folder + "/request.new"))
    try FreshFile.write(temporary, UnsafeRawBufferPointer(request))
    try FreshFile.place(temporary, at: path, in: Path(folder))
  }

  private func makeFolder() throws(Errno) {
    do throws(Errno) {
      try Syscall.makeFolder(Path(folder), permissions: 0o700)
    } catch {
      if error != .exists { throw error }
    }
  }

  // MARK: The bundle

  public func open(isContinued: Bool, _ kind: BundleDigest.Kind) throws(Errno) -> Int64 {
    close()
    try makeFolder()
    let path = try Path(Self.bundlePath(folder))
    if isContinued {
      bundle = try Syscall.openPlain(path, [.readWrite, .create])
    } else {
      bundle = try Syscall.openNew(path)
    }
    if kind != .none {
      digest = tl_digest_begin(kind == .sha1 ? 1 : 0)
      if digest == nil { throw .outOfMemory }
    }
    guard let bundle else { throw .invalidArgument }
    standing = isContinued ? Int64(clamping: try Syscall.status(bundle).size) : 0
    digested = 0
    return standing
  }

  public func digestNext(_ piece: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Bool {
    guard let bundle, let digest else { return false }
    let count = try Syscall.read(bundle, into: UnsafeMutableRawBufferPointer(piece))
    guard count > 0 else { return false }
    guard tl_digest_add(digest, piece.baseAddress, count) == 1 else { throw .outOfMemory }
    digested += Int64(count)
    return digested < standing
  }

  public func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(Errno) {
    guard let bundle else { throw .invalidArgument }
    try Syscall.writeAll(bundle, UnsafeRawBufferPointer(bytes), at: standing)
    standing += Int64(bytes.count)
    guard let digest else { return }
    guard tl_digest_add(digest, bytes.baseAddress, bytes.count) == 1 else { throw .outOfMemory }
  }

  public func copyNext(
    of path: UnsafePointer<CChar>, _ piece: UnsafeMutableBufferPointer<UInt8>
  ) throws(Errno) -> Int {
    if source == nil {
      let file = try Syscall.open(path, [.read, .nonBlocking])
      source = file
      guard try Syscall.status(file).isPlain else { throw .notPlainFile }
    }
    guard let source else { return 0 }
    let count = try Syscall.readAll(source, into: UnsafeMutableRawBufferPointer(piece))
    if count > 0 { try append(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(piece)[..<count])) }
    return count
  }

  public func seal() throws(Errno) -> InlineArray<32, UInt8> {
    guard let bundle else { throw .invalidArgument }
    var result = InlineArray<32, UInt8>(repeating: 0)
    try Syscall.fsync(bundle)
    if let digest {
      self.digest = nil
      var span = result.mutableSpan
      let done = span.withUnsafeMutableBufferPointer { tl_digest_end(digest, $0.baseAddress) }
      guard done == 1 else { throw .outOfMemory }
    }
    close()
    return result
  }

  public func close() {
    bundle?.close()
    source?.close()
    if let digest { tl_digest_drop(digest) }
    (bundle, source, digest) = (nil, nil, nil)
  }

  public func discard() {
    do throws(Errno) { try Syscall.unlink(Path(Self.bundlePath(folder))) } catch {}
  }

  public func room() throws(Errno) -> Int64 {
    try makeFolder()
    var bytes = Int64(clamping: try Syscall.space(Path(folder)).free)
    do throws(Errno) {
      bytes += Int64(clamping: try Syscall.status(Path(Self.bundlePath(folder))).size)
    } catch {}
    return bytes
  }
}

extension OpenSSLCryptography: SignatureVerifier {
  public func verifies(_ signature: Span<UInt8>, of message: Span<UInt8>, key: Span<UInt8>) -> Bool {
    guard signature.count == 64, key.count == 32 else { return false }
    return signature.withUnsafeBufferPointer { signature in
      message.withUnsafeBufferPointer { message in
        key.withUnsafeBufferPointer {
          tl_ed25519_verify($0.baseAddress, message.baseAddress, numericCast(message.count), signature.baseAddress) == 1
        }
      }
    }
  }
}
