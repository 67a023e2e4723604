/// How a confined process has ended.
public enum ConfinedEnd: Equatable, Sendable {
  /// By itself, with this code.
  case exit(Int32)
  /// By a signal that this process did not send.
  case signal(Int32)
  /// It took longer than it was given, and was ended.
  case late
  /// Nobody wants what it makes any more: it was ended.
  case cancelled
  /// What it said had no meaning: it was ended.
  case nonsense
}

extension ConfinedEnd {
  private static let outOfTime: Int32 = 24, forbidden: Int32 = 31, kill: Int32 = 9

  /// What happened, for a person, in one sentence.
  /// - Parameter subject: how the sentence begins: "the picture's decoder ".
  public func sentence(_ subject: StaticString) -> InlineText<128> {
    switch self {
    case .exit(Confinement.refused): Self.text(subject, "could not be confined, so it did nothing")
    case .exit(Confinement.withoutMemory): Self.text(subject, "had not the memory that it needs, and ended")
    case .exit(let code): Self.text(subject, "ended with exit code ", code)
    case .signal(Self.outOfTime): Self.text(subject, "took more of the processor than it may")
    case .signal(Self.forbidden): Self.text(subject, "was ended by the kernel: it made a system call that it may not make")
    case .signal(Self.kill): Self.text(subject, "was killed (signal 9): the board is short of memory, or somebody ended it")
    case .signal(let number): Self.text(subject, "crashed with signal ", number)
    case .late: Self.text(subject, "took too long, and was ended")
    case .cancelled: Self.text(subject, "was ended: nobody waits any more")
    case .nonsense: Self.text(subject, "said what has no meaning, and was ended")
    }
  }

  private static func text(_ subject: StaticString, _ words: StaticString, _ number: Int32? = nil) -> InlineText<128> {
    var line = InlineText<128>()
    line.fill { room in
      var count = 0
      for byte in subject.bytes { append(byte, to: room, &count) }
      for byte in words.bytes { append(byte, to: room, &count) }
      guard let number else { return count }
      var divisor: Int32 = 100
      while divisor > 0 {
        if number >= divisor || divisor == 1 { append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10), to: room, &count) }
        divisor /= 10
      }
      return count
    }
    return line
  }

  private static func append(_ byte: UInt8, to room: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int) {
    guard count < room.count else { return }
    room[count] = byte
    count += 1
  }
}
