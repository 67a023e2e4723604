import Runtime

/// A small file that root's side writes.
public enum RootFile: Sendable { case slot, answer }

/// The files of updates on this board: what root's side says and is asked, and the bundle. Calls block: on a worker, or
/// at start. Those of root's side and those of the bundle may run at the same time, each one after the other.
public protocol UpdateFiles: AnyObject {
  /// Reads what root's side last wrote; nil when there is no such file. Throws when it cannot be read.
  func read(_ file: RootFile, into bytes: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Int?
  /// Hands a request to root's side: when this returns, it is on flash as a whole.
  func write(request: UnsafeBufferPointer<UInt8>) throws(Errno)

  /// Opens the bundle that is being made, begins its digest, and returns the bytes that it has already; 0 unless
  /// `isContinued`.
  func open(isContinued: Bool, _ kind: BundleDigest.Kind) throws(Errno) -> Int64
  /// Adds what stands in the bundle to the digest, piece by piece: false when all of it was added.
  func digestNext(_ piece: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Bool
  /// Writes at the end of the bundle.
  func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(Errno)
  /// Copies the next piece of a file of somebody else's; 0 at its end. The first call opens it.
  func copyNext(of path: UnsafePointer<CChar>, _ piece: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Int
  /// Everything is on flash, and the bundle is closed: its digest, of which SHA-1 takes the first 20 bytes.
  func seal() throws(Errno) -> InlineArray<32, UInt8>
  /// Closes the bundle as it is. May be called when none is open.
  func close()
  /// Removes the bundle.
  func discard()
  /// Bytes for a bundle on its partition, those of a bundle that is there included.
  func room() throws(Errno) -> Int64
}
