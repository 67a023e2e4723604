import CStepCounter
import Glibc

/// Input that is made longer by repeating what a grammar has marks for: what a parser that looks ahead, looks back or
/// begins anew at each mark takes quadratic time for.
public struct Adversary: Sendable, CustomStringConvertible {
  public let description: String
  /// An input with so many parts.
  public let bytes: @Sendable (Int) -> [UInt8]

  /// A text of a form of its own, with so many parts.
  public init(_ description: String, _ make: @escaping @Sendable (Int) -> String) {
    self.init(description, bytes: { Array(make($0).utf8) })
  }

  /// The same of bytes that are no text.
  public init(_ description: String, bytes: @escaping @Sendable (Int) -> [UInt8]) {
    (self.description, self.bytes) = (description, bytes)
  }

  /// A unit many times; "~" in it is its number, so that names differ.
  public static func repeated(_ unit: String, after start: String = "", before end: String = "") -> Adversary {
    Adversary("\(start)(\(unit))*\(end)".debugDescription) { count in
      start + joined(unit, count) + end
    }
  }

  /// As many units of a second kind after those of the first: brackets, of which all open before the first closes.
  public static func nested(
    _ open: String, _ close: String, after start: String = "", around middle: String = "", before end: String = ""
  ) -> Adversary {
    Adversary("\(start)(\(open))n\(middle)(\(close))n\(end)".debugDescription) { count in
      start + joined(open, count) + middle + joined(close, count) + end
    }
  }

  /// Runs of one mark that are each one longer than the last, with a text between them. So many marks in all.
  public static func runs(of mark: String, between text: String) -> Adversary {
    Adversary("runs of \(mark)") { count in
      var (result, length, left) = ("", 1, count)
      while left > 0 {
        result += String(repeating: mark, count: min(length, left)) + text
        left -= length
        length += 1
      }
      return result
    }
  }

  /// Sentences of a grammar: each of its words alone, and pairs and threes of them, repeated, and the first nested in
  /// the second. All pairs where counting is cheap, else as many as asked for, the same in every run.
  public static func sentences(of words: [String], seed: UInt64, atMost count: Int) -> [Adversary] {
    var result = words.map { repeated($0) }
    for first in words {
      for second in words where first != second {
        result.append(repeated(first + second))
        result.append(nested(first, second))
        result.append(repeated(second, after: first))
      }
    }
    var random = Seeded(seed)
    result.shuffle(using: &random)
    let threes = (0..<result.count / 2).map { _ in
      repeated((0..<3).map { _ in words.randomElement(using: &random)! }.joined())
    }
    return Array((result + threes).prefix(LinearTime.isCheap ? .max : count))
  }

  private static func joined(_ unit: String, _ count: Int) -> String {
    guard unit.contains("~") else { return String(repeating: unit, count: count) }
    return (0..<count).map { unit.replacing("~", with: String($0)) }.joined()
  }
}

/// Compares how many instructions a parser takes for an input, for twice as much and for four times as much. Time is
/// not looked at.
public enum LinearTime {
  /// Instructions are counted by the processor, so that inputs can be long and many.
  public static let isCheap = tl_steps_are_cheap() != 0

  /// True where instructions are counted at all: by the processor, or by stepping through them, which takes hours for
  /// all tests and is asked for by TALON_STEPS (`board/test --nightly`).
  public static let counts = isCheap || getenv("TALON_STEPS") != nil

  /// What is wrong with a parser's work, nil when it grows as its input does. What the second doubling adds for a byte
  /// may be a quarter more than what the first added, for tables that grow and searches in trees; where work is
  /// quadratic it is twice as much.
  /// - Parameters:
  ///   - units: of the shortest input, where each instruction costs a signal; more where they are cheap.
  ///   - work: one reading of an input. It is done once before, for what Swift makes when it is first used.
  public static func fault(
    _ adversary: Adversary, units: Int, _ work: (UnsafeBufferPointer<UInt8>) -> Void
  ) -> String? {
    let units = isCheap ? 64 * units : units
    let texts = [units, 2 * units, 4 * units].map { adversary.bytes($0) }
    texts[0].withUnsafeBufferPointer(work)
    guard let first = count(texts[0], .max, work), let second = count(texts[1], .max, work) else { return nil }
    let (firstBytes, secondBytes) = (texts[1].count - texts[0].count, texts[2].count - texts[1].count)
    guard firstBytes > 0, secondBytes > 0 else { return "\(adversary): its input does not grow" }
    // The steeper one of two lines: by both counts, or by the second alone where the first was the larger one.
    let slope = max(Double(second - first) / Double(firstBytes), Double(second) / Double(texts[1].count))
    let expected = slope * Double(secondBytes)
    // What does not depend on the input, as a page of memory that is begun.
    let most = second + Int64(expected * 1.25) + 2000
    guard let third = count(texts[2], UInt64(most) + 1, work), third > most else { return nil }
    return """
      \(adversary): \(first) instructions for \(texts[0].count) bytes, \(second) for \(texts[1].count), \
      \(most) or more for \(texts[2].count), where \(second + Int64(expected)) are linear
      """
  }

  private static func count(_ text: [UInt8], _ most: UInt64, _ work: (UnsafeBufferPointer<UInt8>) -> Void) -> Int64? {
    text.withUnsafeBufferPointer { bytes in
      tl_count_steps(most)
      work(bytes)
      let count = tl_counted_steps()
      return count < 0 ? nil : count
    }
  }
}
