import Codec
import Foundation
import Runtime
import Simulated
import Testing

@testable import Board
@testable import Camera

/// The photos that are kept.
@Suite("Kept photos")
struct PhotoShelfTests {
  private static let day: Int64 = 86_400_000
  private static let today = Budget.earliestWall + 100 * day

  private func text(_ photo: KeptPhoto) -> String {
    let name = photo.name
    return name.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private func shelf(_ files: any PhotoFiles, bytes: Int64 = 1_000_000, days: Int64 = 7) -> PhotoShelf {
    var keeping = PhotoKeeping()
    (keeping.bytes, keeping.days) = (bytes, days)
    return PhotoShelf(files: files, keeping: keeping)
  }

  @discardableResult
  private func keep(_ shelf: PhotoShelf, _ count: Int, wall: Int64?) throws -> KeptPhoto? {
    try Array(repeating: UInt8(7), count: count).withUnsafeBufferPointer { try shelf.keep($0, wall: wall) }
  }

  @Test("a name says number and time, and nothing else is a name")
  func names() {
    let photo = KeptPhoto(number: 42, time: Self.today)
    #expect(text(photo) == "0000000042-\(Self.today).jpg")
    #expect(KeptPhoto(name: photo.name.span) == photo)
    let late = KeptPhoto(number: KeptPhoto.lastNumber, time: Self.today, isLate: true)
    #expect(KeptPhoto(name: late.name.span) == late && late.taken == nil)
    #expect(KeptPhoto(name: KeptPhoto(number: 1, time: 0).name.span)?.taken == nil)
    for name in [
      "", "photo.jpg", "0000000042-\(Self.today).png", "0000000042-\(Self.today)", "0000000042_\(Self.today).jpg",
      "000000004x-\(Self.today).jpg", "0000000042-\(Self.today).jpg.new", "0000000042-\(Self.today)-later.jpg",
    ] {
      #expect(KeptPhoto(name: name.utf8.span) == nil, "\(name)")
    }
  }

  @Test("the oldest makes room, by bytes and by number, and one that is too large alone is not kept")
  func room() throws {
    let files = MemoryPhotos()
    let shelf = shelf(files, bytes: 1_000)
    try shelf.load(wall: Self.today)
    for index in 0..<5 { try keep(shelf, 300, wall: Self.today + Int64(index)) }
    #expect(shelf.count == 3 && shelf.bytes == 900 && shelf.removed == 2)
    #expect(files.photos.map(\.photo.number) == [3, 4, 5])
    #expect(try keep(shelf, 1_001, wall: Self.today) == nil)
    #expect(shelf.count == 3)
    #expect(try keep(shelf, 1_000, wall: Self.today)?.number == 6)
    #expect(shelf.count == 1)
    let many = self.shelf(MemoryPhotos())
    try many.load(wall: Self.today)
    for _ in 0..<(Budget.keptPhotos + 3) { try keep(many, 1, wall: Self.today) }
    #expect(many.count == Budget.keptPhotos && many[newest: 0].number == Int64(Budget.keptPhotos + 3))
    #expect(many[newest: Budget.keptPhotos - 1].number == 4)
  }

  @Test("what is too old goes, and what has no time begins to age when the clock is set")
  func age() throws {
    let files = MemoryPhotos()
    let shelf = shelf(files, days: 2)
    try shelf.load(wall: nil)
    try keep(shelf, 10, wall: nil)
    #expect(shelf.hasUndated && shelf.nextEnd == nil && shelf[newest: 0].taken == nil)
    try shelf.prune(wall: Self.today)
    #expect(!shelf.hasUndated && shelf[newest: 0].isLate && shelf[newest: 0].taken == nil)
    try keep(shelf, 10, wall: Self.today + Self.day)
    #expect(shelf.nextEnd == Self.today + 2 * Self.day + 1)
    try shelf.prune(wall: Self.today + 2 * Self.day)
    #expect(shelf.count == 2)
    try shelf.prune(wall: Self.today + 2 * Self.day + 1)
    #expect(shelf.count == 1 && files.photos.map(\.photo.number) == [2])
    // A clock that is wrong for a while makes nothing older.
    try shelf.prune(wall: Self.today - 1_000 * Self.day)
    #expect(shelf.count == 1)
    let again = self.shelf(files, days: 2)
    try again.load(wall: Self.today + 9 * Self.day)
    #expect(again.count == 0 && files.photos.isEmpty)
  }

  @Test("a smaller limit, and more files than there is room for, cost the oldest at the next start")
  func smaller() throws {
    let files = MemoryPhotos()
    for number in (1...Int64(Budget.keptPhotos + 20)).shuffled() {
      try [UInt8(1), 2].withUnsafeBufferPointer { try files.write(KeptPhoto(number: number, time: Self.today), $0) }
    }
    let shelf = shelf(files)
    try shelf.load(wall: Self.today)
    #expect(shelf.count == Budget.keptPhotos && files.photos.count == Budget.keptPhotos)
    #expect(files.photos.map(\.photo.number).min() == 21)
    let smaller = self.shelf(files, bytes: 20)
    try smaller.load(wall: Self.today)
    #expect(smaller.count == 10 && files.photos.count == 10 && smaller.bytes == 20)
  }

  // MARK: Files

  private func folder() throws -> String {
    let path = NSTemporaryDirectory() + "photos-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test("a photo on flash: its rights, its bytes, its name; what a power cut left goes")
  func files() throws {
    let parent = try folder()
    defer { try? FileManager.default.removeItem(atPath: parent) }
    let path = parent + "/photos"
    let files = try PhotoFolder(folder: path)
    let shelf = shelf(files)
    try shelf.load(wall: Self.today)
    #expect(!FileManager.default.fileExists(atPath: path))
    let photo = try #require(try keep(shelf, 1_234, wall: Self.today))
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + text(photo))
    #expect(attributes[.posixPermissions] as? Int == 0o600 && attributes[.size] as? Int == 1_234)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o700)
    // A cut in the middle of the next one, a folder, a link and a file of somebody's.
    let next = text(KeptPhoto(number: 2, time: Self.today))
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path + "/" + next + ".new"))
    try Data([1]).write(to: URL(fileURLWithPath: path + "/notes.txt"))
    let link = text(KeptPhoto(number: 3, time: Self.today))
    try FileManager.default.createSymbolicLink(atPath: path + "/" + link, withDestinationPath: "/etc/passwd")
    let again = self.shelf(try PhotoFolder(folder: path))
    try again.load(wall: Self.today)
    #expect(again.count == 1 && again.bytes == 1_234)
    #expect(!FileManager.default.fileExists(atPath: path + "/" + next + ".new"))
    #expect(FileManager.default.fileExists(atPath: path + "/notes.txt"))
    let buffer = FixedBuffer(capacity: 2_000)
    #expect(try Array(again.read(newest: 0, into: buffer.bytes)) == Array(repeating: 7, count: 1_234))
    try keep(again, 5, wall: Self.today)
    #expect(try again.removeAll() == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == [link, "notes.txt"])
  }

  @Test("a folder that cannot be written fails, keeps what it has, and leaves nothing half done")
  func broken() throws {
    let parent = try folder()
    defer { try? FileManager.default.removeItem(atPath: parent) }
    let path = parent + "/photos"
    try Data().write(to: URL(fileURLWithPath: path))
    let shelf = shelf(try PhotoFolder(folder: path))
    #expect(throws: Errno.notDirectory) { try shelf.load(wall: Self.today) }
    #expect(throws: Errno.notDirectory) { try keep(shelf, 10, wall: Self.today) }
    #expect(shelf.count == 0)
    let files = MemoryPhotos()
    let memory = self.shelf(files)
    try memory.load(wall: Self.today)
    try keep(memory, 10, wall: Self.today)
    files.failure = .noSpace
    #expect(throws: Errno.noSpace) { try keep(memory, 10, wall: Self.today) }
    #expect(memory.count == 1)
    #expect(throws: Errno.noSpace) { _ = try memory.removeAll() }
  }
}

/// The parameters of `photos.latest`.
@Suite("Parameters of photos.latest")
struct LatestParametersTests {
  private func read(_ text: String) throws -> LatestParameters { try LatestParameters(JSONView(text.utf8.span)) }

  @Test("defaults, limits, and what is refused")
  func parameters() throws {
    for text in ["{}", "null", #"{"limit":null,"other":[1]}"#] {
      let parameters = try read(text)
      #expect(parameters.limit == 1 && parameters.maxWidth == 1600 && parameters.quality == 0.85)
    }
    let least = try read(#"{"limit":-5,"maxWidth":1,"quality":0}"#)
    #expect(least.limit == 1 && least.maxWidth == 240 && least.quality == 0.1)
    let most = try read(#"{"limit":1e300,"maxWidth":1e300,"quality":9}"#)
    #expect(most.limit == 20 && most.maxWidth == 4096 && most.quality == 1)
    for text in [#"{"limit":"all"}"#, #"{"maxWidth":[]}"#, #"{"quality":true}"#, "[]", "7"] {
      #expect(throws: CameraError.self) { try read(text) }
    }
  }
}
