import Camera
import Codec
import Runtime

/// What the status says of the photos that are kept.
struct PhotoFacts {
  var count = 0
  var bytes: Int64 = 0
  /// When the oldest and the newest were taken; nil where that is not known.
  var oldest: Int64?
  var newest: Int64?
  /// Photos that were removed by age or for others, and that could not be kept, since start.
  var removed: UInt64 = 0
  var notKept: UInt64 = 0
  /// Why the last try failed.
  var failure: Errno?

  mutating func learn(_ shelf: PhotoShelf) {
    (count, bytes, removed) = (shelf.count, shelf.bytes, shelf.removed)
    oldest = count > 0 ? shelf[newest: count - 1].taken : nil
    newest = count > 0 ? shelf[newest: 0].taken : nil
  }

  /// Writes the member "photos" of the agent's status.
  func write(_ keeping: PhotoKeeping, to writer: inout JSONWriter) {
    writer.key("photos")
    writer.beginObject()
    writeMembers(keeping, to: &writer)
    writer.endObject()
  }

  func writeMembers(_ keeping: PhotoKeeping, to writer: inout JSONWriter) {
    writer.key("kept")
    writer.int(Int64(count))
    writer.key("bytes")
    writer.int(bytes)
    writer.key("limitBytes")
    writer.int(keeping.bytes)
    writer.key("days")
    writer.int(keeping.days)
    writer.key("removed")
    writer.uint(removed)
    writer.key("notKept")
    writer.uint(notKept)
    Self.write("oldest", oldest, to: &writer)
    Self.write("newest", newest, to: &writer)
    guard let failure else { return }
    writer.key("trouble")
    writer.string(failure.text)
  }

  private static func write(_ key: StaticString, _ time: Int64?, to writer: inout JSONWriter) {
    guard let time else { return }
    writer.key(key)
    let text = ISO8601(unixMilliseconds: time)
    writer.string(text.text)
  }

  static func write(_ photo: KeptPhoto, to writer: inout JSONWriter) {
    writer.beginObject()
    let name = photo.name
    writer.key("name")
    writer.string(name.span)
    writer.key("bytes")
    writer.int(Int64(photo.bytes))
    write("createdAt", photo.taken, to: &writer)
    writer.endObject()
  }
}
