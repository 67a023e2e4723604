import Runtime

/// The name of a question to people, "7-k3fq": its number, and four letters or digits that differ from those of every
/// other question of that number. An answer from a console names the question that its person has read, and so never
/// counts for one that was asked in its place.
public typealias QuestionName = InlineText<24>

extension InlineText where capacity == 24 {
  /// The digits of base 32 as Crockford chose them: none is taken for another.
  private static var digits: StaticString { "0123456789abcdefghjkmnpqrstvwxyz" }

  /// The name of a question that nobody could have guessed.
  public init(question number: Int, _ random: any RandomSource) {
    var mark: UInt32 = 0
    withUnsafeMutableBytes(of: &mark) { random.fill($0) }
    self.init(question: number, mark: mark)
  }

  /// The name of a question. `mark`: 20 bits of a digest of its words, or of random numbers.
  public init(question number: Int, mark: UInt32) {
    self.init()
    fill { buffer in
      var line = LogLine(buffer)
      line.add(number)
      guard line.count + 5 <= buffer.count else { return nil }
      var count = line.count
      buffer[count] = UInt8(ascii: "-")
      for place in 0..<4 {
        count += 1
        buffer[count] = Self.digits.utf8Start[Int(mark >> UInt32(15 - 5 * place) & 31)]
      }
      return count + 1
    }
  }
}
