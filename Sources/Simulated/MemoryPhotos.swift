import Camera
import Runtime

/// Photos in memory, on flash that may fail.
public final class MemoryPhotos: PhotoFiles {
  /// What is kept, by number.
  public private(set) var photos: [(photo: KeptPhoto, bytes: [UInt8])] = []
  /// What every call fails with; nil: none does.
  public var failure: Errno?
  /// Calls of `sync`.
  public private(set) var syncs = 0

  /// No photo.
  @export(interface)
  public init() {}

  private func check() throws(Errno) { if let failure { throw failure } }

  public func list(_ body: (KeptPhoto) -> Void) throws(Errno) {
    try check()
    let all = photos
    for entry in all { body(entry.photo) }
  }

  public func write(_ photo: KeptPhoto, _ bytes: UnsafeBufferPointer<UInt8>) throws(Errno) {
    try check()
    var photo = photo
    photo.bytes = bytes.count
    photos.append((photo, Array(bytes)))
  }

  public func read(_ photo: KeptPhoto, into bytes: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Int {
    try check()
    for entry in photos where entry.photo.number == photo.number {
      let count = min(entry.bytes.count, bytes.count)
      for index in 0..<count { bytes[index] = entry.bytes[index] }
      return count
    }
    throw .noSuchFile
  }

  public func rename(_ photo: KeptPhoto, to other: KeptPhoto) throws(Errno) {
    try check()
    for index in photos.indices where photos[index].photo.number == photo.number { photos[index].photo = other }
  }

  public func remove(_ photo: KeptPhoto) throws(Errno) {
    try check()
    photos.removeAll { $0.photo.number == photo.number }
  }

  public func removeAll() throws(Errno) -> Int {
    try check()
    defer { photos = [] }
    return photos.count
  }

  public func sync() throws(Errno) {
    try check()
    syncs += 1
  }
}
