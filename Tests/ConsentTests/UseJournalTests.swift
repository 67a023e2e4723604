import Runtime
import Testing

@testable import Consent

@Suite struct UseJournalTests {
  private func use(_ command: String = "camera.snap", wall: Int64 = 1, _ basis: Use.Basis = .file) -> Use {
    Use(
      wall: wall, permissions: [.camera], basis: basis, command: InlineText(cutting: command),
      who: InlineText(cutting: "agent:main:main"))
  }

  private func take(_ journal: UseJournal, _ page: Int, _ bytes: [UInt8]) -> Bool { journal.take(page, bytes.span) }

  private func command(_ use: Use?) -> String? {
    use.map { $0.command.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
  }

  @Test func `Uses of one kind within a minute are one entry, with their number and length`() throws {
    let journal = try UseJournal()
    let first = journal.begin(use(), at: 0)
    #expect(first.isNew)
    journal.end(first.entry, at: 500)
    let second = journal.begin(use(), at: 60_000)
    #expect(!second.isNew && journal.count == 1)
    journal.end(second.entry, at: 60_400)
    #expect(journal.use(back: 0)?.count == 2)
    #expect(journal.use(back: 0)?.lasted == 60_400)
    #expect(journal.begin(use(), at: 120_401).isNew)
    #expect(journal.begin(use("camera.clip"), at: 120_402).isNew)
    #expect(journal.begin(use("camera.clip", .grant(.once, .button)), at: 120_403).isNew)
    #expect(journal.count == 4)
    #expect(command(journal.use(back: 0)) == "camera.clip")
    #expect(journal.use(back: 4) == nil)
  }

  @Test func `A long use keeps its entry while others are added`() throws {
    let journal = try UseJournal()
    let long = journal.begin(use("screen.record"), at: 0).entry
    _ = journal.begin(use("location.get"), at: 10)
    journal.end(long, at: 30_000)
    #expect(journal.use(back: 1)?.lasted == 30_000)
    #expect(journal.use(back: 0)?.lasted == 0)
  }

  @Test func `The oldest page makes room, and an end that comes after that changes nothing`() throws {
    let journal = try UseJournal()
    let capacity = Budget.consentPageUses * Budget.consentPages
    let first = journal.begin(use("first"), at: 0).entry
    for index in 1..<capacity + 1 { _ = journal.begin(use("c\(index % 7)"), at: Int64(index)) }
    #expect(journal.count == capacity - Budget.consentPageUses + 1)
    journal.end(first, at: 1_000_000)
    for index in 0..<journal.count { #expect(journal.use(back: index)?.lasted ?? -1 < 1_000) }
  }

  @Test func `Flash has each page once it has changed, and a restart goes on after the newest`() throws {
    let journal = try UseJournal()
    var pages: [Int: [UInt8]] = [:]
    let buffer = FixedBuffer(capacity: UseJournal.recordBytes)
    func write() {
      while let (page, count) = journal.nextPage(into: buffer.bytes) {
        journal.isWriting(page)
        pages[page] = Array(buffer.bytes[..<count])
      }
    }
    for index in 0..<400 {
      let basis: Use.Basis = index % 2 == 0 ? .board : .grant(.until, .screen)
      _ = journal.begin(use("n\(index)", wall: Int64(index), basis), at: Int64(index))
      if index % 3 == 0 { write() }
    }
    write()
    #expect(!journal.isUnwritten)
    let other = try UseJournal()
    for (page, bytes) in pages { #expect(take(other, page, bytes)) }
    other.resume()
    #expect(other.count == journal.count)
    for back in 0..<journal.count { #expect(other.use(back: back) == journal.use(back: back)) }
    #expect(other.begin(use("more"), at: 0).isNew)
    #expect(command(other.use(back: 1)) == "n399")
  }

  @Test func `A page that was not written is written again`() throws {
    let journal = try UseJournal()
    let buffer = FixedBuffer(capacity: UseJournal.recordBytes)
    _ = journal.begin(use(), at: 0)
    let page = try #require(journal.nextPage(into: buffer.bytes)).page
    journal.isWriting(page)
    #expect(!journal.isUnwritten)
    journal.wasNotWritten(page)
    #expect(journal.nextPage(into: buffer.bytes)?.page == page)
  }

  @Test func `Pages that are no pages are not taken, and a page that is out of order is forgotten`() throws {
    let journal = try UseJournal()
    let entry = [UInt8](repeating: 0, count: Use.bytes)
    #expect(!take(journal, 0, []))
    #expect(!take(journal, 0, [0, 0, 0, 0, 0, 0, 0, 0]))
    #expect(!take(journal, 0, [1, 0, 0, 0, 1, 0, 0, 0]))
    #expect(!take(journal, 0, ([1, 0, 0, 0, 1, 0, 0, 0] + entry)))
    #expect(!take(journal, 0, [1, 0, 0, 0, 255, 0, 0, 0]))
    var right = entry
    right[16] = 1
    #expect(take(journal, 0, ([9, 0, 0, 0, 1, 0, 0, 0] + right)))
    #expect(take(journal, 1, ([4, 0, 0, 0, 1, 0, 0, 0] + right)))
    #expect(take(journal, 7, ([8, 0, 0, 0, 1, 0, 0, 0] + right)))
    journal.resume()
    #expect(journal.count == 2)
  }
}
