import Runtime
import Testing

@testable import OwnAgent

/// A book that has heard and read what is given, and what it allows.
private func allows(
  _ address: String, heard: [String] = [], read: [String] = [], isTainted: Bool = false
) -> Bool {
  var book = AddressBook()
  for text in heard { book.hear(text.utf8.span) }
  for text in read { book.read(text.utf8.span) }
  return book.allows(address.utf8.span, isTainted: isTainted)
}

@Suite struct AddressBookTests {
  @Test func nothingIsAllowedBeforeSomebodyNamesIt() {
    #expect(!allows("https://example.org/"))
    #expect(!allows(""))
    #expect(!allows("https://"))
  }

  @Test func whatAPersonNamesIsAllowedWithAllPagesOfItsHost() {
    let heard = ["Please look at https://example.org/weather, and tell me."]
    #expect(allows("https://example.org/weather", heard: heard))
    #expect(allows("https://example.org/weather/", heard: heard))
    #expect(allows("https://EXAMPLE.org/Other?q=1", heard: heard))
    #expect(!allows("https://example.com/weather", heard: heard))
  }

  @Test func aBareHostOfAPersonIsEnough() {
    #expect(allows("https://example.org/", heard: ["What does example.org say?"]))
    #expect(allows("http://example.org", heard: ["(example.org)"]))
    #expect(!allows("https://example.org/", heard: ["I said so. then left"]))
    #expect(!allows("https://3.14/", heard: ["pi is 3.14"]))
  }

  @Test func afterWordsOfOthersOnlyWholeAddressesCount() {
    let heard = ["Read https://example.org/page"]
    #expect(allows("https://example.org/page", heard: heard, isTainted: true))
    #expect(!allows("https://example.org/page?secret=1", heard: heard, isTainted: true))
    #expect(!allows("https://example.org/", heard: heard, isTainted: true))
  }

  @Test func whatAPageNamesIsAllowedLetterByLetter() {
    let read = ["See [the list](https://example.net/list?a=B) for more."]
    #expect(allows("https://example.net/list?a=B", read: read, isTainted: true))
    #expect(allows("HTTPS://Example.NET/list?a=B", read: read, isTainted: true))
    #expect(!allows("https://example.net/list?a=b", read: read, isTainted: true))
    #expect(!allows("https://example.net/list?a=B&c=1", read: read))
    #expect(!allows("https://example.net/", read: read))
  }

  @Test func marksThatEndASentenceAreNoPartOfAnAddress() {
    for end in [".", ",", "!", "?", ";", ":", "'", "**", "/", "/."] {
      #expect(allows("https://example.net/a", read: ["see https://example.net/a\(end) and"], isTainted: true))
    }
    #expect(!allows("https://example.net/a.", read: ["see https://example.net/a."], isTainted: true))
  }

  @Test func aUserNameHidesNoOtherHost() {
    #expect(!allows("https://example.org@evil.example/", heard: ["example.org"]))
    #expect(!allows("https://example.org\\evil.example/", heard: ["example.org"]))
  }

  @Test func theOldestIsForgottenFirst() {
    var book = AddressBook()
    for index in 0...Budget.agentAddresses { book.read("https://example.net/\(index)".utf8.span) }
    let (oldest, next, last) = (
      book.allows("https://example.net/0".utf8.span, isTainted: true),
      book.allows("https://example.net/1".utf8.span, isTainted: true),
      book.allows("https://example.net/\(Budget.agentAddresses)".utf8.span, isTainted: true)
    )
    #expect(!oldest && next && last)
  }

  @Test func anAddressThatIsTooLongIsNotLearned() {
    let long = "https://example.net/" + String(repeating: "a", count: Budget.fetchURLBytes)
    #expect(!allows(long, heard: [long], isTainted: true))
  }
}
