import Codec
import Runtime
import Testing

@testable import Completion

@Suite("Lists of models")
struct ModelListTests {
  /// "there", "not there" or the kind of the fault; then how many models, and the first.
  private func find(_ name: String, in pieces: [[UInt8]], _ list: ModelList = ModelList()) -> String {
    withText(name) { list.begin(Span(_unsafeElements: $0)) }
    for piece in pieces where !list.take(piece.span) { break }
    do throws(ModelFault) {
      return try list.finish() ? "there" : "not there"
    } catch {
      return "\(error.kind)"
    }
  }

  private func find(_ name: String, _ text: String) -> String { find(name, in: [Array(text.utf8)]) }

  private let body =
    #"{"object":"list","models":[{"id":"x"}],"data":[{"id":"gpt-\u00e4","object":"model","permission":[{"id":"p"}]}, {"id":"b/c:1","data":[{"id":"no"}]},{"id":7},"e",{}],"more":{"data":[{"id":"y"}]}}"#

  @Test("a model that is there, and others that only seem to be")
  func names() {
    for name in ["gpt-ä", "b/c:1"] { #expect(find(name, body) == "there") }
    for name in ["x", "y", "p", "no", "e", "7", "", "gpt-", "b/c:1 ", "data"] {
      #expect(find(name, body) == "not there", "\(name)")
    }
  }

  @Test("the list as an array alone, and names as Google's server and Ollama have them")
  func others() {
    #expect(find("a", #"[{"id":"a"}]"#) == "there" && find("b", #"[{"id":"a"}]"#) == "not there")
    #expect(find("gemma", #"{"data":[{"id":"models/gemma"}]}"#) == "there")
    #expect(find("qwen", #"{"data":[{"id":"qwen:latest"}]}"#) == "there")
    #expect(find("qwen", #"{"data":[{"id":"qwen:7b"},{"id":":latest"},{"id":"models/"}]}"#) == "not there")
  }

  @Test("cut at every byte it means the same")
  func cuts() {
    let bytes = Array(body.utf8)
    let list = ModelList()
    for cut in 1..<bytes.count {
      #expect(find("b/c:1", in: [Array(bytes[..<cut]), Array(bytes[cut...])], list) == "there")
      #expect(find("none", in: [Array(bytes[..<cut]), Array(bytes[cut...])], list) == "not there")
      #expect(find("none", in: [Array(bytes[..<cut])], list) == "cut")
    }
    #expect(find("none", in: bytes.map { [$0] }, list) == "not there")
    #expect(list.count == 2 && list.first == InlineText(cutting: "gpt-ä" as String))
  }

  @Test("a list that was found needs no more bytes")
  func early() {
    let list = ModelList()
    withText("a") { list.begin(Span(_unsafeElements: $0)) }
    let piece = Array(#"{"data":[{"id":"a"},"#.utf8)
    let wantsMore = list.take(piece.span)
    #expect(!wantsMore && list.isThere && (try? list.finish()) == true)
  }

  @Test(
    "what is no list is a fault",
    arguments: [
      ("", "cut"), ("{", "cut"), ("{}", "malformed"), (#"{"data":{}}"#, "malformed"), ("x", "malformed"), ("[", "cut"),
      (#"{"data":[{"id":"b"}]"#, "cut"), (#"{"data":[{"id":"b"}}"#, "malformed"), (#"{"data":[1,]}"#, "malformed"),
    ])
  func wrong(text: String, kind: String) { #expect(find("a", text) == kind) }

  @Test("an entry that is too large is left out, and the next one read")
  func largeEntry() {
    let large = #"{"id":"a","x":"\#(String(repeating: "x", count: Budget.modelListEntryBytes))"}"#
    #expect(
      find("b", #"{"data":[\#(large),{"id":"b"}]}"#) == "there" && find("a", #"{"data":[\#(large)]}"#) == "not there")
  }

  @Test("a list without an end is a fault, and so is a name that is too long to be there")
  func bounds() {
    let list = ModelList()
    withText("a") { list.begin(Span(_unsafeElements: $0)) }
    var piece = Array(#"{"data":[{"id":"b"}"#.utf8)
    var taken = 0
    while list.take(piece.span) {
      taken += piece.count
      piece = [UInt8](repeating: 0x20, count: 64 * 1024)
    }
    #expect(taken <= Budget.modelListBytes && taken > Budget.modelListBytes - 64 * 1024)
    #expect(throws: ModelFault.self) { try list.finish() }
    let long = String(repeating: "n", count: Budget.modelNameBytes)
    #expect(find(long, #"[{"id":"\#(long)"}]"#) == "there" && find(long + "n", #"[{"id":"\#(long)n"}]"#) == "not there")
  }

  @Test("damaged lists never trap, and mean the same in pieces")
  func garbage() {
    var random = ModelNumbers(state: 4)
    let list = ModelList()
    for _ in 0..<3000 {
      var bytes = Array(body.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] =
          Bool.random(using: &random)
          ? Array("\"[]{}:,\\".utf8).randomElement(using: &random)! : UInt8.random(in: 0...255, using: &random)
      }
      let whole = find("b/c:1", in: [bytes], list)
      #expect(find("b/c:1", in: bytes.map { [$0] }, list) == whole)
    }
  }
}
