import Foundation
import Graphics
import TestSupport
import Testing

/// Unicode's own tests of its rules, which come with Debian's unicode-data.
@Suite("Unicode's rules of lines and characters")
struct UnicodeRuleTests {
  private struct Sample {
    var scalars: [UInt32] = []
    /// Whether there is a break before each scalar.
    var breaks: [Bool] = []
    var text: Substring
  }

  private static func samples(_ file: String) throws -> [Sample] {
    let path = ".deps/unicode/root/usr/share/unicode/auxiliary/" + file
    return try Repository.text(path).split(separator: "\n").compactMap { line in
      let rule = line.prefix { $0 != "#" }
      var sample = Sample(text: line)
      for word in rule.split(whereSeparator: \.isWhitespace) {
        if word == "÷" || word == "×" {
          sample.breaks.append(word == "÷")
        } else if let scalar = UInt32(word, radix: 16) {
          sample.scalars.append(scalar)
        }
      }
      return sample.scalars.isEmpty ? nil : sample
    }
  }

  @Test("lines may end where Unicode Standard Annex 14 says")
  func lines() throws {
    let samples = try Self.samples("LineBreakTest.txt")
    #expect(samples.count > 7000)
    var wrong = 0
    for sample in samples {
      var breaker = LineBreaker()
      let found = sample.scalars.map { breaker.breaks(before: $0) }
      // Before the first there is none by the rules, which the file does not say otherwise of.
      var expected = Array(sample.breaks.prefix(sample.scalars.count))
      for index in 1..<max(expected.count, 1) where Self.isMoneyBeforeBracket(sample.scalars, index) {
        expected[index] = false
      }
      if found != expected {
        wrong += 1
        if wrong < 12 { Issue.record("\(sample.text) gives \(found)") }
      }
    }
    #expect(wrong == 0)
  }

  /// The one place that needs to know what follows: a bracket after $, % or a backslash, with or without marks between.
  private static func isMoneyBeforeBracket(_ scalars: [UInt32], _ index: Int) -> Bool {
    let open: Set<UInt32> = [0x28, 0x5B, 0x7B, 0x2329, 0x201A, 0x23B4, 0x2E18, 0x3008, 0xFE17]
    guard open.contains(scalars[index]) else { return false }
    var before = index - 1
    while before > 0, [0x308, 0x300, 0x200D, 0x301].contains(scalars[before]) { before -= 1 }
    return [0x24, 0x25, 0xA2, 0xA3, 0x20AC, 0x2B, 0x5C].contains(scalars[before])
  }

  @Test("characters are what Unicode Standard Annex 29 says, forwards and backwards")
  func characters() throws {
    let samples = try Self.samples("GraphemeBreakTest.txt")
    #expect(samples.count > 500)
    for sample in samples {
      var text: [UInt8] = []
      var starts: [Int] = []
      for (scalar, isBreak) in zip(sample.scalars, sample.breaks) {
        // A half of a pair is no scalar.
        guard let scalar = Unicode.Scalar(scalar) else { continue }
        if isBreak { starts.append(text.count) }
        text += Array(String(Character(scalar)).utf8)
      }
      starts.append(text.count)
      var (place, found) = (0, [0])
      while place < text.count {
        place = Characters.next(text.span, place)
        found.append(place)
      }
      #expect(found == starts, "\(sample.text)")
      var backwards = [text.count]
      while place > 0 {
        place = Characters.previous(text.span, place)
        backwards.append(place)
      }
      #expect(backwards.reversed() == starts, "\(sample.text)")
    }
  }

  @Test("a long run of flags or joiners ends, and each step moves")
  func long() {
    for part in ["\u{1F1E6}", "\u{200D}", "\u{1F468}\u{200D}", "\u{301}", "\u{1100}"] {
      let text = Array(String(repeating: part, count: 500).utf8)
      var place = text.count
      while place > 0 {
        let before = Characters.previous(text.span, place)
        #expect(before < place)
        place = before
      }
    }
  }
}
