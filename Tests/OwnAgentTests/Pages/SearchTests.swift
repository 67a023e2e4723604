import Codec
import Fetch
import Runtime
import Testing

@testable import OwnAgent

private let agent = InlineText<64>(cutting: "Talon")

private func target(_ request: SearchRequest, _ query: String) throws -> String {
  try query.withBytes { bytes throws(SearchError) in try request.request(bytes, version: agent) }.url.target
}

private func fault(_ request: SearchRequest, _ query: [UInt8]) -> SearchError? {
  query.withUnsafeBufferPointer { bytes -> SearchError? in
    do throws(SearchError) {
      _ = try request.request(bytes, version: agent)
      return nil
    } catch {
      return error
    }
  }
}

private func read(_ provider: SearchProvider, _ json: String) -> (String, SearchResults.Fault?) {
  let results = SearchResults(PageText())
  let bytes = Array(json.utf8)
  let fault = bytes.withUnsafeBufferPointer { answer -> SearchResults.Fault? in
    do throws(SearchResults.Fault) {
      try results.read(provider, answer)
      return nil
    } catch {
      return error
    }
  }
  let room = FixedBuffer(capacity: 20_000)
  var writer = ByteWriter(into: room.bytes)
  results.write(to: &writer)
  return (String(decoding: room.bytes[..<writer.count], as: UTF8.self), fault)
}

@Suite("Searches") struct SearchTests {
  @Test("each provider is asked in its way, with any UTF-8 in the query")
  func requests() throws {
    let own = try SearchRequest(.searxng, address: "https://s.local/sx/", key: "")
    #expect(try target(own, " a b&c=ü/😀 ") == "/sx/search?format=json&q=a%20b%26c%3D%C3%BC%2F%F0%9F%98%80")
    let brave = try SearchRequest(.brave, address: "", key: "KEY")
    #expect(try target(brave, "x-y_z.~") == "/res/v1/web/search?count=8&q=x-y_z.~")
    let (url, request) = try "x".withBytes { bytes throws(SearchError) in try brave.request(bytes, version: agent) }
    #expect(url.host == "api.search.brave.com" && url.isSecure && request.method == .get)
    #expect(request.authorization == InlineText(cutting: "Bearer KEY\r\nX-Subscription-Token: KEY"))
    let tavily = try SearchRequest(.tavily, address: "", key: "tvly-1")
    let (place, post) = try "say \"ü\"\n".withBytes { bytes throws(SearchError) in
      try tavily.request(bytes, version: agent)
    }
    #expect(place.host == "api.tavily.com" && place.target == "/search" && post.method == .post)
    #expect(post.authorization == InlineText(cutting: "Bearer tvly-1"))
    #expect(
      String(decoding: post.body, as: UTF8.self)
        == "{\"query\":\"say \\\"ü\\\"\",\"max_results\":8,\"search_depth\":\"basic\"}")
  }

  @Test("queries that are empty, too long or no UTF-8 are refused; the longest fits an address")
  func queries() throws {
    let own = try SearchRequest(.searxng, address: "https://s.local/", key: "")
    #expect(fault(own, []) == .empty && fault(own, [0x20, 0x0A]) == .empty)
    #expect(fault(own, [0xFF]) == .notUTF8)
    let most = [UInt8](repeating: 0x22, count: Budget.searchQueryBytes)
    #expect(fault(own, most) == nil && fault(own, most + [0x22]) == .tooLong)
    #expect(fault(try SearchRequest(.tavily, address: "", key: "k"), most) == nil)
  }

  @Test("a configuration that would break or show the key is refused")
  func configurations() {
    for (provider, address, key, error) in [
      (SearchProvider.searxng, "", "", SearchError.address), (.searxng, "s.local", "", .address),
      (.brave, "", "", .key), (.brave, "", "a\r\nb", .key), (.tavily, "", "ä", .key),
      (.brave, "", String(repeating: "k", count: Budget.searchKeyBytes + 1), .key),
      (.tavily, "http://e.org", "k", .plaintext),
      (.searxng, "https://e.org/" + String(repeating: "k", count: Budget.searchURLBytes), "", .address),
    ] {
      #expect(throws: error) { try SearchRequest(provider, address: address, key: key) }
    }
    #expect(throws: Never.self) { try SearchRequest(.searxng, address: "http://192.168.1.5:8080", key: "") }
    #expect(throws: Never.self) { try SearchRequest(.brave, address: "", key: String(repeating: "k", count: 256)) }
  }

  @Test("results of the three providers, cleaned")
  func results() {
    #expect(
      read(
        .searxng, #"{"results":[{"title":"A\u202e  b","url":"https://a/","content":"one\ntwo"},{"url":"https://b/"}]}"#
      )
      .0 == "1. A b\nhttps://a/\none two\n\n2. \nhttps://b/")
    #expect(
      read(
        .brave,
        #"{"web":{"results":[{"title":"<b>A</b>","url":"https://a/","description":"x <strong>y</strong> &amp; z<p hidden>s"}]}}"#
      ).0 == "1. A\nhttps://a/\nx y & z")
    #expect(
      read(.tavily, #"{"results":[{"title":"T","url":"http://t/","content":"<i>as is</i>","score":0.5}]}"#).0
        == "1. T\nhttp://t/\n<i>as is</i>")
    #expect(read(.searxng, #"{"results":[]}"#).0 == "Nothing was found.")
    #expect(read(.brave, #"{"type":"search","query":{}}"#).0 == "Nothing was found.")
  }

  @Test("odd members are left out, and what is no answer is named")
  func odd() {
    #expect(
      read(
        .searxng,
        #"{"results":[1,null,[],{},{"url":5},{"url":"javascript:x"},{"url":"https://a b/"},{"url":"https://ü/"},{"url":"https://ok/","title":5,"content":null}]}"#
      ).0 == "1. \nhttps://ok/")
    #expect(read(.searxng, "<html>").1 == .malformed && read(.tavily, "").1 == .malformed)
    #expect(read(.searxng, "{}").1 == .unknown && read(.brave, "{}").1 == .unknown && read(.tavily, "[]").1 == .unknown)
    #expect(read(.brave, #"{"web":{"results":{}}}"#).1 == .unknown)
    #expect(read(.searxng, String(repeating: "[", count: 100_000)).1 == .malformed)
  }

  @Test("at most so many results, each bounded, cut at characters")
  func bounds() {
    let text = String(repeating: "ä", count: 20_000)
    let one = #"{"title":"\#(text)","url":"https://a/","content":"\#(text)"}"#
    let all = read(.searxng, "{\"results\":[" + Array(repeating: one, count: 30).joined(separator: ",") + "]}").0
    #expect(!all.contains("\u{FFFD}"))
    let each = Budget.searchTitleBytes + Budget.searchSnippetBytes + 10 + 5
    #expect(all.utf8.count == Budget.searchResults * each + 2 * (Budget.searchResults - 1))
    let long = "https://a/" + String(repeating: "b", count: Budget.searchAddressBytes)
    #expect(read(.tavily, "{\"results\":[{\"url\":\"\(long)\"}]}").0 == "Nothing was found.")
  }

  @Test("garbage never traps")
  func garbage() {
    let words = [
      "{", "}", "[", "]", "\"results\"", "\"web\"", ":", ",", "\"url\"", "\"https://a/\"", "\"title\"", "1", "\"",
    ]
    for seed in 1...300 {
      var dice = PageDice(UInt64(seed))
      var json = ""
      for _ in 0..<dice.below(40) { json += words[dice.below(words.count)] }
      for provider in [SearchProvider.searxng, .brave, .tavily] { _ = read(provider, json) }
    }
  }
}
