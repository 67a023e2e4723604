import Runtime

/// How much is kept.
public struct PhotoKeeping: Equatable, Sendable {
  /// Bytes of all photos; 0: none is kept.
  public var bytes: Int64 = 0
  /// Days after which a photo is removed.
  public var days: Int64 = 7

  /// Nothing is kept.
  public init() {}

  /// Milliseconds for which a photo is kept.
  var age: Int64 { days * 86_400_000 }
}

/// The photos that are kept: within bytes, number and age, the oldest goes first. Used by one thread at a time, a
/// worker while it does anything, because all of it may wait for flash.
public final class PhotoShelf {
  private let files: any PhotoFiles
  public let keeping: PhotoKeeping
  /// Ordered by number, the oldest first.
  private let photos = UnsafeMutableBufferPointer<KeptPhoto>.allocate(capacity: Budget.keptPhotos)
  public private(set) var count = 0
  /// Bytes of all of them.
  public private(set) var bytes: Int64 = 0
  /// The number of the last photo.
  private var last: Int64 = 0
  /// Photos that were removed because of their age, or to make room, since start.
  public private(set) var removed: UInt64 = 0

  /// A shelf that knows of no photo until `load`.
  @export(interface)
  public init(files: any PhotoFiles, keeping: PhotoKeeping) {
    self.files = files
    self.keeping = keeping
    photos.initialize(repeating: KeptPhoto(number: 0, time: 0))
  }

  deinit { photos.deallocate() }

  /// The photo at a place, 0 for the newest.
  public subscript(newest index: Int) -> KeptPhoto { photos[count - 1 - index] }

  /// Finds what is there, and removes what is too much.
  /// - Parameter wall: milliseconds since 1970; nil while the board does not know the time
  public func load(wall: Int64?) throws(Errno) {
    (count, bytes) = (0, 0)
    var surplus = 0
    try files.list { photo in if !self.insert(photo) { surplus += 1 } }
    // More than the table holds, of another release: those that have no place are the oldest.
    if surplus > 0 {
      let oldest = photos[0].number
      try files.list { photo in if photo.number < oldest { self.drop(photo) } }
    }
    try prune(wall: wall)
  }

  /// Puts it into its place; false when the table is full of newer ones. One that has to go stays on flash until `load`
  /// finds it again.
  private func insert(_ photo: KeptPhoto) -> Bool {
    var hasRoom = true
    if count == photos.count {
      guard photo.number > photos[0].number else { return false }
      forgetOldest()
      hasRoom = false
    }
    var place = count
    while place > 0, photos[place - 1].number > photo.number {
      photos[place] = photos[place - 1]
      place -= 1
    }
    photos[place] = photo
    count += 1
    bytes += Int64(photo.bytes)
    last = max(last, photo.number)
    return hasRoom
  }

  private func forgetOldest() {
    bytes -= Int64(photos[0].bytes)
    for index in 1..<count { photos[index - 1] = photos[index] }
    count -= 1
  }

  private func drop(_ photo: KeptPhoto) {
    removed += 1
    do throws(Errno) { try files.remove(photo) } catch {}
  }

  /// Keeps a photo, for which the oldest make room; nil when it alone has more bytes than all may have.
  public func keep(_ data: UnsafeBufferPointer<UInt8>, wall: Int64?) throws(Errno) -> KeptPhoto? {
    guard Int64(data.count) <= keeping.bytes else { return nil }
    while count > 0, bytes + Int64(data.count) > keeping.bytes || count == photos.count { try removeOldest() }
    guard last < KeptPhoto.lastNumber else { throw .outOfRange }
    let photo = KeptPhoto(number: last + 1, time: wall ?? 0, bytes: data.count)
    try files.write(photo, data)
    _ = insert(photo)
    return photo
  }

  private func removeOldest() throws(Errno) {
    try files.remove(photos[0])
    removed += 1
    forgetOldest()
  }

  /// Removes what is too old or too much. Photos of a time that was not known begin to age now.
  public func prune(wall: Int64?) throws(Errno) {
    let before = removed
    while count > 0, bytes > keeping.bytes { try removeOldest() }
    if let wall {
      var index = 0
      while index < count {
        let photo = photos[index]
        if photo.time == 0 {
          var dated = photo
          (dated.time, dated.isLate) = (wall, true)
          try files.rename(photo, to: dated)
          photos[index] = dated
        } else if wall - photo.time > keeping.age {
          try files.remove(photo)
          removed += 1
          bytes -= Int64(photo.bytes)
          for next in (index + 1)..<max(count, index + 1) { photos[next - 1] = photos[next] }
          count -= 1
          continue
        }
        index += 1
      }
    }
    if removed != before { try files.sync() }
  }

  /// When the next photo is too old, in milliseconds since 1970; nil while none has a time.
  public var nextEnd: Int64? {
    var next: Int64?
    for index in 0..<count where photos[index].time != 0 {
      let end = photos[index].time + keeping.age + 1
      next = min(next ?? end, end)
    }
    return next
  }

  /// True when a photo has no time yet.
  public var hasUndated: Bool {
    for index in 0..<count where photos[index].time == 0 { return true }
    return false
  }

  /// Reads the photo at a place, 0 for the newest.
  public func read(
    newest index: Int, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(Errno) -> UnsafeBufferPointer<UInt8> {
    let count = try files.read(self[newest: index], into: buffer)
    return UnsafeBufferPointer(rebasing: buffer[..<count])
  }

  /// Removes all of them; returns how many. Throws when one is left.
  public func removeAll() throws(Errno) -> Int {
    (count, bytes) = (0, 0)
    return try files.removeAll()
  }
}
