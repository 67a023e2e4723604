import Codec
import Runtime
import Testing

@testable import Completion

@Suite("Vectors of texts")
struct EmbeddingTests {
  private struct Vectors: Equatable {
    var numbers: [Float] = []
    var dimensions = 0
    var fault = ""
  }

  private func read(
    _ pieces: [[UInt8]], count: Int = 1, dimensions: Int? = nil, room: Int = 16,
    _ reader: EmbeddingReader = EmbeddingReader()
  ) -> Vectors {
    let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: room)
    memory.initialize(repeating: 0)
    defer { memory.deallocate() }
    reader.begin(count: count, dimensions: dimensions, into: memory)
    for piece in pieces where !reader.take(piece.span) { break }
    do throws(ModelFault) {
      let dimensions = try reader.finish()
      return Vectors(numbers: Array(memory[..<(dimensions * count)]), dimensions: dimensions)
    } catch {
      return Vectors(fault: "\(error.kind)")
    }
  }

  private func read(_ text: String, count: Int = 1, dimensions: Int? = nil, room: Int = 16) -> Vectors {
    read([Array(text.utf8)], count: count, dimensions: dimensions, room: room)
  }

  private func entry(_ vector: String, _ index: Int? = nil) -> String {
    let place = index.map { "\"index\":\($0)," } ?? ""
    return #"{"object":"embedding",\#(place)"embedding":\#(vector)}"#
  }

  private func list(_ entries: String...) -> String {
    #"{"object":"list","data":[\#(entries.joined(separator: ","))],"model":"m","usage":{"prompt_tokens":2,"total_tokens":2}}"#
  }

  private func base64(_ numbers: [Float]) -> String {
    var bytes: [UInt8] = []
    for number in numbers {
      for shift in stride(from: 0, to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt32(shift)))
      }
    }
    var text = [UInt8](repeating: 0, count: Base64.standard.encodedLength(of: bytes.count))
    text.withUnsafeMutableBufferPointer { _ = Base64.standard.encode(bytes.span, into: $0) }
    return "\"\(String(decoding: text, as: UTF8.self))\""
  }

  @Test("numbers become a vector of length 1")
  func numbers() {
    #expect(read(list(entry("[3,0.0,-4e0]", 0))) == Vectors(numbers: [0.6, 0, -0.8], dimensions: 3))
    #expect(read(list(entry("[1e-30, 0]"))) == Vectors(numbers: [1, 0], dimensions: 2))
  }

  @Test("base64 is the same numbers")
  func base64Numbers() {
    #expect(read(list(entry(base64([3, 0, -4]), 0))) == Vectors(numbers: [0.6, 0, -0.8], dimensions: 3))
    let unpadded = base64([3, 0, -4, 0]).replacing("=", with: "")
    #expect(read(list(entry(unpadded))).dimensions == 4)
  }

  @Test("several vectors stand in the order of their texts")
  func several() {
    let expected = Vectors(numbers: [1, 0, 0, 1], dimensions: 2)
    #expect(read(list(entry("[0,2]", 1), entry("[2,0]", 0)), count: 2) == expected)
    #expect(read(list(entry("[2,0]"), entry("[0,2]")), count: 2) == expected)
  }

  @Test("cut at every byte it means the same")
  func cuts() {
    let bytes = Array(list(entry("[0,2]", 1), entry(base64([2, 0]), 0)).utf8)
    let reader = EmbeddingReader()
    let whole = read([bytes], count: 2, reader)
    #expect(whole.numbers == [1, 0, 0, 1] && read(bytes.map { [$0] }, count: 2, reader) == whole)
    for cut in 1..<bytes.count {
      #expect(read([Array(bytes[..<cut]), Array(bytes[cut...])], count: 2, reader) == whole)
      #expect(read([Array(bytes[..<cut])], count: 2, reader).fault == "cut")
    }
  }

  @Test(
    "vectors without a direction, and what is none, are refused",
    arguments: [
      "[]", "[0,0]", "[1,null]", "[1e400]", "[1e39,1]", "[\"1\"]", "7", "null", "\"\"", "\"AAAA\"", "\"AAAAAA==\"",
      "\"!!!!\"", "{}",
      "\"AADAfw==\"", "\"AACAfw==\"",
    ])
  func refused(vector: String) { #expect(read(list(entry(vector))).fault == "malformed") }

  @Test("wrong lists are faults")
  func wrongLists() {
    #expect(read(list(entry("[1]", 0)), count: 2).fault == "malformed")
    #expect(read(list(entry("[1]", 0), entry("[1]", 0)), count: 2).fault == "malformed")
    #expect(read(list(entry("[1]", 1))).fault == "malformed" && read(list(entry("[1]", -1))).fault == "malformed")
    #expect(read(list(entry("[1]", 0), entry("[1,2]", 1)), count: 2).fault == "malformed")
    #expect(read(list(entry("[1,2]", 0)), dimensions: 3).fault == "malformed")
    #expect(
      read(list(#"{"index":0}"#)).fault == "malformed" && read("{}").fault == "malformed"
        && read("x").fault == "malformed")
    #expect(read(list(entry("[1,2,3]", 0)), room: 2).fault == "tooLarge")
  }

  @Test("as many dimensions as there is memory for, and not one more")
  func dimensions() {
    let most = Budget.embeddingDimensions
    let one = [Float](repeating: -0.123456789, count: most)
    let text = "[" + one.map { "\(Double($0))" }.joined(separator: ",") + "]"
    #expect(read(list(entry(text)), room: most).dimensions == most)
    #expect(read(list(entry(base64(one))), room: most).dimensions == most)
    #expect(read(list(entry("[" + String(repeating: "1,", count: most) + "1]")), room: most + 1).fault == "tooLarge")
    #expect(read(list(entry(base64(one + [1]))), room: most + 1).fault == "malformed")
    let wide = "[" + String(repeating: " ", count: Budget.embeddingEntryBytes) + "1]"
    #expect(read(list(entry(wide))).fault == "tooLarge")
  }

  @Test("an answer without an end is a fault")
  func endless() {
    let reader = EmbeddingReader()
    reader.begin(count: 1, into: UnsafeMutableBufferPointer(start: nil, count: 0))
    let blanks = [UInt8](repeating: 0x20, count: 32 * 1024)
    var taken = 0
    while reader.take(blanks.span) { taken += blanks.count }
    #expect(taken == Budget.embeddingBytes)
    #expect(throws: ModelFault.self) { try reader.finish() }
  }

  @Test("the cosine of vectors")
  func cosine() {
    func cosine(_ one: [Float], _ other: [Float]) -> Float {
      one.withUnsafeBufferPointer { one in other.withUnsafeBufferPointer { Embedding.cosine(one, $0) } }
    }
    #expect(cosine([1, 0], [1, 0]) == 1 && cosine([1, 0], [0, 1]) == 0 && cosine([1, 0], [-1, 0]) == -1)
    #expect(cosine([1], [1, 0]) == 0 && cosine([], []) == 0)
    #expect(cosine([0.5, 0.5, 0.5, 0.5, 0, 0], [0.5, 0.5, 0.5, 0, 0.5, 0]) == 0.75)
    #expect(cosine([.nan], [1]) == -1)
  }

  @Test("a request for the vectors of texts")
  func request() {
    let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 200)
    defer { room.deallocate() }
    func body(_ texts: [String], _ capacity: Int = 200, dimensions: Int? = nil, base64: Bool = false) -> (
      String?, [Bool]
    ) {
      let memory = UnsafeMutableBufferPointer(rebasing: room[..<capacity])
      var request = EmbeddingRequest(model: "m", dimensions: dimensions, asksForBase64: base64, into: memory)
      var taken: [Bool] = []
      for text in texts {
        let bytes = Array(text.utf8)
        taken.append(request.add(bytes.span))
      }
      let count = request.finish()
      return (count.map { String(decoding: room[..<$0], as: UTF8.self) }, taken)
    }
    let one = #"{"model":"m","encoding_format":"float","input":["a \"b\""]}"#
    #expect(body(["a \"b\""]).0 == one)
    #expect(
      body(["a", "", "b"], dimensions: 99_999, base64: true).0
        == #"{"model":"m","encoding_format":"base64","dimensions":2048,"input":["a","b"]}"#)
    #expect(
      body(["a \"b\""], one.utf8.count).0 == one && body(["a \"b\"", "c"], one.utf8.count + 3) == (one, [true, false]))
    #expect(body(["a \"b\""], one.utf8.count - 1) == (nil, [false]) && body([]).0 == nil && body(["a"], 10).0 == nil)
    #expect(body(Array(repeating: "a", count: 17)).1 == Array(repeating: true, count: Budget.embeddingTexts) + [false])
  }

  @Test("damaged answers never trap, mean the same in pieces, and give only vectors of length 1")
  func garbage() {
    var random = ModelNumbers(state: 8)
    let (reader, other) = (EmbeddingReader(), EmbeddingReader())
    let base = Array(list(entry("[0.5,-2e1]", 1), entry(base64([2, 1]), 0)).utf8)
    for _ in 0..<3000 {
      var bytes = base
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] =
          Bool.random(using: &random)
          ? Array("\"[]{}:,\\019eE".utf8).randomElement(using: &random)! : UInt8.random(in: 0...255, using: &random)
      }
      let whole = read([bytes], count: 2, reader)
      #expect(read(bytes.map { [$0] }, count: 2, other) == whole)
      guard whole.fault.isEmpty else { continue }
      for start in stride(from: 0, to: whole.numbers.count, by: whole.dimensions) {
        let length = whole.numbers[start..<(start + whole.dimensions)].reduce(Float(0)) { $0 + $1 * $1 }
        #expect(abs(length - 1) < 1e-5)
      }
    }
  }
}
